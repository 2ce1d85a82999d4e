"""The minds of a town's residents, behind one small interface; in this process by default.

Minds change nothing of the town. They get the town as it stands, and return thoughts: effects on
the resident's own mind, and an intention.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from enum import Enum
from typing import Any, Protocol, Self

from hometown.agent.deferred import DeferredQuestions, OnQuestions, ignore
from hometown.agent.mind import Mind
from hometown.agent.mind.context import StepContext
from hometown.agent.mind.intent import Intent
from hometown.agent.planning.entry_tasks import AS_USUAL
from hometown.agent.thinking_group import ThinkingGroup
from hometown.frozen import frozen
from hometown.model.stats import Stats
from hometown.prompt.errand_matching import STEPS
from hometown.prompt.tasks import DECOMPOSE
from hometown.records import Call
from hometown.together import run_concurrently
from hometown.world.effects import Logged
from hometown.world.state import Changes
from hometown.world.world import World


@frozen
class Thought:
    """The result of a resident's thinking: effects on its own mind, the calls that led to them, and
    its intention; None where it has none yet.
    """

    who: str
    effects: Sequence[Logged]
    calls: Sequence[Call] = ()
    intent: Intent | None = None


class WorkersLost(Exception):
    """A worker process has died. The step restarts from the last checkpoint."""


class Phase(Enum):
    """The operations of a step on minds, in order. A step that was broken off begins anew."""

    BEGIN = "begin"
    THINK = "think"
    REVIEW = "review"
    SETTLE = "settle"
    END = "end"

    def successors(self) -> tuple[Phase, ...]:
        """Return the operations that may follow within a step."""
        match self:
            case Phase.BEGIN | Phase.THINK:
                return (Phase.THINK, Phase.REVIEW)
            case Phase.REVIEW:
                return (Phase.SETTLE,)
            case Phase.SETTLE:
                return (Phase.END,)
            case Phase.END:
                return ()

    def follow(self, following: Phase) -> Phase:
        """Return `following` if it may follow this phase, as `BEGIN` always may, since a step can be
        broken off at any point. Raises ValueError otherwise.
        """
        if following is not Phase.BEGIN and following not in self.successors():
            raise ValueError(f"{following.value} can't follow {self.value}")
        return following


class Minds(Protocol):
    """The minds of a town. Each step calls these methods once, in this order, but for `think`, which
    it calls for each group. Any of them may raise WorkersLost.
    """

    async def begin(self, context: StepContext, order: Sequence[str]) -> None:
        """Begin a step, on the town as it now stands, for residents in the step's order."""
        ...

    async def think(self, context: StepContext, group: Sequence[str]) -> list[Thought]:
        """Let a group think at once, on the same snapshot, and talk to each other; questions of the
        step before are answered meanwhile.

        Returns:
            The thoughts of the group in the step's order, then those of residents outside it with
            whom it talked.
        """
        ...

    async def review(self) -> list[Thought]:
        """Return the effects of answering the questions of the step before, in the step's order."""
        ...

    async def settle(self, context: StepContext) -> list[Thought]:
        """Return the effects of those answers on the minds as they now are."""
        ...

    @property
    def can_be_interrupted(self) -> bool:
        """Return True if a step can be broken off while these minds think."""
        ...

    def end(self, changes: Changes) -> dict[str, Any]:
        """End the step, which has changed the town so; return statistics to save with it."""
        ...


