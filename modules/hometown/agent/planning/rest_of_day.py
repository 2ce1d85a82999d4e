"""The rest of the day on a resident's schedule: coming entries, appointments and free time."""

from __future__ import annotations

from hometown.agent.mind import Mind
from hometown.clock import DAY


def minutes_to_appointment(mind: Mind) -> int:
    """Return the minutes to today's next appointment: 0 on the way to one, 1440 if there is none."""
    schedule, action = mind.state.schedule(mind.who), mind.state.action(mind.who)
    present = schedule.at(mind.minute)
    if present.kind == "appointment" and action.started is None and mind.arena != present.address:
        return 0
    coming = schedule.next_of("appointment", mind.minute + 1)
    return coming.start - mind.minute if coming else DAY


def upcoming(mind: Mind) -> tuple[tuple[int, str], ...]:
    """Return the entries after the current one, as (start in minutes since midnight, activity)."""
    entries = mind.state.schedule(mind.who).entries
    return tuple((entry.start, entry.activity) for entry in entries if entry.start > mind.minute)


def free_stretches(mind: Mind) -> tuple[tuple[int, int], ...]:
    """Return the stretches without sleep and appointments, as (start, end) in minutes of the day."""
    stretches: list[tuple[int, int]] = []
    for entry in mind.state.schedule(mind.who).entries:
        if entry.kind != "activity" or entry.end <= mind.minute:
            continue
        start = max(entry.start, mind.minute)
        if stretches and stretches[-1][1] == start:
            start, _ = stretches.pop()
        stretches.append((start, entry.end))
    return tuple(stretches)
