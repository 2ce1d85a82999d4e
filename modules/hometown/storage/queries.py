"""Queries over a run's records by range of steps."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeVar

import orjson

from hometown.errors import BadRun
from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.read_budget import ReadBudget
from hometown.records import Call
from hometown.storage.codec import decode_row
from hometown.storage.row_conversion import (
    CALL,
    CONVERSATION_SUMMED,
    MEMORY,
    call_of,
    concept_of,
    conversation_of,
    decode_effects,
    prompts_of,
)
from hometown.world import keys
from hometown.world.conversation import Conversation
from hometown.world.effects import Logged
from hometown.world.incidents import Answered
from hometown.world.keys import Key
from hometown.world.rows import Row

R = TypeVar("R")

_LAST = 2**62


@frozen
class CommittedStep:
    """A committed step: its number, the game time at its end, its digest (hex)."""

    step: int
    time: datetime
    digest: str


class History:
    """The records of a run. Ranges of steps include both ends."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database
        self._held: CommittedStep | None = None

    def hold_last(self) -> int:
        """Let `last` stay what it is now, so that what is read of a run in progress fits together,
        and return its number.
        """
        self._held = self.last
        return self._held.step

    def budget(self) -> ReadBudget:
        """Return a budget for reading all of the run once, at its present size."""
        (pages,) = self.database.execute("PRAGMA page_count").fetchone()
        (page_size,) = self.database.execute("PRAGMA page_size").fetchone()
        return ReadBudget.of_run(pages * page_size)

    @property
    def last(self) -> CommittedStep:
        """The last committed step, or that of the moment of `hold_last`."""
        if self._held:
            return self._held
        row = self.database.execute(
            "SELECT step, time, digest FROM steps ORDER BY step DESC LIMIT 1"
        ).fetchone()
        return _step(*row)

    def steps(self) -> list[CommittedStep]:
        return [
            _step(*row)
            for row in self.database.execute("SELECT step, time, digest FROM steps ORDER BY step")
        ]

    def digests(self) -> list[str]:
        """Return the digest of each step, from step 0 on."""
        return [
            digest for (digest,) in self.database.execute("SELECT digest FROM steps ORDER BY step")
        ]

    def digest(self, step: int) -> str | None:
        """Return the digest of one step, or None if there is no such step."""
        row = self.database.execute("SELECT digest FROM steps WHERE step = ?", (step,)).fetchone()
        return str(row[0]) if row else None

    def stats(self) -> list[dict[str, Any]]:
        """Return the statistics of each step (wall time, calls, tokens, fallbacks), from step 0 on."""
        return [
            orjson.loads(stats)
            for (stats,) in self.database.execute("SELECT stats FROM steps ORDER BY step")
        ]

    def row(self, key: Key[R], at: int) -> R | None:
        """Return the state row under `key` after step `at`; None if there is none."""
        row = self.database.execute(
            "SELECT value FROM state WHERE key = ? AND step <= ? ORDER BY step DESC LIMIT 1",
            (key, at),
        ).fetchone()
        decoded: Any = decode_row(key, row[0]) if row and row[0] is not None else None
        found: R | None = decoded
        return found

    def answered(self, at: int) -> Answered:
        """Return the numbers of the user's requests that were carried out by step `at`."""
        return self.row(keys.ANSWERED.key, at) or Answered()

    def furniture(self, at: int) -> dict[str, Row]:
        """Return the rows of all things placed and removed by step `at`, and of laws, by key, in
        the form of `hometown.world.furnish`.
        """
        changed = " OR ".join(
            "key BETWEEN '{}' AND '{}'".format(*kind.range)
            for kind in (keys.PLACED, keys.REMOVED, keys.LAW)
        )
        rows = self.database.execute(
            f"SELECT key, value FROM state WHERE ({changed}) AND step <= ? ORDER BY step", (at,)
        )
        return {key: decode_row(key, value) for key, value in rows}

    def effects(self, first: int = 0, last: int = _LAST) -> Iterator[tuple[int, Logged]]:
        """Yield (step, effect) of steps `first` to `last`, in the order in which the effects were
        applied. Raises OverBudget if they unpack to more than the budget of the run (`budget`).
        """
        rows = self.database.execute(
            "SELECT step, log FROM effects WHERE step BETWEEN ? AND ? ORDER BY step", (first, last)
        )
        budget = self.budget()
        for step, log in rows:
            yield from ((step, logged) for logged in decode_effects(log, budget))

    def conversations(self, first: int = 0, last: int = _LAST) -> list[Conversation]:
        """Return the conversations begun in steps `first` to `last`, with their summaries, sorted
        by step and id.
        """
        rows = self.database.execute(
            f"SELECT {CONVERSATION_SUMMED} FROM conversations WHERE step BETWEEN ? AND ? ORDER BY step, id",
            (first, last),
        )
        return [conversation_of(row) for row in rows]

    def memories(self, who: str) -> list[Concept]:
        """Return all memories that a resident ever made, retired ones too."""
        return [
            concept_of(row)
            for row in self.database.execute(
                f"SELECT {MEMORY} FROM memories WHERE resident = ? ORDER BY id", (who,)
            )
        ]

    def calls(self, first: int = 0, last: int = _LAST) -> Iterator[Call]:
        """Yield the model calls of steps `first` to `last`, with their prompts if the run kept
        them. Raises OverBudget if prompts unpack to more than the budget of the run (`budget`).
        """
        rows = self.database.execute(
            f"SELECT {CALL} FROM calls WHERE step BETWEEN ? AND ? ORDER BY step, resident, kind, ordinal",
            (first, last),
        )
        budget = self.budget()
        for step, calls in groupby(rows, key=itemgetter(0)):
            prompts = prompts_of(self.database, step, budget)
            yield from (call_of(row, prompts) for row in calls)


def _step(step: int, time: str, digest: str) -> CommittedStep:
    """Return a row of the table `steps` as a step. Raises BadRun for a damaged one."""
    try:
        return CommittedStep(step, datetime.fromisoformat(time), digest)
    except (TypeError, ValueError):
        raise BadRun(
            "the run's database is damaged: step {step!r} can't be read; hometown check (start.py --check) reports what is intact",
            step=step,
        ) from None
