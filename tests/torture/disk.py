"""A simulated disk under SQLite: it records what is written and synced, fails when it is told to,
and forgets what a power failure loses.

SQLite is asked to use it through apsw, in place of Python's own module, so that the program under
test is the whole of `hometown.storage`, unchanged. Replayed by its seed, a failure is the same
failure on every machine.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Literal
from unittest import mock

import apsw

from tests.torture.system_calls import transfers

VFS = "simulated"

Kind = Literal["write", "truncate", "sync", "delete", "note"]

SECTOR = 512
"""Bytes that a disk writes whole or not at all."""


@dataclass(frozen=True, slots=True)
class Operation:
    """What was asked of the disk: `data` at `at` in a file, or the size `at` that it is cut to."""

    kind: Kind
    file: str
    at: int = 0
    data: bytes = b""


class ShortTransfer(Exception):
    """A system call has done half of what it was asked for."""


@dataclass
class Disk:
    """`operations` in their order; the call with the number `failing` of those in `failures` raises
    an error instead of being done.
    """

    operations: list[Operation] = field(default_factory=list)
    failures: dict[str, Callable[[], Exception]] = field(default_factory=dict)
    failing: int = -1
    calls: int = 0
    failed: str = ""

    def called(self, what: str) -> None:
        """Counts a call, and raises its error where it is the failing one."""
        if what in self.failures:
            self.calls += 1
            if self.calls - 1 == self.failing:
                self.failed = what
                raise self.failures[what]()

    def transferred(self, size: int) -> int:
        """How many of so many bytes a system call transfers."""
        try:
            self.called("transfer")
        except ShortTransfer:
            return max(1, size // 2)
        return size


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        self._file = os.path.basename(
            name if isinstance(name, str) else name.filename() if name else "temporary"
        )
        super().__init__("", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:
        self._disk.called("read")
        return bytes(super().xRead(amount, offset))

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.called("write")
        self._disk.operations.append(Operation("write", self._file, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        self._disk.called("write")
        self._disk.operations.append(Operation("truncate", self._file, size))
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        self._disk.called("sync")
        self._disk.operations.append(Operation("sync", self._file))
        # nothing outlasts the test, so that nothing needs to reach a real disk


class _Vfs(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        super().__init__(VFS, "")

    def xOpen(self, name: Any, flags: list[int]) -> _File:
        return _File(self._disk, name, flags)

    def xDelete(self, name: str, sync_folder: bool) -> None:
        self._disk.called("write")
        self._disk.operations.append(Operation("delete", os.path.basename(name)))
        if sync_folder:
            self._disk.operations.append(Operation("sync", os.path.basename(name)))
        super().xDelete(name, sync_folder)


# in place of sqlite3 -------------------------------------------------------------------------

_ERRORS: tuple[tuple[type[apsw.Error], type[Exception]], ...] = (
    (apsw.NoMemError, MemoryError),
    (apsw.ConstraintError, sqlite3.IntegrityError),
    (apsw.CorruptError, sqlite3.DatabaseError),
    (apsw.NotADBError, sqlite3.DatabaseError),
    (apsw.Error, sqlite3.OperationalError),
)


@contextmanager
def _as_python_does() -> Iterator[None]:
    """Errors as Python's module raises them."""
    try:
        yield
    except apsw.Error as error:
        raise next(ours for theirs, ours in _ERRORS if isinstance(error, theirs))(
            str(error)
        ) from error


class _Rows(list[Any]):
    def fetchone(self) -> Any:
        return self.pop(0) if self else None

    def fetchall(self) -> list[Any]:
        return self


