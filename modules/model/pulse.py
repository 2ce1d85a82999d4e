"""Whether a server is still at work: replies come in parts, and one that sends none to anybody for too long has stopped."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Silent(Exception):
    """Nothing came for `seconds`, which `setting` allows."""

    def __init__(self, seconds: float, setting: str) -> None:
        self.seconds = seconds
        super().__init__(f"has sent nothing for {seconds:g} s ({setting})")


class Pulse:
    """One server as all its callers hear it, so that a call that waits behind others is not taken for a dead one.

    It has `first` seconds until it is heard for the first time, since it may have to load the model, and then `later` seconds
    (0: as many) between one sign and the next.
    """

    def __init__(self, first: float, later: float) -> None:
        self._first, self._later = first, min(first, later or first)
        self._last: float | None = None

    def heard(self) -> None:
        """Something has come from the server, for whomever."""
        self._last = time.monotonic()

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Within it a reply is read. Raises Silent where the server has stopped sending."""
        began, loop = time.monotonic(), asyncio.get_running_loop()
        timer: asyncio.TimerHandle

        def check() -> None:
            nonlocal timer
            left = max(began, self._last or began) + self._patience - time.monotonic()
            if left > 0:
                timer = loop.call_later(min(left, self._later), check)
            else:
                limit.reschedule(loop.time())

        timer = loop.call_later(self._later, check)  # not later, since patience shrinks once the server is heard
        try:
            async with asyncio.timeout(None) as limit:
                yield
        except TimeoutError:
            if limit.expired():
                raise Silent(self._patience, "machine.timeout_seconds" if self._last is None else "llm.give_up_after") from None
            raise
        finally:
            timer.cancel()

    @property
    def _patience(self) -> float:
        return self._first if self._last is None else self._later
