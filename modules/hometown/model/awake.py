"""A clock that counts only the time in which this process ran, so that no server is blamed for
silence while the process was stopped or the machine asleep.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

TICK = 1.0
"""Seconds between two readings of the clock."""

LONGEST_STEP = 2.0
"""Seconds counted between two readings, at most; in any time beyond that, the process was not
running.
"""

MOMENT = 0.001
"""Seconds too short to wait for; a shorter wait could be lost in rounding and repeat forever."""


def loop_time() -> float:
    """Return the running event loop's clock, in seconds."""
    return asyncio.get_running_loop().time()


class AwakeClock:
    """Counts the seconds in which the event loop ran, within `ticking`.

    A stopped process (SIGSTOP, Ctrl-Z, a paused container), a suspended machine and a jump of the
    clock count as a moment.
    """

    def __init__(self) -> None:
        self._seen = self._awake = 0.0
        self._users = 0
        self._next: asyncio.TimerHandle | None = None

    def now(self) -> float:
        """Return the seconds counted so far. Of the time since the last reading, at most
        `LONGEST_STEP` counts.
        """
        seen = loop_time()
        self._awake += min(max(seen - self._seen, 0.0), LONGEST_STEP)
        self._seen = seen
        return self._awake

    async def sleep(self, seconds: float) -> None:
        """Wait until `seconds` more have been counted."""
        end = self.now() + seconds
        while (left := end - self.now()) > MOMENT:
            await asyncio.sleep(min(left, TICK))

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """Count time for as long as the context lasts; outside of all such contexts the clock
        stands still.
        """
        if not self._users:
            self._seen = loop_time()
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
