"""Checks that a file is a run of a known version, and whole."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from pydantic import ValidationError

from hometown.errors import BadRun, reason_of
from hometown.storage import table_schema
from hometown.storage.checksum import step_matches
from hometown.storage.codec import UNDECODABLE
from hometown.storage.committed import refuse_rewound
from hometown.storage.digest import read_canonical, step_digest
from hometown.storage.manifest import Manifest

_MAGIC = b"SQLite format 3\x00"


def check_header(file: Path) -> None:
    """Raise BadRun for a file that cannot be read, or is no SQLite database at all."""
    try:
        with file.open("rb") as opened:
            magic = opened.read(len(_MAGIC))
    except OSError as error:
        raise BadRun("{file} can't be read: {reason}", file=file, reason=reason_of(error)) from None
    if magic != _MAGIC:
        raise BadRun(
            "{file} is not a run: it is not an SQLite database, or its beginning was overwritten",
            file=file,
        )


def read_checked_manifest(database: sqlite3.Connection, file: Path, *, write: bool) -> Manifest:
    """Return the manifest of a run. Raises BadRun for a file that is no run, newer than this
    program, or damaged.

    Before writing, the check covers all pages, the last step's digest and checksum, and the note of
    the last committed step. A reader sees an older database as if it were up to date.
    """
    version = table_schema.read_schema_version(database)
    if version > table_schema.SCHEMA_VERSION:
        raise BadRun(
            "{file} has database version {version}, but this version of Hometown reads versions up to {known}: use a newer one",
            file=file,
            version=version,
            known=table_schema.SCHEMA_VERSION,
        )
    tables = {
        name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    older = version < table_schema.SCHEMA_VERSION
    missing = sorted(table_schema.TABLE_NAMES - tables)
    if "meta" in missing or (missing and not older):
        raise BadRun(
            "{file} is not a run: it lacks the tables {missing}", file=file, missing=missing
        )
    if version < 1:
        raise BadRun(
            "{file} is damaged: it has no version number; restore a backup, or recover what is intact with hometown repair (start.py --repair)",
            file=file,
        )
    if write:
        _check_pages(database, file)
    if older:
        table_schema.show_migrated(database)
    manifest = read_manifest(database, file)
    _check_steps(database, file, whole=write)
    if write:
        refuse_rewound(database, file)
    return manifest


def _check_pages(database: sqlite3.Connection, file: Path) -> None:
    """Raise BadRun with the first fault that SQLite finds in the file's pages."""
    (fault,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if fault != "ok":
        raise BadRun(
            "{file} is damaged ({fault}): restore a backup, or recover what is intact with hometown repair (start.py --repair)",
            file=file,
            fault=" ".join(fault.split()),
        )


def _check_steps(database: sqlite3.Connection, file: Path, *, whole: bool) -> None:
    """Raise BadRun for a run without steps, and, if `whole`, for one whose last step is not intact."""
    steps = database.execute("SELECT step, digest FROM steps ORDER BY step DESC LIMIT 2").fetchall()
    if not steps:
        raise BadRun(
            "{file} is damaged: it has no steps; restore a backup, or recover what is intact with hometown repair (start.py --repair)",
            file=file,
        )
    last, recorded = steps[0]
    previous = steps[1][1] if len(steps) > 1 else ""
    if whole and not is_step_intact(database, last, previous, recorded):
        raise BadRun(
            "{file} is damaged: step {last} is not as it was written; restore a backup, or recover what is intact with hometown repair (start.py --repair)",
            file=file,
            last=last,
        )


def is_step_intact(database: sqlite3.Connection, step: int, previous: str, digest: str) -> bool:
    """Return True if the rows of a step match its digest, which is chained to `previous`, the digest
    of the step before, and the checksum that is stored with it, if there is one.
    """
    try:
        return (
            step_digest(previous, read_canonical(database, step)) == digest
            and step_matches(database, step) is not False
        )
    except UNDECODABLE:
        return False


def read_manifest(database: sqlite3.Connection, file: Path) -> Manifest:
    """Return the manifest, with the name of the run's folder, which may have been copied or
    renamed. Raises BadRun if it cannot be read.
    """
    try:
        (data,) = database.execute("SELECT value FROM meta WHERE key = 'manifest'").fetchone()
        return Manifest.model_validate_json(data).model_copy(update={"name": file.parent.name})
    except (TypeError, ValidationError):
        raise BadRun(
            "{file} is damaged: its manifest can't be read; restore a backup, or recover what is intact with hometown repair (start.py --repair)",
            file=file,
        ) from None
