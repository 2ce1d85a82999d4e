"""Where operating systems differ: locks that are only looked at, processes, folders that are to outlast a power failure, closed pipes."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

from filelock import FileLock, Timeout

MOVES_LOCKED_FOLDERS = os.name == "posix"
"""Whether a folder can be renamed while a file in it is open and locked. Where it can't, nobody else who has it open is overtaken either."""

PIPE_CLOSED = (errno.EPIPE,) if os.name == "posix" else (errno.EPIPE, errno.EINVAL)
"""Numbers of the error at writing to a pipe that nobody reads any more."""


def is_locked(file: Path) -> bool:
    """Whether a process holds the lock on a file, which is only read where the system allows that; True where it can't be told."""
    if sys.platform != "win32":
        import fcntl

        try:
            opened = os.open(file, os.O_RDONLY)
        except FileNotFoundError:
            return False
        except OSError:
            return True
        try:
            fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(opened)
        return False
    lock = FileLock(file)
    try:
        lock.acquire(timeout=0)
    except (Timeout, OSError):
        return True
    lock.release()
    return False


def is_alive(process: int) -> bool:
    """Whether there is a process of this number."""
    if sys.platform == "win32":
        import ctypes

        synchronize = 0x00100000
        handle = ctypes.windll.kernel32.OpenProcess(synchronize, False, process)
        return bool(handle) and bool(ctypes.windll.kernel32.CloseHandle(handle))
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def sync_folder(folder: Path) -> None:
    """Waits until what was created and renamed in a folder is on the disk; Windows does that by itself."""
    if sys.platform != "win32":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
