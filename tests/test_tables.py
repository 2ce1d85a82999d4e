"""`compress.py --tables`: a run for pandas and R."""

from __future__ import annotations

import csv
from datetime import datetime
from pathlib import Path

import pytest

from modules.cli.compress import compress
from modules.replay.reader import RunReader
from modules.replay.tables import BLOCK, TABLES
from tests.town import live

parquet = pytest.importorskip("pyarrow.parquet", reason="tables need pyarrow")


def test_both_formats_hold_all_there_is_once(tmp_path: Path) -> None:
    live(tmp_path, BLOCK + 8, seed=2)
    written = compress(tmp_path, "town", tables=True)
    folder = tmp_path / "compressed" / "town" / "tables"
    assert {path.name for path in written if path.parent == folder} == {f"{one.name}.{kind}" for one in TABLES for kind in ("csv", "parquet")}
    found = {one.name: parquet.read_table(folder / f"{one.name}.parquet").to_pylist() for one in TABLES}
    for one in TABLES:
        with (folder / f"{one.name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert list(rows[0]) == list(one.columns)
        assert len(rows) == len(found[one.name])
    with RunReader.open(tmp_path, "town") as run:
        counts = {table: run.database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("memories", "calls")}
        actions = run.database.execute("SELECT count(*) FROM state WHERE key LIKE 'action/%'").fetchone()[0]
        lines = sum(len(talk.lines) for talk in run.talks(1, run.last_step()))
        ways = sum(len(path) for walks in run.trajectories(1, run.last_step()).values() for path in walks.values())
    assert counts == {table: len(found[table]) for table in counts}
    assert (actions, lines, ways) == (len(found["actions"]), len(found["conversations"]), len(found["trajectories"]))
    first = found["actions"][0]
    assert (first["resident"], first["kind"], first["began"]) == ("chen_siyuan", "sleep", datetime(2025, 2, 13, 6, 0))
    assert all(row["time"] > datetime(2025, 2, 13, 6, 0) for row in found["trajectories"])
