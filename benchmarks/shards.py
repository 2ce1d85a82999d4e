"""Measure the cost of minds on shards: `python -m benchmarks.shards [served] [RESIDENTS …]`. It
needs Ray (the extra `ray`).

Four game hours are lived in one process, then on shards, with the scripted model; half an hour by
more people than the Ville's own map is for, who live in districts (`benchmarks.districts`). Their
processor time divides into that of the driver, which is the process of the run, and that of the
shards; Ray's own helpers are left out.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.districts import town_apart
from benchmarks.served import server_of
from benchmarks.towns import STRIDE, town_of
from hometown import session
from hometown.config import combine
from hometown.game_opening import open_game
from hometown.garbage import tune_collector
from hometown.storage.run import RunFile
from hometown.world.world import World

WORLD = "ville"
RESIDENTS, SHARDS = 200, 2
MORNING = datetime(2025, 2, 13, 9, 0)
"""In the first step everybody plans the day; the hours that are measured follow it."""

MINUTES, MINUTES_OF_MORE = 230, 30
"""Of the game, that are measured: until one o'clock, and less where more people live."""

CROWD = 200
"""People for whom there is room on the Ville's own map."""

AT_ONCE, SLOTS = 10_000, 16
"""How much faster than a graphics card the server is over HTTP, so that nobody waits for it, and
how many calls may be under way.
"""


@dataclass(frozen=True, slots=True)
class Lived:
    """The cost of a life for a resident's step: milliseconds of the process of the run and of all
    shards.
    """

    driver: float
    shards: float = 0.0


@dataclass(frozen=True, slots=True)
class Cost:
    """What so many residents cost: `single` milliseconds of processor time for a resident's step in
    one process, and what it is on shards.
    """

    residents: int
    single: float
    spread: Lived

    @property
    def share(self) -> float:
        """Of the driver in the processor time of both, 0 to 1."""
        return self.spread.driver / (self.spread.driver + self.spread.shards)


def measured(residents: int, shards: int, served: bool = False) -> Cost:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as until_then:
        single, address = _lived_apart(folder, "scripted", residents, 0), ""
        with RunFile.open(Path(folder), "scripted") as known:
            if served:
                address = until_then.enter_context(server_of(Path(folder), known, AT_ONCE))
                single = _lived_apart(folder, "served", residents, 0, address)
            spread = _lived_apart(folder, "shards", residents, shards, address)
            with RunFile.open(Path(folder), "shards") as lived:
                assert known.digests() == lived.digests(), "both must be the same town"
    return Cost(residents, single.driver, spread)


def _lived_apart(*life: Any) -> Lived:
    """A life in a process of its own, since one that has lived a town before is slower."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_lived, *life).result()


def _lived(folder: str, name: str, residents: int, shards: int, address: str = "") -> Lived:
    """What a town costs on so many shards, or in one process. Replies come from the server at the
    address, if there is one.
    """
    town = (
        town_of(WORLD, residents)
        if residents <= CROWD
        else town_apart(residents, Path(folder) / f"{name}-town")
    )
    return asyncio.run(_live(Path(folder), name, town, shards, address))


async def _live(folder: Path, name: str, town: World, shards: int, address: str) -> Lived:
    residents = len(town.personas)
    steps = (MINUTES if residents <= CROWD else MINUTES_OF_MORE) // STRIDE
    machine: dict[str, Any] = {"shards": shards, "ahead": 0} | (
        {"openai_base_url": address, "slots": SLOTS} if address else {}
    )
    settings = combine([{"machine": machine, "llm": {"num_ctx": 65536}}], town.settings)
    llm = "openai:town" if address else "scripted"
    begun = await session.create_session(
        folder,
        town,
        settings,
        name=name,
        start=MORNING,
        stride=STRIDE,
        seed=1,
        steps=steps + 1,
        llm=llm,
        embedding="hash",
    )
    with begun.run, tune_collector():
        async with open_game(begun) as game:
            await game.step()
            began, each = process_time(), 1 / (steps * residents)
            for _ in range(steps):
                await game.step()
            driver = 1000 * (process_time() - began) * each
        loads = [load for step in begun.run.stats()[2:] for load in step.get("shards", ())]
    return Lived(driver, sum(load["ms"] for load in loads) * each)


def main(sizes: Sequence[int], served: bool) -> None:
    kind = "shards_served" if served else "shards"
    for residents in sizes:
        cost = measured(residents, SHARDS, served)
        figures = {
            f"{kind}_single_ms": cost.single,
            f"{kind}_driver_ms": cost.spread.driver,
            f"{kind}_minds_ms": cost.spread.shards,
            f"{kind}_driver_share": cost.share,
        }
        for name, value in figures.items():
            print(f"{name + '_' + str(residents):40} {value:.4g}", flush=True)


if __name__ == "__main__":
    main(
        [int(size) for size in sys.argv[1:] if size != "served"] or [RESIDENTS],
        "served" in sys.argv,
    )
