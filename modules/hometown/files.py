"""Atomic writing: a file or folder appears under its name only once it is complete.

Until then it has a temporary name beside it, which begins with a dot and contains the mark of the
process. Leftovers of a killed process are removed by the next one that writes in the same place;
those of processes that cannot be seen from here, in another container or on another machine, when
they are a month old.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from hashlib import blake2b
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from hometown.system import is_alive, process_space

FORGOTTEN = 30 * 86400.0
"""Seconds after which leftovers of processes that cannot be seen from here are removed."""

_numbers = count()
"""Numbers of the files that this process writes, as two threads may write the same one at once."""


@contextmanager
def atomic_write(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Open a file that is renamed to `path` once it is complete and on disk. An OSError names the
    file.

    `mode`: its permissions, less those that the user's umask takes away.

    Missing folders are made, and leftovers of killed processes for this file removed. An existing
    file of that name is kept until then, and for good if anything fails, Ctrl-C included. The
    temporary file lies in the same folder, since a rename across disks is a copy.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(path.parent, f".{path.name}.")
    unfinished = path.with_name(f".{path.name}.{owner_mark()}-{next(_numbers)}")
    try:
        unfinished.unlink(missing_ok=True)
        with open(unfinished, "xb", opener=partial(os.open, mode=mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException as error:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename in (None, str(unfinished)):
            error.filename = str(path)  # write reports a full disk without the name of the file
        raise


@contextmanager
def temporary_folder(parent: Path, purpose: str) -> Iterator[Path]:
    """Create an empty folder `.<purpose>-<process>-…` in `parent` and remove it with its contents
    afterwards; leftovers of killed processes for this purpose are removed, too.
    """
    remove_leftovers(parent, f".{purpose}-")
    with TemporaryDirectory(
        prefix=f".{purpose}-{owner_mark()}-", dir=parent, ignore_cleanup_errors=True
    ) as folder:
        yield Path(folder)


def owner_mark() -> str:
    """Return the mark of this process in names of files: its number, and a hash of the machine and
    container in which that number is valid.
    """
    return f"{os.getpid()}.{_processes_here()}"


def remove_leftovers(folder: Path, prefix: str) -> None:
    """Remove files and folders that dead processes left in a folder, named by a prefix and the mark
    of the process; none in a folder that cannot be listed.
    """
    pattern = re.compile(re.escape(prefix) + r"(\d+)(?:\.([0-9a-f]{8}))?(-.*)?")
    with suppress(OSError):
        for leftover in folder.iterdir():
            owner = pattern.fullmatch(leftover.name)
            if owner and (
                not is_alive(int(owner[1])) if owner[2] == _processes_here() else _is_old(leftover)
            ):
                discard(leftover)


def discard(leftover: Path) -> None:
    """Remove a file, a folder with its contents, or a link, as far as possible."""
    with suppress(OSError):
        shutil.rmtree(
            leftover
        ) if leftover.is_dir() and not leftover.is_symlink() else leftover.unlink(missing_ok=True)


def _is_old(leftover: Path) -> bool:
    with suppress(OSError):
        status = leftover.lstat()
        return time.time() - max(status.st_mtime, status.st_ctime) > FORGOTTEN
    return False


@cache
def _processes_here() -> str:
    return blake2b(process_space().encode(), digest_size=4).hexdigest()
