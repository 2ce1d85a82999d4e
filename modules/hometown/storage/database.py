"""Opening a run's database, checking that it is one, and closing it so that the file alone can be
copied.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal

from hometown.budget import LONGEST_ROW
from hometown.errors import BadRun, DiskTrouble, reason_of
from hometown.system import network_type

Synchronous = Literal["FULL", "NORMAL"]

_PATIENCE = 10.0
"""Seconds to wait for another connection's lock; they last milliseconds."""
_PATIENCE_AT_CLOSE_MS = 500

_CHECKPOINT_PAGES = 8000
"""Pages (4 KB) in the WAL before it is folded in: steps rewrite the same pages, so rarer folding
writes far less.
"""


@contextmanager
def guarded(file: Path) -> Iterator[None]:
    """Turns what SQLite says of a file that is damaged into a BadRun, and of one that is full or
    out of reach into DiskTrouble.
    """
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
        raise  # not the file's fault
    except sqlite3.OperationalError as error:
        raise DiskTrouble(
            "{file} can't be used: {reason}; all completed steps are kept; resume once this is fixed",
            file=file,
            reason=reason_of(error),
        ) from error
    except (
        sqlite3.DatabaseError,
        UnicodeDecodeError,
    ) as error:  # the latter where SQLite quotes what is no text
        raise damaged(file, reason_of(error)) from error


def damaged(file: Path, reason: str) -> BadRun:
    """The error for a file that is damaged, with what to do about it."""
    return BadRun(
        "{file} is damaged ({reason}): hometown check (start.py --check) reports what is intact, hometown repair (start.py --repair) recovers it",
        file=file,
        reason=reason,
    )


def connect_reader(file: Path) -> sqlite3.Connection:
    """A connection that can only read. It never blocks a writer, nor does a writer block it."""
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
    """A connection for reading a run that may come from a stranger: no value is longer than any run
    needs, and its schema calls no unsafe function.
    """
    database = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_PATIENCE)
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_ROW)
    database.execute("PRAGMA trusted_schema = OFF")
    return database


def refuse_open_wal(file: Path) -> None:
    """Raise BadRun for a run with a WAL on a network drive: its last steps stand in the WAL, which
    can't be read there.
    """
    if Path(f"{file}-wal").exists() and (kind := network_type(file.parent)):
        raise BadRun(
            "{file} was not closed, and lies on a network drive ({kind}), where such a run can't be read:"
            " copy its folder to a local disk, and continue it there with hometown resume (start.py --resume)",
            file=file, kind=kind,
        )  # fmt: skip


def _roll_back(file: Path) -> None:
    """Lets SQLite undo what a power failure has interrupted as a run was opened or closed, for
    which it has to write.
    """
    with closing(sqlite3.connect(file, isolation_level=None, timeout=_PATIENCE)) as database:
        _sync_deletions(database)
        database.execute("SELECT 1 FROM sqlite_master").fetchone()


def _sync_deletions(database: sqlite3.Connection) -> None:
    """A rollback journal is gone for good before anything else is written: one that a power failure
    brought back would undo half of what came after it.
    """
    database.execute("PRAGMA synchronous = EXTRA")


def connect_writer(file: Path, synchronous: Synchronous) -> sqlite3.Connection:
    """A connection in WAL mode. With FULL a commit outlasts a power cut, with NORMAL only a crash
    of the program.

    On a network drive, a rollback journal takes the place of the WAL, which needs memory that all
    who read the file share.
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
    """All of it or nothing."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def fold(database: sqlite3.Connection) -> bool:
    """Brings everything into the one file and leaves WAL mode. False where that has to wait:
    somebody is reading, or disk or memory is full.
    """
    database.execute(f"PRAGMA busy_timeout = {_PATIENCE_AT_CLOSE_MS}")
    try:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        _sync_deletions(database)
        (mode,) = database.execute("PRAGMA journal_mode = DELETE").fetchone()
    except (sqlite3.OperationalError, MemoryError):
        return False  # the WAL stays beside the file and is folded in when the run is next written
    return bool(mode == "delete")
