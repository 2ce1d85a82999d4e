"""The context of every faculty: the resident's private view of the town, its effects so far, and
the model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cached_property, partial
from random import Random
from typing import Any, TypeVar

from hometown.agent.context import StepContext
from hometown.agent.feelings import Heart, effects_of, stirs_within, weighed
from hometown.agent.phrasing import Words
from hometown.clock import minute_of_day
from hometown.frozen import frozen
from hometown.memory.concept import Concept, MemoryType
from hometown.memory.scoring import Scored
from hometown.memory.tiers import retrieve
from hometown.model.levels import played_by
from hometown.model.queue import Place
from hometown.model.size import Freedom, freedom_in
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.keeping import kept, restored
from hometown.prompt.prompt import Prompt, Reply, Situation, Variables
from hometown.records import Call, Retrieval
from hometown.rng import stream, stream_seed
from hometown.society.affairs import Affairs
from hometown.society.mood import Stirred
from hometown.society.workday import affairs_of
from hometown.together import together
from hometown.world.apply import apply
from hometown.world.effects import Accessed, Effect, Logged, Recalled, Remembered, Retired
from hometown.world.pending import Question, QuestionArose
from hometown.world.persona import Persona
from hometown.world.state import Overlay

LAST_WORDS = 1
"""Lines that are still in one's ears after a conversation."""

V = TypeVar("V", bound=Variables)
R = TypeVar("R", bound=Reply)
T = TypeVar("T")


@frozen
class NewMemory:
    """A memory about to be made, before it has an id and a rating."""

    type: MemoryType
    text: str
    subject: str
    predicate: str
    object: str = ""
    address: str = ""
    evidence: tuple[int, ...] = ()
    talk: str = ""
    about: tuple[str, ...] = ()


