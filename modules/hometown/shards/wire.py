"""Messages between the process of a run and its shards: operations go one way, answers and news the other, many in one exchange.

Operations that are put in one turn of the event loop travel together. An exchange comes back as soon as there is an answer or news, with what else has come
about within `GRACE`; so a slow reply of a model holds up nobody but whom it concerns.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

from hometown.shards.pickling import pickled, unpickled

GRACE = 0.05
"""Seconds for which answers and news are collected before they travel, while more is to come."""

Exchange = Callable[[bytes], Awaitable[bytes]]
"""Brings operations to a shard, and brings back what there is of answers and news. Raises MindsLost where the shard is gone."""


class Desk:
    """The shard's end: does what it is asked by calling `worker`'s methods, as tasks, and hands out answers, and news from `worker.news()`."""

    def __init__(self, worker: Any) -> None:
        self._worker = worker
        self._answers: list[tuple[int, bool, Any]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._bell = asyncio.Event()
        worker.bell = self._bell.set

    async def exchange(self, data: bytes) -> bytes:
        for number, method, arguments in unpickled(data):
            task = asyncio.get_running_loop().create_task(self._do(number, method, arguments))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        await self._bell.wait()
        if self._tasks:
            await asyncio.sleep(GRACE)
        self._bell.clear()
        answers, self._answers = self._answers, []
        return pickled((answers, self._worker.news()))

    async def _do(self, number: int, method: str, arguments: tuple[Any, ...]) -> None:
        try:
            answer, done = await getattr(self._worker, method)(*arguments), True
        except Exception as error:
            answer, done = portable(error), False
        self._answers.append((number, done, answer))
        self._bell.set()

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
        self._exchanges = 0
        self.sent = self.received = 0
        """Bytes so far."""

    async def call(self, method: str, *arguments: Any) -> Any:
        """What a method of the shard gives. Raises what it raises, and MindsLost."""
        number, answer = next(self._numbers), asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        if not self._posts:
            asyncio.get_running_loop().call_soon(self._flush)
        self._posts.append((number, method, arguments))
        try:
            return await answer
        finally:
            self._waiting.pop(number, None)

    def _flush(self) -> None:
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
            answers, news = unpickled(back)
            self._hear(self.number, news)
        except Exception as error:
            answers = [(number, False, error) for number in self._waiting]
        finally:
            self._exchanges -= 1
        for number, done, answer in answers:
            waiting = self._waiting.pop(number, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(answer) if done else waiting.set_exception(answer)
        if self._waiting and not self._posts and not self._exchanges:
            self._flush()

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
