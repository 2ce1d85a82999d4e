"""docs/formats.md names every table and every column."""

from __future__ import annotations

import re
import sqlite3

import pytest

from hometown.paths import ROOT
from hometown.storage.schema import SCHEMA_VERSION, TABLE_NAMES, TABLES

FORMATS = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("table", sorted(TABLE_NAMES))
def test_a_table_is_described(table: str) -> None:
    database = sqlite3.connect(":memory:")
    database.executescript(TABLES)
    columns = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
    section = FORMATS.split(f"### `{table}`\n")[1].split("\n#")[0]
    described = {name for row in re.findall(r"^\| (`.*?) \|", section, re.M) for name in re.findall(r"`(\w+)`", row)}
    assert described == columns


def test_no_other_tables_are_described() -> None:
    assert set(re.findall(r"^### `(\w+)`$", FORMATS.split("## movement.json")[0], re.M)) == TABLE_NAMES


def test_the_version_is_told() -> None:
    assert f"is the version of the schema: **{SCHEMA_VERSION}**" in FORMATS
