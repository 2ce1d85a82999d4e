"""The order of thoughts does not depend on which arena comes first to somebody outside the group."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hometown.agent.mind import Mind
from hometown.agent.mind.context import StepContext
from hometown.agent.minds import LocalMinds
from hometown.agent.thinking_group import ThinkingGroup

VISITORS = {"ana": "visitor_z", "bo": "visitor_c"}
"""The visitor in the room of each resident, who overhears what they say."""


class TwoRooms(ThinkingGroup):
    """A group of two residents, each in a room with a visitor, whose replies arrive in an order."""

    arrivals: Sequence[str] = ()

    async def live(self) -> None:
        self._replies = {who: asyncio.Event() for who in self.arrivals}
        self._replies[self.arrivals[0]].set()
        await super().live()

    async def _live_in_arena(self, here: Sequence[str]) -> None:
        who = here[0]
        await self._replies[who].wait()
        self._mind(VISITORS[who])
        for later in self.arrivals[self.arrivals.index(who) + 1 :]:
            self._replies[later].set()


class MindsInTwoRooms(LocalMinds):
    """Minds without thoughts of their own, in a group of two rooms."""

    def _mind(self, who: str, context: StepContext) -> Mind:
        return cast(Mind, SimpleNamespace(who=who, arena=f"room of {who}", effects=[], calls=[]))

    def _make_questions(self, context: StepContext, order: Sequence[str]) -> Any:
        async def live() -> None:
            """Answer nothing, since nothing was asked."""

        return SimpleNamespace(live=live)

    def _make_group(self, context: StepContext, minds: dict[str, Mind]) -> ThinkingGroup:
        return TwoRooms(minds, lambda who: self._mind(who, context))


def think(arrivals: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return whose thoughts a step enters into the log, in order, by the arrivals of replies."""
    monkeypatch.setattr(TwoRooms, "arrivals", arrivals)
    context, minds = cast(StepContext, None), MindsInTwoRooms()

    async def live() -> list[str]:
        await minds.begin(context, ["bo", "ana"])
        return [thought.who for thought in await minds.think(context, ["bo", "ana"])]

    return asyncio.run(live())


def test_visitors_in_two_rooms_enter_the_log_by_id(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = ["bo", "ana", "visitor_c", "visitor_z"]
    assert think(("ana", "bo"), monkeypatch) == expected
    assert think(("bo", "ana"), monkeypatch) == expected
