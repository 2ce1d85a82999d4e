"""Room on the disk: looked at before a run is founded and after each step, so that a run stops before the disk is full."""

from __future__ import annotations

import shutil
from pathlib import Path

from modules.errors import DiskTrouble
from modules.storage.run import Run

RESERVE = 64 << 20
"""Bytes that stay free: the write-ahead log grows to half of that before it is folded in."""

ENOUGH_STEPS = 6
"""Steps lived here before anything is said of those to come."""


def require_room(folder: Path) -> None:
    """Raises DiskTrouble where the disk of a folder, which need not exist yet, is as good as full."""
    there = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    free = shutil.disk_usage(there).free
    if free < RESERVE:
        raise DiskTrouble(
            "the disk of {folder} has {free} left, and {reserve} must stay free: make room, or take another --results",
            folder=folder, free=megabytes(free), reserve=megabytes(RESERVE),
        )  # fmt: skip


def megabytes(count: float) -> str:
    """Bytes in words.

    >>> megabytes(123_456_789)
    '123 MB'
    """
    return f"{count / 1e6:.3g} MB" if count < 1e6 else f"{count / 1e6:,.0f} MB"


class Forecast:
    """What a run will need, going by the steps lived since it was opened."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._first, self._before = run.last.step, self._size()
        self._told = False

    def _size(self) -> int:
        (pages,), (size,) = (self._run.database.execute(f"PRAGMA {one}").fetchone() for one in ("page_count", "page_size"))
        return int(pages * size)

    def shortage(self, step: int, end: int) -> tuple[int, int, int] | None:
        """(bytes free, bytes needed up to step `end`, bytes a step), the first time that the disk may not last; else None.

        Raises DiskTrouble once it is as good as full.
        """
        folder = self._run.file.parent
        require_room(folder)
        lived = step - self._first
        if self._told or lived < ENOUGH_STEPS:
            return None
        a_step = (self._size() - self._before) // lived
        free, needed = shutil.disk_usage(folder).free, a_step * (end - step) + RESERVE
        self._told = needed > free
        return (free, needed, a_step) if self._told else None
