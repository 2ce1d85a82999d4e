"""One writer per run."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from modules.errors import BadRun, reason_of
from modules.text import Phrase

_WAIT = 30.0
"""Seconds to wait for another process that is just creating a run: it takes one of them."""


class RunLock:
    """Held by the process that writes a run; the system lets it go if that process dies.

    Who holds it stands in `run.holder` beside it, since Windows lets nobody read a locked file.
    """

    def __init__(self, folder: Path) -> None:
        self._name = folder.name
        self._lock = FileLock(folder / "run.lock")
        self._holder = folder / "run.holder"

    def acquire(self) -> None:
        """Raises BadRun, naming the holder, where another process writes this run."""
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise BadRun("run {name!r} is being written by {who}: wait for it, or stop it", name=self._name, who=self._who()) from None
        except OSError as error:
            raise BadRun("run {name!r} can't be written: {reason}", name=self._name, reason=reason_of(error)) from None
        since = datetime.now().isoformat(" ", "seconds")
        with suppress(OSError):  # on a full disk the lock holds without it
            self._holder.write_text(f"process {os.getpid()} on {socket.gethostname()} since {since}", encoding="utf-8")

    def release(self) -> None:
        with suppress(OSError):
            self._holder.unlink(missing_ok=True)
        self._lock.release()

    def _who(self) -> str:
        with suppress(OSError):
            if told := self._holder.read_text(encoding="utf-8"):
                return told
        return Phrase("another process")


def is_held(folder: Path) -> bool:
    """Whether a process writes the run in this folder now.

    The lock is tried only where somebody has left a name, so that a run which is just being opened is not disturbed.
    """
    if not (folder / "run.holder").exists():
        return False
    lock = FileLock(folder / "run.lock")
    try:
        lock.acquire(timeout=0)
    except (Timeout, OSError):
        return True
    lock.release()
    return False


def creation_lock(parent: Path) -> FileLock:
    """Held while a run's folder is being built, so that leftovers can be told from work under way."""
    return FileLock(parent / ".creating.lock", timeout=_WAIT)
