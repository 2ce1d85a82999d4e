"""The queue of model calls: the town's own calls first, speculative ones in slots that would be
idle, and none twice.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from statistics import median
from typing import Any, NamedTuple

from hometown.model.llm import Completion

SETTLING_TURNS = 20
"""Turns of the event loop after which all calls that follow from a reply have been made. They are
turns and not milliseconds, so that the machine's load does not matter.
"""

PACED_BY = 8
"""Number of latest replies by whose median the model's pace is judged."""

Priority = tuple[int, int]
"""Steps by which a call is ahead of the town, then its urgency: `VISITED` for the answer to a
visitor, 0 within or about a conversation, 1 elsewhere, 2 if nothing waits for it, 3 if only the next
step does. The lowest goes first.
"""

VISITED = -1
"""Urgency of the answers to visitors: while one is written, no other call starts, since slots may
share a processor.
"""


class CallKey(NamedTuple):
    """The place of a call in a run, the number of the attempt, and a hash of the request."""

    step: int
    who: str
    kind: str
    ordinal: int
    attempt: int = 0
    asked: bytes = b""


@dataclass(slots=True, eq=False)
class _Call:
    """A call of the queue.

    `is_claimed` says that the town itself has asked for it; `waiting` counts the callers that await
    its reply; `started` is its priority when it started, and `began` the loop's time then.
    """

    place: CallKey
    complete: Callable[[], Coroutine[Any, Any, Completion]]
    priority: Priority
    reply: asyncio.Future[Completion] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    task: asyncio.Task[Completion] | None = None
    started: Priority = (0, 0)
    began: float = 0.0
    is_claimed: bool = False
    waiting: int = 0


