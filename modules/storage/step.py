"""What a step writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from modules.memory.associate import Associate
from modules.model.calls import Call
from modules.storage.codec import encode
from modules.storage.digest import Written
from modules.storage.tables import Statement, call_statement, effects_statement, memory_statement, prompts_statement, talk_statement
from modules.world.effects import Logged
from modules.world.state import Changes, State


@dataclass(frozen=True, slots=True)
class StepRecord:
    """All that a step writes. `time` is the game time at its end; `stats` JSON values that no digest holds."""

    step: int
    time: datetime
    changes: Changes
    effects: Sequence[Logged] = ()
    calls: Sequence[Call] = ()
    stats: dict[str, Any] = field(default_factory=dict)


def statements(record: StepRecord, step: Written, digest: str, *, prompts: bool) -> list[Statement]:
    """All that is to be written, ready before the transaction begins, so that this is short.

    `step` is the canonical form of the record's changes, `prompts` says whether prompts are kept.
    """
    number, changes = record.step, record.changes
    return [
        ("INSERT INTO steps VALUES (?,?,?,?)", [(number, record.time.isoformat(), digest, encode(record.stats))]),
        effects_statement(number, record.effects),
        ("INSERT INTO state VALUES (?,?,?)", [(key, number, value) for key, value in step.rows]),
        memory_statement(number, ((who, one) for who, memories in sorted(changes.memories.items()) for one in memories)),
        ("INSERT INTO memory_changes VALUES (?,?,?,?)", [(number, *row) for row in step.memory_changes]),
        talk_statement(changes.talks),
        ("INSERT INTO trajectories VALUES (?,?,?)", [(number, *row) for row in step.trajectories]),
        call_statement(record.calls, prompts=prompts),
        prompts_statement(number, record.calls if prompts else ()),
        ("DELETE FROM journal WHERE step <= ?", [(number,)]),
    ]


def write_step(database: sqlite3.Connection, prepared: Sequence[Statement]) -> None:
    """Carries out a step's statements, within a transaction."""
    for sql, rows in prepared:
        database.executemany(sql, rows)


def whole_state(state: State) -> Changes:
    """The state as if step 0 had written all of it; what has changed in it is taken."""
    changes = state.take_changes()
    changes.rows = dict(state.rows)
    changes.memories = {who: list(stream.concepts.values()) for who, stream in state.memories.items()}
    changes.accessed = {who: _accessed(stream) for who, stream in state.memories.items()}
    changes.retired = {}
    return changes


def _accessed(stream: Associate) -> dict[int, datetime]:
    """Last access of the memories that were used since they were made."""
    times = ((one, stream.last_access(one.id)) for one in stream.concepts.values())
    return {one.id: when for one, when in times if when != one.created}
