"""The inbox of a run: its interventions, in a file beside the database.

`inbox.jsonl` has one JSON object a line, an intervention or the withdrawal of one, and only ever
grows. Any program may append to it at any time, even while another process simulates the run. The
interventions carried out so far are part of the run's state (`answered/town`), in the transaction
of their step, so that a crash neither loses one nor carries it out twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import ValidationError

from hometown.errors import BadRun, reason_of
from hometown.frozen import frozen
from hometown.storage.codec import decode, encode
from hometown.system import open_unlinked
from hometown.world.incidents import Answered
from hometown.world.interventions import Intervention

FILE = "inbox.jsonl"

_WAIT = 10.0
"""Seconds to wait for another process that is writing, which takes milliseconds."""


@frozen
class Withdrawal:
    """The line that withdraws an intervention; it has no effect once a step has carried it out."""

    withdrawn: int


class Inbox:
    """The interventions in the inbox of the run in `folder`, by number."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / FILE
        self._cached: tuple[tuple[int, int], list[Intervention]] = ((0, 0), [])
        """Size and modification time of the file when it was read, and its interventions."""
        self._last = 0  # the highest number given to an intervention so far

    def due(self, step: int, answered: Answered) -> list[Intervention]:
        """Return the interventions for a step, and for those before, that were not carried out
        (`answered`), in the order of their entry.
        """
        return [
            entry
            for entry in self.interventions()
            if entry.step <= step and entry.number not in answered
        ]

    def interventions(self) -> list[Intervention]:
        """Return all interventions that were entered and not withdrawn, by number; none without a
        file.

        A last line without its end is ignored. Raises BadRun for any other line that is no
        intervention, and if the file cannot be read.
        """
        try:
            status = self.file.stat()
            version = (status.st_size, status.st_mtime_ns)
            if self._cached[0] != version:
                self._cached = (version, self._parse())
        except FileNotFoundError:
            return []
        except OSError as error:
            raise BadRun(
                "{file} can't be read: {reason}", file=self.file, reason=reason_of(error)
            ) from None
        return self._cached[1]

    def add(self, interventions: Iterable[Intervention], after: int) -> list[Intervention]:
        """Append interventions and return them numbered from `after` + 1, or from 1 above the
        highest number in the inbox if that is larger; they survive a power cut once this returns.

        Raises BadRun if the file cannot be written.
        """
        with self._lock():
            self.interventions()
            added = number_interventions(interventions, max(after, self._last))
            append(self.file, encode_lines(added))
        return added

    def withdraw(self, number: int) -> None:
        """Append the withdrawal of an intervention, which has no effect if a step has carried it
        out. Raises BadRun if the file cannot be written.
        """
        with self._lock():
            append(self.file, encode(Withdrawal(number)) + b"\n")

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Hold the lock of the file while the context writes it. Raises BadRun if another process
        keeps it for `_WAIT` seconds, and for failures to write.
        """
        try:
            with FileLock(self.file.with_suffix(".lock"), timeout=_WAIT):
                yield
        except Timeout:
            raise BadRun(
                "{file} has been locked by another program for {seconds:.0f} seconds: try again",
                file=self.file,
                seconds=_WAIT,
            ) from None
        except OSError as error:
            raise BadRun(
                "can't write {file}: {reason}", file=self.file, reason=reason_of(error)
            ) from None

    def _parse(self) -> list[Intervention]:
        """Read the file, note the highest number in it, and return the interventions that were not
        withdrawn, by number. Raises BadRun for an invalid line.
        """
        complete, _, _ = self.file.read_bytes().rpartition(b"\n")
        entries: dict[int, Intervention] = {}
        for number, line in enumerate(complete.split(b"\n") if complete else (), start=1):
            entry = parse_entry(line)
            if entry is None:
                raise BadRun(
                    "{file} line {number} is not an intervention: remove it, or restore the file from a copy",
                    file=self.file,
                    number=number,
                )
            if isinstance(entry, Withdrawal):
                entries.pop(entry.withdrawn, None)
            else:
                entries[entry.number] = entry
                self._last = max(self._last, entry.number)
        return sorted(entries.values(), key=lambda entry: entry.number)


def parse_entry(line: bytes) -> Intervention | Withdrawal | None:
    """Return the entry in a line of an inbox; None for an invalid line."""
    entry: Intervention | Withdrawal
    for kind in (Intervention, Withdrawal):
        with suppress(ValidationError):
            entry = decode(kind, line)
            return entry
    return None


def number_interventions(interventions: Iterable[Intervention], after: int) -> list[Intervention]:
    """Return interventions with their numbers in an inbox, counted from `after` + 1."""
    return [
        replace(entry, number=number) for number, entry in enumerate(interventions, start=after + 1)
    ]


def encode_lines(interventions: Iterable[Intervention]) -> bytes:
    """Return interventions as lines of an inbox, one JSON object each."""
    return b"".join(encode(entry) + b"\n" for entry in interventions)


def append(file: Path, data: bytes) -> None:
    """Append to a file and wait for the disk, after cutting off an incomplete line that a killed
    writer left.
    """
    with open(file, "ab", opener=open_unlinked) as opened:
        size = opened.tell()
        complete = file.read_bytes().rfind(b"\n") + 1
        if complete < size:
            opened.truncate(complete)
        opened.write(data)
        opened.flush()
        os.fsync(opened.fileno())
