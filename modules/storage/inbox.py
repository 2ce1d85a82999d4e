"""The inbox of a run: what the user wants to happen in it, in a file of its own beside the database.

`inbox.jsonl` has one JSON object a line and only ever grows. Anybody may write into it at any time, also while the run
is lived by another process; which requests have been carried out stands in the run's state (`answered/town`), in the
transaction of the step that did it, so that a crash neither loses one nor carries it out twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import ValidationError

from modules.errors import BadRun, reason_of
from modules.storage.codec import decode, encode
from modules.world.interventions import Intervention
from modules.world.rows import Answered

FILE = "inbox.jsonl"

_WAIT = 10.0
"""Seconds to wait for another process that is just writing: it takes milliseconds."""


class Inbox:
    """The requests in the inbox of the run in `folder`, by number."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / FILE
        self._read: tuple[tuple[int, int], list[Intervention]] = ((0, 0), [])

    def due(self, step: int, answered: Answered) -> list[Intervention]:
        """What is to be carried out in a step, in the order in which it was asked for."""
        return [one for one in self.requests() if one.step <= step and one.number not in answered]

    def requests(self) -> list[Intervention]:
        """All that was ever asked for. Raises BadRun for a line that is no request; one not written to its end is none yet."""
        try:
            found = self.file.stat()
        except FileNotFoundError:
            return []
        now = (found.st_size, found.st_mtime_ns)
        if self._read[0] != now:
            self._read = (now, self._parsed())
        return self._read[1]

    def add(self, requests: Iterable[Intervention], after: int) -> list[Intervention]:
        """Appends requests, numbered from `after` or from the last one there; they outlast a power cut once this returns.

        Raises BadRun where the file can't be written.
        """
        try:
            with FileLock(self.file.with_suffix(".lock"), timeout=_WAIT):
                last = max([after, *(one.number for one in self.requests())])
                added = numbered(requests, last)
                _append(self.file, lines(added))
        except Timeout:
            raise BadRun("{file} has been locked by another program for {seconds:.0f} seconds: try again", file=self.file, seconds=_WAIT) from None
        except OSError as error:
            raise BadRun("{file} can't be written: {reason}", file=self.file, reason=reason_of(error)) from None
        return added

    def _parsed(self) -> list[Intervention]:
        whole, _, _ = self.file.read_bytes().rpartition(b"\n")
        found = []
        for number, line in enumerate(whole.split(b"\n") if whole else (), start=1):
            try:
                found.append(decode(Intervention, line))
            except ValidationError:
                raise BadRun("{file} line {number} is not a request: remove it, or put a copy in its place", file=self.file, number=number) from None
        return sorted(found, key=lambda one: one.number)


def numbered(requests: Iterable[Intervention], after: int) -> list[Intervention]:
    """Requests with their places in an inbox, behind those that it has."""
    return [replace(one, number=number) for number, one in enumerate(requests, start=after + 1)]


def lines(requests: Iterable[Intervention]) -> bytes:
    return b"".join(encode(one) + b"\n" for one in requests)


def _append(file: Path, data: bytes) -> None:
    """Writes at the end of a file, after cutting off what a writer that died left without an end of line."""
    with file.open("ab") as opened:
        size = opened.tell()
        whole = file.read_bytes().rfind(b"\n") + 1
        if whole < size:
            opened.truncate(whole)
        opened.write(data)
        opened.flush()
        os.fsync(opened.fileno())
