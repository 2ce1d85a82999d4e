"""Shards that ask each other for their residents' sides of a conversation, so that the process of
the run need not pass on each line.

What a shard has learnt from models by then travels with its answer, and goes on with what the
asking shard hands over: so it is with the run before anything that rests on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from hometown.agent.minds import MindsLost
from hometown.shards.outbox import Outbox
from hometown.shards.wire import Line, Link, portable

CallOn = Callable[[int], Awaitable[Link]]
"""Calls on the shard with this number. Raises EOFError or OSError where that is gone."""


class Neighbours:
    """The other shards, each of which is called on when something is first asked of it."""

    def __init__(self, call_on: CallOn, outbox: Outbox) -> None:
        self._call_on, self._outbox = call_on, outbox
        self._lines: dict[int, asyncio.Task[Line]] = {}

    async def ask(self, number: int, method: str, *arguments: Any) -> Any:
        """Has a shard do something. Raises what that raises, and MindsLost."""
        if number not in self._lines:
            self._lines[number] = asyncio.get_running_loop().create_task(self._line(number))
        line = await asyncio.shield(self._lines[number])
        done, answer, learnt = await line.call("take_part", method, arguments)
        self._outbox.pass_on(learnt)
        if not done:
            raise answer
        return answer

    async def _line(self, number: int) -> Line:
        try:
            link = await self._call_on(number)
        except (EOFError, OSError) as error:
            raise MindsLost(repr(error)) from error
        return Line(number, link, lambda number, news: None)

    def close(self) -> None:
        """Nothing is asked any more."""
        for task in self._lines.values():
            if task.done() and not task.cancelled() and not task.exception():
                task.result().close()
            task.cancel()


class Visit:
    """What a neighbour may ask of a shard: the sides of its residents in a conversation."""

    def __init__(self, shard: Any, outbox: Outbox) -> None:
        self._shard, self._outbox = shard, outbox
        self.bell: Any = None

    async def take_part(self, method: str, arguments: tuple[Any, ...]) -> tuple[bool, Any, Any]:
        """Whether it was done, what came of it, and what has been learnt."""
        try:
            done, answer = True, await self._shard.take_part(method, *arguments)
        except Exception as error:
            done, answer = False, portable(error)
        return done, answer, self._outbox.take_learnt()

    def news(self) -> None:
        """All that it has goes with its answers."""
