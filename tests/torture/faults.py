"""Everything that a disk can do to a run while steps are committed: each call fails once, and the
power fails at any moment.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from math import gcd
from pathlib import Path
from random import Random
from unittest import mock

import apsw

from hometown.errors import HometownError
from hometown.repair import examine_run
from hometown.storage import database
from hometown.storage.run import RunFile, StepRecord
from hometown.storage.run_names import run_folder
from hometown.world.clones import populate
from hometown.world.world import World
from tests.support import storage_sample, town
from tests.torture.cases import Lost, case
from tests.torture.disk import Disk, Operation, ShortTransfer, after_power_failure, simulated

NAME = "sample"

SMALL = 30
"""Pages of a write-ahead log that is merged often, so that the power fails during that, too."""


def _io_error(extended: int) -> Exception:
    error = apsw.IOError("disk I/O error")
    error.extendedresult = extended  # type: ignore[attr-defined]
    return error


def _no_memory() -> Exception:
    return apsw.NoMemError("out of memory")


FAILURES: dict[str, dict[str, Callable[[], Exception]]] = {
    "full": {"write": lambda: apsw.FullError("database or disk is full")},
    "broken": {
        "write": partial(_io_error, apsw.SQLITE_IOERR_WRITE),
        "sync": partial(_io_error, apsw.SQLITE_IOERR_FSYNC),
    },
    "unreadable": {"read": partial(_io_error, apsw.SQLITE_IOERR_READ)},
    "memory": {"read": _no_memory, "write": _no_memory},
    "short": {"transfer": ShortTransfer},
}
"""By kind: which calls fail, and with what. A transfer that is short is no error: the rest has to
be asked for again.
"""

KINDS = tuple(FAILURES)


@dataclass
class Toll:
    """How many faults there were, and how many of them stopped the run, which then continued to the
    same digests.
    """

    faults: int = 0
    stopped: int = 0


@dataclass(frozen=True)
class Story:
    """What is lived while the disk fails: from step `begun` to step `steps`. `live` opens the run,
    or founds it, and lives it up to a step.
    """

    begun: int
    steps: int
    live: Callable[[Path, int], None]


def _live_sample(results: Path, until: int) -> None:
    if not run_folder(results, NAME).exists():
        storage_sample.sample_run(results, 0, NAME).close()
    with RunFile.open(results, NAME, write=True) as run:
        state = run.restore()
        while run.last.step < until:
            run.journal.put(run.last.step + 1, "ana", "rate", 0, 0, b"asked", b'{"text": "coffee"}')
            storage_sample.live(run, state, 1)


@cache
def _three() -> World:
    world = town.minitown()
    return populate(world, list(world.personas)[:3])


def _live_town(results: Path, until: int) -> None:
    there = 0
    if run_folder(results, NAME).exists():
        with RunFile.open(results, NAME) as run:
            there = run.last.step
    town.live(results, until - there, world=_three(), start=datetime(2025, 2, 13, 12), name=NAME)


SAMPLE = Story(2, 5, _live_sample)
"""Three small steps that write rows of every kind."""

TOWN = Story(3, 4, _live_town)
"""A whole step of a town of three, in which they think, talk and walk."""


@dataclass(frozen=True)
class Whole:
    """A run to begin with, and the digests to which it leads."""

    story: Story
    folder: Path
    digests: list[str]

    @classmethod
    def made(cls, results: Path, story: Story) -> Whole:
        story.live(results / "begun", story.begun)
        shutil.copytree(results / "begun", results / "whole")
        story.live(results / "whole", story.steps)
        with RunFile.open(results / "whole", NAME) as run:
            return cls(story, results / "begun", run.digests())

    def copied(self, results: Path) -> Path:
        """A fresh copy in `results`."""
        shutil.rmtree(results, ignore_errors=True)
        shutil.copytree(self.folder, results)
        return run_folder(results, NAME)

    def lived(self, results: Path) -> None:
        """Lives the copy to its end."""
        self.story.live(results, self.story.steps)

    def look(self, results: Path, least: int) -> None:
        """The run has at least so many steps, all of them whole, and continues to the digests of
        one without faults. Raises Lost.
        """
        with RunFile.open(results, NAME) as run:
            kept, found = run.digests(), examine_run(run)
        if not least <= len(kept) - 1 <= self.story.steps or kept != self.digests[: len(kept)]:
            raise Lost(
                f"{len(kept) - 1} steps are left of {least} that were committed, or they are others"
            )
        if not found.sound:
            raise Lost(str(found))
        self.lived(results)
        with RunFile.open(results, NAME) as run:
            if run.digests() != self.digests:
                raise Lost("it continued to other digests")


# calls that fail -----------------------------------------------------------------------------


def call_by_call(
    results: Path, story: Story, count: int, first: int = 0, kinds: Sequence[str] = KINDS
) -> Toll:
    """Lets each call that can fail do so once, or `count` of them, evenly spread; the run stops
    with an error of ours or goes on. Raises Lost.
    """
    whole, toll = Whole.made(results, story), Toll()
    numbers = [number for number in _numbers(whole, results / "now", kinds) if number >= first]
    stride = max(1, len(numbers) // count)
    while gcd(stride, len(kinds)) > 1:
        stride += 1
    for number in numbers[::stride][:count]:
        with case("disks", number):
            _fail(whole, results / "now", number, toll)
    return toll


def _numbers(whole: Whole, results: Path, kinds: Sequence[str]) -> list[int]:
    """The numbers of all calls in a life without faults that can fail in these ways: call by call,
    and for each kind by kind.
    """
    numbers: list[int] = []
    for kind in kinds:
        whole.copied(results)
        disk = Disk(failures=FAILURES[kind])
        with simulated(disk):
            whole.lived(results)
        numbers += [call * len(KINDS) + KINDS.index(kind) for call in range(disk.calls)]
    return sorted(numbers)


def _fail(whole: Whole, results: Path, number: int, toll: Toll) -> None:
    failing, kind = divmod(number, len(KINDS))
    disk = Disk(failures=FAILURES[KINDS[kind]], failing=failing)
    whole.copied(results)
    try:
        with simulated(disk):
            whole.lived(results)
    except (HometownError, sqlite3.Error, MemoryError):
        toll.stopped += 1
    toll.faults += bool(disk.failed)
    whole.look(results, whole.story.begun)


# power failures ------------------------------------------------------------------------------


def power_failures(results: Path, count: int, first: int = 0) -> Toll:
    """Cuts the power `count` times, at moments drawn by chance, and looks at what is left. Raises
    Lost.
    """
    whole, toll = Whole.made(results, SAMPLE), Toll()
    folder = whole.copied(results / "now")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".sqlite"}
    disk, returned = Disk(), list[int]()
    commit = RunFile.commit

    def committed(run: RunFile, record: StepRecord) -> str:
        digest = commit(run, record)
        returned.append(len(disk.operations))
        return digest

    with (
        simulated(disk),
        mock.patch.object(database, "_CHECKPOINT_PAGES", SMALL),
        mock.patch.object(RunFile, "commit", committed),
    ):
        whole.lived(results / "now")
    for number in range(first, first + count):
        chance = Random(number)
        moment = chance.randrange(len(disk.operations) + 1)
        with case("power", number):
            _cut(whole.copied(results / "now"), before, disk.operations[:moment], chance)
            whole.look(results / "now", whole.story.begun + sum(at <= moment for at in returned))
        toll.faults += 1
        toll.stopped += moment < len(disk.operations)
    return toll


def _cut(
    folder: Path, before: dict[str, bytes], operations: list[Operation], chance: Random
) -> None:
    for path in folder.iterdir():
        if path.name in before:
            path.unlink()
    for name, content in after_power_failure(before, operations, chance).items():
        (folder / name).write_bytes(content)
