"""Opens a run's database, checks it, and closes it so that the file alone can be copied."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal

from hometown.errors import BadRun, DiskTrouble, reason_of
from hometown.read_budget import LONGEST_ROW
from hometown.system import network_type

Synchronous = Literal["FULL", "NORMAL"]

_PATIENCE = 10.0
"""Seconds to wait for another connection's lock; they last milliseconds."""
_PATIENCE_AT_CLOSE_MS = 500

_CHECKPOINT_PAGES = 8000
"""Pages (4 KB) in the WAL before it is merged: steps rewrite the same pages, so rarer merging
writes far less.
"""


@contextmanager
def translate_sqlite_errors(file: Path) -> Iterator[None]:
    """Turn SQLite's errors for a damaged file into BadRun, and any OperationalError, as of a full
    or locked disk, into DiskTrouble. IntegrityError and ProgrammingError pass.
    """
    try:
        with translate_damage(file):
            yield
    except sqlite3.OperationalError as error:
        raise DiskTrouble(
            "{file} can't be used: {reason}; all completed steps are kept; resume once this is fixed",
            file=file,
            reason=reason_of(error),
        ) from error


@contextmanager
def translate_damage(file: Path) -> Iterator[None]:
    """Turn SQLite's errors for a damaged file into BadRun; others pass."""
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.OperationalError):
        raise  # not the file's fault
    except (
        sqlite3.DatabaseError,
        UnicodeDecodeError,
    ) as error:  # the latter if SQLite quotes invalid UTF-8
        raise damage_error(file, reason_of(error)) from error


def failure_kind(error: OSError | sqlite3.Error) -> type[BadRun]:
    """Return the kind of error for files that cannot be written: DiskTrouble if SQLite failed at
    it, as on a full disk; BadRun if the system refused, as without permission.
    """
    return BadRun if isinstance(error, OSError) else DiskTrouble


def damage_error(file: Path, reason: str) -> BadRun:
    """Return the error for a damaged file, with the commands that help."""
    return BadRun(
        "{file} is damaged ({reason}): hometown check (start.py --check) reports what is intact, hometown repair (start.py --repair) recovers it",
        file=file,
        reason=reason,
    )


def connect_reader(file: Path) -> sqlite3.Connection:
    """Open a read-only connection. It never blocks a writer, nor does a writer block it. An
    interrupted rollback is completed before, which writes to the file. Raises BadRun for a run
    whose WAL cannot be read.
    """
    refuse_open_wal(file)
    uri = f"{file.resolve().as_uri()}?mode=ro"
    database = _connect(uri)
    try:
        database.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        database.close()
        if Path(f"{file}-journal").exists():
            _roll_back(file)
            return _connect(uri)
        # A folder that can't be written has no room for the WAL's index; without a WAL none is
        # needed.
        wal = Path(f"{file}-wal")
        if wal.exists() and wal.stat().st_size:
            raise BadRun(
                "{file} was not closed, and its folder can't be written, as reading it needs: copy the folder to another disk",
                file=file,
            ) from None
        database = _connect(f"{uri}&immutable=1")
    return database


def _connect(uri: str) -> sqlite3.Connection:
    """Open a connection to a run that may come from a stranger: values are bounded, and its schema
    calls no unsafe function.
    """
    database = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_PATIENCE)
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_ROW)
    database.execute("PRAGMA trusted_schema = OFF")
    return database


def refuse_open_wal(file: Path) -> None:
    """Raise BadRun for a run with a WAL on a network drive: its last steps are in the WAL, which
    cannot be read there.
    """
    if Path(f"{file}-wal").exists() and (kind := network_type(file.parent)):
        raise BadRun(
            "{file} was not closed, and lies on a network drive ({kind}), where such a run can't be read:"
            " copy its folder to a local disk, and continue it there with hometown resume (start.py --resume)",
            file=file,
            kind=kind,
        )


def _roll_back(file: Path) -> None:
    """Let SQLite undo a transaction that a power failure interrupted while the run was opened or
    closed, for which it has to write.
    """
    with closing(sqlite3.connect(file, isolation_level=None, timeout=_PATIENCE)) as database:
        _sync_deletions(database)
        database.execute("SELECT 1 FROM sqlite_master").fetchone()


def _sync_deletions(database: sqlite3.Connection) -> None:
    """Make SQLite sync the deletion of a rollback journal before it writes anything else: one that
    reappeared after a power failure would undo half of the later writes.
    """
    database.execute("PRAGMA synchronous = EXTRA")


def connect_writer(file: Path, synchronous: Synchronous) -> sqlite3.Connection:
    """Open a connection in WAL mode. With FULL a commit survives a power cut, with NORMAL only a
    crash of the program.

    On a network drive a rollback journal takes the place of the WAL, which needs memory shared by
    all readers of the file.
    """
    database = sqlite3.connect(file, isolation_level=None, timeout=_PATIENCE)
    _sync_deletions(database)
    if network_type(file.parent):
        database.execute("PRAGMA journal_mode = DELETE")
        return database
    database.execute("PRAGMA journal_mode = WAL")
    database.execute(f"PRAGMA synchronous = {synchronous}")
    database.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    return database


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Commit all that the context writes, or nothing."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def checkpoint_wal(database: sqlite3.Connection) -> bool:
    """Merge the WAL into the database file and leave WAL mode.

    Returns False if that has to wait: the file is being read, or disk or memory is full.
    """
    database.execute(f"PRAGMA busy_timeout = {_PATIENCE_AT_CLOSE_MS}")
    try:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        _sync_deletions(database)
        (mode,) = database.execute("PRAGMA journal_mode = DELETE").fetchone()
    except (sqlite3.OperationalError, MemoryError):
        return False  # the WAL stays beside the file and is merged when the run is next written
    return bool(mode == "delete")
