"""Limits for reading a world or a run, which may come from a stranger: a few bytes can unpack to
gigabytes.

Readers share a budget, and each takes from it before it unpacks or parses.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import zstandard

from hometown.errors import DiskTrouble, OverBudget
from hometown.text import N_

MB = 1 << 20

LARGEST = 256 * MB
"""Bytes of one part of a run when unpacked, and of all files of a world together, at most: a town
of a thousand needs half of that.
"""

ROWS = 8_000_000
"""Values of JSON in one part of a run, and in all files of a world, at most: a map of 1000 × 1000
tiles has five million.
"""

LONGEST_ROW = 64 * MB
"""Bytes of one value in a run's database, at most: a damaged or forged one may claim any length."""

RATIO = 1000
"""Bytes that a run may unpack to, for each byte of its file; a town's records pack to a fiftieth at
best.
"""

_SLICE = 1024
"""Bytes of a frame that are unpacked at a time: they yield at most 32 MB."""

_CHECKED_EVERY = 10_000
"""Instructions of SQLite's virtual machine between two readings of the clock: less than a
millisecond.
"""

_MARKS = (",", "[", "{")
"""Punctuation of JSON; no value needs more than one of these."""


class ReadBudget:
    """The remaining allowance for reading: `size` bytes in all and `largest` at a time, `rows`
    values at a time, within `seconds` of this thread's processor time from now on, which only
    `watch` heeds.
    """

    def __init__(
        self, size: int = LARGEST, *, largest: int = LARGEST, rows: int = ROWS, seconds: float = 0.0
    ) -> None:
        self._size = self._granted = size
        self._largest = largest
        self._rows = rows
        self._seconds = seconds
        self._began = time.thread_time()

    @classmethod
    def of_run(cls, file_size: int) -> ReadBudget:
        """Return the budget for a run whose database has `file_size` bytes."""
        return cls(LARGEST + RATIO * file_size)

    def check(self, sizes: Iterable[int]) -> None:
        """Raise OverBudget if fewer bytes are left than these sizes together, ValueError for an
        unknown (negative) size; none are taken.
        """
        total = 0
        for size in sizes:
            if size < 0:
                raise ValueError("a frame without its size")
            total += size
        if total > self._size:
            raise self._too_large()

    def take(self, size: int) -> None:
        """Take bytes from the budget. Raises OverBudget if too few are left, or if it is more than
        may be read at a time.
        """
        if size > min(self._size, self._largest):
            raise self._too_large()
        self._size -= size

    def take_values(self, json: bytes | str, most: int = ROWS) -> None:
        """Count the values in JSON. Raises OverBudget if it has more than `most`, or more than may
        be read at a time.
        """
        count = sum(
            json.count(mark.encode()) if isinstance(json, bytes) else json.count(mark)
            for mark in _MARKS
        )
        if count > min(most, self._rows):
            text = N_(
                "holds more than the {most:,} values that are read of it; it is damaged, or made to fill memory"
            )
            raise OverBudget(text, most=min(most, self._rows))

    def unpack(self, frames: bytes) -> list[bytes]:
        """Return the contents of successive zstd frames. The size that a frame states is taken
        from the budget before it is unpacked.

        Raises OverBudget, ValueError for a frame without its size, TypeError or ZstdError for data
        that is no frame.
        """
        parts, left = list[bytes](), memoryview(frames)
        while left or not parts:
            size = zstandard.frame_content_size(left)
            if size < 0:
                raise ValueError("a frame without its size")
            self.take(size)
            content, used = _content(left, size)
            parts.append(content)
            left = left[used:]
        return parts

    def unpack_json(self, frames: bytes) -> list[bytes]:
        """Return the contents of successive zstd frames of JSON. Raises as `unpack`, and OverBudget
        if a frame has more values than may be read at a time.
        """
        parts = self.unpack(frames)
        for part in parts:
            self.take_values(part)
        return parts

    @contextmanager
    def watch(self, database: sqlite3.Connection) -> Iterator[None]:
        """Interrupt a statement on a connection, and raise OverBudget, once the time is up."""
        database.set_progress_handler(self._is_spent, _CHECKED_EVERY)
        try:
            yield
        except (sqlite3.OperationalError, DiskTrouble):
            if self._is_spent():
                raise OverBudget(
                    "takes longer than {seconds:g} s to read; it is damaged, or made to do so",
                    seconds=self._seconds,
                ) from None
            raise
        finally:
            database.set_progress_handler(None, 0)

    def _too_large(self) -> OverBudget:
        most = min(self._granted, self._largest) // MB
        return OverBudget(
            "holds more than the {most} MB that are read of it; it is damaged, or made to fill memory",
            most=most,
        )

    def _is_spent(self) -> bool:
        return time.thread_time() - self._began > self._seconds


def _content(frames: memoryview, size: int) -> tuple[bytes, int]:
    """Return the content of the first frame, which claims to have `size` bytes, and the frame's own
    length. Raises ZstdError for a false claim.
    """
    frame, parts, unpacked, at = zstandard.ZstdDecompressor().decompressobj(), list[bytes](), 0, 0
    while not frame.eof:
        if unpacked > size or at >= len(frames):
            raise zstandard.ZstdError("the frame is not as long as it says")
        part = frames[at : at + _SLICE]
        parts.append(frame.decompress(part))
        unpacked, at = unpacked + len(parts[-1]), at + len(part)
    return b"".join(parts), at - len(frame.unused_data)