class Mind:
    """One resident in one step."""

    def __init__(
        self, who: str, context: StepContext, ordinals: Counter[str] | None = None
    ) -> None:
        self.who = who
        self.context = context
        self.world = context.world
        self.scene = context.scene
        self.settings = context.settings
        self.moment = context.moment
        self.now = context.moment.now
        self.state = Overlay(context.snapshot, who)
        self.words = Words(context.world)
        self.heart = Heart(context.world, context.snapshot, who, context.settings)
        self.effects: list[Logged] = []
        self.calls: list[Call] = []
        self.ordinals: Counter[str] = ordinals if ordinals is not None else Counter()
        self.company = ""
        """Whom the resident is talking to."""
        self.deferred = False
        """Whether nobody waits for what the resident is asked."""

    # reading ------------------------------------------------------------------------------

    @property
    def me(self) -> Persona:
        return self.world.personas[self.who]

    @cached_property
    def affairs(self) -> Affairs | None:
        """How things stand, and what the resident has done about it in this step; None in a town
        without a society.
        """
        return affairs_of(self.world, self.state)

    @property
    def minute(self) -> int:
        return minute_of_day(self.now)

    @property
    def arena(self) -> str:
        return self.scene.arena(self.who)

    @property
    def situation(self) -> Situation:
        return Situation(
            me=self.me,
            currently=self.state.mind(self.who).currently,
            now=self.now,
            where=self.world.place_name(self.arena),
            doing=self.state.action(self.who).activity,
            lately=self._lately(),
            names=self.world.names,
            lang=self.world.lang,
            plain=self.freedom == "plain",
            feels=self.heart.in_words(),
            tone=self.heart.tone(self.company),
            lacks=self.world.lacks,
        )

    def _lately(self) -> str:
        """The last words of a conversation that the resident has just had, until it remembers what
        was said; "" if it has had none.
        """
        talks = (
            self.state.unsummed(question.talk)
            for question in self.state.questions(self.who)
            if question.talk
        )
        if (talk := next(talks, None)) is None:
            return ""
        said = (
            self.words.say("said", name=self.words.name(line.speaker), line=line.text)
            for line in talk.lines_for(self.who)[-LAST_WORDS:]
        )
        return self.words.say(
            "just_talked", others=self.words.names(talk.others(self.who)), said=" ".join(said)
        )

    def closeness(self, other: str) -> int:
        """How close another is to the resident, 0 to 10."""
        return self.state.bond(self.who, other).closeness((self.me.closeness or {}).get(other, 0))

    @property
    def freedom(self) -> Freedom:
        """How far the model that speaks for the resident may depart from its habits."""
        return freedom_in(
            self.settings.llm.freedom,
            played_by(self.settings.detail, self.context.caller.model.name, self.who),
        )

    @property
    def near_habit(self) -> bool:
        """Whether the model that speaks for the resident chooses among what the resident is in the
        habit of doing.
        """
        return self.freedom != "free"

    def rng(self, purpose: str) -> Random:
        return stream(self.context.seed, self.who, self.moment.step, purpose)

    # changing -----------------------------------------------------------------------------

    def do(self, effect: Effect, cause: str) -> None:
        """Carries an effect out on the private view, and keeps it for the commit; so what it makes
        the resident feel, or think of others.
        """
        stirred = stirs_within(self.world, self.state, self.settings, self.who, effect)
        self._carry_out(Logged(effect, self.who, cause))
        if stirred:
            self.stir(stirred)

    def stir(self, stirred: list[Stirred]) -> None:
        """What stirs the resident makes it feel, or think of others."""
        for logged in effects_of(self.world, self.state, self.settings, stirred):
            self._carry_out(logged)

    def _carry_out(self, logged: Logged) -> None:
        apply(logged.effect, self.state)
        self.effects.append(logged)

    async def remember(
        self, new: Sequence[NewMemory], ratings: Sequence[int], cause: str, counts: bool = True
    ) -> list[Concept]:
        """Makes memories with these ratings of poignancy, retiring what no longer fits."""
        await self.context.caller.embed([memory.text for memory in new])
        made = [
            self._concept(memory, rating, offset)
            for offset, (memory, rating) in enumerate(zip(new, ratings, strict=True))
        ]
        for concept in made:
            self.do(Remembered(self.who, self._weighed(concept), counts), cause)
        self._retire_surplus()
        return made

    def _concept(self, new: NewMemory, rating: int, offset: int) -> Concept:
        return Concept(
            id=self.state.mind(self.who).memories + 1 + offset,
            type=new.type,
            text=new.text,
            subject=new.subject,
            predicate=new.predicate,
            object=new.object,
            address=new.address,
            poignancy=rating,
            created=self.now,
            expires=self.now + timedelta(days=self.settings.associate.expire_days),
            evidence=new.evidence,
            talk=new.talk,
            about=new.about,
        )

    def _weighed(self, concept: Concept) -> Concept:
        """A memory as it weighs for whom it stirs."""
        return (
            replace(concept, poignancy=weighed(self.world, self.state, self.who, concept))
            if self.settings.faculties.feel
            else concept
        )

    def _retire_surplus(self) -> None:
        limit = self.settings.associate.max_memory
        memory = self.state.memory(self.who)
        if not 0 <= limit < len(memory):
            return
        background = {concept.id for concept in memory.background}
        surplus = len(memory) - len(background) - limit
        if surplus > 0:
            ids = memory.partition.find_least_valuable(
                surplus,
                self.now,
                self.settings.associate,
                self.state.spared(self.who) | background,
            )
            self.do(Retired(self.who, tuple(ids), "surplus"), "rule:max_memory")

    # asking -------------------------------------------------------------------------------

    async def ask(
        self, prompt: Prompt[V, R], variables: V, retrieved: Iterable[Scored] = ()
    ) -> tuple[R, str]:
        """The model's reply, and the name of the call by which effects refer to it."""
        reply, cause, _ = await self.ask_by_number(prompt, variables, retrieved)
        return reply, cause

    async def ask_by_number(
        self, prompt: Prompt[V, R], variables: V, retrieved: Iterable[Scored] = ()
    ) -> tuple[R, str, V]:
        """As `ask`, and the variables as they fitted into the prompt: numbers in the reply count
        those.
        """
        return await self._ask(
            prompt, lambda: variables, tuple(_as_retrieval(scored) for scored in retrieved)
        )

    def wonder(
        self,
        prompt: Prompt[V, R],
        variables: V,
        retrieved: Iterable[Scored],
        cause: str,
        *,
        talk: str = "",
        company: str = "",
    ) -> None:
        """Keeps a question for the next step, in which it is answered while nobody waits."""
        text, memories = kept(variables)
        question = Question(
            prompt.kind,
            text,
            tuple(_as_retrieval(scored) for scored in retrieved),
            talk,
            company,
            memories,
        )
        self.do(QuestionArose(self.who, question), cause)

    async def answer(self, question: Question) -> tuple[Any, str, Any]:
        """The reply to a question that arose in the step before, as `ask_by_number`."""
        prompt, self.company = PROMPTS[question.kind], question.company
        variables = partial(
            restored,
            prompt.variables,
            question.variables,
            self.situation,
            self.state.memory(self.who),
        )
        return await self._ask(prompt, variables, question.retrieved, (question, self.world))

    async def _ask(
        self,
        prompt: Prompt[V, R],
        variables: Callable[[], V],
        retrieved: Sequence[Retrieval],
        basis: tuple[object, ...] = (),
    ) -> tuple[R, str, V]:
        """`basis` is all that a question rests on that may have been put beforehand."""
        caller, place = (
            self.context.caller,
            Place(self.moment.step, self.who, prompt.kind, self.ordinals[prompt.kind]),
        )
        self.ordinals[prompt.kind] += 1
        answer = caller.given(place, basis) or await caller.ask(
            prompt,
            variables(),
            step=place.step,
            who=place.who,
            ordinal=place.ordinal,
            seed=stream_seed(
                self.context.seed, self.who, self.moment.step, prompt.kind, place.ordinal
            ),
            retrieved=retrieved,
            company=self.company,
            deferred=self.deferred,
        )
        caller.keep(place, basis, answer)
        reply, call, asked = answer
        self.calls.append(call)
        return reply, call.ref, asked

    async def recall(
        self,
        queries: Sequence[str],
        *,
        count: int | None = None,
        kinds: Sequence[MemoryType] | None = None,
    ) -> list[Scored]:
        """Memories retrieved for any of the queries, best first, each once; none where residents
        can't remember. Marks them as accessed.
        """
        if not self.settings.faculties.remember:
            return []
        vectors = await self.context.caller.embed(list(queries))
        found = retrieve(
            self.state.store,
            self.who,
            vectors,
            self.now,
            self.settings.associate,
            count or self.settings.associate.retrieve_max,
            kinds,
        )
        if live := sorted(scored.concept.id for scored in found.live):
            self.do(Accessed(self.who, tuple(live), self.now), "rule:retrieval")
        if retired := sorted(scored.concept.id for scored in found.retired):
            self.do(Recalled(self.who, tuple(retired), self.now), "rule:retrieval")
        return [*found.live, *found.retired]

    async def at_once(self, *trains: Callable[[Mind], Coroutine[Any, Any, T]]) -> list[T]:
        """Several trains of thought at the same time, on one view of the town; their results.

        Effects and calls are kept in the order of the trains, whichever ends first. So none may
        rest on what another one does, and calls of the same kind must be the first of their trains,
        since they are numbered as they begin.
        """
        minds = [self._aside() for _ in trains]
        results = await together(train(mind) for train, mind in zip(trains, minds, strict=True))
        for mind in minds:
            self.effects += mind.effects
            self.calls += mind.calls
        return results

    def _aside(self) -> Mind:
        """This mind, with lists of its own for what it does and asks."""
        mind = Mind.__new__(Mind)  # `copy` takes five times as long
        mind.__dict__ |= self.__dict__ | {"effects": [], "calls": []}
        return mind

    async def gather_recalls(self, queries: Sequence[str], count: int) -> list[list[Scored]]:
        """Memories retrieved for each query separately."""
        await self.context.caller.embed(list(queries))
        return [await self.recall([query], count=count) for query in queries]


def concepts(retrieved: Iterable[Scored]) -> tuple[Concept, ...]:
    """The memories themselves, oldest first, as prompts list them."""
    return tuple(sorted((scored.concept for scored in retrieved), key=lambda concept: concept.id))


def _as_retrieval(scored: Scored) -> Retrieval:
    return Retrieval(scored.concept.id, *scored[1:])
