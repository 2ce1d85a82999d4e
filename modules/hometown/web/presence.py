"""The visitors whose pages are open: whoever has closed theirs leaves town, after a time of grace."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

GRACE_SECONDS = 90.0
"""Seconds without a sign of a visitor's page after which they leave. Browsers let a page in the
background do something once a minute.
"""

CHECK_SECONDS = 5.0
"""Seconds between two checks."""

log = logging.getLogger(__name__)

PRESENCE = "presence"
"""The key of an app's presence among its extensions."""


class VisitorPresence:
    """The visitors seen by this server, and when their pages last gave a sign. `send_away` lets the
    visitor of a run, by its name and their id, leave. Times are those of `time.monotonic`.
    Thread-safe.
    """

    def __init__(self, send_away: Callable[[str, str], None]) -> None:
        self._send_away = send_away
        self._lock = threading.Lock()
        self._seen: dict[tuple[str, str], float] = {}

    def note(self, run: str, who: str) -> None:
        """Note a sign of a visitor's page; the first one starts the checks."""
        with self._lock:
            if not self._seen:
                threading.Thread(target=self._watch, name="presence", daemon=True).start()
            self._seen[run, who] = time.monotonic()

    def check(self, now: float) -> None:
        """Let all visitors leave whose pages have given no sign for the time of grace before `now`;
        who cannot leave has another one.
        """
        latest = now - GRACE_SECONDS
        for run, who in [key for key, seen in list(self._seen.items()) if seen < latest]:
            try:
                self._send_away(run, who)
            except Exception:  # such as a full disk
                log.exception("%s cannot leave the run %s", who, run)
                self.note(run, who)
            else:
                with self._lock:
                    self._seen.pop((run, who), None)

    def _watch(self) -> None:
        """Check from time to time, as long as there are visitors."""
        while self._seen:
            time.sleep(CHECK_SECONDS)
            self.check(time.monotonic())
