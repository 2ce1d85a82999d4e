"""A resident in one step: private view of the town, effects, model calls, memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, TypeVar

from hometown.agent.mind.circumstances import Circumstances
from hometown.agent.mind.context import StepContext
from hometown.agent.mind.emotions import (
    Emotions,
    derive_feelings,
    find_own_triggers,
    rate_with_feelings,
)
from hometown.agent.mind.mood import Stimulus
from hometown.agent.mind.new_memories import NewMemory, as_retrieval, find_surplus
from hometown.agent.mind.phrasing import Words
from hometown.clock import minute_of_day
from hometown.memory.concept import Concept, MemoryType
from hometown.memory.scoring import Scored
from hometown.memory.tiers import retrieve
from hometown.model.levels import played_by
from hometown.model.queue import CallKey
from hometown.model.size import Freedom, freedom_in
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.keeping import restore_variables, serialize_variables
from hometown.prompt.prompt import Prompt, Reply, Situation, Variables
from hometown.records import Call, Retrieval
from hometown.rng import stream, stream_seed
from hometown.text import catalogue
from hometown.together import run_concurrently
from hometown.world.apply import apply
from hometown.world.effects import (
    Accessed,
    Effect,
    Logged,
    Recalled,
    Remembered,
    Retired,
    Settled,
)
from hometown.world.happening_process import is_done_with_measure
from hometown.world.outside import visible_act
from hometown.world.pending import Question, QuestionArose
from hometown.world.persona import Persona
from hometown.world.resident_names import find_absent_company, name_kin
from hometown.world.state import PrivateState
from hometown.world.usual_day import describe_usual_day

V = TypeVar("V", bound=Variables)
R = TypeVar("R", bound=Reply)
T = TypeVar("T")


class Mind:
    """A resident in one step.

    Effects apply to a private overlay of the snapshot and are collected in `effects` for the
    commit; calls to the model are collected in `calls`. `ordinals` counts the calls by kind of
    prompt, which makes each call of a step identifiable.
    """

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
        self.minute = minute_of_day(self.now)
        self.state = PrivateState(context.snapshot, who)
        self.words = Words(context.world)
        self.emotions = Emotions(context.world, context.snapshot, who, context.settings)
        self.effects: list[Logged] = []
        self.calls: list[Call] = []
        self.ordinals: Counter[str] = ordinals if ordinals is not None else Counter()
        self.company = ""
        """The resident with whom a conversation is held; "" without one."""
        self.is_deferred = False
        """True if the calls of this mind answer deferred questions, which have the lowest priority."""

    # reading ------------------------------------------------------------------------------

    @property
    def me(self) -> Persona:
        """Return the persona of the resident."""
        return self.world.personas[self.who]

    @property
    def arena(self) -> str:
        """Return the address of the arena in which the resident is."""
        return self.scene.arena(self.who)

    @property
    def situation(self) -> Situation:
        """Return the variables that all prompts share: the resident's identity, place, time,
        activity, company, feelings and surroundings.
        """
        around = self.circumstances
        past = around.find_last_gathering()
        missing = (
            self.words.say("not_here", name=self.words.name(other))
            for other in self.missing_company
        )
        return Situation(
            me=self.me,
            currently=self.state.mind(self.who).currently,
            now=self.now,
            where=self.world.place_name(self.arena),
            doing=around.describe_doing(),
            within=around.describe_present_entry(),
            usual=describe_usual_day(self.world, self.who, self.now),
            earshot=around.find_within_earshot(),
            lately=around.describe_recent_conversation(),
            names=self.world.names,
            lang=self.world.lang,
            plain=self.freedom() == "plain",
            feels=self.emotions.describe(),
            tone=self.emotions.tone(self.company),
            lacks=self.world.lacks,
            around=(
                *around.describe_happenings(),
                *around.describe_gatherings(),
                *([self.words.say("yesterday", text=past.text)] if past else []),
                *missing,
                *around.describe_processes(),
            ),
            gathered=past.object if past else "",
        )

    @property
    def circumstances(self) -> Circumstances:
        """Return what prompts tell of the resident's circumstances."""
        return Circumstances(self.who, self.context, self.state, self.words)

    def see_act(self, other: str) -> str:
        """Return the act of another resident as this one sees it."""
        action = self.state.action(other)
        known = {occasion.story for occasion, _ in self.scene.occasions[self.who]}
        seen = visible_act(self.world, other, action, self.arena, self.now, self.is_here, known)
        is_done = is_done_with_measure(self.state, other)
        is_clear = seen != catalogue(self.world.lang, "outside")["hidden_seen"]
        return self.words.say("done_with", what=seen) if is_done and is_clear else seen

    def is_here(self, other: str) -> bool:
        """Return True if another resident is in the same arena."""
        return other in self.scene.residents[self.arena]

    @property
    def awake_company(self) -> tuple[str, ...]:
        """Return the other residents in the same arena who are awake."""
        here = self.scene.residents[self.arena]
        return tuple(who for who in here if who != self.who and not self.state.is_asleep(who))

    @property
    def missing_company(self) -> tuple[str, ...]:
        """Return the residents whom the present activity names as company and who are not here;
        none before the resident has arrived.
        """
        action = self.state.action(self.who)
        if action.started is None:
            return ()
        named = name_kin(self.world, self.who, action.activity)
        return find_absent_company(self.world, named, self.is_here)

    def closeness(self, other: str) -> int:
        """Return the resident's closeness to another, 0 to 10."""
        return self.state.bond(self.who, other).closeness((self.me.closeness or {}).get(other, 0))

    def freedom(self, kind: str = "") -> Freedom:
        """Return the freedom of the resident's model to depart from their habits, in its replies to
        a kind of prompt.
        """
        name = played_by(self.settings.detail, self.context.caller.model.name, self.who)
        return freedom_in(self.settings.llm, name, kind)

    def is_near_habit(self, kind: str) -> bool:
        """Return True if the resident's model chooses among habits only, for a kind of prompt."""
        return self.freedom(kind) != "free"

    def rng(self, purpose: str) -> Random:
        """Return a random stream for one purpose of this resident in this step."""
        return stream(self.context.seed, self.who, self.moment.step, purpose)

    # changing -----------------------------------------------------------------------------

    def do(self, effect: Effect, cause: str) -> None:
        """Apply an effect to the private view and log it, together with the feelings that it
        triggers.
        """
        stirred = find_own_triggers(self.world, self.state, self.settings, self.who, effect)
        self._carry_out(Logged(effect, self.who, cause))
        if stirred:
            self.feel(stirred)

    def feel(self, stirred: list[Stimulus]) -> None:
        """Apply and log the feelings, and the opinions about others, that follow from triggers."""
        for logged in derive_feelings(self.world, self.state, self.settings, stirred):
            self._carry_out(logged)

    def _carry_out(self, logged: Logged) -> None:
        """Apply an effect to the private view and log it."""
        apply(logged.effect, self.state)
        self.effects.append(logged)

    async def remember(
        self, new: Sequence[NewMemory], ratings: Sequence[int], cause: str, counts: bool = True
    ) -> list[Concept]:
        """Embed and store memories with their poignancy, which feelings may raise, and retire the
        least valuable beyond the limit.

        Args:
            new: the memories, none of which has an id yet.
            ratings: the poignancy of each, 1 to 10.
            cause: the call or rule that they come from.
            counts: True if they count towards the next reflection.

        Returns:
            The memories in the same order, with the poignancy given in `ratings`.
        """
        await self.context.caller.embed([memory.text for memory in new])
        first, days = self.state.mind(self.who).memories + 1, self.settings.associate.expire_days
        made = [
            memory.at(self.now, number, rating, days)
            for number, (memory, rating) in enumerate(zip(new, ratings, strict=True), first)
        ]
        for concept in made:
            self.do(Remembered(self.who, self._with_felt_poignancy(concept), counts), cause)
        if surplus := find_surplus(self.who, self.state, self.now, self.settings):
            self.do(Retired(self.who, tuple(surplus), "surplus"), "rule:max_memory")
        return made

    def _with_felt_poignancy(self, concept: Concept) -> Concept:
        """Raise the poignancy of a memory that the resident has strong feelings about."""
        return (
            replace(
                concept, poignancy=rate_with_feelings(self.world, self.state, self.who, concept)
            )
            if self.settings.faculties.feel
            else concept
        )

    def settle(self, memories: Iterable[Concept], cause: str) -> None:
        """Retire memories that are over, with the time: intentions carried out, and facts that are
        no longer true. Conversations and passages read stay, and memories that an open question is
        about retire once it is answered.
        """
        stream, now = self.state.memory(self.who), self.now
        over = {
            memory.id
            for memory in self.leave_out_settled(memories)
            if memory.id in stream and memory.type != "chat" and not memory.is_background
        }
        if over:
            self.do(Settled(self.who, tuple(sorted(over)), now), cause)

    def leave_out_settled(self, memories: Iterable[Concept]) -> list[Concept]:
        """Return the memories that are not over; those that are may still be live, while a question
        is about them.
        """
        settled = self.state.settled_memories(self.who)
        return [memory for memory in memories if memory.id not in settled]

    # asking -------------------------------------------------------------------------------

    async def ask(
        self, prompt: Prompt[V, R], variables: V, retrieved: Iterable[Scored] = ()
    ) -> tuple[R, str]:
        """Return the model's reply and the reference of the call, the cause of the effects that
        follow.
        """
        reply, cause, _ = await self.ask_with_variables(prompt, variables, retrieved)
        return reply, cause

    async def ask_with_variables(
        self, prompt: Prompt[V, R], variables: V, retrieved: Iterable[Scored] = ()
    ) -> tuple[R, str, V]:
        """Ask the model and return the variables as well, as they fitted into the prompt.

        Numbers in a reply refer to the lists of the returned variables, which may have been
        shortened.

        Returns:
            The reply, the reference of the call, and the variables.
        """
        return await self._ask(
            prompt, lambda: variables, tuple(as_retrieval(scored) for scored in retrieved)
        )

    def defer_question(
        self,
        prompt: Prompt[V, R],
        variables: V,
        retrieved: Iterable[Scored],
        cause: str,
        *,
        talk: str = "",
        company: str = "",
    ) -> None:
        """Store a question that is asked in the background during the next step: no resident waits
        for its answer.

        Args:
            prompt: the kind of question.
            variables: its variables, stored as they are now.
            retrieved: the memories that it is asked with.
            cause: the call or rule that raised it.
            talk: the id of the conversation that it is about, if any.
            company: the resident with whom the conversation was held, if any.
        """
        text, memories = serialize_variables(variables)
        question = Question(
            prompt.kind,
            text,
            tuple(as_retrieval(scored) for scored in retrieved),
            talk,
            company,
            memories,
        )
        self.do(QuestionArose(self.who, question), cause)

    async def answer(self, question: Question) -> tuple[Any, str, Any]:
        """Return the reply to a deferred question, in the form of `ask_with_variables`. One that was
        requested earlier does not count if a memory in question has been retired meanwhile.
        """
        prompt, self.company = PROMPTS[question.kind], question.company
        memory = self.state.memory(self.who)
        is_whole = all(memory.find(number) is not None for number in question.memories)
        basis = (question, self.world) if is_whole else (object(),)  # nothing was cached for it

        def restore() -> Any:
            return restore_variables(prompt.variables, question.variables, self.situation, memory)

        return await self._ask(prompt, restore, question.retrieved, basis)

    async def _ask(
        self,
        prompt: Prompt[V, R],
        variables: Callable[[], V],
        retrieved: Sequence[Retrieval],
        basis: tuple[object, ...] = (),
    ) -> tuple[R, str, V]:
        """Make a call, or take its reply from those requested earlier.

        `basis` identifies everything that a deferred question depends on. It is empty for other
        questions.
        """
        caller = self.context.caller
        place = CallKey(self.moment.step, self.who, prompt.kind, self.ordinals[prompt.kind])
        self.ordinals[prompt.kind] += 1
        answer = caller.cached_answer(place, basis) or await caller.ask(
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
            deferred=self.is_deferred,
        )
        caller.cache_answer(place, basis, answer)
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
        """Retrieve memories for several queries, mark the live ones as accessed, and restore the
        retired ones, without those that are settled.

        Args:
            queries: texts, for any of which a memory may be relevant.
            count: maximum number of memories; `associate.retrieve_max` by default.
            kinds: types of memories to retrieve; all by default.

        Returns:
            Memories without duplicates, the best first, retired ones last; an empty list in
            runs without the faculty to remember.
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
        settled = self.state.settled_memories(self.who)
        valid, back = (
            [scored for scored in each if scored.concept.id not in settled]
            for each in (found.live, found.retired)
        )
        if live := sorted(scored.concept.id for scored in valid):
            self.do(Accessed(self.who, tuple(live), self.now), "rule:retrieval")
        if retired := sorted(scored.concept.id for scored in back):
            self.do(Recalled(self.who, tuple(retired), self.now), "rule:retrieval")
        return [*valid, *back]

    async def run_concurrently(self, *trains: Callable[[Mind], Coroutine[Any, Any, T]]) -> list[T]:
        """Run several trains of thought concurrently and return their results.

        No train sees the effects of another, which may come earlier or later, depending on the
        replies and vectors that are known already. Effects and calls are kept in the order of the
        trains, regardless of which ends first. Calls of the same kind must be the first of their
        trains, since they are numbered as they begin.
        """
        minds = [self._branch() for _ in trains]
        results = await run_concurrently(
            train(mind) for train, mind in zip(trains, minds, strict=True)
        )
        for mind in minds:
            for logged in mind.effects:
                self._carry_out(logged)
            self.calls += mind.calls
        return results

    def _branch(self) -> Mind:
        """Return a copy of this mind with its own view of the town, effects and calls."""
        mind = Mind.__new__(Mind)  # `copy` takes five times as long
        state = PrivateState(self.context.snapshot, self.who)
        for logged in self.effects:
            apply(logged.effect, state)
        mind.__dict__ |= self.__dict__ | {"state": state, "effects": [], "calls": []}
        return mind

    async def recall_each(self, queries: Sequence[str], count: int) -> list[list[Scored]]:
        """Return the memories retrieved for each query separately."""
        await self.context.caller.embed(list(queries))
        return [await self.recall([query], count=count) for query in queries]
