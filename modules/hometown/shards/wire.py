"""Messages between the process of a run and its shards: operations go one way, answers and news the
other, many in one message.

A shard hands over what has come about since it last did once it has nothing left to do but wait for
models. So a slow reply of a model holds up nobody but whom it concerns, and messages are few, each
of which costs as much as a tenth of a resident's thoughts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from itertools import count
from typing import Any, Protocol

from hometown.agent.minds import MindsLost
from hometown.shards.pickling import pickled, unpickled

GRACE = 0.01
"""Seconds between two messages in one direction, at least: what is rare travels at once. With 0.05,
messages outgrow the caches of a processor, and who reads them takes a twelfth more of its time.
"""

BUSY, IDLE = 0.25, 0.0002
"""Seconds of processor time after which answers and news travel though the shard has more to do,
and those that a turn of its event loop takes in which it has nothing to do.
"""


class Link(Protocol):
    """One end of a connection on which messages go in both directions (`Channel`)."""

    def send(self, data: bytes) -> None:
        """Sends a message; where the other end is gone, to nobody."""
        ...

    async def receive(self) -> bytes | bytearray:
        """The next message. Raises EOFError or OSError where the other end is gone."""
        ...

    def close(self) -> None:
        """Nothing is sent or received any more."""
        ...


class Desk:
    """The shard's end: does what it is asked by calling `worker`'s methods, as tasks, and hands out
    answers, and news from `worker.news()`.
    """

    def __init__(self, worker: Any) -> None:
        self._worker = worker
        self._answers: list[tuple[int, bool, Any]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._link: Link | None = None
        self._serving: list[asyncio.Task[None]] = []
        self._bell = asyncio.Event()
        worker.bell = self._bell.set

    def serve(self, link: Link) -> None:
        """Does from now on what comes by this link."""
        loop, self._link = asyncio.get_running_loop(), link
        self._serving = [
            loop.create_task(self._take_in(link)),
            loop.create_task(self._hand_out(link)),
        ]

    async def _take_in(self, link: Link) -> None:
        try:
            while True:
                for number, method, arguments in unpickled(await link.receive()):
                    task = asyncio.get_running_loop().create_task(
                        self._do(number, method, arguments)
                    )
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)
        except (EOFError, OSError):
            self._break_off()  # nobody is left for whom to do it

    async def _hand_out(self, link: Link) -> None:
        while True:
            await self._bell.wait()
            await self._done()
            self._bell.clear()
            answers, self._answers = self._answers, []
            if (news := self._worker.news()) or answers:
                link.send(pickled((answers, news)))
                await asyncio.sleep(GRACE)

    async def _done(self) -> None:
        """Returns when all that can be done without waiting is done."""
        began = now = time.thread_time()
        idle = False
        while self._tasks and not idle and now - began < BUSY:
            await asyncio.sleep(0)
            before, now = now, time.thread_time()
            idle = now - before < IDLE

    async def _do(self, number: int, method: str, arguments: tuple[Any, ...]) -> None:
        try:
            answer, done = await getattr(self._worker, method)(*arguments), True
        except Exception as error:
            answer, done = portable(error), False
        self._answers.append((number, done, answer))
        self._bell.set()

    def stop(self) -> None:
        """Ends its service, and breaks off all that is under way; nothing of it is answered."""
        for task in self._serving:
            task.cancel()
        if self._link:
            self._link.close()
        self._break_off()

    def _break_off(self) -> None:
        for task in self._tasks:
            task.cancel()


class Line:
    """The other end: `call` does something on a shard. `hear` is given its news, by the shard's
    number, and `lost` why it is gone.
    """

    def __init__(
        self,
        number: int,
        link: Link,
        hear: Callable[[int, Any], None],
        lost: Callable[[Exception], None] | None = None,
    ) -> None:
        self.number = number
        self._link, self._hear, self._when_lost = link, hear, lost or self.lose
        self._numbers = count()
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._posts: list[tuple[int, str, tuple[Any, ...]]] = []
        self._next, self._leaving = 0.0, False
        self._lost: Exception | None = None
        self._listening = asyncio.get_running_loop().create_task(self._listen())
        self.sent = self.received = 0
        """Bytes so far."""

    async def call(self, method: str, *arguments: Any) -> Any:
        """What a method of the shard gives. Raises what it raises, and MindsLost."""
        if self._lost:
            raise self._lost
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
        self._link.send(data)

    async def _listen(self) -> None:
        """Hands on whatever comes, until the shard is gone."""
        try:
            while True:
                data = await self._link.receive()
                self.received += len(data)
                answers, news = unpickled(data)
                self._hear(self.number, news)
                for number, done, answer in answers:
                    self._answer(number, done, answer)
        except Exception as error:
            self._when_lost(
                MindsLost(repr(error)) if isinstance(error, (EOFError, OSError)) else error
            )

    def lose(self, error: Exception) -> None:
        """Whoever waits for something, or asks for it from now on, learns that it is in vain."""
        self._lost = error
        for number in list(self._waiting):
            self._answer(number, False, error)

    def _answer(self, number: int, done: bool, answer: Any) -> None:
        waiting = self._waiting.pop(number, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(answer) if done else waiting.set_exception(answer)

    def close(self) -> None:
        """Waits for nothing any more."""
        self._listening.cancel()
        self._link.close()


def portable(error: Exception) -> Exception:
    """An error as it can travel: itself, or what it says."""
    try:
        again = unpickled(pickled(error))
    except Exception:
        return RuntimeError(repr(error))
    return (
        error
        if type(again) is type(error) and str(again) == str(error)
        else RuntimeError(repr(error))
    )
