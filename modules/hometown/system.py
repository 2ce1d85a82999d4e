"""Differences between operating systems: inspecting locks and processes, folders that survive a
power failure, closed pipes.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO

MOVES_LOCKED_FOLDERS = os.name == "posix"
"""True if a folder can be renamed while a file in it is open and locked. On other systems a process
that has it open prevents the renaming.
"""

NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
"""The flag that refuses to open links; Windows has none, and lets only administrators make links.
"""

PIPE_CLOSED = (errno.EPIPE,) if os.name == "posix" else (errno.EPIPE, errno.EINVAL)
"""Error numbers of writing to a pipe without a reader."""

NETWORK_TYPES = frozenset(
    {
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "9p",
        "afs",
        "ceph",
        "lustre",
        "beegfs",
        "ncpfs",
        "drvfs",
        "vboxsf",
        "prl_fs",
        "virtiofs",
        "fuse.sshfs",
        "fuse.rclone",
        "fuse.s3fs",
        "fuse.gcsfuse",
        "fuse.glusterfs",
        "fuse.davfs2",
        "fuse.vmhgfs-fuse",
        "fuse.osxfs",
        "fuse.grpcfuse",
    }
)
"""Linux's names of file systems whose files other machines may have open: they cannot share memory,
as SQLite's WAL requires.
"""


def memory_bytes() -> int:
    """Return the memory of this machine in bytes, 0 if it is not known."""
    if sys.platform == "win32":
        import ctypes

        size = ctypes.c_ulonglong(0)
        ctypes.windll.kernel32.GetPhysicallyInstalledSystemMemory(ctypes.byref(size))
        return size.value << 10
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def query_nvidia_cards(fields: str, *options: str) -> list[str]:
    """Return these fields of each NVIDIA card, a line for each, from nvidia-smi; nothing where there
    is none or it fails.
    """
    program = shutil.which("nvidia-smi")
    if program is None:
        return []
    query = [
        program,
        f"--query-gpu={fields}",
        f"--format={','.join(('csv', 'noheader', *options))}",
    ]
    try:
        said = subprocess.run(query, check=True, capture_output=True, text=True, timeout=5).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    return said.strip().splitlines()


def open_plain(file: Path) -> BinaryIO:
    """Open a file from a stranger for reading, without following a link or waiting for a pipe.

    Raises:
        OSError: It cannot be read, or is not a plain file.
    """
    flags = os.O_RDONLY | NO_LINKS | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    opened = os.open(file, flags)
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(file))
    return os.fdopen(opened, "rb")


def open_unlinked(file: str, flags: int) -> int:
    """Open a file without following a link; an `opener` for `open`. Raises OSError for a link."""
    return os.open(file, flags | NO_LINKS, 0o666)


def is_installed(package: str) -> bool:
    """Return True if a package can be imported, without importing it; its name may be dotted."""
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # the parent of a dotted name
        return False


def own_environment() -> dict[str, str]:
    """Return the environment of a process of one's own, which imports this package from here."""
    folder = str(Path(__file__).parents[1])
    path = os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))
    return os.environ | {"PYTHONPATH": path}


def is_locked(file: Path) -> bool:
    """Return True if a process holds the exclusive lock on a file; True if unknown, False if there is
    no such file. A shared lock is taken for a moment, on Windows an exclusive one, so that another
    process that asks for the lock just then should ask again.
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
    """Return True if a process of this number exists."""
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
    """Return a text that is equal for processes that see each other's numbers: the machine's name,
    and on Linux the container's.
    """
    try:
        container = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        container = 0
    return f"{socket.gethostname()} {container}"


def process_start_time(process: int) -> str:
    """Return the start time of a process in the system's own format, or "" if it has ended or the
    time is unknown.
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
    """Return the start time of a process, in units of 100 nanoseconds; "" if it is unknown."""
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


def lock_owners(file: Path) -> frozenset[int]:
    """Return the processes that the kernel lists as owners of a lock on a file.

    Only Linux has such a list; elsewhere, and for a link, which is not followed, there are none.
    """
    try:
        inode = file.lstat().st_ino
        locks = Path("/proc/locks").read_text("utf-8").splitlines()
    except OSError:
        return frozenset()
    # "1: FLOCK ADVISORY WRITE PROCESS MAJOR:MINOR:INODE START END"
    held = [words for words in map(str.split, locks) if "->" not in words and len(words) >= 8]
    return frozenset(int(words[-4]) for words in held if words[-3].rpartition(":")[2] == str(inode))


def end_process(process: int, is_right: Callable[[], bool]) -> bool:
    """Ask a process to end, by SIGTERM, if `is_right` confirms it; return True if it was asked.
    Where the system has process handles, the number cannot be reused meanwhile.
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
    except (ProcessLookupError, PermissionError, OverflowError):  # no system has such numbers
        return False
    finally:
        if held is not None:
            os.close(held)
    return True


def _pidfd(process: int) -> int | None:
    """Return a handle of a process, or None if the system has none. Raises ProcessLookupError if
    there is no such process.
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
    """Return the type of the network drive that holds a path, such as "nfs4"; "" for a local disk
    or if unknown.
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
    """Wait until files created and renamed in a folder are on the disk; Windows does so by itself."""
    if sys.platform != "win32":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
