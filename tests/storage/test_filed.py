"""What other processes file of a step, in the form of the tables, makes the run that one process
makes.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from hometown.records import Call, Message
from hometown.settings import Settings
from hometown.storage.filed import filed
from hometown.storage.run import Run, StepRecord
from hometown.storage.salvage import unaltered_steps
from hometown.world.apply import apply
from hometown.world.effects import Accessed, Effect, Remembered, Retired
from hometown.world.state import Changes, State
from tests.support.storage_sample import START, WHO, call, concept, first_state, manifest, vector_of

STEPS = 4


def thoughts(step: int) -> dict[str, list[Effect]]:
    """What everybody comes to in a step, after one of them was told something."""
    made = {who: [Remembered(who, concept(2 * step + 1, f"{who} in step {step}"))] for who in WHO}
    return {
        "ana": [*made["ana"], Accessed("ana", (1, 2 * step + 1), START + timedelta(minutes=step))],
        "bo": [*made["bo"], Retired("bo", (step,), "expired")],
    }


def calls_of(step: int, who: str) -> list[Call]:
    return [
        replace(call(step, ordinal), who=who, messages=(Message("user", f"{who} {ordinal}"),))
        for ordinal in (1, 0)
    ]


def after(state: State, effects: list[Effect]) -> Changes:
    for effect in effects:
        apply(effect, state)
    return state.take_changes()


def record(state: State, step: int, shards: int, prompts: bool) -> StepRecord:
    """A step of one process, or of so many shards, the last of which have a resident each."""
    told, come_to = Remembered("bo", concept(2 * step, f"told in step {step}")), thoughts(step)
    if not shards:
        changes = after(state, [told, *(effect for who in WHO for effect in come_to[who])])
        return StepRecord(
            step, START, changes, calls=[each for who in WHO for each in calls_of(step, who)]
        )
    changes, parts = (
        after(state, [told]),
        [filed(step, Changes(), [], prompts=prompts)] * (shards - len(WHO)),
    )
    for who in WHO:
        theirs = after(state, come_to[who])
        changes.rows |= theirs.rows
        parts.append(filed(step, theirs, calls_of(step, who), prompts=prompts))
    return StepRecord(step, START, changes, filed=parts)


def lived(results: Path, shards: int, prompts: bool) -> list[Any]:
    """All that such a run has of memories and calls."""
    with Run.create(
        results,
        manifest().model_copy(update={"settings": Settings(record_prompts=prompts)}),
        STEPS,
        first_state(),
    ) as run:
        state = run.restore()
        for step in range(1, STEPS + 1):
            run.vectors.put_many(
                {
                    text: vector_of(text)
                    for text in (f"told in step {step}", *(f"{who} in step {step}" for who in WHO))
                }
            )
            run.commit(record(state, step, shards, prompts))
        assert unaltered_steps(run, STEPS) == list(range(STEPS + 1))
        tables = [
            run.database.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3, 4").fetchall()
            for table in ("memories", "memory_changes", "calls")
        ]
        return [run.digests(), list(run.calls(1, STEPS)), *tables]


@pytest.mark.parametrize("prompts", [True, False])
@pytest.mark.parametrize("shards", [2, 12])
def test_a_step_that_shards_have_filed_is_the_step_of_one_process(
    tmp_path: Path, shards: int, prompts: bool
) -> None:
    """Also of more of them than there are databases that SQLite attaches at once."""
    assert lived(tmp_path / "far", shards, prompts) == lived(tmp_path / "here", 0, prompts)
