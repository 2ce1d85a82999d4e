"""The record of a step, and the statements that write it to the database."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import field
from datetime import datetime
from operator import itemgetter
from typing import Any

from hometown.frozen import frozen
from hometown.memory.stream import MemoryStream
from hometown.records import Call
from hometown.storage.checksum import Section, make_section, make_state_section
from hometown.storage.codec import encode
from hometown.storage.digest import CanonicalStep
from hometown.storage.row_conversion import (
    Statement,
    call_statement,
    conversation_statement,
    effects_statement,
    memory_statement,
    prompts_statement,
)
from hometown.world.effects import Logged
from hometown.world.state import Changes, State

_WHOLE_ROWS = re.compile(r"INSERT INTO (\w+) VALUES")
"""Matches statements that write whole rows as they are read back; all but calls are in order."""


@frozen
class StepRecord:
    """All data of a step. `time` is the game time at its end; `stats` are JSON values outside of
    the digest.
    """

    step: int
    time: datetime
    changes: Changes
    effects: Sequence[Logged] = ()
    calls: Sequence[Call] = ()
    stats: dict[str, Any] = field(default_factory=dict)

    def sections(self, prepared: Sequence[Statement]) -> dict[str, Section]:
        """Return the sections of the step's checksum, by table, as far as its statements tell them:
        for tables whose rows are written whole and in order.
        """
        return {
            whole[1]: _section(whole[1], rows)
            for sql, rows in prepared
            if (whole := _WHOLE_ROWS.match(sql))
        }


def _section(table: str, rows: Sequence[Any]) -> Section:
    """Return a table's section for the checksum, from the rows of the statement that writes them.
    Calls are sorted by resident, kind and ordinal first, as they are when read.
    """
    if table == "state":
        return make_state_section(rows)
    # calls: by resident, kind and ordinal
    return make_section(sorted(rows, key=itemgetter(1, 2, 3)) if table == "calls" else rows)


def statements(
    record: StepRecord, step: CanonicalStep, digest: str, *, prompts: bool
) -> list[Statement]:
    """Return all statements of a step, prepared before the transaction begins, so that it is short.

    `step` is the canonical form of the record's changes; `prompts` says whether prompts are kept.
    """
    number, changes = record.step, record.changes
    return [
        (
            "INSERT INTO steps VALUES (?,?,?,?)",
            [(number, record.time.isoformat(), digest, encode(record.stats))],
        ),
        effects_statement(number, record.effects),
        ("INSERT INTO state VALUES (?,?,?)", [(key, number, value) for key, value in step.rows]),
        _memories(record),
        (
            "INSERT INTO memory_changes VALUES (?,?,?,?)",
            [(number, *row) for row in step.memory_changes],
        ),
        conversation_statement(changes.talks),
        ("INSERT INTO trajectories VALUES (?,?,?)", [(number, *row) for row in step.trajectories]),
        call_statement(record.calls, prompts=prompts),
        prompts_statement(number, record.calls if prompts else ()),
        ("DELETE FROM journal WHERE step <= ?", [(number,)]),
    ]


def _memories(record: StepRecord) -> Statement:
    """Return the statement for the new memories, by resident."""
    own = (
        (who, memory)
        for who, memories in sorted(record.changes.memories.items())
        for memory in memories
    )
    return memory_statement(record.step, own)


def write_step(database: sqlite3.Connection, prepared: Sequence[Statement]) -> None:
    """Execute a step's statements, within a transaction."""
    for sql, rows in prepared:
        database.executemany(sql, rows)


def full_state(state: State) -> Changes:
    """Return all of a state as the changes of step 0; its own record of changes is cleared."""
    changes = state.take_changes()
    changes.rows = dict(state.rows)
    changes.memories = {
        who: list(stream.concepts.values()) for who, stream in state.memories.items()
    }
    changes.accessed = {who: _accessed(stream) for who, stream in state.memories.items()}
    changes.retired = {}
    return changes


def _accessed(stream: MemoryStream) -> dict[int, datetime]:
    """Return the last access of the memories that were retrieved since they were made."""
    times = ((memory, stream.last_access(memory.id)) for memory in stream.concepts.values())
    return {memory.id: when for memory, when in times if when != memory.created}
