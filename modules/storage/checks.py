"""Is this file a run, one that we know how to read, and whole?"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from pydantic import ValidationError

from modules.errors import BadRun, reason_of
from modules.storage import schema
from modules.storage.database import transaction
from modules.storage.digest import step_digest, written_at
from modules.storage.manifest import Manifest

_MAGIC = b"SQLite format 3\x00"


def check_header(file: Path) -> None:
    """Raises BadRun for a file that is no SQLite database at all."""
    try:
        with file.open("rb") as opened:
            magic = opened.read(len(_MAGIC))
    except OSError as error:
        raise BadRun("{file} can't be read: {reason}", file=file, reason=reason_of(error)) from None
    if magic != _MAGIC:
        raise BadRun("{file} is not a run: it is no SQLite database, or its beginning was overwritten", file=file)


def check(database: sqlite3.Connection, file: Path, *, write: bool) -> None:
    """Raises BadRun for what is no run, newer than this program, or damaged.

    Before writing, all pages and the last step's digest are looked at too.
    """
    version = _version(database)
    if version > schema.SCHEMA_VERSION:
        raise BadRun(
            "{file} has database version {version}, this Hometown knows up to {known}: use a newer Hometown",
            file=file, version=version, known=schema.SCHEMA_VERSION,
        )  # fmt: skip
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    older = version < schema.SCHEMA_VERSION
    missing = sorted(schema.TABLE_NAMES - tables)
    if "meta" in missing or (missing and not older):
        raise BadRun("{file} is not a run: it lacks the tables {missing}", file=file, missing=missing)
    if older and not write:
        raise BadRun(
            "{file} has database version {version}: resume the run once, which brings it to {known}", file=file, version=version, known=schema.SCHEMA_VERSION
        )
    if write:
        _check_pages(database, file)
    if not older:
        read_manifest(database, file)
        _check_steps(database, file, digest=write)


def _check_pages(database: sqlite3.Connection, file: Path) -> None:
    (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise BadRun("{file} is damaged ({found}): put a copy in its place, or rescue what is sound by --repair", file=file, found=" ".join(found.split()))


def _check_steps(database: sqlite3.Connection, file: Path, *, digest: bool) -> None:
    steps = database.execute("SELECT step, digest FROM steps ORDER BY step DESC LIMIT 2").fetchall()
    if not steps:
        raise BadRun("{file} is damaged: it has no steps; put a copy in its place, or rescue what is sound by --repair", file=file)
    (last, recorded), previous = steps[0], steps[1][1] if len(steps) > 1 else ""
    if digest and step_digest(previous, written_at(database, last)) != recorded:
        raise BadRun(
            "{file} is damaged: what step {last} wrote doesn't meet its digest; put a copy in its place, or rescue what is sound by --repair",
            file=file,
            last=last,
        )


def read_manifest(database: sqlite3.Connection, file: Path) -> Manifest:
    """Raises BadRun for one that isn't whole."""
    try:
        (data,) = database.execute("SELECT value FROM meta WHERE key = 'manifest'").fetchone()
        return Manifest.model_validate_json(data)
    except (TypeError, ValidationError):
        raise BadRun("{file} is damaged: its manifest can't be read; put a copy in its place, or rescue what is sound by --repair", file=file) from None


def migrate(database: sqlite3.Connection) -> None:
    """Brings an older database up to date, in one transaction."""
    version = _version(database)
    if version == schema.SCHEMA_VERSION:
        return
    with transaction(database):
        for migration in schema.MIGRATIONS[version - 1 :]:
            migration(database)
        database.execute(f"PRAGMA user_version = {schema.SCHEMA_VERSION}")


def _version(database: sqlite3.Connection) -> int:
    """The schema's, 0 for a database that was never given one."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)
