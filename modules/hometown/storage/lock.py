"""One writer per run."""

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
from hometown.system import is_locked, lock_owners, open_plain, process_started
from hometown.text import Phrase

_WAIT = 30.0
"""Seconds to wait for another process that is just creating a run: it takes one of them."""


_LOOK = 0.01
"""Seconds after which a lock is tried again that somebody has only looked at, which takes
microseconds.
"""


_HOLDER = re.compile(
    r"process (?P<process>\d{1,10}) on (?P<host>.+) since [^\n]+(\nstarted (?P<started>.+))?"
)
"""The content of `run.holder`: a line for people, and when the process was started, which tells it
from a later one of the same number.
"""


_LONGEST_NOTE = 1000
"""Bytes that are read of `run.holder`."""


class RunLock:
    """Held by the process that writes a run; the operating system releases it if that process dies.

    Its holder is named in `run.holder` beside it, since on Windows a locked file can't be read.
    """

    def __init__(self, folder: Path) -> None:
        self._name = folder.name
        self._file = folder / "run.lock"
        self._lock = FileLock(self._file)
        self._holder = folder / "run.holder"

    def acquire(self) -> None:
        """Raises BadRun, naming the holder, where another process writes this run."""
        while not self._taken():
            if is_locked(self._file):
                raise BadRun(
                    "run {name!r} is in use by {who}: wait until it ends, or stop it",
                    name=self._name,
                    who=self._who(),
                )
            sleep(_LOOK)
        since = datetime.now().isoformat(" ", "seconds")
        with suppress(OSError):  # on a full disk the lock holds without it
            started = process_started(os.getpid())
            named = f"process {os.getpid()} on {socket.gethostname()} since {since}" + (
                f"\nstarted {started}" if started else ""
            )
            replace_file(self._holder, named.encode())

    def release(self) -> None:
        self.withdraw()
        self._lock.release()

    def withdraw(self) -> None:
        """Removes the holder's name, while the lock is held: before the folder is moved, with which
        the name would go.
        """
        with suppress(OSError):
            self._holder.unlink(missing_ok=True)

    def _taken(self) -> bool:
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

    def _who(self) -> str:
        with suppress(OSError):
            if holder := self._holder.read_text(encoding="utf-8").partition("\n")[0]:
                return holder
        return Phrase("another process")


def is_held(folder: Path) -> bool:
    """Whether a process is writing the run in this folder. Looking does not keep anybody from
    opening it.
    """
    return (folder / "run.holder").exists() and is_locked(folder / "run.lock")


NOBODY = ("", 0)


def holder_of(folder: Path) -> tuple[str, int]:
    """Host and number of the process that is named as the writer of the run in this folder, or
    `NOBODY`; one that was killed leaves its name.
    """
    named = _named(folder)
    return (named["host"], int(named["process"])) if named else NOBODY


def is_writer(folder: Path, process: int) -> bool:
    """Return whether a process of this machine surely holds the lock of a run.

    Neither the kernel's list of locks nor `run.holder` is enough where both are there: the list may
    have the number of a process that has ended, whose child has inherited the lock, and the note
    may be of an earlier writer.
    """
    if not is_held(folder):
        return False
    owners, named = lock_owners(folder / "run.lock"), _named(folder)
    if named and int(named["process"]) == process and named["started"]:
        is_same = named["started"] == process_started(process)
        return is_same and (process in owners or not owners)
    return process in owners


def _named(folder: Path) -> re.Match[str] | None:
    try:
        with open_plain(folder / "run.holder") as note:
            return _HOLDER.fullmatch(note.read(_LONGEST_NOTE).decode("utf-8"))
    except (OSError, UnicodeDecodeError):
        return None


def creation_lock(parent: Path) -> FileLock:
    """Held while a run's folder is being built, so that leftovers can be told from work in
    progress.
    """
    return FileLock(parent / ".creating.lock", timeout=_WAIT)
