"""When what happened in a run, for its timeline: how much in each stretch of steps, every conversation, and what one resident did.

Ticks and steps are those of `modules/replay/api.py`.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from itertools import pairwise
from typing import Any

import orjson

from modules.clock import TICKS_PER_MINUTE
from modules.replay.api import Ticks
from modules.replay.reader import RunReader

BINS_AT_MOST = 1440
"""Stretches of steps that are told apart: about as many as a screen has columns."""

_ACTIONS = "SELECT step, count(*) FROM state WHERE key >= 'action/' AND key < 'action0' AND step > 0 GROUP BY step"
_TALKS = "SELECT step, count(*) FROM conversations GROUP BY step"
_REFLECTIONS = "SELECT step, count(DISTINCT resident) FROM memories WHERE type = 'thought' AND step > 0 AND evidence <> '[]' GROUP BY step"
_SCHEDULES = "SELECT key, step, value FROM state WHERE key >= 'schedule/' AND key < 'schedule0' ORDER BY key, step"
_HELD = "SELECT id, step, started, minutes, opener, partner FROM conversations ORDER BY started, id"


def marks(run: RunReader) -> dict[str, Any]:
    """`{width, events, talks, reflections, plans, conversations}`: counts by stretches of `width` steps, and who talked when.

    An event is a change in what somebody does, a reflection one resident's in one step, a plan a change to a schedule
    that was already made for its day.
    """
    last = run.last_step()
    width = max(1, -(-last // BINS_AT_MOST))

    def binned(counts: dict[int, int]) -> list[int]:
        bins = [0] * -(-last // width)
        for step, count in counts.items():
            if 1 <= step <= last:
                bins[(step - 1) // width] += count
        return bins

    counted = {name: binned(dict(run.database.execute(query))) for name, query in (("events", _ACTIONS), ("talks", _TALKS), ("reflections", _REFLECTIONS))}
    return {"width": width, **counted, "plans": binned(_plan_changes(run)), "conversations": _conversations(run)}


def events_of(run: RunReader, who: str) -> list[dict[str, Any]]:
    """What one resident did, in order: `{tick, kind, text}`.

    `kind` is "action", "talk", "reflection" or "plan"; `text` the activity, the other's id, or the memory's text.
    """
    last, clock = run.last_step(), Ticks(run)
    found = [_event(clock.begin(step), "action", action.activity) for step, action in run.actions_of(who, 1, last)]
    found = [one for before, one in pairwise([_event(-1, "action", ""), *found]) if one["text"] != before["text"]]
    for talk in run.talks(1, last):
        if who in (talk.opener, talk.partner):
            found.append(_event(clock.tick(talk.started), "talk", talk.partner if who == talk.opener else talk.opener))
    reflected: set[int] = set()
    for memory in run.memories(1, last, ("thought", "plan"), who):
        concept = memory.concept
        if concept.type == "plan" and concept.talk:
            found.append(_event(clock.tick(concept.created), "plan", concept.text))
        elif concept.type == "thought" and concept.evidence and memory.step not in reflected:
            reflected.add(memory.step)
            found.append(_event(clock.tick(concept.created), "reflection", concept.text))
    return sorted(found, key=lambda one: one["tick"])


def _event(tick: int, kind: str, text: str) -> dict[str, Any]:
    return {"tick": tick, "kind": kind, "text": text}


def _plan_changes(run: RunReader) -> dict[int, int]:
    """By step, the schedules that were changed after their day's first version."""
    changes: Counter[int] = Counter()
    before = ("", "")
    for key, step, value in run.database.execute(_SCHEDULES):
        version = (key, orjson.loads(value)["date"] if value else "")
        if version == before and step > 0:
            changes[step] += 1
        before = version
    return changes


def _conversations(run: RunReader) -> list[dict[str, Any]]:
    last, clock = run.last_step(), Ticks(run)
    return [
        {
            "id": one,
            "tick": clock.tick(datetime.fromisoformat(started)),
            "ticks": max(1, minutes * TICKS_PER_MINUTE),
            "opener": opener,
            "partner": partner,
        }
        for one, step, started, minutes, opener, partner in run.database.execute(_HELD)
        if step <= last
    ]
