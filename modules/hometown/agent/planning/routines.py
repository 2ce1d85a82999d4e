"""Routines: tasks of an earlier day are reused instead of planned again.

After the lifestyle policies of Yu et al. 2024, *Affordable Generative Agents*.
"""

from __future__ import annotations

from hometown.agent.mind import Mind
from hometown.agent.planning.place_choice import is_open
from hometown.memory.schedule import Entry, PlacedTask, Tasks, planned_room
from hometown.world.world import arena_of


def reuse_tasks(mind: Mind, entry: Entry, shortest: int) -> Tasks | None:
    """Return the tasks that the same recurring activity had on an earlier day, at about the same
    time and of about the same length, fitted to the entry's time, none under `shortest` minutes.
    None if there are none, if the resident knows that one of their places cannot be used any more,
    or if the plan names another room now.
    """
    known = (
        mind.state.routines(mind.who, entry.activity).find_similar(entry.start, entry.end)
        if is_recurring(mind, entry)
        else None
    )
    room = planned_room(entry)
    placed = [task for task in known.items if isinstance(task, PlacedTask)] if known else []
    is_elsewhere = room and placed and all(arena_of(task.address) != room for task in placed)
    if (
        known is None
        or is_elsewhere
        or not all(is_open(mind, task.address, task.activity) for task in placed)
    ):
        return None
    return known.scale_to(entry.start, entry.end, shortest)


def is_recurring(mind: Mind, entry: Entry) -> bool:
    """Return True if an entry may recur: planned by the resident, neither agreed with others nor
    ordered, in a run with `thrift.routines_reused`.
    """
    return (
        mind.settings.thrift.routines_reused and entry.kind == "activity" and entry.origin == "plan"
    )
