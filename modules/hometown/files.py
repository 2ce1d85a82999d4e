"""Atomic writing: a file or folder appears under its name only once it is complete.

What is unfinished lies beside it, under a name that begins with a dot and contains the number of the process; what a killed
process has left there is removed by the next one that writes in the same place.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from hometown.system import is_alive


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which is renamed to `path` once it is complete and on disk. An OSError names the file.

    An existing file of that name is kept until then, and for good if anything fails, Ctrl-C included.
    The temporary file lies in the same folder, since a rename across disks is a copy.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(path.parent, f".{path.name}.")
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException as error:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:  # a full disk is met in write, which knows no name
            error.filename = str(path)
        raise


@contextmanager
def temporary_folder(parent: Path, purpose: str) -> Iterator[Path]:
    """An empty folder `.<purpose>-<process>-…` in `parent`, which is removed with all that is left in it."""
    remove_leftovers(parent, f".{purpose}-")
    with TemporaryDirectory(prefix=f".{purpose}-{os.getpid()}-", dir=parent, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def remove_leftovers(folder: Path, prefix: str) -> None:
    """Removes what processes that have died left in a folder: files and folders named by a prefix and the number of the process."""
    for leftover in folder.iterdir():
        owner = re.fullmatch(re.escape(prefix) + r"(\d+)(-.*)?", leftover.name)
        if owner and not is_alive(int(owner[1])):
            with suppress(OSError):
                shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()
