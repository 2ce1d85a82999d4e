"""Checks free disk space before a run is created and after each step, so that a run stops before
the disk is full.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from hometown.errors import DiskTrouble
from hometown.storage.run import RunFile

RESERVE = 64 << 20
"""Bytes that must stay free: the write-ahead log grows to half of that before it is merged."""

MIN_STEPS = 6
"""The least number of steps for an estimate of the space for later steps."""


def require_room(folder: Path) -> None:
    """Raise DiskTrouble if the disk of a folder, which need not exist yet, has less than RESERVE
    free.
    """
    existing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    free = shutil.disk_usage(existing).free
    if free < RESERVE:
        raise DiskTrouble(
            "the disk of {folder} has {free} free, but {reserve} must stay free: delete something, or use another --results",
            folder=folder,
            free=megabytes(free),
            reserve=megabytes(RESERVE),
        )


def megabytes(count: float) -> str:
    """Return a number of bytes as text in megabytes: whole ones, below 1 MB with three digits.

    >>> megabytes(123_456_789)
    '123 MB'
    """
    return f"{count / 1e6:.3g} MB" if count < 1e6 else f"{count / 1e6:,.0f} MB"


class SpaceForecast:
    """Estimates the space that a run will need, from its steps since it was opened."""

    def __init__(self, run: RunFile) -> None:
        self._run = run
        self._first_step = run.last.step
        self._first_size = self._size()
        self._has_warned = False

    def _size(self) -> int:
        """Return the present size of the database, in bytes."""
        (pages,) = self._run.database.execute("PRAGMA page_count").fetchone()
        (page_size,) = self._run.database.execute("PRAGMA page_size").fetchone()
        return int(pages * page_size)

    def shortage(self, step: int, end: int) -> tuple[int, int, int] | None:
        """Return (bytes free, bytes needed up to step `end`, bytes a step) the first time that the
        space may not suffice, else None; None also in the first MIN_STEPS - 1 steps. The need
        includes RESERVE.

        Raises DiskTrouble once the disk is almost full.
        """
        folder = self._run.file.parent
        require_room(folder)
        steps = step - self._first_step
        if self._has_warned or steps < MIN_STEPS:
            return None
        step_bytes = (self._size() - self._first_size) // steps
        needed = step_bytes * (end - step) + RESERVE
        free = shutil.disk_usage(folder).free
        self._has_warned = needed > free
        return (free, needed, step_bytes) if self._has_warned else None
