"""Copies of the readable rows of damaged files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

from hometown.storage.copying import copy_readable


def test_a_file_of_which_nothing_is_readable_gives_empty_tables(tmp_path: Path) -> None:
    file, copy = tmp_path / "run.sqlite", tmp_path / "copy.sqlite"
    file.write_bytes(Random(1).randbytes(20_000))
    copy_readable(file, copy)
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT count(*) FROM steps").fetchone() == (0,)
