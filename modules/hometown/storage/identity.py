"""The identity of a run: its folder's name is its name, and an id of its own identifies it to its
forks.

A run that is moved or renamed by hand keeps its id. A copy beside its original, under another name,
gets one of its own when it is first written, and so does a run from before there were ids; a copy
of the same name elsewhere keeps the id. Both rows stand in `meta`: `id`, and `parent_id` in a fork.
"""

from __future__ import annotations

import sqlite3
import uuid
from contextlib import closing, suppress
from pathlib import Path

import orjson

from hometown.errors import BadRun
from hometown.storage.checksum import meta_matches, seal_meta
from hometown.storage.codec import encode
from hometown.storage.database import connect_reader, transaction


def run_id(database: sqlite3.Connection) -> str:
    """Return the id of a run, or "" if it was last written before there were ids."""
    return _value(database, "id")


def parent_id(database: sqlite3.Connection) -> str:
    """Return the id of a fork's parent; "" if it is unknown, or the run is no fork."""
    return _value(database, "parent_id")


def write_identity(database: sqlite3.Connection, parent: str = "") -> None:
    """Give a new run its id, and note its parent's; within the transaction that writes its
    manifest.
    """
    _put(database, "id", uuid.uuid4().hex)
    if parent:
        _put(database, "parent_id", parent)


def settle_identity(database: sqlite3.Connection, file: Path) -> None:
    """Note the folder's name in the manifest, and give the run a new id if it has none, or if it
    has another name than the manifest notes and shares the id of a run of that name beside it.

    Nothing is changed if the rows do not match their checksum.
    """
    own_id = run_id(database)
    name = file.parent.name
    (noted,) = database.execute(
        "SELECT json_extract(CAST(value AS TEXT), '$.name') FROM meta WHERE key = 'manifest'"
    ).fetchone()
    if (own_id and noted == name) or not meta_matches(database):
        return
    with transaction(database):
        if not own_id or (noted != name and _is_copy(file, noted, own_id)):
            _put(database, "id", uuid.uuid4().hex)
        rename_in_manifest(database, name)


def rename_in_manifest(database: sqlite3.Connection, name: str) -> None:
    """Note the name of a run's folder in its manifest; within a transaction."""
    database.execute(
        "UPDATE meta SET value = json_set(CAST(value AS TEXT), '$.name', ?) WHERE key = 'manifest'",
        (name,),
    )
    seal_meta(database)


def _is_copy(file: Path, noted: str, own_id: str) -> bool:
    """Return True if another run beside this one has the `noted` name and the same id. False if it
    cannot be read.
    """
    original = file.parent.with_name(noted) / file.name
    with suppress(OSError, ValueError, sqlite3.Error, BadRun):
        if not original.samefile(file):
            with closing(connect_reader(original)) as database:
                return run_id(database) == own_id
    return False


def _put(database: sqlite3.Connection, key: str, value: str) -> None:
    database.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (key, encode(value)))


def _value(database: sqlite3.Connection, key: str) -> str:
    row = database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return str(orjson.loads(row[0])) if row else ""
