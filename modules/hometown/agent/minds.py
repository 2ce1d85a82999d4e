"""What thinks and talks for the residents of a town: one small interface, at home in this process by default.

Nothing of the town changes behind it. It is shown the town as it stands, and gives what everybody has come to: effects on one's own mind, and an intention.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Protocol, Self

from hometown.agent.afterthoughts import Afterthoughts, OnQuestions
from hometown.agent.gathering import Gathering
from hometown.agent.intent import Intent
from hometown.agent.mind import Mind, StepContext, together
from hometown.model.stats import Stats
from hometown.records import Call
from hometown.storage.step_record import Filed
from hometown.world.effects import Logged

OnDecision = Callable[[Gathering], None]
"""Is told of those who think, once all of them know what they intend."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What a resident has come to: what enters its mind, what it has asked for that, and what it means to do; None where that is not known."""

    who: str
    effects: Sequence[Logged]
    calls: Sequence[Call] = ()
    intent: Intent | None = None


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The calls of a step that other processes have put into rows, what they cost, and the load of each process: `residents`, and `ms` of its processor."""

    calls: Filed
    stats: Stats
    loads: list[dict[str, float]]


class MindsLost(Exception):
    """Minds that were elsewhere are gone. The town stands as it was saved last, and so do they once they are asked to begin its next step."""


class Minds(Protocol):
    """The minds of a town. A step asks each of these once, in this order, but for `think`, which it asks for each group. Any of them may raise MindsLost."""

    async def begin(self, context: StepContext, order: Sequence[str]) -> None:
        """A step begins. Everybody has something to think over, beside all else, on the town as it now stands."""
        ...

    async def think(self, context: StepContext, group: Sequence[str]) -> list[Thought]:
        """All of a group think at once, on the same snapshot, and talk to each other. In the step's order, those after it who were outside the group."""
        ...

    async def thought_over(self) -> list[Thought]:
        """What everybody has thought over, in the step's order."""
        ...

    async def settle(self, context: StepContext) -> list[Thought]:
        """What enters the minds of that, as they now are."""
        ...

    def filed(self) -> Elsewhere | None:
        """What has become of the step elsewhere; None where all minds are here, and their calls come with their thoughts."""
        ...


class Here:
    """Minds in this process. `when_decided` and `when_arisen` are told what is known of the rest of the step, and of the next."""

    def __init__(self, when_decided: OnDecision, when_arisen: OnQuestions) -> None:
        self._when_decided, self._when_arisen = when_decided, when_arisen
        self.ordinals: dict[str, Counter[str]] = {}

    def copy(self, when_decided: OnDecision, when_arisen: OnQuestions) -> Self:
        """Minds in the same step that go on from here on their own."""
        other = copy(self)
        other._when_decided, other._when_arisen = when_decided, when_arisen
        other.ordinals = {who: Counter(asked) for who, asked in self.ordinals.items()}
        return other

    async def begin(self, context: StepContext, order: Sequence[str]) -> None:
        self.ordinals = {who: Counter() for who in order}
        self._afterthoughts = Afterthoughts(self.ordinals, context, lambda who: self._mind(who, context), self._when_arisen)

    def wake(self, context: StepContext, group: Sequence[str]) -> dict[str, Mind]:
        """A mind for each of a group."""
        return {who: self._mind(who, context) for who in group}

    def _mind(self, who: str, context: StepContext) -> Mind:
        return Mind(who, context, self.ordinals[who])

    async def think(self, context: StepContext, group: Sequence[str]) -> list[Thought]:
        gathering = Gathering(self.wake(context, group), lambda who: self._mind(who, context), self._when_decided, self._when_arisen)
        await together((gathering.live(), self._afterthoughts.live()))
        return thoughts(gathering.minds, gathering.intents)

    async def thought_over(self) -> list[Thought]:
        return thoughts(self._afterthoughts.minds)

    async def settle(self, context: StepContext) -> list[Thought]:
        minds = dict[str, Mind]()

        def mind_of(who: str) -> Mind:
            return minds.get(who) or minds.setdefault(who, self._mind(who, context))

        await self._afterthoughts.settle(mind_of)
        return thoughts(minds)

    def filed(self) -> None:
        return None


def thoughts(minds: Mapping[str, Mind], intents: Mapping[str, Intent] | None = None) -> list[Thought]:
    """What these minds have come to so far."""
    return [Thought(who, mind.effects, mind.calls, (intents or {}).get(who)) for who, mind in minds.items()]
