"""A stopwatch for the phases of a step."""

from __future__ import annotations

import time


class Stopwatch:
    """Wall milliseconds by phase; phases that come again add up."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, phase: str) -> None:
        """Add the time since the last lap to a phase."""
        now = time.perf_counter()
        self.laps[phase] = self.laps.get(phase, 0.0) + (now - self._last) * 1000
        self._last = now