class CallQueue:
    """Limits the calls in progress to `slots`. A call of the town starts as soon as a slot is free;
    a speculative one waits until the town has settled, too.

    The town has settled when `SETTLING_TURNS` have passed since the last reply and since its own
    last call: by then all calls that follow have been made and had the first claim on the slot. A
    speculative reply is kept until the town claims it or its step is over.
    """

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self._loop: asyncio.AbstractEventLoop | None = None
        self._latest: deque[float] = deque(maxlen=PACED_BY)
        """The seconds that the latest replies took."""
        self._reset()

    def _reset(self) -> None:
        """Forget all calls, waiters and pauses."""
        self.in_progress: set[_Call] = set()
        self._calls: dict[CallKey, _Call] = {}
        self._heap: list[tuple[Priority, int, _Call]] = []
        self._numbers = count()
        self._idle: list[tuple[int, int, asyncio.Future[None]]] = []
        self._unsettled, self._pauses, self._turning = SETTLING_TURNS, 0, False

    @property
    def usual_seconds(self) -> float:
        """Return the median seconds of the latest replies; 0 before the first."""
        return median(self._latest) if self._latest else 0.0

    @property
    def _is_visited(self) -> bool:
        """Return True if an answer to a visitor is in progress."""
        return any(call.priority[1] == VISITED for call in self.in_progress)

    # asking -------------------------------------------------------------------------------

    async def reply(
        self,
        place: CallKey,
        priority: Priority,
        complete: Callable[[], Coroutine[Any, Any, Completion]],
    ) -> Completion:
        """Return the reply of `complete` once it has a slot, or the reply to the same call made
        ahead. Raises the errors of `complete`.

        A call of the town that nothing awaits any more is cancelled; a speculative one is dropped
        unless it is in progress.
        """
        self._enter_loop()
        call = self._calls.get(place) or self._calls.setdefault(
            place, _Call(place, complete, priority)
        )
        if not call.waiting or priority < call.priority:
            call.priority, call.complete = priority, complete
            if call.task is None:
                self._push(call)
        if priority[0] == 0:
            call.is_claimed = True
            self._restart_settling()
        call.waiting += 1
        self._dispatch()
        try:
            return await asyncio.shield(call.reply)
        finally:
            call.waiting -= 1
            if not call.waiting and (call.is_claimed or call.task is None):
                self._drop(call)

    async def idle(self, depth: int) -> None:
        """Wait until a slot is free that no call wants and the town has settled. The waiter that is
        the fewest steps ahead goes first.
        """
        self._enter_loop()
        waiter = asyncio.get_running_loop().create_future()
        heappush(self._idle, (depth, next(self._numbers), waiter))
        self._dispatch()
        await waiter

    @contextmanager
    def pause_speculation(self) -> Iterator[None]:
        """Start no speculative call while the context lasts: the town is busy with something other
        than replies, such as embedding texts.
        """
        self._enter_loop()
        self._pauses += 1
        try:
            yield
        finally:
            self._pauses -= 1
            self._restart_settling()
            self._dispatch()

    def evict(self, step: int) -> list[tuple[str, Completion | None]]:
        """Drop unclaimed speculative calls up to a step, and return the kinds of those that had
        been started, each with its reply, None if it has not arrived.
        """
        unclaimed = [
            call for call in self._calls.values() if call.place.step <= step and not call.is_claimed
        ]
        for call in unclaimed:
            self._drop(call)
        made = [call for call in unclaimed if call.task]
        return [
            (call.place.kind, call.reply.result() if call.reply.done() else None) for call in made
        ]

    def _push(self, call: _Call) -> None:
        heappush(self._heap, (call.priority, next(self._numbers), call))

    # starting -----------------------------------------------------------------------------

    def _dispatch(self) -> None:
        """Start all calls that may start now; if some must wait until the town has settled, look
        again in the next turn.
        """
        while len(self.in_progress) < self.slots:
            call = self._first()
            if self._is_visited and (call is None or call.priority[1] != VISITED):
                return
            if self._unsettled and (call.priority[0] if call else self._idle):
                self._schedule_turn()
                return
            if call is None:
                self._wake_idle()
                return
            self._start(call)

    def _wake_idle(self) -> None:
        """Wake the waiter that is the fewest steps ahead, if any, and let the town settle anew."""
        while self._idle:
            _, _, waiter = heappop(self._idle)
            if not waiter.done():
                waiter.set_result(None)
                self._restart_settling()
                self._schedule_turn()
                return

    def _first(self) -> _Call | None:
        """Return the next call; None if none waits. The heap may still hold calls that were
        dropped, or that have started with a higher priority.
        """
        while self._heap:
            priority, _, call = self._heap[0]
            if (
                call.task is None
                and call.priority == priority
                and self._calls.get(call.place) is call
            ):
                return call
            heappop(self._heap)
        return None

    def _start(self, call: _Call) -> None:
        """Start the call at the top of the heap."""
        heappop(self._heap)
        self.in_progress.add(call)
        call.started, call.began = call.priority, asyncio.get_running_loop().time()
        call.task = asyncio.get_running_loop().create_task(call.complete())
        call.task.add_done_callback(lambda task: self._on_done(call, task))

    def _on_done(self, call: _Call, task: asyncio.Task[Completion]) -> None:
        """Deliver a reply or an error to the callers, and free the slot. A call that failed before
        the town claimed it is repeated for the town; without a caller, a failed call is dropped.
        """
        self.in_progress.discard(call)
        error = None if task.cancelled() else task.exception()
        if error and call.is_claimed and call.started[0] and call.waiting:
            call.task = None
            self._push(call)
        elif error and call.waiting:
            self._drop(call)
            call.reply.set_exception(error)
        elif error or task.cancelled():
            self._drop(call)
            call.reply.cancel()
        else:
            self._latest.append(asyncio.get_running_loop().time() - call.began)
            call.reply.set_result(task.result())
        self._restart_settling()
        self._dispatch()

    def _drop(self, call: _Call) -> None:
        """Forget a call, and cancel it if it is in progress."""
        if self._calls.get(call.place) is call:
            del self._calls[call.place]
        if call.task:
            call.task.cancel()

    # settling -----------------------------------------------------------------------------

    def _restart_settling(self) -> None:
        self._unsettled = SETTLING_TURNS

    def _schedule_turn(self) -> None:
        """Look again in the next turn of the loop, unless that is scheduled or speculation pauses."""
        if not self._turning and not self._pauses:
            self._turning = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        """Count a turn towards the settling of the town, and start the calls that may start now."""
        self._turning = False
        self._unsettled = max(0, self._unsettled - 1)
        self._dispatch()

    def _enter_loop(self) -> None:
        """Reset the queue in a new event loop, since futures belong to the loop in which they were
        made.
        """
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._reset()
            self._loop = loop
