"""Where operating systems differ: locks that are only looked at, processes, folders that are to
outlast a power failure, closed pipes.
"""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

MOVES_LOCKED_FOLDERS = os.name == "posix"
"""Whether a folder can be renamed while a file in it is open and locked. Where it can't, nobody
else who has it open is overtaken either.
"""

NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
"""The flag with which a link is not opened; Windows has none, and lets only administrators make
links.
"""

PIPE_CLOSED = (errno.EPIPE,) if os.name == "posix" else (errno.EPIPE, errno.EINVAL)
"""Numbers of the error at writing to a pipe that nobody reads any more."""

NETWORK_TYPES = frozenset({
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre", "beegfs", "ncpfs", "drvfs", "vboxsf", "prl_fs", "virtiofs",
    "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.gcsfuse", "fuse.glusterfs", "fuse.davfs2", "fuse.vmhgfs-fuse", "fuse.osxfs", "fuse.grpcfuse",
})  # fmt: skip
"""Types of file systems whose files other machines may have open, by Linux's names: memory can't be
shared through them, as SQLite's WAL needs.
"""


def is_installed(package: str) -> bool:
    """Return whether a package can be imported, without importing it; its name may be dotted."""
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # the parent of a dotted name
        return False


def is_locked(file: Path) -> bool:
    """Whether a process holds the lock on a file, which is only read where the system allows that;
    True where it can't be told.
    """
    if sys.platform != "win32":
        import fcntl

        try:
            opened = os.open(file, os.O_RDONLY | NO_LINKS | os.O_NONBLOCK)
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
    from filelock import FileLock, Timeout  # takes long, and only this system needs it

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


def process_space() -> str:
    """Return a text that is the same for processes that see each other's numbers: the machine's
    name, and on Linux the container's.
    """
    try:
        container = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        container = 0
    return f"{socket.gethostname()} {container}"


def process_started(process: int) -> str:
    """Return when a process was started, in the system's own measure; "" where it has ended, or it
    can't be told.
    """
    if sys.platform == "linux":
        try:
            return (
                Path(f"/proc/{process}/stat")
                .read_text("utf-8", errors="replace")
                .rpartition(")")[2]
                .split()[19]
            )
        except (OSError, IndexError):
            return ""
    if sys.platform == "win32":
        return _started_on_windows(process)
    command = ["ps", "-o", "lstart=", "-p", str(process)]
    try:
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=os.environ | {"LC_ALL": "C"}
        ).stdout.strip()
    except OSError:
        return ""


def _started_on_windows(process: int) -> str:
    """Return when a process was started, in units of 100 nanoseconds."""
    import ctypes

    kernel: Any = ctypes.windll.kernel32  # type: ignore[attr-defined, unused-ignore]
    query_limited_information = 0x1000
    handle = kernel.OpenProcess(query_limited_information, False, process)
    if not handle:
        return ""
    created, *others = [ctypes.c_uint64() for _ in range(4)]
    known = kernel.GetProcessTimes(handle, ctypes.byref(created), *map(ctypes.byref, others))
    kernel.CloseHandle(handle)
    return str(created.value) if known else ""


def holds_lock(process: int, file: Path) -> bool:
    """Return whether the kernel names a process as the owner of a lock on a file; False where it
    names none, as only Linux does.
    """
    try:
        inode = file.stat().st_ino
        locks = Path("/proc/locks").read_text("utf-8").splitlines()
    except OSError:
        return False
    held = [
        (words[-4], words[-3].rpartition(":")[2])
        for words in map(str.split, locks)
        if "->" not in words and len(words) >= 8
    ]
    return (str(process), str(inode)) in held


def end_process(process: int, is_right: Callable[[], bool]) -> bool:
    """Ask a process to end, as SIGTERM does, if it is still the right one; return whether it was
    asked.

    Where the system can hold on to a process meanwhile, its number cannot come to mean another one.
    """
    held = None
    try:
        held = _pidfd(process)
        if not is_right():
            return False
        if sys.platform == "linux" and held is not None:
            signal.pidfd_send_signal(held, signal.SIGTERM)
        else:
            os.kill(process, signal.SIGTERM)
    except (ProcessLookupError, PermissionError):
        return False
    finally:
        if held is not None:
            os.close(held)
    return True


def _pidfd(process: int) -> int | None:
    """Return a handle of a process, None where the kernel has none to give. Raises
    ProcessLookupError where there is no such process.
    """
    if sys.platform == "linux":
        try:
            return os.pidfd_open(process)
        except ProcessLookupError:
            raise
        except OSError:
            pass
    return None


def network_type(path: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str:
    """Return the type of the network drive that a path lies on, such as "nfs4"; "" for a local
    disk, and where it can't be told.
    """
    if sys.platform == "win32":
        import ctypes

        remote, drive = 4, os.path.splitdrive(path.resolve())[0]
        kernel: Any = ctypes.windll.kernel32  # type: ignore[attr-defined, unused-ignore]
        return (
            "a network share"
            if drive.startswith("\\\\") or kernel.GetDriveTypeW(f"{drive}\\") == remote
            else ""
        )
    try:
        device = path.stat().st_dev
        lines = mounts.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    for line in lines:  # "ID PARENT MAJOR:MINOR ROOT POINT OPTIONS … - TYPE SOURCE OPTIONS"
        own, _, rest = line.partition(" - ")
        if own.split()[2:3] == [f"{os.major(device)}:{os.minor(device)}"] and rest.split()[:1]:
            kind = rest.split()[0]
            return kind if kind in NETWORK_TYPES else ""
    return ""


def sync_folder(folder: Path) -> None:
    """Waits until what was created and renamed in a folder is on the disk; Windows does that by
    itself.
    """
    if sys.platform != "win32":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
