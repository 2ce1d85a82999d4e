"""When something hangs: the only limit in real time that tests may set upwards."""

from __future__ import annotations

import time
from collections.abc import Callable

HANG = 600.0
"""Seconds. Nothing that works takes so long, however busy the machine is; no verdict depends on it
but that something hangs.
"""


def waited_for(comes: Callable[[], bool]) -> None:
    """Returns once a condition of another process holds."""
    end = time.monotonic() + HANG
    while not comes():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.02)
