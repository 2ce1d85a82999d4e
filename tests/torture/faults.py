"""Everything that a disk can do to a run while steps are committed: each call fails once, and the power fails at any moment.

python -m tests.torture.faults KIND NUMBER      repeats one fault, as the message of a failure says
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from unittest import mock

import apsw

from hometown.errors import HometownError
from hometown.repair import examine
from hometown.storage import database
from hometown.storage.run import Run
from hometown.storage.run_names import folder_of
from tests.support.storage_sample import live, sample_run
from tests.torture.crash import Lost
from tests.torture.disk import Disk, Operation, after_power_failure, simulated

NAME = "sample"
BEGUN, STEPS = 2, 5
"""Steps before the faults, and at the end."""

SMALL = 30
"""Pages of a write-ahead log that is merged often, so that the power fails during that, too."""


def _io_error(extended: int) -> Exception:
    error = apsw.IOError("disk I/O error")
    error.extendedresult = extended  # type: ignore[attr-defined]
    return error


FAILURES: dict[str, dict[str, Callable[[], Exception]]] = {
    "full": {"write": lambda: apsw.FullError("database or disk is full")},
    "broken": {"write": partial(_io_error, apsw.SQLITE_IOERR_WRITE), "sync": partial(_io_error, apsw.SQLITE_IOERR_FSYNC)},
    "unreadable": {"read": partial(_io_error, apsw.SQLITE_IOERR_READ)},
}
"""By kind: which calls fail, and with what. Reads that are short are repeated by SQLite itself, below the simulated disk."""


POWER = "power"


def _again(kind: str, number: int) -> str:
    """Names a fault by the command that repeats it."""
    return f"python -m tests.torture.faults {kind} {number}"


@dataclass
class Toll:
    """How many faults there were, and how many of them stopped the run, which then continued to the same digests."""

    faults: int = 0
    stopped: int = 0


@dataclass(frozen=True)
class Whole:
    """A run to begin with, and the digests to which it leads."""

    folder: Path
    digests: list[str]

    @classmethod
    def made(cls, results: Path) -> Whole:
        sample_run(results / "begun", BEGUN, NAME).close()
        with sample_run(results / "whole", STEPS, NAME) as run:
            return cls(results / "begun", run.digests())

    def copied(self, results: Path) -> Path:
        """A fresh copy in `results`."""
        shutil.rmtree(results, ignore_errors=True)
        shutil.copytree(self.folder, results)
        return folder_of(results, NAME)


def lived(results: Path, committed: list[int] | None = None, disk: Disk | None = None) -> None:
    """Lives to the end, with a reply in the journal of each step; notes how many operations the disk had seen when a commit returned."""
    with Run.open(results, NAME, write=True) as run:
        state = run.restore()
        while run.last.step < STEPS:
            step = run.last.step + 1
            run.journal.put(step, "ana", "rate", 0, 0, b"asked", b'{"text": "coffee"}')
            live(run, state, 1)
            if committed is not None and disk is not None:
                committed.append(len(disk.operations))


def look(results: Path, whole: Whole, least: int, what: str) -> None:
    """The run has at least so many steps, all of them whole, and continues to the digests of one without faults. Raises Lost."""
    with Run.open(results, NAME) as run:
        kept, found = run.digests(), examine(run)
    if not least <= len(kept) - 1 <= STEPS or kept != whole.digests[: len(kept)]:
        raise Lost(f"{what}: {len(kept) - 1} steps are left of {least} that were committed, or they are others")
    if not found.sound:
        raise Lost(f"{what}: {found}")
    lived(results)
    with Run.open(results, NAME) as run:
        if run.digests() != whole.digests:
            raise Lost(f"{what}: it continued to other digests")


def call_by_call(results: Path, kind: str, every: int = 1, first: int = 0) -> Toll:
    """Lets each call that can fail in this way do so once, or one of `every`; the run stops with an error of ours or goes on. Raises Lost."""
    whole, toll = Whole.made(results), Toll()
    for failing in _numbers(whole, results / "now", kind, every, first):
        disk = Disk(failures=FAILURES[kind], failing=failing)
        what = _again(kind, failing)
        whole.copied(results / "now")
        try:
            with simulated(disk):
                lived(results / "now")
        except (HometownError, sqlite3.Error):
            toll.stopped += 1
        except Exception as error:
            raise Lost(f"{what}: {error!r}") from error
        toll.faults += bool(disk.failed)
        look(results / "now", whole, BEGUN, what)
    return toll


def _numbers(whole: Whole, results: Path, kind: str, every: int, first: int) -> Iterator[int]:
    """The numbers of all calls in a life without faults."""
    whole.copied(results)
    disk = Disk(failures=FAILURES[kind])
    with simulated(disk):
        lived(results)
    yield from range(first % every, disk.calls, every)


def power_failures(results: Path, count: int, seed: int = 0) -> Toll:
    """Cuts the power `count` times, at moments drawn by chance, and looks at what is left. Raises Lost with the seed that repeats it."""
    whole, toll = Whole.made(results), Toll()
    folder = whole.copied(results / "now")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".sqlite"}
    disk, returned = Disk(), list[int]()
    with simulated(disk), mock.patch.object(database, "_CHECKPOINT_PAGES", SMALL):
        lived(results / "now", returned, disk)
    for number in range(seed, seed + count):
        chance = Random(number)
        moment = chance.randrange(len(disk.operations) + 1)
        _cut(whole.copied(results / "now"), before, disk.operations[:moment], chance)
        committed = BEGUN + sum(at <= moment for at in returned)
        look(results / "now", whole, committed, _again(POWER, number))
        toll.faults += 1
        toll.stopped += moment < len(disk.operations)
    return toll


def _cut(folder: Path, before: dict[str, bytes], operations: list[Operation], chance: Random) -> None:
    for path in folder.iterdir():
        if path.name in before:
            path.unlink()
    for name, content in after_power_failure(before, operations, chance).items():
        (folder / name).write_bytes(content)


def main(kind: str, number: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        if kind == POWER:
            print(power_failures(Path(folder), 1, int(number)))
        else:
            print(call_by_call(Path(folder), kind, sys.maxsize, int(number)))


if __name__ == "__main__":
    main(*sys.argv[1:])
