"""What minds on shards cost, and what a town would take on more cores: `python -m benchmarks.shards [served] [RESIDENTS …]`. It needs Ray
(requirements-ray.txt).

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
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.districts import town_apart
from benchmarks.served import server_of
from benchmarks.towns import STRIDE, town_of
from hometown import session
from hometown.config import combine
from hometown.garbage import rare_collections
from hometown.shards.minds import Shards
from hometown.shards.start import game_of
from hometown.storage.run import Run
from hometown.world.world import World

WORLD = "ville"
RESIDENTS, SHARDS = 200, 2
MORNING = datetime(2025, 2, 13, 9, 0)
"""In the first step everybody plans the day; the hour that is measured follows it."""

CROWD = 200
"""People for whom there is room on the Ville's own map."""

AT_ONCE, SLOTS = 10_000, 16
"""How much faster than a graphics card the server is over HTTP, so that nobody waits for it, and how many calls may be under way."""

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


def measured(residents: int, shards: int, served: bool = False) -> Cost:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as until_then:
        town = town_of(WORLD, residents) if residents <= CROWD else town_apart(residents, Path(folder))
        single, _ = asyncio.run(_lived(Path(folder), "scripted", town, 0))
        address = ""
        if served:
            with Run.open(Path(folder), "scripted") as known:
                address = until_then.enter_context(server_of(Path(folder), known, AT_ONCE))
            single, _ = asyncio.run(_lived(Path(folder), "served", town, 0, address))
        driver, minds = asyncio.run(_lived(Path(folder), "shards", town, shards, address))
        with Run.open(Path(folder), "scripted") as known, Run.open(Path(folder), "shards") as lived:
            assert known.digests() == lived.digests(), "both must be the same town"
    assert minds is not None
    each = residents * minds.steps
    sent, back = (sum(getattr(line, name) for line in minds.lines) for name in ("sent", "received"))
    return Cost(residents, single, driver, minds.milliseconds / each, minds.broadcast / each, sent / each, back / each)


async def _lived(folder: Path, name: str, town: World, shards: int, address: str = "") -> tuple[float, Shards | None]:
    """Milliseconds of this process for a resident's step, and the minds of the town. Replies come from the server at the address, if there is one."""
    residents = len(town.personas)
    steps = (60 if residents <= CROWD else 30) // STRIDE
    machine: dict[str, Any] = {"shards": shards, "ahead": 0} | ({"openai_base_url": address, "slots": SLOTS} if address else {})
    settings = combine([{"machine": machine, "llm": {"num_ctx": 65536}}], town.settings)
    llm = "openai:town" if address else "scripted"
    begun = await session.create(folder, town, settings, name=name, start=MORNING, stride=STRIDE, seed=1, steps=steps + 1, llm=llm, embedding="hash")
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


def main(sizes: Sequence[int], served: bool) -> None:
    kind = "shards_served" if served else "shards"
    for residents in sizes:
        cost = measured(residents, SHARDS, served)
        figures = {
            f"{kind}_single_ms": cost.single,
            f"{kind}_driver_ms": cost.driver,
            f"{kind}_minds_ms": cost.shards,
            f"{kind}_driver_share": cost.share,
            f"{kind}_broadcast_bytes": cost.broadcast,
            f"{kind}_sent_bytes": cost.sent,
            f"{kind}_back_bytes": cost.back,
        }
        for name, value in figures.items():
            print(f"{name + '_' + str(residents):40} {value:.4g}")
        print("\n".join(table(cost)), flush=True)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:] if size != "served"] or [RESIDENTS], "served" in sys.argv)
