"""Append-only logs of questions and answers, one line for each as it arrives, so that no question
is asked twice after a kill.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from hometown.frozen import frozen


class Ledger:
    """A file of JSON lines `{"key": [...], ...}`. Opening it cuts off the first line that a kill
    has torn, and all after it, so that their questions are asked again.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.entries: dict[tuple[Any, ...], dict[str, Any]] = {}
        whole = 0
        for line in file.read_bytes().splitlines(keepends=True) if file.exists() else ():
            try:
                entry = orjson.loads(line) if line.endswith(b"\n") else None
            except orjson.JSONDecodeError:
                entry = None
            if entry is None:
                break
            self.entries[tuple(entry.pop("key"))] = entry
            whole += len(line)
        if file.exists() and file.stat().st_size > whole:
            os.truncate(file, whole)

    def put(self, key: tuple[Any, ...], entry: Mapping[str, Any]) -> None:
        """Append an entry; it survives a kill once this returns."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("ab") as file:
            file.write(orjson.dumps({"key": list(key), **entry}) + b"\n")
        self.entries[key] = dict(entry)


def count_entries(file: Path) -> int:
    """Return the number of entries of a ledger to which another process may be writing."""
    return file.read_bytes().count(b"\n") if file.exists() else 0


@frozen
class InterviewLedgers:
    """The stored interviews about a run: `answers`, a judge's `readings` of sheets of them, and its
    `verdicts` on single ones.
    """

    answers: Ledger
    readings: Ledger
    verdicts: Ledger


def open_ledgers(folder: Path, name: str) -> InterviewLedgers:
    """Open the ledgers of a run of an experiment."""
    return InterviewLedgers(
        *(Ledger(folder / what / f"{name}.jsonl") for what in ("answers", "readings", "verdicts"))
    )
