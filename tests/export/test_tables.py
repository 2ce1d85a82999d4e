"""`compress.py --tables`: a run for pandas and R."""

from __future__ import annotations

import codecs
import csv
import sys
from datetime import datetime
from pathlib import Path

import pytest

from hometown.export import table_export
from hometown.export.table_export import BLOCK, TABLES
from hometown.export.write import export_run
from hometown.history.reader import RunReader
from hometown.text import Phrase
from tests.support.days import STEPS, lived_day, set_out
from tests.support.moving import moving, settle
from tests.support.synthetic_run import make_run
from tests.support.town import live


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding=table_export.CSV_ENCODING, newline="") as opened:
        return list(csv.DictReader(opened))


@pytest.mark.parametrize("missing", [True, False])
def test_csv_needs_no_pyarrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: bool
) -> None:
    news = 'Ana said: "Do come, all of you",\nthen left, 走了'
    make_run(tmp_path, news=news)
    if missing:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    elif not table_export.has_parquet():
        pytest.skip("pyarrow is not installed")
    folder = tmp_path / "compressed" / "sample" / "tables"
    notes: list[Phrase] = []
    written = export_run(tmp_path, "sample", tables=True, notify=notes.append)
    kinds = ("csv",) if missing else ("csv", "parquet")
    assert {path.name for path in written if path.parent == folder} == {
        f"{one.name}.{kind}" for one in TABLES for kind in kinds
    }
    assert any("pip install pyarrow" in note for note in notes) == missing
    memories = rows_of(folder / "memories.csv")
    assert news in {row["text"] for row in memories}
    mark = (folder / "memories.csv").read_bytes()[:3]
    assert mark == codecs.BOM_UTF8, "Excel takes it for an old code page otherwise"
    assert memories[0]["created"] == "2025-02-13 06:00:00"
    assert {len(row) for row in memories} == {len(TABLES[0].columns)}


@pytest.mark.parametrize("text", ["=1", "'=1", "''-1", "-1", "'tis", "' =", "", "'"])
def test_a_text_is_read_from_csv_as_it_was(text: str) -> None:
    assert table_export.read_cell(table_export.make_cell(text)) == text


def test_who_moves_in_has_no_action_before(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="tables need pyarrow")
    live(tmp_path, 2)
    settle(tmp_path, moving(), 4)
    live(tmp_path, 3)
    with RunReader.open(tmp_path, "town") as run:
        rows = table_export.read_run_table(run, "actions", run.last_step()).to_pylist()
    assert min(row["step"] for row in rows if row["resident"] == "mira") == 4
    assert min(row["step"] for row in rows if row["resident"] == "lin_yue") == 0


@pytest.mark.parametrize("begins", ["=1+1", "+1", "-1", "@SUM(1)", "\t=1"])
def test_no_cell_is_a_formula(begins: str, tmp_path: Path) -> None:
    """A spreadsheet shows such a cell as a text; Parquet has the text as it is."""
    make_run(tmp_path, news=begins)
    export_run(tmp_path, "sample", tables=True)
    rows = rows_of(tmp_path / "compressed" / "sample" / "tables" / "memories.csv")
    texts = {row["text"] for row in rows}
    assert f"'{begins}" in texts
    assert begins not in texts
    assert {row["poignancy"] for row in rows} <= set(map(str, range(11))), "numbers stay numbers"


def test_a_carriage_return_does_not_end_a_row(tmp_path: Path) -> None:
    make_run(tmp_path, news="come\r=1\r\nsoon")
    export_run(tmp_path, "sample", tables=True)
    assert "come\n=1\nsoon" in {
        row["text"]
        for row in rows_of(tmp_path / "compressed" / "sample" / "tables" / "memories.csv")
    }


def test_both_formats_hold_all_there_is_once(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    assert STEPS > BLOCK, "more than one block"
    set_out(lived_day(tmp_path_factory, seed=2), tmp_path, STEPS)
    written = export_run(tmp_path, "town", tables=True)
    folder = tmp_path / "compressed" / "town" / "tables"
    assert {path.name for path in written if path.parent == folder} == {
        f"{one.name}.{kind}" for one in TABLES for kind in ("csv", "parquet")
    }
    parquet_rows = {
        one.name: parquet.read_table(folder / f"{one.name}.parquet").to_pylist() for one in TABLES
    }
    for one in TABLES:
        rows = rows_of(folder / f"{one.name}.csv")
        head, *_ = (folder / f"{one.name}.csv").read_text("utf-8-sig").splitlines()
        assert head.split(",") == list(one.columns)
        assert len(rows) == len(parquet_rows[one.name])
        assert [list(row.values()) for row in rows] == [
            ["" if value is None else str(value) for value in row.values()]
            for row in parquet_rows[one.name]
        ]
    with RunReader.open(tmp_path, "town") as run:
        counts = {
            table: run.database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("memories", "calls")
        }
        actions = run.database.execute(
            "SELECT count(*) FROM state WHERE key LIKE 'action/%'"
        ).fetchone()[0]
        lines = sum(len(talk.lines) for talk in run.conversations(1, run.last_step()))
        ways = sum(
            len(path)
            for walks in run.trajectories(1, run.last_step()).values()
            for path in walks.values()
        )
    assert counts == {table: len(parquet_rows[table]) for table in counts}
    assert (actions, lines, ways) == (
        len(parquet_rows["actions"]),
        len(parquet_rows["conversations"]),
        len(parquet_rows["trajectories"]),
    )
    first = parquet_rows["actions"][0]
    assert (first["resident"], first["kind"], first["began"]) == (
        "chen_siyuan",
        "sleep",
        datetime(2025, 2, 13, 6, 0),
    )
    assert all(row["time"] > datetime(2025, 2, 13, 6, 0) for row in parquet_rows["trajectories"])
