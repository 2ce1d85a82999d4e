"""Whether a reply is streamed: where somebody follows it, and where its server is so slow that
nothing else would show that it is at work.

To read a reply part by part takes this process several times as long as to read it whole. But who
writes whole replies is silent meanwhile, and for silence a server is given up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hometown.model.awake import loop_time
from hometown.model.llm import Request
from hometown.model.watchdog import StallTimeout

SEEN = 16
"""Latest replies from which the pace of a server is taken. Until there are so many, all are
streamed.
"""

SHARE = 0.5
"""Part of the silence for which a server is given up that the longest reply allowed may be expected
to take, if it is to come whole.
"""


class Pace:
    """How fast one server replies, which is given up after `limit` seconds of silence."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._latest: deque[tuple[float, int]] = deque(maxlen=SEEN)

    def streams(self, request: Request) -> bool:
        """Return whether to have the reply to a request streamed."""
        seconds, tokens = (
            sum(seconds for seconds, _ in self._latest),
            sum(tokens for _, tokens in self._latest),
        )
        unknown = len(self._latest) < SEEN or not tokens
        return (
            request.on_text is not None
            or unknown
            or request.max_tokens * seconds / tokens > SHARE * self._limit
        )

    @contextmanager
    def taken(self) -> Iterator[Callable[[int], None]]:
        """The context in which a reply is asked for; it yields what is to be called with the
        reply's tokens. A server that falls silent is unknown again.
        """
        began = loop_time()
        try:
            yield lambda tokens: self._latest.append((loop_time() - began, tokens))
        except StallTimeout:
            self._latest.clear()
            raise
