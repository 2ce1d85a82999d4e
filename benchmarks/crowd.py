"""Whether a resident of a crowd costs more than one of a village: a game hour of 25 and of 1,000 residents."""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

from tqdm import tqdm

from benchmarks.towns import STRIDE, new_run, town_of

WORLD = "ville"
FEW, MANY = 25, 1000
MORNING = datetime(2025, 2, 13, 9, 0)
"""In the first step everybody plans the day; the hour that is measured follows it."""

STEPS = 60 // STRIDE


def measure() -> dict[str, float]:
    """Seconds of the hour of many, milliseconds per resident and step of both and their ratio, and peak memory in GB."""
    (_, few), (hour, many) = (asyncio.run(_hour(count)) for count in (FEW, MANY))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e9 if sys.platform == "darwin" else 1e6)
    return {"crowd_hour_s": hour, "crowd_step_ms_25": few, "crowd_step_ms_1000": many, "crowd_ratio": many / few, "crowd_memory_gb": peak}


async def _hour(count: int) -> tuple[float, float]:
    """Seconds of one game hour after the morning's planning, and milliseconds of it per resident and step."""
    with tempfile.TemporaryDirectory() as folder:
        run, game = await new_run(Path(folder), town_of(WORLD, count), steps=STEPS + 1, start=MORNING)
        with run:
            await game.step()
            begun = time.perf_counter()
            for _ in tqdm(range(STEPS), desc=f"{count} residents", unit="step"):
                await game.step()
            hour = time.perf_counter() - begun
    return hour, hour * 1000 / STEPS / count
