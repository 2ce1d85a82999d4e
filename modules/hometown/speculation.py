"""Speculation: while the town waits for replies, copies of it simulate its next steps and make the
calls that those are expected to need.

As soon as some residents have decided on their actions in a step, a copy assumes these decisions
and simulates the next step with them, and a copy of that one the step after; residents who are
still busy are left out. When more is known, the copy starts over. Its calls use slots that would be
idle (`modules/hometown/model/queue.py`), and the real step, like the next copy, finds the replies
by their requests. A wrong guess costs an unneeded call and has no other effect: the copy is stopped
before the real step is committed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence, Set
from copy import copy
from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from typing import Any, Protocol, Self

from hometown.agent.conversation.pairing import Meeting
from hometown.agent.mind import Mind
from hometown.agent.mind.context import Moment, StepContext
from hometown.agent.minds import LocalMinds, Minds, Thought, collect_thoughts
from hometown.agent.thinking_group import ThinkingGroup
from hometown.clock import minute_of_day
from hometown.memory.schedule import PlacedTask, planned_room
from hometown.model.caller import Caller
from hometown.model.own_server import on_own_server
from hometown.records import Call
from hometown.settings import Settings
from hometown.together import run_concurrently
from hometown.world.conversation import Conversation, Presence
from hometown.world.effects import Logged, Related, TalkBegan
from hometown.world.pending import Question
from hometown.world.state import State
from hometown.world.whereabouts import Whereabouts
from hometown.world.world import arena_of

log = logging.getLogger(__name__)

USUAL_STEPS = 3
"""Steps to speculate ahead on the user's own server, if the settings leave it open. By
`benchmarks/schedule.py`, the second gains 7 % on eight slots, the third 4 %, and the fourth less
than 1 %; with three, one call in twenty is made in vain.
"""

CAREFUL_SECONDS, SLOW_SECONDS = 5.0, 30.0
"""Usual seconds of a reply from which on residents near busy ones are not asked ahead, since a call
in vain holds a slot for long, and from which on nobody is, unless the settings ask for it. By
`benchmarks/schedule.py`, care costs a tenth of the speed on eight slots, and saves one call in
twenty.
"""

CONVERSATION_MINUTES = 4
"""Assumed length in game minutes of a conversation that has not ended."""


class CopyableGame(Protocol):
    """The part of a game that a copy of it needs."""

    state: State
    caller: Caller
    settings: Settings
    context: StepContext
    log: list[Logged]
    calls: list[Call]
    minds: Minds

    @property
    def ends(self) -> bool: ...
    async def review(self) -> None: ...
    async def settle(self) -> None: ...
    def begin_step(self) -> Moment: ...
    def draw_order(self, moment: Moment) -> list[str]: ...
    def in_town(self, order: Sequence[str]) -> list[str]: ...
    def thinkers(self, order: Sequence[str]) -> list[str]: ...
    def look(self, moment: Moment) -> StepContext: ...
    def commit(self, thoughts: Sequence[Thought]) -> None: ...
    def walk(self, order: Sequence[str], moment: Moment) -> None: ...
    def run_economy(self, order: Sequence[str], moment: Moment) -> None: ...
    def carry_out(self, logged: Logged) -> None: ...


def steps_ahead(settings: Settings, model: str) -> int:
    """Return the number of steps for which the calls of a model are made ahead: 0 if residents
    think one after the other, else the number in the settings or, if they leave it open,
    `USUAL_STEPS` on the user's own server and 0 elsewhere.
    """
    if settings.turn_order == "sequential":
        return 0
    chosen = settings.machine.ahead
    return chosen if chosen >= 0 else USUAL_STEPS if on_own_server(model, settings.machine) else 0


class Speculation:
    """The copies that simulate the steps after that of a game, each of which starts over when more
    is known. As a context manager, it stops its copies on leaving.
    """

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self._copies: set[asyncio.Task[None]] = set()
        self._questions: set[asyncio.Task[None]] = set()
        """Questions that the town itself asks ahead; they continue beyond the end of a step."""
        self._due = False
        """True if the copy is to be started, or restarted, once a slot is idle."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *failure: object) -> None:
        self._due = False
        await self._stop()

    def drop_questions(self) -> None:
        """Cancel the questions that were asked ahead and have no reply yet; their step asks again."""
        for task in self._questions:
            task.cancel()

    async def _stop(self) -> None:
        """Cancel the copies, except one that calls this itself, and wait until they have ended."""
        while copies := self._copies - {asyncio.current_task()}:
            for task in copies:
                task.cancel()
            await asyncio.wait(copies)

    def follow(self, game: CopyableGame) -> None:
        """Simulate the next step of a game, if one is planned, as soon as a slot is idle, without
        the residents who are busy in this one. It has no effect without steps to go ahead, if such
        a start is already due, or if replies are so slow that a call in vain is a burden, unless
        the settings ask for it.
        """
        is_slow = game.caller.queue.usual_seconds >= SLOW_SECONDS
        is_burden = game.settings.machine.ahead < 0 and is_slow
        if self.steps and not self._due and not game.ends and not is_burden:
            self._due = True
            self._start(self._live_next(game), self._copies)

    def ask(self, game: CopyableGame, mind: Mind, arisen: Sequence[Question]) -> None:
        """Ask a resident's questions of the next step now, since all that they depend on is known;
        nothing is asked without questions or a next step. The town itself asks even if `steps` is
        0; its questions outlast the step, while those of a copy are stopped with it.
        """
        depth = game.caller.depth
        if arisen and (depth == 0 or self.steps) and not game.ends:
            moment = game.context.moment
            following = Moment(
                moment.step + 1, moment.now + timedelta(minutes=moment.stride), moment.stride
            )
            early = Mind(
                mind.who,
                replace(
                    game.context,
                    moment=following,
                    caller=game.caller.speculative() if depth else game.caller.prefetching(),
                ),
            )
            early.is_deferred = True
            early.state = mind.state
            self._start(_answer(early, arisen), self._copies if depth else self._questions)

    async def _live_next(self, game: CopyableGame) -> None:
        """Wait for an idle slot, replace the running copy by a new one, finish the present step in
        it as far as it is known, and let its residents think in the next one. It then waits until
        it is stopped, so that its own copies go on.
        """
        await game.caller.queue.idle(game.caller.depth)
        self._due = False
        await self._stop()
        assert isinstance(game.minds, LocalMinds), "copies are of minds in this process"
        following = copy(game)
        following.caller = game.caller.speculative()
        following.state = game.state.fork(following.caller.vector)
        following.log = []
        following.calls = []
        async with Speculation(self.steps - 1) as ahead:
            following.minds = game.minds.copy(
                lambda: ahead.follow(following),
                lambda mind, arisen: ahead.ask(following, mind, arisen),
            )
            busy = frozenset(game.minds.gathering.busy)
            await _end_step(following, game.minds.gathering, list(game.minds.ordinals))
            moment = following.begin_step()
            order = following.draw_order(moment)
            context = following.look(moment)
            if game.caller.queue.usual_seconds >= CAREFUL_SECONDS:
                near = _find_near(busy, context.scene, following.state, moment)
                following.minds.leave_out(near)
            await following.minds.begin(context, order)
            await following.minds.think(context, following.thinkers(order))
            # Until it is stopped, together with its own copies.
            await asyncio.get_running_loop().create_future()

    def _start(self, live: Coroutine[Any, Any, None], tasks: set[asyncio.Task[None]]) -> None:
        """Run a coroutine as a task of one of the sets; its failure is only logged."""
        task = asyncio.get_running_loop().create_task(live)
        tasks.add(task)
        task.add_done_callback(self._log_failure)

    def _log_failure(self, task: asyncio.Task[None]) -> None:
        """Log the failure of a copy. The town is not affected: if it is more than a wrong guess,
        the real step will meet it, too.
        """
        self._copies.discard(task)
        self._questions.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.debug("a copy of the town that ran ahead has ended early", exc_info=error)


