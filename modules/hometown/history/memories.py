"""A resident's memories with the times of their use and retirement, from which the page derives the
memories at any moment and their ranking.
"""

from __future__ import annotations

from datetime import datetime

from hometown.history import shapes
from hometown.history.entities import OwnedMemory
from hometown.history.reader import RunReader
from hometown.world import keys


def memories(run: RunReader, who: str, first: int, last: int) -> shapes.Memories:
    """Return the memories made, used, retired and settled in steps `first` to `last`; a resident's
    initial memories belong to step 1.
    """
    begin = run.begin(first)
    used, retired = run.memory_changes(who, begin, last)
    settled_before = _read_settled(run, who, first - 1)
    return {
        "from": first,
        "to": last,
        "items": [memory_shape(run, memory) for memory in run.memories(begin, last, who=who)],
        "used": [(step, number, run.tick(moment)) for step, number, moment in used],
        "retired": retired,
        "settled": [
            (number, run.tick(since))
            for number, since in _read_settled(run, who, last).items()
            if number not in settled_before
        ],
    }


def _read_settled(run: RunReader, who: str, step: int) -> dict[int, datetime]:
    """Return the memories that are over after a step, each with the time since when."""
    row = run.row(keys.SETTLED.of(who), step)
    return dict(row.items) if row else {}


def memory_shape(run: RunReader, memory: OwnedMemory) -> shapes.MemoryView:
    """Return a memory in the API's format."""
    concept = memory.concept
    return {
        "id": concept.id,
        "who": memory.who,
        "step": memory.step,
        "tick": run.tick(concept.created),
        "type": concept.type,
        "text": concept.text,
        "poignancy": concept.poignancy,
        "address": concept.address,
        "evidence": list(concept.evidence),
        "conversation": concept.talk,
        "about": list(concept.about),
        "source": None
        if concept.source is None
        else {"file": concept.source.file, "passage": concept.source.number},
    }
