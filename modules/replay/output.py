"""What writing files for others needs: a name that appears once all is there, and a sign of life."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

from tqdm import tqdm

T = TypeVar("T")

SLOW = 2.0
"""Seconds after which a progress bar appears."""


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes its name once everything is on disk.

    What stood under that name stays until then; if anything goes wrong, Ctrl-C included, it stays for good.
    The temporary file lies in the same folder, since a rename across disks is a copy.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def progress(items: Iterable[T], what: str, unit: str, total: int) -> Iterable[T]:
    """The items, with a progress bar where that takes long and somebody is looking on."""
    return tqdm(items, desc=what, unit=unit, total=total, delay=SLOW, leave=False, disable=None)
