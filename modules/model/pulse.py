"""Whether a server is still at work: replies come in parts, and one that sends none to anybody for too long has stopped."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from modules.text import Phrase


class Silent(Exception):
    """Nothing came for `seconds`, which `setting` allows."""

    def __init__(self, seconds: float, setting: str) -> None:
        self.seconds = seconds
        self.message = Phrase("has sent nothing for {seconds:g} s ({setting})", seconds=seconds, setting=setting)
        super().__init__(self.message)


class Pulse:
    """One server as all its callers hear it, so that a call that waits behind others is not taken for a dead one.

    It has `give_up_after` seconds from the question to the first sign, and from one sign to the next, and never more than `timeout`;
    0 leaves it at that.
    """

    def __init__(self, timeout: float, give_up_after: float) -> None:
        self._patience = min(timeout, give_up_after or timeout)
        self._setting = "llm.give_up_after" if self._patience == give_up_after else "machine.timeout_seconds"
        self._last = 0.0

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
            left = max(began, self._last) + self._patience - time.monotonic()
            if left > 0:
                timer = loop.call_later(left, check)
            else:
                limit.reschedule(loop.time())

        timer = loop.call_later(self._patience, check)
        try:
            async with asyncio.timeout(None) as limit:
                yield
        except TimeoutError:
            if limit.expired():
                raise Silent(self._patience, self._setting) from None
            raise
        finally:
            timer.cancel()
