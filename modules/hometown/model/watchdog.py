"""Detects servers that have stalled and replies without end: a server that sends nothing to any
caller, or one reply that takes too long.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from math import inf

from hometown.model.awake import MOMENT, TICK, AwakeClock
from hometown.text import Phrase


class StallTimeout(Exception):
    """A server has sent nothing for `seconds`, the limit in `setting`."""

    def __init__(self, seconds: float, setting: str) -> None:
        self.seconds = seconds
        self.message = Phrase(
            "has sent nothing for {seconds:g} s ({setting})", seconds=seconds, setting=setting
        )
        super().__init__(self.message)


class TooSlow(StallTimeout):
    """A reply has not ended `seconds` after it began."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds, "llm.min_tokens_per_second")
        self.message = Phrase(
            "has not finished a reply within {seconds:g} s (llm.min_tokens_per_second)",
            seconds=seconds,
        )


class StallWatchdog:
    """Watches one server for all its callers, so that a call that is queued behind others does not
    count as stalled.

    The server may take `give_up_after` seconds to send its first part, and from one part to the
    next, but never more than `timeout`. With `give_up_after` 0 only `timeout` applies. Time in
    which this process did not run is not counted.
    """

    def __init__(self, timeout: float, give_up_after: float) -> None:
        self.limit = min(timeout, give_up_after or timeout)
        """Seconds of silence after which the server has stalled."""
        self._setting = (
            "llm.give_up_after" if self.limit == give_up_after else "machine.timeout_seconds"
        )
        self._clock = AwakeClock()
        self._last = 0.0

    @asynccontextmanager
    async def watched(self, seconds: float = inf) -> AsyncIterator[Callable[[], None]]:
        """Watch a reply while the context lasts; it yields a callback to be called at each part.

        Raises StallTimeout if the server has stopped sending, and TooSlow if the reply has not
        ended `seconds` after its first part.
        """
        loop = asyncio.get_running_loop()
        failure: StallTimeout | None = None
        timer: asyncio.TimerHandle | None = None
        with self._clock.ticking():
            began, end = self._clock.now(), inf

            def arrived() -> None:
                nonlocal end
                self._last = self._clock.now()
                end = min(end, self._last + seconds)

            def check() -> None:
                nonlocal failure, timer
                now = self._clock.now()
                silent_until = max(began, self._last) + self.limit
                left = min(silent_until, end) - now
                if left > MOMENT:
                    timer = loop.call_later(min(left, TICK), check)
                else:
                    failure = (
                        TooSlow(seconds)
                        if end < silent_until
                        else StallTimeout(self.limit, self._setting)
                    )
                    limit.reschedule(loop.time())

            try:
                async with asyncio.timeout(None) as limit:
                    check()
                    yield arrived
            except TimeoutError:
                if failure:
                    raise failure from None
                raise
            finally:
                if timer:
                    timer.cancel()
