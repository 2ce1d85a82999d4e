"""The data of a run's timeline: counts by bins of steps, all conversations, and the events of one
resident.

Ticks and steps are those of `modules/hometown/history/playback.py`.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from itertools import pairwise

import orjson

from hometown.clock import TICKS_PER_MINUTE
from hometown.history.reader import RunReader
from hometown.json_object import Json
from hometown.storage.row_conversion import people_of

MAX_MARK_BINS = 1440
"""Maximum number of bins: about as many as a screen has columns."""

_ACTIONS = "SELECT step, count(*) FROM state WHERE key >= 'action/' AND key < 'action0' AND step > 0 GROUP BY step"
_CONVERSATIONS = "SELECT step, count(*) FROM conversations GROUP BY step"
_REFLECTIONS = "SELECT step, count(DISTINCT resident) FROM memories WHERE type = 'thought' AND step > 0 AND evidence <> '[]' GROUP BY step"
_SCHEDULES = "SELECT key, step, value FROM state WHERE key >= 'schedule/' AND key < 'schedule0' ORDER BY key, step"
_HELD = "SELECT id, step, started, minutes, opener, partner, company FROM conversations ORDER BY started, id"


def marks(run: RunReader) -> Json:
    """Return `{width, events, conversations, reflections, plans, held}`: counts by at most
    `MAX_MARK_BINS` bins of `width` steps, and all conversations.

    An event is a change of a resident's activity, a reflection one resident's in one step, a plan a
    change of a schedule after it was made for its day.
    """
    last = run.last_step()
    width = max(1, -(-last // MAX_MARK_BINS))

    def sum_by_bin(counts: dict[int, int]) -> list[int]:
        bins = [0] * -(-last // width)
        for step, count in counts.items():
            if 1 <= step <= last:
                bins[(step - 1) // width] += count
        return bins

    counted = {
        name: sum_by_bin(dict(run.database.execute(query)))
        for name, query in (
            ("events", _ACTIONS),
            ("conversations", _CONVERSATIONS),
            ("reflections", _REFLECTIONS),
        )
    }
    return {
        "width": width,
        **counted,
        "plans": sum_by_bin(_plan_changes(run)),
        "held": held_conversations(run),
    }


def events_of(run: RunReader, who: str) -> list[Json]:
    """Return the events of one resident, in order: `{tick, kind, text}`.

    `kind` is "action", "conversation", "reflection" or "plan"; `text` is the activity, the others'
    ids, or the memory's text.
    """
    last = run.last_step()
    events = [
        _event(run.first_tick(step), "action", action.activity)
        for step, action in run.actions_of(who, 1, last)
    ]
    events = [
        event
        for before, event in pairwise([_event(-1, "action", ""), *events])
        if event["text"] != before["text"]
    ]
    for conversation in reversed(run.conversation_heads(who, last)):
        events.append(
            _event(
                run.tick(conversation.started),
                "conversation",
                " ".join(other for other in conversation.people if other != who),
            )
        )
    reflected: set[int] = set()
    for memory in run.memories(1, last, ("thought", "plan"), who):
        concept = memory.concept
        if concept.type == "plan" and concept.talk:
            events.append(_event(run.tick(concept.created), "plan", concept.text))
        elif concept.type == "thought" and concept.evidence and memory.step not in reflected:
            reflected.add(memory.step)
            events.append(_event(run.tick(concept.created), "reflection", concept.text))
    return sorted(events, key=lambda event: event["tick"])


def _event(tick: int, kind: str, text: str) -> Json:
    """Return an event in the page's format."""
    return {"tick": tick, "kind": kind, "text": text}


def _plan_changes(run: RunReader) -> dict[int, int]:
    """Count the schedules, by step, that were changed after their day's first version."""
    changes: Counter[int] = Counter()
    before = ("", "")
    for key, step, value in run.database.execute(_SCHEDULES):
        version = (key, orjson.loads(value)["date"] if value else "")
        if version == before and step > 0:
            changes[step] += 1
        before = version
    return changes


def held_conversations(run: RunReader) -> list[Json]:
    """Return all conversations in the page's format, without lines, sorted by time; a conversation
    lasts one tick at least.
    """
    last = run.last_step()
    return [
        {
            "id": number,
            "step": step,
            "tick": run.tick(datetime.fromisoformat(started)),
            "ticks": max(1, minutes * TICKS_PER_MINUTE),
            "people": list(people_of(opener, partner, company)),
        }
        for number, step, started, minutes, opener, partner, company in run.database.execute(_HELD)
        if step <= last
    ]
