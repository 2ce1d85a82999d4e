"""Interviews with any resident, in their state after any step of a run, without effects on the run
(Park et al. 2023, §6.1).

The state after that step is restored from the saved run, and the resident thinks on a private view
of it that is dropped: neither the retrieval nor the answer leaves a trace. The run is open for
reading only, so that it may continue meanwhile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time
from pathlib import Path
from typing import Self

from hometown.agent.mind import Mind, concepts
from hometown.agent.mind.context import Moment, StepContext
from hometown.agent.planning.rest_of_day import upcoming
from hometown.clock import minute_of_day
from hometown.errors import BadInput, BadRun
from hometown.frozen import frozen
from hometown.history.names import Names
from hometown.memory.concept import Concept
from hometown.memory.scoring import Scored
from hometown.model.caller import Caller
from hometown.model.llm import Embedder, LanguageModel
from hometown.model.reply_journal import ReadOnlyJournal
from hometown.model.token_alternatives import TokenPlace
from hometown.prompt.interview_answers import (
    INTERVIEW,
    OPEN,
    Choices,
    InterviewReply,
    InterviewVars,
    Knows,
)
from hometown.prompt.render import Templates
from hometown.records import Outcome
from hometown.session import current_settings, missing_residents, same_embedder
from hometown.settings import Settings
from hometown.storage.run import RunFile
from hometown.study.access_conditions import AccessCondition, may_plan, restrict, situation_under
from hometown.study.option_probabilities import find_probabilities
from hometown.world.furnish import furnish_world
from hometown.world.interventions import Intervention
from hometown.world.resolve import parse_intervention
from hometown.world.rows import Promise
from hometown.world.state import State
from hometown.world.whereabouts import Whereabouts
from hometown.world.world import World

Lines = tuple[tuple[str, str], ...]
"""Earlier questions of a conversation with their answers, the earliest first."""


@frozen
class InterviewAnswer:
    """The answer of `who` (an id) after `step`, at the game time `now`; `digest` is that of the
    step.

    `knows` is the resident's own statement about knowing the subject of the question; `cited` are
    the memories on which the answer rests by their own statement, and `retrieved` all that were
    retrieved, best first. `outcome` is "fallback" where the model gave no usable answer. `given` is
    the content of the prompt, by which the answer is judged. `probabilities` are those of all
    possible answers to a closed question, the refusal last; empty where the model's server does not
    give them.
    """

    who: str
    step: int
    now: datetime
    digest: str
    question: str
    text: str
    knows: Knows
    cited: tuple[Concept, ...]
    retrieved: tuple[Scored, ...]
    outcome: Outcome
    model: str
    given: InterviewVars
    probabilities: tuple[float, ...] = ()


class Interviewer:
    """Interviews with the residents of one run, on one model and the run's own embedding.

    The run is open for reading, and its owner closes it. Questions at the same step, one after the
    other, read the state only once.
    """

    def __init__(
        self,
        run: RunFile,
        world: World,
        model: LanguageModel,
        embedder: Embedder,
        settings: Settings,
    ) -> None:
        """Create the interviewer; the limit on the share of fallbacks does not apply to interviews."""
        llm = settings.llm.model_copy(update={"max_fallback_share": 1.0})
        self.run, self.founded, self.model, self.embedder = run, world, model, embedder
        self.settings = settings.model_copy(update={"llm": llm})
        self._context: StepContext | None = None

    @classmethod
    def on(cls, run: RunFile, world: World, model: LanguageModel, settings: Settings) -> Self:
        """Return an interviewer with the run's own settings and embedding; `settings` contain the
        model servers of this machine.

        Raises:
            BadRun: The run's embedding has other dimensions now.
            BadInput: The embedding is not permitted here.
        """
        embedder = same_embedder(run.manifest, settings)
        return cls(run, world, model, embedder, current_settings(run.manifest.settings, settings))

    async def ask(
        self,
        who: str,
        question: str,
        at: int | None = None,
        lines: Lines = (),
        condition: AccessCondition = "full",
        choices: Choices = OPEN,
    ) -> InterviewAnswer:
        """Return the answer of a resident. They are asked after step `at`, by default the last one,
        and after the earlier `lines` of a conversation; `condition` is the part of their data on
        which the answer may rest, `choices` are the options of a closed question. Raises BadRun if
        there is no such step, ModelUnavailable if the model or the embedding does not answer.
        """
        mind = self.mind(who, at, Counter({INTERVIEW.kind: len(lines)}))
        restrict(mind, condition)
        found = await mind.recall([question, *(asked for asked, _ in lines[-1:])])
        variables = InterviewVars(
            situation_under(mind, condition),
            concepts(found),
            rest_of_day(mind) if may_plan(condition) else (),
            list_promises_ahead(mind) if may_plan(condition) else (),
            lines,
            question,
            choices,
            list_past_entries(mind) if may_plan(condition) else (),
            list_conversations_today(mind) if may_plan(condition) else (),
        )
        reply, given, places = await _ask(mind, variables, found)
        (call,) = mind.calls
        return InterviewAnswer(
            who=who,
            step=mind.moment.step,
            now=mind.now,
            digest=self.run.digest(mind.moment.step) or "",
            question=question,
            text=reply.answer,
            knows=reply.knows,
            cited=tuple(given.memories[number - 1] for number in reply.evidence),
            retrieved=tuple(found),
            outcome=call.outcome,
            model=self.model.name,
            given=given,
            probabilities=await _weigh_answers(mind, variables, found, places),
        )

    def mind(self, who: str, at: int | None, ordinals: Counter[str]) -> Mind:
        """Return a resident's mind after step `at`, by default the last one, with a view of its own
        that is dropped; `ordinals` number its calls by kind.

        Raises:
            BadRun: The resident moved in later.
        """
        context = self._after(self.run.last.step if at is None else at)
        if who not in context.world.personas:
            raise BadRun(
                "{name} does not live in the town yet after step {step}",
                name=self.founded.name_of(who),
                step=context.moment.step,
            )
        return Mind(who, context, ordinals)

    def state(self, at: int) -> State:
        """Return the town after a step, as the residents are asked in it. It is shared: don't
        change it.
        """
        return self._after(at).snapshot

    def world(self, at: int) -> World:
        """Return the world after a step, with all objects placed and removed by then."""
        return self._after(at).world

    def _after(self, at: int) -> StepContext:
        """Return the context of thinking after a step, with a journal that writes nothing; that of
        the latest step asked for is kept.
        """
        if self._context is None or self._context.moment.step != at:
            state, manifest = self.run.restore(at), self.run.manifest
            world = furnish_world(self.founded, state.rows)
            templates = Templates(
                world.lang,
                world.name_of,
                world.place_name,
                premise=world.premise,
                instructions=self.settings.instructions,
            )
            caller = Caller(
                self.model,
                self.embedder,
                templates,
                ReadOnlyJournal(),
                self.run.vectors,
                self.settings,
            )
            moment = Moment(at, state.clock.now, manifest.stride)
            self._context = StepContext(
                world,
                state,
                Whereabouts(world, state),
                moment,
                self.settings,
                manifest.seed,
                caller,
            )
        return self._context


async def _ask(
    mind: Mind, variables: InterviewVars, found: Sequence[Scored]
) -> tuple[InterviewReply, InterviewVars, list[TokenPlace]]:
    """Return the reply to a question, its variables as they fitted into the prompt, and the
    probabilities of the reply's tokens, where the server gives them and the question has options or
    numbers.
    """
    places: list[TokenPlace] = []
    caller, choices = mind.context.caller, variables.choices
    caller.on_places = places.extend if choices.options and choices.form != "amounts" else None
    reply, _, given = await mind.ask_with_variables(INTERVIEW, variables, found)
    return reply, given, places


async def _weigh_answers(
    mind: Mind, variables: InterviewVars, found: Sequence[Scored], places: Sequence[TokenPlace]
) -> tuple[float, ...]:
    """Return the probabilities of all possible answers, from those of the tokens of a resident's
    reply, and where they do not suffice from further replies with the same seed; none if the reply
    has none, or could not be used.
    """
    choices, asked = variables.choices, mind.ordinals[INTERVIEW.kind] - 1
    if not places or mind.calls[0].outcome == "fallback":
        return ()

    async def ask_among(answers: tuple[str, ...]) -> Sequence[TokenPlace]:
        mind.ordinals[INTERVIEW.kind] = asked
        held = replace(variables, choices=replace(choices, within=answers))
        return (await _ask(mind, held, found))[2]

    return await find_probabilities(choices.answers, places, ask_among)


def list_promises_ahead(mind: Mind) -> tuple[Promise, ...]:
    """Return the agreements of a resident that begin later."""
    return tuple(each for each in mind.state.promises(mind.who).items if each.start >= mind.now)


def rest_of_day(mind: Mind) -> tuple[tuple[int, str], ...]:
    """Return the rest of the day as (first minute, activity), the current entry first; empty before
    the day is planned.
    """
    schedule = mind.state.schedule(mind.who)
    if schedule.date != mind.now.date():
        return ()
    entries = schedule.entries
    return (
        *(
            (entry.start, entry.activity)
            for entry in entries
            if entry.start <= mind.minute < entry.end
        ),
        *upcoming(mind),
    )


def list_past_entries(mind: Mind) -> tuple[tuple[int, str], ...]:
    """Return the entries of today's schedule that are over, as (first minute, activity), without
    sleep.
    """
    schedule = mind.state.schedule(mind.who)
    if schedule.date != mind.now.date():
        return ()
    return tuple(
        (entry.start, entry.activity)
        for entry in schedule.entries
        if entry.end <= mind.minute and entry.kind != "sleep"
    )


def list_conversations_today(mind: Mind) -> tuple[tuple[int, str], ...]:
    """Return the conversations that a resident remembers of today, as (minute, names of the others)."""
    midnight = datetime.combine(mind.now.date(), time())
    return tuple(
        (minute_of_day(chat.created), mind.words.names(chat.about))
        for chat in mind.state.memory(mind.who).since(midnight, ("chat",))
        if chat.about
    )


def world_of_interview(run: RunFile, worlds: Path | None = None) -> World:
    """Return the world of a run, with its cast.

    Raises:
        BadRun: The world or the files of all residents are missing.
    """
    names = Names.of(run, worlds) if worlds else Names.of(run)
    if names.world is None:
        raise BadRun(
            "the residents of run {name!r} can't be asked: {reason}",
            name=run.manifest.name,
            reason=names.missing,
        )
    if not names.world.personas:
        raise missing_residents(run.manifest, run.manifest.residents)
    return names.world


def parse_questions(texts: Sequence[str], world: World) -> tuple[str, list[str]]:
    """Return the resident's id and the questions, from texts of which the first is "WHO: QUESTION"
    and the others continue the same conversation.

    Raises:
        BadInput: The resident is unknown or ambiguous, or a question is missing, too long or not
            text.
    """
    if not texts or not texts[0].strip():
        raise BadInput("there is no question: write 'WHO: QUESTION'")
    first = parse_intervention("tell", texts[0], world)
    return first.target, [
        first.text,
        *(check_question(first.target, text, world).text for text in texts[1:]),
    ]


def check_question(who: str, text: str, world: World) -> Intervention:
    """Return a question to a resident, by id, as an intervention of kind `tell`; raises BadInput
    for one beyond the limits of all texts from the user.
    """
    return parse_intervention("tell", f"{who}: {text}", world)