class LocalMinds:
    """Minds in this process. `when_known` is called whenever more is known of how the step ends,
    `when_arisen` with the questions of the next.
    """

    def __init__(
        self, when_known: Callable[[], None] = ignore, when_arisen: OnQuestions = ignore
    ) -> None:
        self._when_known, self._when_arisen = when_known, when_arisen
        self._unknown = frozenset[str]()
        self._phase = Phase.END
        self.ordinals: dict[str, Counter[str]] = {}

    def copy(self, when_known: Callable[[], None], when_arisen: OnQuestions) -> Self:
        """Return minds in the same step that continue on their own, without those who are still
        busy in it.
        """
        other = copy(self)
        other._when_known, other._when_arisen, other._unknown = when_known, when_arisen, self.busy
        other.ordinals = {who: Counter(asked) for who, asked in self.ordinals.items()}
        return other

    def leave_out(self, people: Iterable[str]) -> None:
        """Leave residents out of the next step of a copy, like those who are busy."""
        self._unknown |= frozenset(people)

    async def begin(self, context: StepContext, order: Sequence[str]) -> None:
        """Begin a step: reset the counts of calls, and prepare the deferred questions of all
        residents whose thoughts are known.
        """
        self._enter(Phase.BEGIN)
        self.ordinals = {who: Counter() for who in order}
        self._afterthoughts = self._make_questions(context, order)

    def _make_questions(self, context: StepContext, order: Sequence[str]) -> DeferredQuestions:
        return DeferredQuestions(
            [who for who in order if who not in self._unknown],
            context,
            lambda who: self._mind(who, context),
            self._when_arisen,
            self._when_known,
        )

    def wake(self, context: StepContext, group: Sequence[str]) -> dict[str, Mind]:
        """Return a mind for each resident of a group, with an empty log of effects."""
        return {who: self._mind(who, context) for who in group}

    def _mind(self, who: str, context: StepContext) -> Mind:
        return Mind(who, context, self.ordinals[who])

    async def think(self, context: StepContext, group: Sequence[str]) -> list[Thought]:
        """Let a group think and talk, while deferred questions are answered, and return its
        thoughts. In a copy, those whose thoughts are unknown are left out.
        """
        self._enter(Phase.THINK)
        known = [who for who in group if who not in self._unknown]
        self.gathering = self._make_group(context, self.wake(context, known))
        await run_concurrently((self.gathering.live(), self._afterthoughts.live()))
        return collect_thoughts(self.gathering.order_minds(), self.gathering.intents)

    def _make_group(self, context: StepContext, minds: dict[str, Mind]) -> ThinkingGroup:
        return ThinkingGroup(
            minds,
            lambda who: self._mind(who, context),
            self._when_known,
            self._when_arisen,
            self._unknown,
        )

    async def review(self) -> list[Thought]:
        self._enter(Phase.REVIEW)
        return collect_thoughts(self._afterthoughts.minds)

    async def settle(self, context: StepContext) -> list[Thought]:
        """Return the effects of the answers to deferred questions on the minds as they now are."""
        self._enter(Phase.SETTLE)
        minds = dict[str, Mind]()

        def mind_of(who: str) -> Mind:
            return minds.get(who) or minds.setdefault(who, self._mind(who, context))

        await self._afterthoughts.settle(mind_of)
        return collect_thoughts(minds)

    @property
    def can_be_interrupted(self) -> bool:
        return True

    def end(self, changes: Changes) -> dict[str, Any]:
        self._enter(Phase.END)
        return {}

    def _enter(self, phase: Phase) -> None:
        """Go on to a phase of the step. Raises ValueError if it may not follow the present one."""
        self._phase = self._phase.follow(phase)

    @property
    def busy(self) -> frozenset[str]:
        """Return the residents of whom it is not known yet how they will end the step: they think,
        talk, or still answer a question of the step before.
        """
        return frozenset(self.gathering.busy | self._afterthoughts.busy)


def count_reused(effects: Iterable[Logged], model: str, world: World) -> Stats:
    """Return as statistics the replies of an earlier day that served again, each of which would
    have been a call to this model.
    """
    stats, count = Stats(), sum(logged.cause == AS_USUAL for logged in effects)
    if count:
        stats.by_kind[model, (STEPS if world.book else DECOMPOSE).kind].reused += count
    return stats


def collect_thoughts(
    minds: Mapping[str, Mind], intents: Mapping[str, Intent] | None = None
) -> list[Thought]:
    """Return the effects, calls and, if given, intents of these minds so far, one thought for each."""
    return [
        Thought(who, mind.effects, mind.calls, (intents or {}).get(who))
        for who, mind in minds.items()
    ]
