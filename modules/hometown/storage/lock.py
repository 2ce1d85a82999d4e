"""The lock that admits one writer per run."""

from __future__ import annotations

import os
import re
import socket
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from time import sleep

from filelock import FileLock, Timeout

from hometown.errors import BadRun, reason_of
from hometown.storage.side_files import replace_file
from hometown.system import is_locked, lock_owners, open_plain, process_start_time
from hometown.text import Phrase

_WAIT = 30.0
"""Seconds to wait for another process that is creating a run, which takes one second."""


_LOOK = 0.01
"""Seconds after which a lock is tried again that another process was only examining, which takes
microseconds.
"""


_HOLDER = re.compile(
    r"process (?P<process>\d{1,10}) on (?P<host>.+) since [^\n]+(\nstarted (?P<started>.+))?"
)
"""The content of `run.holder`: a line for people, and the start time of the process, which
distinguishes it from a later process of the same number.
"""


_MAX_NOTE_BYTES = 1000
"""Bytes of `run.holder` that are read."""


class RunLock:
    """Held by the process that writes a run; the operating system releases it if that process dies.

    `run.holder` beside the lock names the holder, since on Windows a locked file cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._name = folder.name
        self._file = folder / "run.lock"
        self._lock = FileLock(self._file)
        self._holder = folder / "run.holder"

    def acquire(self) -> None:
        """Take the lock, and record this process as its holder. Raises BadRun, naming the holder,
        if another process writes this run.
        """
        while not self._try_acquire():
            if is_locked(self._file):
                raise BadRun(
                    "run {name!r} is in use by {who}: wait until it ends, or stop it",
                    name=self._name,
                    who=self._holder_name(),
                )
            sleep(_LOOK)
        since = datetime.now().isoformat(" ", "seconds")
        with suppress(OSError):  # on a full disk the lock holds without it
            started = process_start_time(os.getpid())
            named = f"process {os.getpid()} on {socket.gethostname()} since {since}" + (
                f"\nstarted {started}" if started else ""
            )
            replace_file(self._holder, named.encode())

    def release(self) -> None:
        """Remove the holder's name and release the lock."""
        self.remove_holder()
        self._lock.release()

    def remove_holder(self) -> None:
        """Remove the holder's name while the lock is held: before the folder is moved, and the name
        with it.
        """
        with suppress(OSError):
            self._holder.unlink(missing_ok=True)

    def _try_acquire(self) -> bool:
        """Take the lock without waiting; return False if another process has it. Raises BadRun if
        the file cannot be written.
        """
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            return False
        except OSError as error:
            raise BadRun(
                "run {name!r} can't be written ({file}: {reason})",
                name=self._name,
                file=self._file,
                reason=reason_of(error),
            ) from None
        return True

    def _holder_name(self) -> str:
        """Return the first line of `run.holder`, for messages; "another process" without one."""
        with suppress(OSError):
            if holder := self._holder.read_text(encoding="utf-8").partition("\n")[0]:
                return holder
        return Phrase("another process")


def is_held(folder: Path) -> bool:
    """Return True if a process is writing the run in this folder. The check does not keep other
    processes from opening it.
    """
    return (folder / "run.holder").exists() and is_locked(folder / "run.lock")


NOBODY = ("", 0)


def holder_of(folder: Path) -> tuple[str, int]:
    """Return the host and process number in a run's `run.holder`, or `NOBODY`; a killed process
    leaves its name.
    """
    named = _read_holder(folder)
    return (named["host"], int(named["process"])) if named else NOBODY


def is_writer(folder: Path, process: int) -> bool:
    """Return True if a process of this machine surely holds the lock of a run.

    The kernel's list of locks and `run.holder` have to agree where both exist: the list may have
    the number of a dead process whose child inherited the lock, and the note may be of an earlier
    writer.
    """
    if not is_held(folder):
        return False
    owners, named = lock_owners(folder / "run.lock"), _read_holder(folder)
    if named and int(named["process"]) == process and named["started"]:
        is_same = named["started"] == process_start_time(process)
        return is_same and (process in owners or not owners)
    return process in owners


def _read_holder(folder: Path) -> re.Match[str] | None:
    """Return the match of `_HOLDER` with a run's `run.holder`; None without a valid one."""
    try:
        with open_plain(folder / "run.holder") as note:
            return _HOLDER.fullmatch(note.read(_MAX_NOTE_BYTES).decode("utf-8"))
    except (OSError, UnicodeDecodeError):
        return None


def creation_lock(parent: Path) -> FileLock:
    """Return the lock that is held while a run's folder is built, so that leftovers can be told
    from work in progress.
    """
    return FileLock(parent / ".creating.lock", timeout=_WAIT)
