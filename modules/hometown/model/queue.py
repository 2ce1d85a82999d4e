"""Calls that wait and calls under way: the town's own first, those asked ahead of it in slots that
would be idle, and none twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple

from hometown.model.llm import Completion

SETTLING_TURNS = 20
"""Turns of the event loop after which all has been asked that a reply leads to. Turns and not
milliseconds: how busy the machine is doesn't matter.
"""

Priority = tuple[int, int]
"""How many steps ahead of the town a call is asked, then 0 within a conversation or about one, 2
where nobody waits for it, 3 where only the next step does, and 1 elsewhere; the lowest goes first.
"""


class Place(NamedTuple):
    """Where in a run a reply is asked for, the number of the attempt, and a hash of the request."""

    step: int
    who: str
    kind: str
    ordinal: int
    attempt: int = 0
    asked: bytes = b""


@dataclass(slots=True, eq=False)
class _Call:
    """A call of the queue. `claimed`: the town itself has asked for it. `waiting`: how many wait
    for its reply. `started`: its priority when it did.
    """

    place: Place
    complete: Callable[[], Coroutine[Any, Any, Completion]]
    priority: Priority
    reply: asyncio.Future[Completion] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    task: asyncio.Task[Completion] | None = None
    started: Priority = (0, 0)
    claimed: bool = False
    waiting: int = 0


class CallQueue:
    """At most `slots` calls are under way. A call of the town starts as soon as a slot is free; one
    asked ahead once the town has settled, too.

    The town has settled when `SETTLING_TURNS` have passed since the last reply and the last call of
    its own: whatever they led to has been asked by then, and would have had the slot. A reply asked
    ahead is kept until the town claims it or its step is over.
    """

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self._loop: asyncio.AbstractEventLoop | None = None
        self._forget_all()

    def _forget_all(self) -> None:
        self.under_way: set[_Call] = set()
        self._calls: dict[Place, _Call] = {}
        self._heap: list[tuple[Priority, int, _Call]] = []
        self._numbers = count()
        self._idle: list[tuple[int, int, asyncio.Future[None]]] = []
        self._unsettled, self._held, self._turning = SETTLING_TURNS, 0, False

    # asking -------------------------------------------------------------------------------

    async def reply(
        self,
        place: Place,
        priority: Priority,
        complete: Callable[[], Coroutine[Any, Any, Completion]],
    ) -> Completion:
        """Return the reply that `complete` gives once it is its turn, or that the same call gives
        which was asked ahead. Raises what `complete` raises.

        A call of the town that nobody waits for any more is cancelled; one asked ahead is dropped,
        if it is not under way.
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
            call.claimed = True
            self._stir()
        call.waiting += 1
        self._dispatch()
        try:
            return await asyncio.shield(call.reply)
        finally:
            call.waiting -= 1
            if not call.waiting and (call.claimed or call.task is None):
                self._drop(call)

    async def idle(self, depth: int) -> None:
        """Return once a slot is free that nobody waits for, and the town has settled; first for
        whoever is the fewest steps ahead.
        """
        self._enter_loop()
        waiter = asyncio.get_running_loop().create_future()
        heappush(self._idle, (depth, next(self._numbers), waiter))
        self._dispatch()
        await waiter

    @contextmanager
    def held(self) -> Iterator[None]:
        """While the town does something other than waiting for replies, such as embedding texts,
        nothing starts that is asked ahead.
        """
        self._enter_loop()
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
            self._stir()
            self._dispatch()

    def forget(self, step: int) -> list[tuple[str, Completion | None]]:
        """Forget calls up to a step that were asked ahead. Gives the kinds of those that were made
        for nothing, with their replies as far as there are any.
        """
        unclaimed = [
            call for call in self._calls.values() if call.place.step <= step and not call.claimed
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
        """Start whatever may start now; what must wait until the town has settled is looked at
        again in the next turn.
        """
        while len(self.under_way) < self.slots:
            call = self._first()
            if self._unsettled and (call.priority[0] if call else self._idle):
                self._look_again()
                return
            if call is None:
                self._tell_idle()
                return
            self._start(call)

    def _tell_idle(self) -> None:
        while self._idle:
            _, _, waiter = heappop(self._idle)
            if not waiter.done():
                waiter.set_result(None)
                self._stir()
                self._look_again()
                return

    def _first(self) -> _Call | None:
        """Return the call that is next. Calls that were dropped, or moved forward and have started,
        are still in the heap.
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
        heappop(self._heap)
        self.under_way.add(call)
        call.started = call.priority
        call.task = asyncio.get_running_loop().create_task(call.complete())
        call.task.add_done_callback(lambda task: self._ended(call, task))

    def _ended(self, call: _Call, task: asyncio.Task[Completion]) -> None:
        """Whatever goes wrong with a call that was asked ahead is no concern of the town: it asks
        again.
        """
        self.under_way.discard(call)
        error = None if task.cancelled() else task.exception()
        if error and call.claimed and call.started[0] and call.waiting:
            call.task = None
            self._push(call)
        elif error and call.waiting:
            self._drop(call)
            call.reply.set_exception(error)
        elif error or task.cancelled():
            self._drop(call)
            call.reply.cancel()
        else:
            call.reply.set_result(task.result())
        self._stir()
        self._dispatch()

    def _drop(self, call: _Call) -> None:
        if self._calls.get(call.place) is call:
            del self._calls[call.place]
        if call.task:
            call.task.cancel()

    # settling -----------------------------------------------------------------------------

    def _stir(self) -> None:
        self._unsettled = SETTLING_TURNS

    def _look_again(self) -> None:
        if not self._turning and not self._held:
            self._turning = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        self._turning = False
        self._unsettled = max(0, self._unsettled - 1)
        self._dispatch()

    def _enter_loop(self) -> None:
        """Futures belong to an event loop, which a queue may outlive."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._forget_all()
            self._loop = loop
