"""How long `start.py --help` takes, as a process."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

START = Path(__file__).resolve().parent.parent / "start.py"
ROUNDS = 7


def measure() -> dict[str, float]:
    """The median over `ROUNDS` runs after one that warms the disk cache, in seconds."""
    times = []
    for _ in range(ROUNDS + 1):
        began = time.perf_counter()
        subprocess.run([sys.executable, str(START), "--help"], check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return {"help_s": statistics.median(times[1:])}
