"""A run may come from a stranger: what is unpacked and parsed of it is bounded, and the list of
runs reads metadata alone.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import zstandard

from hometown.errors import OverBudget
from hometown.history.reader import RunReader
from hometown.paths import WORLDS
from hometown.read_budget import MB, ReadBudget
from hometown.storage import listing
from hometown.storage.listing import read_summary
from hometown.storage.run_names import file_of
from hometown.web.library import Library
from hometown.web.run_worlds import Worlds
from tests.support.synthetic_run import make_run
from tests.torture.hostile_input import BOMBS, LEFT_ALONE, attack

PACK = zstandard.ZstdCompressor().compress


def test_frames_are_unpacked_as_one_within_the_budget() -> None:
    budget = ReadBudget(1000)
    assert budget.unpack(PACK(b"abc") + PACK(b"") + PACK(b"d" * 900)) == [b"abc", b"", b"d" * 900]
    with pytest.raises(OverBudget, match="holds more than"):
        budget.unpack(PACK(b"e" * 100))


def test_a_frame_that_says_too_little_or_nothing_of_its_size_is_refused() -> None:
    lying = bytearray(PACK(bytes(60 * MB)))
    lying[5:9] = (100).to_bytes(4, "little")
    with pytest.raises(zstandard.ZstdError):
        ReadBudget().unpack(bytes(lying))
    silent = zstandard.ZstdCompressor(write_content_size=False).compress(b"abc")
    with pytest.raises(ValueError, match="without its size"):
        ReadBudget().unpack(silent)


def test_values_of_json_are_counted_before_they_are_parsed() -> None:
    with pytest.raises(OverBudget, match="values"):
        ReadBudget(rows=100).unpack_json(PACK(b"[" + b"0," * 100 + b"0]"))


def test_a_whole_run_may_be_read_once_however_well_it_is_packed(tmp_path: Path) -> None:
    make_run(tmp_path)
    with RunReader.open(tmp_path, "sample") as run:
        run.run.budget().take(256 * MB)
        with pytest.raises(OverBudget):
            run.run.budget().take(257 * MB)


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_run_made_to_harm_is_one_line_in_the_list_and_harms_no_other(
    tmp_path: Path, bomb: object
) -> None:
    make_run(tmp_path, "good")
    with closing(sqlite3.connect(make_run(tmp_path, "bomb"))) as database, database:
        assert callable(bomb)
        bomb(database)
    listed = {run["name"]: run for run in Library(tmp_path, Worlds(WORLDS)).summaries()}
    assert "error" not in listed["good"]
    assert ("error" in listed["bomb"]) == (bomb not in LEFT_ALONE)
    assert "\n" not in listed["bomb"].get("error", "")


def test_a_query_that_would_not_end_is_stopped_by_the_budget() -> None:
    with (
        closing(sqlite3.connect(":memory:")) as database,
        pytest.raises(OverBudget, match="longer than 0 s"),
        ReadBudget(seconds=0.0).watch(database),
    ):
        database.execute(
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
        ).fetchone()


def test_the_list_opens_neither_world_nor_state(tmp_path: Path) -> None:
    file = make_run(tmp_path, "sample")
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(
            "INSERT INTO world VALUES ('world.json', ?)", (PACK(b'{"name": {"en": "Elsewhere"}}'),)
        )
        database.execute("INSERT INTO world VALUES ('map.tmj', x'00')")
        database.execute("INSERT INTO meta VALUES ('world', '\"00\"')")
        database.execute("UPDATE state SET value = x'00'")
    summary = read_summary(file)
    assert (summary.titles, summary.last, summary.planned_end, summary.residents) == (
        {"en": "Elsewhere"},
        3,
        3,
        3,
    )
    assert summary.manifest.moment(summary.last) == summary.manifest.start.replace(
        hour=6, minute=30
    )


def test_a_summary_is_read_again_only_when_the_run_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = list[Path]()

    def counted(file: Path) -> listing.Summary:
        read.append(file)
        return read_summary(file)

    monkeypatch.setattr("hometown.web.library.read_summary", counted)
    with closing(sqlite3.connect(make_run(tmp_path, "sample"))) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    library = Library(tmp_path, Worlds(WORLDS))
    assert library.summaries() == library.summaries()
    assert len(read) == 1
    with closing(sqlite3.connect(file_of(tmp_path, "sample"))) as database, database:
        database.execute("UPDATE meta SET value = '99' WHERE key = 'planned_end'")
        database.execute("CREATE TABLE longer AS SELECT zeroblob(9999) AS x")
    assert library.summaries()[0]["planned"] == 99
    assert len(read) == 2


@pytest.mark.skipif(os.name == "nt", reason="Windows has no getrusage")
def test_what_comes_from_strangers_gets_nowhere(tmp_path: Path) -> None:
    taken_before = b"x" * (256 * MB)
    toll = attack(tmp_path, 2, 0)
    assert toll.tried == 86
    assert toll.grown > 1, f"what reading takes shows beside {len(taken_before) // MB} MB"
