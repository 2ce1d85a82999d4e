"""Copies the readable rows of a damaged database into a new one."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from hometown.errors import BadRun
from hometown.storage import table_schema
from hometown.storage.database import transaction
from hometown.storage.salvage import connect_leniently, rows

_NO_VERSION = 1000
"""A number above any version of the database."""


def copy_readable(file: Path, copy: Path) -> None:
    """Copy all readable rows of a file that fit its tables into a new database of the present
    version. Raises BadRun for a file of a newer version, sqlite3.Error if the copy cannot be
    written.
    """
    with (
        closing(connect_leniently(file)) as damaged,
        closing(sqlite3.connect(copy, isolation_level=None)) as database,
        transaction(database),
    ):
        _refuse_other_version(damaged, file)
        _create_tables(damaged, database)
        for table in sorted(table_schema.TABLE_NAMES):
            columns = [name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")]
            for row in rows(damaged, table):
                with suppress(sqlite3.IntegrityError, sqlite3.InterfaceError):  # an invalid row
                    _insert_row(database, table, columns[: len(row)], row)
        table_schema.migrate(database)


def _create_tables(damaged: sqlite3.Connection, database: sqlite3.Connection) -> None:
    """Create the tables for the rows of a damaged file: in its own version if that is older, else
    in the present one.
    """
    database.execute("SAVEPOINT tables")
    try:
        older = 0 < table_schema.read_schema_version(damaged) < table_schema.SCHEMA_VERSION
        if older:
            table_schema.create_tables_like(database, damaged)
    except (sqlite3.Error, UnicodeDecodeError):
        database.execute("ROLLBACK TO tables")
        older = False
    if not older:
        table_schema.create_tables(database)


def _insert_row(
    database: sqlite3.Connection, table: str, columns: list[str], row: tuple[Any, ...]
) -> None:
    database.execute(
        f"INSERT OR IGNORE INTO {table} ({','.join(columns)}) VALUES ({','.join('?' * len(columns))})",
        row,
    )


def _refuse_other_version(damaged: sqlite3.Connection, file: Path) -> None:
    """Raise BadRun for the database of a newer version; an impossible version number is damage."""
    try:
        (version,) = damaged.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        return
    if table_schema.SCHEMA_VERSION < version < _NO_VERSION:
        raise BadRun(
            "{file} has database version {version}, but this version of Hometown repairs only version {known}: use the version that wrote it",
            file=file,
            version=version,
            known=table_schema.SCHEMA_VERSION,
        )