class _Connection:
    """As much of `sqlite3.Connection` as the program uses. `opened` are all that were."""

    opened: ClassVar[list[_Connection]] = []

    def __init__(self, file: str | Path, *, timeout: float = 0, **_: Any) -> None:
        with _as_python_does():
            flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
            self._connection = apsw.Connection(str(file), flags=flags, vfs=VFS)
            self._connection.set_busy_timeout(round(timeout * 1000))
        self.opened.append(self)

    @property
    def in_transaction(self) -> bool:
        return bool(self._connection.in_transaction)

    def execute(self, statement: str, values: Sequence[Any] = ()) -> _Rows:
        with _as_python_does():
            return _Rows(self._connection.execute(statement, values))

    def executemany(self, statement: str, rows: Any) -> None:
        with _as_python_does():
            for values in rows:
                self._connection.execute(statement, values)

    def setlimit(self, category: int, limit: int) -> int:
        return self._connection.limit(category, limit)

    def set_progress_handler(self, handler: Callable[[], bool] | None, steps: int) -> None:
        self._connection.set_progress_handler(handler, steps)

    def close(self) -> None:
        with suppress(apsw.Error):  # of which Python's module tells nothing
            self._connection.close()


@contextmanager
def simulated(disk: Disk) -> Iterator[None]:
    """While the context lasts, SQLite uses the disk, and what is noted beside the database is
    recorded with it.
    """
    from hometown.storage import committed, run

    def noted(folder: Path, step: int, digest: str) -> None:
        committed.note_step(folder, step, digest)
        disk.operations.append(
            Operation("note", committed.FILE, 0, (folder / committed.FILE).read_bytes())
        )

    vfs = _Vfs(disk)
    with (
        mock.patch("sqlite3.connect", _Connection),
        mock.patch.object(run, "note_step", noted),
        transfers(vfs, disk.transferred),
    ):
        try:
            yield
        finally:
            disk.failures = {}
            while _Connection.opened:
                _Connection.opened.pop().close()  # of those whose opening failed, an error may hold one
    vfs.unregister()


# power failures ------------------------------------------------------------------------------


def after_power_failure(
    before: dict[str, bytes], operations: Sequence[Operation], chance: Random
) -> dict[str, bytes]:
    """What the files hold when the power fails after these operations: all that was synced, and of
    what was not, anything, in any order.
    """
    files: dict[str, bytes] = {}
    for name in sorted({*before, *(operation.file for operation in operations)}):
        own = [operation for operation in operations if operation.file == name]
        durable = (
            max((at for at, operation in enumerate(own) if operation.kind == "sync"), default=-1)
            + 1
        )
        content = before.get(name)
        for operation in own[:durable]:
            content = _done(content, operation)
        pending = [operation for operation in own[durable:] if chance.random() < 0.5]
        chance.shuffle(pending)
        for operation in pending:
            content = _done(content, _torn(operation, chance))
        if content is not None:
            files[name] = content
    return files


def after_kill(before: dict[str, bytes], operations: Sequence[Operation]) -> dict[str, bytes]:
    """What the files hold where only the process has ended: all that it wrote."""
    files: dict[str, bytes | None] = dict(before)
    for operation in operations:
        files[operation.file] = _done(files.get(operation.file), operation)
    return {name: content for name, content in files.items() if content is not None}


def _torn(operation: Operation, chance: Random) -> Operation:
    """Mostly whole; else some of its sectors, from the beginning. A note may be any bytes."""
    if operation.kind not in ("write", "note") or chance.random() < 0.7:
        return operation
    kept = chance.randrange(len(operation.data) // SECTOR + 1) * SECTOR
    return Operation(operation.kind, operation.file, operation.at, operation.data[:kept])


def _done(content: bytes | None, operation: Operation) -> bytes | None:
    data = bytearray(content or b"")
    if operation.kind == "write":
        data.extend(bytes(max(0, operation.at - len(data))))
        data[operation.at : operation.at + len(operation.data)] = operation.data
        return bytes(data)
    if operation.kind == "truncate":
        return bytes(data[: operation.at])
    if operation.kind == "delete":
        return None
    return operation.data if operation.kind == "note" else content
