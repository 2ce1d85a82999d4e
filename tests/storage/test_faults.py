"""A run on a simulated disk: whichever call fails, and whenever the power does, committed steps stay and the run continues as before."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random

import pytest

from hometown.storage import run
from hometown.storage.database import connect_writer
from hometown.storage.run import Run
from hometown.storage.step_record import write_step
from tests.torture import faults
from tests.torture.crash import Lost
from tests.torture.disk import Operation, after_power_failure


@pytest.mark.parametrize("kind", faults.FAILURES)
def test_any_call_to_the_disk_may_fail(kind: str, tmp_path: Path) -> None:
    """One in thirteen of them here; `make torture` lets each fail."""
    toll = faults.call_by_call(tmp_path, kind, every=13)
    assert toll.faults >= 10
    assert toll.stopped >= toll.faults // 2, "most of these errors can't go unnoticed"


def test_the_power_may_fail_at_any_moment(tmp_path: Path) -> None:
    toll = faults.power_failures(tmp_path, 25)
    assert toll.faults == 25
    assert toll.stopped > 20


def test_the_harness_sees_steps_that_were_not_durable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were commits not synced, it would say so."""
    monkeypatch.setattr(run, "connect_writer", lambda file, _: connect_writer(file, "NORMAL"))
    with pytest.raises(Lost, match=r"python -m tests\.torture\.faults power \d+: "):
        faults.power_failures(tmp_path, 25)


def test_the_harness_sees_errors_that_are_swallowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were half a step committed, it would say so."""

    def careless(database: sqlite3.Connection, prepared: object) -> None:
        try:
            write_step(database, prepared)  # type: ignore[arg-type]
        except sqlite3.Error:
            raise KeyError("careless") from None

    monkeypatch.setattr(run, "write_step", careless)
    with pytest.raises(Lost, match="careless"):
        faults.call_by_call(tmp_path, "unreadable", every=2)


def test_what_was_synced_is_never_lost() -> None:
    operations = [Operation("write", "a", 0, b"x" * 600), Operation("sync", "a"), Operation("write", "a", 0, b"y" * 1200), Operation("delete", "b")]
    found = {tuple(sorted(after_power_failure({"b": b"b"}, operations, Random(seed)).items())) for seed in range(200)}
    contents = {dict(files)["a"] for files in found}
    assert contents == {b"x" * 600, b"y" * 1200, b"y" * 512 + b"x" * 88, b"y" * 1024}
    assert {"b" in dict(files) for files in found} == {True, False}


def test_a_journal_that_a_power_failure_left_is_rolled_back(tmp_path: Path) -> None:
    """By whoever opens the run first, even for reading."""
    whole = faults.Whole.made(tmp_path)
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
    with Run.open(tmp_path / "now", faults.NAME) as reader:
        assert reader.digests() == whole.digests[: faults.BEGUN + 1]
    assert (folder / "run.sqlite").read_bytes() == before
