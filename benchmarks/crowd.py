"""Does a crowd cost more than a village? A game hour of 25 and of 1,000 residents, on the scripted model."""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

from tqdm import tqdm

from modules.config import combine
from modules.founding import found
from modules.game import Game
from modules.model.embedding import make_embedder
from modules.model.scripted.model import ScriptedModel
from modules.world.clones import crowd, populated
from modules.world.load import load_world

WORLD = "ville"
FEW, MANY = 25, 1000
STRIDE = 10
MORNING = datetime(2025, 2, 13, 9, 0)
"""Everybody plans the day in the first step; the hour that counts comes after it."""

STEPS = 60 // STRIDE


def measure() -> dict[str, float]:
    """Seconds of the hour of many, milliseconds a resident-step of both and their ratio, and the peak of memory in GB."""
    (_, few), (hour, many) = (asyncio.run(_hour(count)) for count in (FEW, MANY))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e9 if sys.platform == "darwin" else 1e6)
    return {"crowd_hour_s": hour, "crowd_step_ms_25": few, "crowd_step_ms_1000": many, "crowd_ratio": many / few, "crowd_memory_gb": peak}


async def _hour(count: int) -> tuple[float, float]:
    """Seconds of one game hour after the morning's planning, and milliseconds of it per resident and step."""
    town = load_world(WORLD, "en")
    world = populated(town, crowd(list(town.personas), count))
    settings = combine([world.settings])
    model, embedder = ScriptedModel(), make_embedder("hash", settings)
    with tempfile.TemporaryDirectory() as folder:
        run = await found(Path(folder), world, settings, model, embedder, name="bench", start=MORNING, stride=STRIDE, seed=1, steps=STEPS + 1)
        with run:
            game = Game(run, world, model, embedder)
            await game.step()
            begun = time.perf_counter()
            for _ in tqdm(range(STEPS), desc=f"{count} residents", unit="step"):
                await game.step()
            hour = time.perf_counter() - begun
    return hour, hour * 1000 / STEPS / count
