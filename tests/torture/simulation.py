"""A whole world that one number decides: a town whose network, disk and clock fail at moments drawn
from it, again and again, until its run is lived.

The town is the real one. Its model server, its disk and its time are simulated, so that a number is
the same history on every machine, and hours of silence take no time. A history is what a run may be
if every stop leaves its committed steps and every life goes on from them.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hometown.errors import HometownError
from hometown.model import retrying
from hometown.model.ollama import SEEDS
from hometown.model.retrying import RetryingModel
from hometown.repair import examine_run
from hometown.storage.run import RunFile
from hometown.storage.run_names import run_folder
from hometown.world.clones import populate
from tests.support.protocols import OK, PROTOCOLS, Protocol
from tests.support.simulated import CUT, Part, Pause, Sent, Wire
from tests.support.simulated_time import simulate
from tests.support.town import live, lived, minitown
from tests.torture.answers import book_of, key_of
from tests.torture.cases import Lost, case
from tests.torture.disk import Disk, after_kill, after_power_failure, simulated
from tests.torture.faults import FAILURES

NAME = "town"
STEPS = 5
NOON = datetime(2025, 2, 13, 12)

MOST_LIVES = 6
"""Lives with faults; the one after them has none, and comes to the end."""

CALLS = 1500
"""Calls to the disk of a life, about; one that fails is drawn from these."""


@dataclass
class Toll:
    """Worlds lived to their end, their lives, and the faults that there were in them by kind."""

    worlds: int = 0
    lives: int = 0
    faults: Counter[str] = field(default_factory=Counter)


class _Network:
    """A model server that answers as the scripted model did, and fails now and then, never at one
    request more than twice in a row.

    Silence is not asked for again but once, so that it comes alone: else the call would be given
    up, and that would be another history.
    """

    def __init__(
        self,
        protocol: Protocol,
        book: dict[str, tuple[str, str]],
        number: int,
        faults: Counter[str],
    ) -> None:
        self.protocol, self.book, self.number, self.faults = protocol, book, number, faults
        self.rough = True
        self._arrived: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()

    def answer(self, body: dict[str, Any]) -> Sent:
        if len(body["messages"]) == 1:
            return self.protocol.reply(OK)
        seed = body["options"]["seed"] if "options" in body else body["seed"]
        key = key_of([(one["role"], one["content"]) for one in body["messages"]], seed % SEEDS)
        good = self.protocol.reply(self.book[key][1])
        self._arrived[key] += 1
        chance = Random(f"{self.number} {key} {self._arrived[key]}")
        if not self.rough or chance.random() > 0.2 or self._failed[key] == 2:
            self._failed[key] = 0
            return good
        kind = chance.choice(
            (
                "overloaded",
                "broken",
                "cut",
                "cut quietly",
                "misshapen",
                "suspended",
                "slow",
                *(["silent"] * (not self._failed[key])),
            )
        )
        self._failed[key] += 2 if kind == "silent" else 1
        self.faults[kind] += 1
        return self._faulty(kind, good, chance)

    def _faulty(self, kind: str, good: Sent, chance: Random) -> Sent:
        parts: list[Part] = list(good.parts)
        where = chance.randrange(len(parts))
        if kind in ("overloaded", "broken"):
            return self.protocol.refusal(503 if kind == "overloaded" else 500, "not now")
        if kind == "misshapen":
            return Sent([b'{"choices": 5, "message": 5}'])
        late: dict[str, list[Part]] = {
            "cut": [CUT],
            "cut quietly": [],
            "silent": [Pause(10**6)],
            "suspended": [Pause(10 ** chance.uniform(1, 6), suspended=True), *parts[where:]],
            "slow": [Pause(chance.uniform(1, 100)), *parts[where:]],
        }
        return Sent([*parts[:where], *late[kind]], kind=good.kind)


class World:
    """One history."""

    def __init__(self, folder: Path, original: Path, number: int, toll: Toll) -> None:
        self.original, self.toll = original, toll
        self.results = folder / "world"
        self.chance = Random(number)
        shutil.rmtree(self.results, ignore_errors=True)
        shutil.copytree(original / "begun", self.results)
        with RunFile.open(original / "whole", NAME) as run:
            self.digests, book = run.digests(), book_of(run)
        self.network = _Network(PROTOCOLS[number % len(PROTOCOLS)], book, number, toll.faults)

    def live(self, wire: Wire) -> None:
        """Raises Lost where the history is none that a run may have."""
        wire.answer = self.network.answer
        for _ in range(MOST_LIVES):
            committed = self._life(self._disk())
            if self._look(committed) == STEPS:
                break
        self.network.rough = False
        self._life(Disk())
        if self._look(STEPS) != STEPS:
            raise Lost("it did not come to its end")

    def _disk(self) -> Disk:
        """A disk of which one call will fail, or none."""
        kind = self.chance.choice((*FAILURES, "", ""))
        return Disk(failures=FAILURES.get(kind, {}), failing=self.chance.randrange(CALLS))

    def _life(self, disk: Disk) -> int:
        """Lives until something stops it, or the power does; how many steps had been committed by
        then.
        """
        folder = run_folder(self.results, NAME)
        before = {
            path.name: path.read_bytes()
            for path in folder.iterdir()
            if path.suffix in (".sqlite", ".sqlite-wal", ".committed")
        }
        returned: list[tuple[int, int]] = []
        self.toll.lives += 1
        with simulated(disk):
            try:
                simulate(self._steps(lambda step: returned.append((len(disk.operations), step))))
            except (HometownError, sqlite3.Error, MemoryError) as error:
                if not self.network.rough:
                    raise
                self.toll.faults[f"stopped by {type(error).__name__}"] += 1
        end = self.chance.choice(("end", "kill", "power")) if self.network.rough else "end"
        if end == "end":
            return max((step for _, step in returned), default=0)
        self.toll.faults[end] += 1
        moment = self.chance.randrange(len(disk.operations) + 1)
        happened = disk.operations[:moment]
        after = (
            after_kill(before, happened)
            if end == "kill"
            else after_power_failure(before, happened, self.chance)
        )
        for path in folder.iterdir():
            if path.suffix != ".lock":
                path.unlink()
        for name, content in after.items():
            (folder / name).write_bytes(content)
        return max((step for at, step in returned if at <= moment), default=0)

    async def _steps(self, committed: Any) -> None:
        with RunFile.open(self.results, NAME) as run:
            left = STEPS - run.last.step
        protocol = self.network.protocol
        model = RetryingModel(protocol.model(), protocol.settings(), lambda _: None)
        await lived(
            self.results,
            left,
            world=_three(),
            name=NAME,
            model=model,
            after_each=lambda game: committed(game.state.clock.step),
        )

    def _look(self, least: int) -> int:
        """The last step, if all is as it may be."""
        with RunFile.open(self.results, NAME) as run:
            kept, found = run.digests(), examine_run(run)
        if len(kept) <= least or kept != self.digests[: len(kept)] or not found.sound:
            raise Lost(
                f"{len(kept) - 1} steps are left of {least} that were committed, or they are others: {found}"
            )
        return len(kept) - 1


def _three() -> Any:
    world = minitown()
    return populate(world, list(world.personas)[:3])


def simulated_worlds(folder: Path, count: int, first: int = 0) -> Toll:
    """So many histories. Raises Lost."""
    toll = Toll()
    live(folder / "begun", 0, world=_three(), start=NOON, name=NAME)
    shutil.copytree(folder / "begun", folder / "whole")
    live(folder / "whole", STEPS, world=_three(), name=NAME)
    with pytest.MonkeyPatch.context() as patch:
        wire = Wire(patch)
        patch.setattr(
            time, "perf_counter", float
        )  # what steps take is kept, and in another run it would be another length
        for number in range(first, first + count):
            patch.setattr(retrying, "Random", partial(Random, number))
            with case("worlds", number):
                World(folder, folder, number, toll).live(wire)
            toll.worlds += 1
    return toll
