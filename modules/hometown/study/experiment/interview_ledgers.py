"""Append-only logs of questions and answers, one line for each as it arrives, so that no question
is asked twice after a kill.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from hometown.errors import BadInput
from hometown.frozen import frozen


class Ledger:
    """A file of JSON lines `{"key": [...], ...}`."""

    def __init__(self, file: Path) -> None:
        """Read the file, and cut off a last line that a kill has torn, so that its question is
        asked again.

        Raises:
            BadInput: Another line is no entry; the file is left as it is.
        """
        self.file = file
        self.entries: dict[tuple[Any, ...], dict[str, Any]] = {}
        content = file.read_bytes() if file.exists() else b""
        *whole, torn = content.split(b"\n")
        for number, line in enumerate(whole, 1):
            try:
                entry = orjson.loads(line.removeprefix(BOM_UTF8))
                self.entries[tuple(entry.pop("key"))] = entry
            except (ValueError, LookupError, TypeError, AttributeError):
                raise BadInput(
                    "{file}, line {line}: is no entry of a ledger, a JSON object with a 'key' of "
                    "several parts; mend it, or delete the line to have its question asked again",
                    file=file,
                    line=number,
                ) from None
        if torn:
            os.truncate(file, len(content) - len(torn))

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
