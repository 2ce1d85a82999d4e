"""Time as this process lived through it: while it was stopped, or its machine asleep, no server can
be blamed for silence.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TICK = 1.0
"""Seconds between two looks at the clock."""

LONGEST_STEP = 2.0
"""Seconds that may pass from one look to the next; what exceeds them, the process did not run."""

MOMENT = 0.001
"""Seconds that are not worth waiting for; shorter ones could be lost in rounding, for ever."""


def loop_time() -> float:
    """Return the running event loop's clock, in seconds."""
    return asyncio.get_running_loop().time()


class AwakeClock:
    """Counts the seconds for which the event loop has run, within `ticking`.

    A stopped process (SIGSTOP, Ctrl-Z, a paused container), a suspended machine and a jump of the
    clock count as a moment.
    """

    def __init__(self, clock: Callable[[], float] = loop_time) -> None:
        self._clock = clock
        self._seen = self._awake = 0.0
        self._users = 0
        self._next: asyncio.TimerHandle | None = None

    def now(self) -> float:
        """Return seconds counted so far."""
        seen = self._clock()
        self._awake += min(max(seen - self._seen, 0.0), LONGEST_STEP)
        self._seen = seen
        return self._awake

    async def sleep(self, seconds: float) -> None:
        """Wait until that much time has been counted."""
        end = self.now() + seconds
        while (left := end - self.now()) > MOMENT:
            await asyncio.sleep(min(left, TICK))

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """The context in which time is counted; outside of all such contexts it stands still."""
        if not self._users:
            self._seen = self._clock()
            self._tick()
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1
            if not self._users and self._next:
                self._next.cancel()

    def _tick(self) -> None:
        self.now()
        self._next = asyncio.get_running_loop().call_later(TICK, self._tick)
