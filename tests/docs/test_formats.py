"""docs/formats.md names every table, every column and every status of an error."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from hometown.paths import DATA, ROOT
from hometown.storage.table_schema import SCHEMA_VERSION, TABLE_NAMES, TABLES
from hometown.web.server import create_app
from tests.support.synthetic_run import make_run

FORMATS = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")

OF_FLASK = {"405", "413"}
"""Statuses that Flask itself returns: for a wrong method, and for a body that is too large."""


@pytest.mark.parametrize("table", sorted(TABLE_NAMES))
def test_a_table_is_described(table: str) -> None:
    database = sqlite3.connect(":memory:")
    database.executescript(TABLES)
    columns = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
    section = FORMATS.split(f"### `{table}`\n")[1].split("\n#")[0]
    described = {
        name
        for row in re.findall(r"^\| (`.*?) \|", section, re.M)
        for name in re.findall(r"`(\w+)`", row)
    }
    assert described == columns


def test_no_other_tables_are_described() -> None:
    assert (
        set(re.findall(r"^### `(\w+)`$", FORMATS.split("## movement.json")[0], re.M)) == TABLE_NAMES
    )


def test_the_version_is_told() -> None:
    assert f"is the version of the schema: **{SCHEMA_VERSION}**" in FORMATS


def test_every_status_of_an_error_is_described() -> None:
    sources = "".join(
        file.read_text("utf-8") for file in (ROOT / "modules" / "hometown" / "web").glob("*.py")
    )
    raised = {
        status
        for pair in re.findall(r"(?:Wrong|abort)\(\s*(\d{3})(?: if .*? else (\d{3}))?", sources)
        for status in pair
        if status
    }
    table = FORMATS.split("| status | reason |\n")[1].split("\n\n")[0]
    assert (
        set(re.findall(r"\d{3}", " ".join(re.findall(r"^\| (\d[\d, ]+) \|", table, re.M))))
        == raised | OF_FLASK
    )


def test_every_key_of_the_list_of_runs_is_described(tmp_path: Path) -> None:
    make_run(tmp_path, "sample")
    (run,) = create_app(tmp_path, DATA / "worlds").test_client().get("/api/v1/runs").json or []
    section = FORMATS.split("### A run\n")[1].split("\n#")[0]
    described = {
        key
        for row in re.findall(r"^\| (`.*?) \|", section, re.M)
        for key in re.findall(r"`(\w+)`", row)
    }
    assert set(run) <= described