def _find_near(busy: Set[str], scene: Whereabouts, state: State, moment: Moment) -> set[str]:
    """Return the residents who will see, hear or meet busy ones: those in the same arenas, or where
    the plans of these lead them in this step or, in good time for a meeting, before the next.
    """
    minute = minute_of_day(moment.now)
    planned = set[str]()
    for who in busy:
        due = state.tasks(who).due(minute)
        planned.add(arena_of(state.action(who).address))
        planned.add(arena_of(due.address) if isinstance(due, PlacedTask) else "")
        planned.update(
            arena_of(entry.address) or planned_room(entry)
            for entry in state.schedule(who).entries
            if entry.start < minute + 2 * moment.stride and minute < entry.end
        )
    return {
        who
        for arena, here in scene.residents.items()
        if arena in planned or not busy.isdisjoint(here)
        for who in here
    }


async def _answer(mind: Mind, questions: Sequence[Question]) -> None:
    """Answer the questions of a mind concurrently; the replies stay in the cache for the real step."""
    await run_concurrently(mind.answer(question) for question in questions)


async def _end_step(game: CopyableGame, gathering: ThinkingGroup, order: Sequence[str]) -> None:
    """Finish a step as far as it is known, assuming that unfinished conversations have no other
    effect than having taken place, and that unanswered questions change nothing.
    """
    moment = game.context.moment
    minds = gathering.minds
    await game.review()
    game.commit(collect_thoughts(gathering.order_minds(), gathering.intents))
    for meeting in gathering.meetings:
        if meeting.opener in gathering.busy:
            guess = _guess_conversation(meeting, minds[meeting.opener])
            game.carry_out(
                Logged(
                    TalkBegan(guess, moment.now + timedelta(minutes=guess.minutes)),
                    meeting.opener,
                    meeting.intent.cause,
                )
            )
            for who, other in permutations(meeting.people, 2):
                relation = game.state.relation(who, other)
                game.carry_out(
                    Logged(
                        Related(
                            who, other, replace(relation, talks=relation.talks + 1, last=moment.now)
                        ),
                        who,
                        "rule:talk",
                    )
                )
    await game.settle()
    game.walk(game.in_town(order), moment)
    game.run_economy(order, moment)


def _guess_conversation(meeting: Meeting, opener: Mind) -> Conversation:
    """Return an unfinished conversation as others see it: of the assumed length, without lines, and
    with all its participants until its end.
    """
    moment = opener.moment
    everybody = tuple(Presence(who, 0, 0) for who in meeting.people)
    head = (
        f"{moment.step}-{opener.who}",
        moment.step,
        opener.who,
        meeting.partner,
        opener.arena,
        moment.now,
        CONVERSATION_MINUTES,
        (),
        "",
        "",
    )
    return Conversation(*head).among(everybody)
