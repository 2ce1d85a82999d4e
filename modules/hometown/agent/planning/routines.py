"""Routines: what was thought out on an earlier day is done again, and not thought out again.

After the lifestyle policies of Yu et al. 2024, *Affordable Generative Agents*.
"""

from __future__ import annotations

from hometown.agent.mind import Mind
from hometown.agent.planning.place_choice import is_open
from hometown.memory.schedule import Entry, PlacedTask, Tasks


def reuse_tasks(mind: Mind, entry: Entry, shortest: int) -> Tasks | None:
    """The tasks that made up this entry on an earlier day, at about this time and for about as
    long, fitted into it; None where there are none.

    None as well where one of their places cannot be used any more, as far as the resident knows.
    """
    known = (
        mind.state.routines(mind.who, entry.activity).like(entry.start, entry.end)
        if is_recurring(mind, entry)
        else None
    )
    if known is None or not all(
        is_open(mind, task.address, task.activity)
        for task in known.items
        if isinstance(task, PlacedTask)
    ):
        return None
    return known.fitted(entry.start, entry.end, shortest)


def is_recurring(mind: Mind, entry: Entry) -> bool:
    """Whether an entry may come again: one that the resident has planned itself, and not agreed on
    or been told.
    """
    return (
        mind.settings.thrift.routines_reused and entry.kind == "activity" and entry.origin == "plan"
    )
