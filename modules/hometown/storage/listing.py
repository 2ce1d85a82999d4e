"""Summaries for the list of runs, read from the metadata alone: neither world nor state is opened,
and each summary has limits of its own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson

from hometown.errors import OverBudget
from hometown.frozen import frozen
from hometown.read_budget import MB, ReadBudget
from hometown.storage.codec import UNDECODABLE
from hometown.storage.database import connect_reader, damage_error, translate_sqlite_errors
from hometown.storage.identity import parent_id, run_id
from hometown.storage.integrity import check_header, read_checked_manifest
from hometown.storage.latecomers import count_latecomers
from hometown.storage.manifest import Manifest

_LONGEST = MB
"""Bytes of a manifest, and of a world's `world.json`, at most: ten times those of a town of a
thousand.
"""

_SECONDS = 1.0
"""Seconds of processor time for one run: a thousand times the usual."""


@frozen
class Summary:
    """A run in the list. `last` is the last committed step, `residents` the number of residents
    with those who moved in, and `titles` the names of the world that it carries, by language.
    """

    manifest: Manifest
    id: str
    parent_id: str
    last: int
    planned_end: int
    residents: int
    carries_world: bool
    titles: Mapping[str, str]


def read_summary(file: Path) -> Summary:
    """Return the summary of a run, even while it is written. Raises BadRun for a damaged one, and
    OverBudget, a BadRun, if it takes too long or too much to read.
    """
    check_header(file)
    budget = ReadBudget(_LONGEST, seconds=_SECONDS)
    try:
        with translate_sqlite_errors(file), closing(connect_reader(file)) as database:
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
            with budget.watch(database):
                return _summary(
                    database, read_checked_manifest(database, file, write=False), budget
                )
    except OverBudget as error:
        raise OverBudget("{file} {reason}", file=file, reason=error.lines[0]) from None
    except UNDECODABLE as error:
        raise damage_error(file, str(error)) from None


def _summary(database: sqlite3.Connection, manifest: Manifest, budget: ReadBudget) -> Summary:
    (last,) = database.execute("SELECT max(step) FROM steps").fetchone()
    (planned,) = database.execute("SELECT value FROM meta WHERE key = 'planned_end'").fetchone()
    carries_world = (
        database.execute("SELECT 1 FROM meta WHERE key = 'world'").fetchone() is not None
    )
    people = len(manifest.residents) + count_latecomers(database)
    return Summary(
        manifest,
        run_id(database),
        parent_id(database),
        int(last),
        int(planned),
        people,
        carries_world,
        _titles(database, budget) if carries_world else {},
    )


def _titles(database: sqlite3.Connection, budget: ReadBudget) -> dict[str, str]:
    """Return the names of the world that a run carries, by language; none if its `world.json` is
    too large or has none.
    """
    row = database.execute("SELECT data FROM world WHERE path = 'world.json'").fetchone()
    try:
        content: dict[str, Any] = orjson.loads(budget.unpack(row[0])[0])
        titles = content["name"].items()
    except (OverBudget, AttributeError, *UNDECODABLE):
        return {}
    return {lang: title for lang, title in titles if isinstance(title, str)}
