"""Messages between the process of a run and its shards: operations go one way, answers and news the other, many in one exchange.

An exchange comes back once there is an answer or news and the shard has nothing left to do but wait for models, with all that has come about since the
last one; or with nothing, once the next one has brought further operations. So a slow reply of a model holds up nobody but whom it concerns, and messages
are few, each of which costs as much as a tenth of a resident's thoughts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

from hometown.shards.pickling import pickled, unpickled

GRACE = 0.05
"""Seconds between two exchanges, at least: what is rare travels at once."""

BUSY, IDLE = 0.25, 0.0002
"""Seconds of processor time after which answers and news travel though the shard has more to do, and those that a turn of its event loop takes in which it
has nothing to do."""

Exchange = Callable[[bytes], Awaitable[bytes]]
"""Brings operations to a shard, and brings back what there is of answers and news. Raises MindsLost where the shard is gone."""


class Desk:
    """The shard's end: does what it is asked by calling `worker`'s methods, as tasks, and hands out answers, and news from `worker.news()`."""

    def __init__(self, worker: Any) -> None:
        self._worker = worker
        self._answers: list[tuple[int, bool, Any]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._bell = asyncio.Event()
        self._full, self._latest = False, 0
        worker.bell = self._ring

    def _ring(self) -> None:
        self._full = True
        self._bell.set()

    async def exchange(self, data: bytes) -> bytes:
        """Answers and news, once there are any; nothing once the next exchange has come, which waits for them from then on."""
        for number, method, arguments in unpickled(data):
            task = asyncio.get_running_loop().create_task(self._do(number, method, arguments))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        turn = self._latest = self._latest + 1
        self._bell.set()
        while not self._full and turn == self._latest:
            self._bell.clear()
            await self._bell.wait()
        await self._done(turn)
        if turn != self._latest:
            return b""
        self._full = False
        answers, self._answers = self._answers, []
        return pickled((answers, self._worker.news()))

    async def _done(self, turn: int) -> None:
        """Returns when all that can be done without waiting is done."""
        began = now = time.thread_time()
        idle = False
        while self._tasks and not idle and now - began < BUSY and turn == self._latest:
            await asyncio.sleep(0)
            before, now = now, time.thread_time()
            idle = now - before < IDLE

    async def _do(self, number: int, method: str, arguments: tuple[Any, ...]) -> None:
        try:
            answer, done = await getattr(self._worker, method)(*arguments), True
        except Exception as error:
            answer, done = portable(error), False
        self._answers.append((number, done, answer))
        self._ring()

    def stop(self) -> None:
        """Breaks off all that is under way; nothing of it is answered."""
        for task in self._tasks:
            task.cancel()


class Line:
    """The other end: `call` does something on a shard. `hear` is given its news, by the shard's number."""

    def __init__(self, number: int, exchange: Exchange, hear: Callable[[int, Any], None]) -> None:
        self.number = number
        self._exchange, self._hear = exchange, hear
        self._numbers = count()
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._posts: list[tuple[int, str, tuple[Any, ...]]] = []
        self._under_way: set[asyncio.Task[None]] = set()
        self._exchanges, self._next, self._leaving = 0, 0.0, False
        self.sent = self.received = 0
        """Bytes so far."""

    async def call(self, method: str, *arguments: Any) -> Any:
        """What a method of the shard gives. Raises what it raises, and MindsLost."""
        number, answer = next(self._numbers), asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        self._posts.append((number, method, arguments))
        self._leave()
        try:
            return await answer
        finally:
            self._waiting.pop(number, None)

    def _leave(self) -> None:
        """What is to be sent leaves as soon as it may."""
        if not self._leaving:
            loop = asyncio.get_running_loop()
            self._leaving, at = True, max(loop.time(), self._next)
            self._next = at + GRACE
            loop.call_at(at, self._flush)

    def _flush(self) -> None:
        self._leaving = False
        posts, self._posts = self._posts, []
        data = pickled(posts)
        self.sent += len(data)
        task = asyncio.get_running_loop().create_task(self._travel(data))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _travel(self, data: bytes) -> None:
        """One exchange; another one follows as long as somebody waits and none is under way."""
        self._exchanges += 1
        try:
            back = await self._exchange(data)
            self.received += len(back)
            answers, news = unpickled(back) if back else ((), None)
            if news is not None:
                self._hear(self.number, news)
        except Exception as error:
            answers = [(number, False, error) for number in self._waiting]
        finally:
            self._exchanges -= 1
        for number, done, answer in answers:
            waiting = self._waiting.pop(number, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(answer) if done else waiting.set_exception(answer)
        if self._waiting and not self._exchanges:
            self._leave()

    def close(self) -> None:
        """Waits for nothing any more."""
        for task in self._under_way:
            task.cancel()


def portable(error: Exception) -> Exception:
    """An error as it can travel: itself, or what it says."""
    try:
        again = unpickled(pickled(error))
    except Exception:
        return RuntimeError(repr(error))
    return error if type(again) is type(error) and str(again) == str(error) else RuntimeError(repr(error))
