"""What minds on shards cost, and what a town would take on more cores: `python -m benchmarks.shards [RESIDENTS …]`. It needs Ray (requirements-ray.txt).

A game hour is lived in one process, then on shards, with the scripted model; half an hour by more people than the Ville's own map is for, who live in
districts (`benchmarks.districts`). Its processor time divides into that of the driver, which is the process of the
run, and that of the shards; Ray's own helpers are left out. A table then says what a step takes on more cores, by Amdahl's law from the measured shares.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from benchmarks.districts import town_apart
from benchmarks.towns import STRIDE, town_of
from hometown import session
from hometown.config import combine
from hometown.garbage import rare_collections
from hometown.shards.minds import Shards
from hometown.shards.start import game_of
from hometown.world.world import World

WORLD = "ville"
RESIDENTS, SHARDS = 200, 2
MORNING = datetime(2025, 2, 13, 9, 0)
"""In the first step everybody plans the day; the hour that is measured follows it."""

CROWD = 200
"""People for whom there is room on the Ville's own map."""

CORES = (1, 16, 64)

IMBALANCE = {1: 0.0, 16: 0.15, 64: 0.30}
"""By how much longer than the mean the last shard thinks, by cores. Assumed: here are too few cores to measure it."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds of processor time for a resident's step in one process, and on shards for the driver and for all shards together, and bytes for it: of rows
    for everybody, of all that is sent, and of all that comes back."""

    residents: int
    single: float
    driver: float
    shards: float
    broadcast: float
    sent: float
    back: float

    @property
    def share(self) -> float:
        """Of the driver in the processor time of both, 0 to 1."""
        return self.driver / (self.driver + self.shards)

    def seconds(self, residents: int, cores: int) -> float:
        """Of a step of so many residents on so many cores: in one process on one of them, else with a shard on each."""
        if cores == 1:
            return residents * self.single / 1000
        return residents * (self.driver + self.shards * (1 + IMBALANCE[cores]) / (cores - 1)) / 1000


def measured(residents: int, shards: int) -> Cost:
    with tempfile.TemporaryDirectory() as worlds:
        town = town_of(WORLD, residents) if residents <= CROWD else town_apart(residents, Path(worlds))
        single, _ = asyncio.run(_lived(town, 0))
        driver, minds = asyncio.run(_lived(town, shards))
    assert minds is not None
    each = residents * minds.steps
    sent, back = (sum(getattr(line, name) for line in minds.lines) for name in ("sent", "received"))
    return Cost(residents, single, driver, minds.milliseconds / each, minds.broadcast / each, sent / each, back / each)


async def _lived(town: World, shards: int) -> tuple[float, Shards | None]:
    """Milliseconds of this process for a resident's step, and the minds of the town."""
    residents = len(town.personas)
    steps = (60 if residents <= CROWD else 30) // STRIDE
    settings = combine([{"machine": {"shards": shards}}], town.settings)
    with tempfile.TemporaryDirectory() as folder:
        begun = await session.create(
            Path(folder), town, settings, name="bench", start=MORNING, stride=STRIDE, seed=1, steps=steps + 1, llm="scripted", embedding="hash"
        )
        with begun.run, rare_collections():
            async with game_of(begun) as game:
                await game.step()
                minds = game.minds if isinstance(game.minds, Shards) else None
                if minds:
                    minds.forget_costs()
                began = os.times()
                for _ in range(steps):
                    await game.step()
                ended = os.times()
    return 1000 * (ended.user + ended.system - began.user - began.system) / steps / residents, minds


def table(cost: Cost, sizes: Sequence[int] = (1_000, 10_000)) -> list[str]:
    """Seconds of a step, and by how much that is quicker than on one core, as Markdown."""
    rows = ["| residents | cores | s a step | speed-up |", "|---|---|---|---|"]
    for residents in sizes:
        for cores in CORES:
            seconds = cost.seconds(residents, cores)
            rows.append(f"| {residents:,} | {cores} | {seconds:.3g} | {cost.seconds(residents, 1) / seconds:.1f} |")
    return rows


def main(sizes: Sequence[int]) -> None:
    for residents in sizes:
        cost = measured(residents, SHARDS)
        print(f"shards_single_ms_{residents:<23} {cost.single:.4g}")
        print(f"shards_driver_ms_{residents:<23} {cost.driver:.4g}")
        print(f"shards_minds_ms_{residents:<24} {cost.shards:.4g}")
        print(f"shards_driver_share_{residents:<20} {cost.share:.4g}")
        print(f"shards_broadcast_bytes_{residents:<17} {cost.broadcast:.4g}")
        print(f"shards_sent_bytes_{residents:<22} {cost.sent:.4g}")
        print(f"shards_back_bytes_{residents:<22} {cost.back:.4g}", flush=True)
        print("\n".join(table(cost)), flush=True)


if __name__ == "__main__":
    main([*map(int, sys.argv[1:])] or [RESIDENTS])
