"""Agreements of residents at noon, and the plans and memories that they leave."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime

from hometown.agent.mind import Mind
from hometown.agent.planning.agreements import enter_agreements
from hometown.memory.schedule import Entry, Schedule
from hometown.world import keys
from hometown.world.rows import Promise

START = datetime(2025, 2, 13, 12, 0)
LIN, CHEN, WANG, ZHAO = "lin_yue", "chen_siyuan", "wang_fang", "zhao_gang"


def promise(what: str, people: Sequence[str], hour: int = 15, place: str = "cafe/main") -> Promise:
    return Promise(what, tuple(people), place, datetime(2025, 2, 13, hour), 60, f"{hour}-talk")


def enter(minds: dict[str, Mind], *promises: Promise) -> list[Promise]:
    return asyncio.run(enter_agreements(promises, minds, dict.fromkeys(minds, "rule:test")))


def list_promises(mind: Mind) -> list[Promise]:
    """Return what was agreed on in conversations, without the gatherings of storylines."""
    return [item for item in mind.state.promises(mind.who).items if item.talk]


def promised(mind: Mind) -> list[str]:
    return [item.what for item in list_promises(mind)]


def put_plan(mind: Mind, *entries: Entry) -> None:
    """Give a resident another plan for today."""
    day = mind.state.schedule(mind.who).date
    mind.state.put(keys.SCHEDULE.of(mind.who), Schedule(day, entries))


def appointments(mind: Mind) -> list[tuple[int, str]]:
    return [
        (entry.start, entry.activity)
        for entry in mind.state.schedule(mind.who).entries
        if entry.kind == "appointment"
    ]


def remembered(mind: Mind, predicate: str) -> list[str]:
    return [
        memory.text
        for memory in mind.state.memory(mind.who).concepts.values()
        if memory.predicate == predicate
    ]
