"""Decides whether a reply is streamed: if it is displayed while it is written, or if its server is
so slow that nothing else would show that it is at work.

Reading a reply part by part takes this process several times as long as reading it whole. But a
server that sends whole replies is silent meanwhile, and is given up after too long a silence.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hometown.model.awake import loop_time
from hometown.model.llm import Request
from hometown.model.watchdog import StallTimeout

SEEN = 16
"""Number of latest replies that determine a server's pace. Until there are as many, all are
streamed.
"""

SHARE = 0.5
"""Share of the permitted silence that the longest allowed reply may be expected to take, if it is
to come whole.
"""


class Pace:
    """The speed of one server's replies; it is given up after `limit` seconds of silence."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._latest: deque[tuple[float, int]] = deque(maxlen=SEEN)

    def streams(self, request: Request) -> bool:
        """Return True if to have the reply to a request streamed: if it is displayed meanwhile, the
        pace is unknown, or the longest reply may take more than `SHARE` of the permitted silence.
        """
        seconds = sum(seconds for seconds, _ in self._latest)
        tokens = sum(tokens for _, tokens in self._latest)
        is_unknown = len(self._latest) < SEEN or not tokens
        if request.on_text is not None or is_unknown:
            return True
        return request.max_tokens * seconds / tokens > SHARE * self._limit

    @contextmanager
    def measure(self) -> Iterator[Callable[[int], None]]:
        """Measure a reply; the context yields a callback for the number of its tokens. If the
        server falls silent, its pace is unknown again.
        """
        began = loop_time()
        try:
            yield lambda tokens: self._latest.append((loop_time() - began, tokens))
        except StallTimeout:
            self._latest.clear()
            raise
