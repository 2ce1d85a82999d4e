"""What thinks, talks and looks around for the residents of a town: one small interface, at home in
this process by default.

Nothing of the town changes behind it. It is shown the town as it stands, and gives what everybody
has come to: effects on one's own mind, and an intention.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import Protocol, Self

from hometown.agent.deferred import DeferredQuestions, OnQuestions
from hometown.agent.mind import Mind
from hometown.agent.mind.context import StepContext
from hometown.agent.mind.intent import Intent
from hometown.agent.planning.day_plan import AS_USUAL
from hometown.agent.thinking_group import ThinkingGroup
from hometown.frozen import frozen
from hometown.model.server_loads import ServerLoads
from hometown.model.stats import Stats
from hometown.prompt.doing import DECOMPOSE
from hometown.prompt.working import STEPS
from hometown.records import Call
from hometown.storage.filed import Filed
from hometown.together import run_concurrently
from hometown.world.apply import apply
from hometown.world.effects import Logged
from hometown.world.recipes import Way
from hometown.world.sights import Sights
from hometown.world.state import State
from hometown.world.walk import Walk
from hometown.world.world import World


@frozen
class Thought:
    """What a resident has come to: what enters its mind, what it has asked for that, and what it
    means to do, None where that is not known. `way`: the one that it will take then, where that was
    looked for already.
    """

    who: str
    effects: Sequence[Logged]
    calls: Sequence[Call] = ()
    intent: Intent | None = None
    way: Way | None = None

    def enter(self, state: State) -> Sequence[Logged | bytes]:
        """Carries the effects out, and gives them as the log of the step has them."""
        for logged in self.effects:
            apply(logged.effect, state)
        return self.effects


@frozen
class Seen:
    """What residents saw on their way: the effects of it by resident."""

    effects: Mapping[str, Logged]

    def enter(self, state: State) -> Mapping[str, Logged | bytes]:
        """Carries the effects out, and gives them as the log of the step has them."""
        for logged in self.effects.values():
            apply(logged.effect, state)
        return self.effects


@frozen
class Elsewhere:
    """What other processes have filed of a step, what its calls cost, the load of each process
    (`residents`, and `ms` of its processor), and that of model servers.
    """

    filed: Sequence[Filed]
    stats: Stats
    loads: list[dict[str, float]]
    servers: ServerLoads


class MindsLost(Exception):
    """Minds that were elsewhere are gone. The town stands as it was saved last, and so do they once
    they are asked to begin its next step.
    """


class Minds(Protocol):
    """The minds of a town. A step asks each of these once, in this order, but for `think`, which it
    asks for each group. Any of them may raise MindsLost.
    """

    async def begin(self, context: StepContext, order: Sequence[str]) -> None:
        """A step begins. Everybody has something to think over, beside all else, on the town as it
        now stands.
        """
        ...

    async def think(self, context: StepContext, group: Sequence[str]) -> list[Thought]:
        """All of a group think at once, on the same snapshot, and talk to each other. In the step's
        order, those after it who were outside the group.
        """
        ...

    async def thought_over(self) -> list[Thought]:
        """What everybody has thought over, in the step's order."""
        ...

    async def settle(self, context: StepContext) -> list[Thought]:
        """What enters the minds of that, as they now are."""
        ...

    def set_out(self, walk: Walk, vision_r: int) -> None:
        """Residents are about to walk, and see as far as this."""
        ...

    async def see(self, walk: Walk) -> Seen:
        """What they saw on their way; all that is left to write of the walk is its `end`."""
        ...

    def filed(self) -> Elsewhere | None:
        """What has become of the step elsewhere; None where all minds are here, and their calls
        come with their thoughts.
        """
        ...


class Here:
    """Minds in this process. `when_known` is told whenever more is known of how the step ends,
    `when_arisen` what the next will ask.
    """

    def __init__(self, when_known: Callable[[], None], when_arisen: OnQuestions) -> None:
        self._when_known, self._when_arisen = when_known, when_arisen
        self._unknown = frozenset[str]()
        self.ordinals: dict[str, Counter[str]] = {}

    def copy(self, when_known: Callable[[], None], when_arisen: OnQuestions) -> Self:
        """Minds in the same step that go on from here on their own, without those who are still
        busy in it.
        """
        other = copy(self)
        other._when_known, other._when_arisen, other._unknown = when_known, when_arisen, self.busy
        other.ordinals = {who: Counter(asked) for who, asked in self.ordinals.items()}
        return other

    async def begin(self, context: StepContext, order: Sequence[str]) -> None:
        self.ordinals = {who: Counter() for who in order}
        known = [who for who in order if who not in self._unknown]
        self._afterthoughts = DeferredQuestions(
            known,
            context,
            lambda who: self._mind(who, context),
            self._when_arisen,
            self._when_known,
        )

    def wake(self, context: StepContext, group: Sequence[str]) -> dict[str, Mind]:
        """A mind for each of a group."""
        return {who: self._mind(who, context) for who in group}

    def _mind(self, who: str, context: StepContext) -> Mind:
        return Mind(who, context, self.ordinals[who])

    async def think(self, context: StepContext, group: Sequence[str]) -> list[Thought]:
        known = [who for who in group if who not in self._unknown]
        minds = self.wake(context, known)
        self.gathering = ThinkingGroup(
            minds,
            lambda who: self._mind(who, context),
            self._when_known,
            self._when_arisen,
            self._unknown,
        )
        await run_concurrently((self.gathering.live(), self._afterthoughts.live()))
        return thoughts(self.gathering.minds, self.gathering.intents)

    async def thought_over(self) -> list[Thought]:
        return thoughts(self._afterthoughts.minds)

    async def settle(self, context: StepContext) -> list[Thought]:
        minds = dict[str, Mind]()

        def mind_of(who: str) -> Mind:
            return minds.get(who) or minds.setdefault(who, self._mind(who, context))

        await self._afterthoughts.settle(mind_of)
        return thoughts(minds)

    def set_out(self, walk: Walk, vision_r: int) -> None:
        walk.sights = Sights(walk.world, walk.state, walk.order, vision_r)

    async def see(self, walk: Walk) -> Seen:
        assert walk.sights is not None
        return seen_in(walk.sights)

    def filed(self) -> None:
        return None

    @property
    def busy(self) -> frozenset[str]:
        """Of whom it is not known yet how they will end the step: they think, talk, or think over
        what enters their minds then.
        """
        return frozenset(self.gathering.busy | self._afterthoughts.busy)


def seen_in(sights: Sights) -> Seen:
    """What residents saw in a walk that is over."""
    return Seen({effect.who: Logged(effect, effect.who, "rule:walk") for effect in sights.passed()})


def reused(effects: Iterable[Logged], model: str, world: World) -> Stats:
    """The replies of an earlier day that served again, each of which would have been a call to this
    model.
    """
    stats, count = Stats(), sum(logged.cause == AS_USUAL for logged in effects)
    if count:
        stats.by_kind[model, (STEPS if world.book else DECOMPOSE).kind].reused += count
    return stats


def thoughts(
    minds: Mapping[str, Mind], intents: Mapping[str, Intent] | None = None
) -> list[Thought]:
    """What these minds have come to so far."""
    return [
        Thought(who, mind.effects, mind.calls, (intents or {}).get(who))
        for who, mind in minds.items()
    ]
