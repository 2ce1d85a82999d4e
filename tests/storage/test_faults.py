"""A run on a simulated disk: whichever call fails, and whenever the power does, committed steps
stay and the run continues as before.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from hometown.errors import BadRun
from hometown.storage import run
from hometown.storage.database import connect_writer
from hometown.storage.run import RunFile
from hometown.storage.step_record import write_step
from tests.torture import faults
from tests.torture.cases import Lost
from tests.torture.disk import Disk, Operation, after_power_failure, simulated


@pytest.mark.parametrize("kind", faults.KINDS)
def test_any_call_to_the_disk_may_fail(kind: str, tmp_path: Path) -> None:
    """Some of them here; `make torture` lets each fail, over a whole step of a town."""
    if kind == "short" and os.name == "nt":
        pytest.skip("system calls are replaced by the names that they have on POSIX")
    toll = faults.call_by_call(tmp_path, faults.SAMPLE, 12, kinds=[kind])
    assert toll.faults >= 10
    if kind == "short":
        assert toll.stopped == 0, "SQLite asks for the rest"
    else:
        assert toll.stopped >= toll.faults // 2, "most of these errors can't go unnoticed"


def test_memory_that_ends_leaves_no_lock_behind(tmp_path: Path) -> None:
    """Not even where it ends as the run is closed."""
    whole = faults.Whole.made(tmp_path, faults.SAMPLE)
    whole.copied(tmp_path / "now")
    disk = Disk(failures=faults.FAILURES["memory"])
    with simulated(disk):
        whole.lived(tmp_path / "now")
    for failing in range(disk.calls - 12, disk.calls):
        whole.copied(tmp_path / "now")
        with (
            simulated(Disk(failures=faults.FAILURES["memory"], failing=failing)),
            suppress(MemoryError, BadRun),
        ):
            whole.lived(tmp_path / "now")
        RunFile.open(tmp_path / "now", faults.NAME, write=True).close()


def test_the_power_may_fail_at_any_moment(tmp_path: Path) -> None:
    toll = faults.power_failures(tmp_path, 25)
    assert toll.faults == 25
    assert toll.stopped > 20


def test_the_harness_sees_steps_that_were_not_durable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were commits not synced, it would say so."""
    monkeypatch.setattr(run, "connect_writer", lambda file, _: connect_writer(file, "NORMAL"))
    with pytest.raises(Lost, match=r"python -m tests\.torture power \d+ 1: "):
        faults.power_failures(tmp_path, 25)


def test_the_harness_sees_errors_that_are_swallowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were half a step committed, it would say so."""

    def careless(database: sqlite3.Connection, prepared: object) -> None:
        try:
            write_step(database, prepared)  # type: ignore[arg-type]
        except sqlite3.Error:
            raise KeyError("careless") from None

    monkeypatch.setattr(run, "write_step", careless)
    with pytest.raises(Lost, match="careless"):
        faults.call_by_call(tmp_path, faults.SAMPLE, 80, kinds=["unreadable"])


def test_a_transfer_may_be_short(tmp_path: Path) -> None:
    """The simulated system does it at the calls that it is told to."""
    disk = Disk(failures=faults.FAILURES["short"], failing=3)
    with simulated(disk):
        faults.SAMPLE.live(tmp_path, 1)
    assert disk.calls > 20
    assert disk.failed == "transfer"
    with RunFile.open(tmp_path, faults.NAME) as reader:
        assert reader.last.step == 1


def test_what_was_synced_is_never_lost() -> None:
    operations = [
        Operation("write", "a", 0, b"x" * 600),
        Operation("sync", "a"),
        Operation("write", "a", 0, b"y" * 1200),
        Operation("delete", "b"),
    ]
    found = {
        tuple(sorted(after_power_failure({"b": b"b"}, operations, Random(seed)).items()))
        for seed in range(200)
    }
    contents = {dict(files)["a"] for files in found}
    assert contents == {b"x" * 600, b"y" * 1200, b"y" * 512 + b"x" * 88, b"y" * 1024}
    assert {"b" in dict(files) for files in found} == {True, False}


def test_a_journal_that_a_power_failure_left_is_rolled_back(tmp_path: Path) -> None:
    """By whoever opens the run first, even for reading."""
    whole = faults.Whole.made(tmp_path, faults.SAMPLE)
    folder = whole.copied(tmp_path / "now")
    before = (folder / "run.sqlite").read_bytes()
    database = sqlite3.connect(folder / "run.sqlite", isolation_level=None)
    database.execute("PRAGMA cache_size = 1")
    database.execute("BEGIN IMMEDIATE")
    database.execute("UPDATE memories SET text = text || 'x'")
    database.execute("UPDATE state SET value = value || 'x'")
    left = {path.name: path.read_bytes() for path in folder.iterdir()}
    database.execute("ROLLBACK")
    database.close()
    assert left["run.sqlite"] != before, "half of it had been written"
    for name, content in left.items():
        (folder / name).write_bytes(content)
    assert (folder / "run.sqlite-journal").exists()
    with RunFile.open(tmp_path / "now", faults.NAME) as reader:
        assert reader.digests() == whole.digests[: faults.SAMPLE.begun + 1]
    assert (folder / "run.sqlite").read_bytes() == before
