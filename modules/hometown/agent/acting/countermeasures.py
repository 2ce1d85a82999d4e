"""Decisions of residents about happenings: when they are due, and when they are done."""

from __future__ import annotations

from hometown.agent.mind import Mind
from hometown.agent.perception.happening_ends import knows_end
from hometown.agent.perception.happening_events import ALARM_WEIGHT_MIN
from hometown.agent.planning.entry_origins import LEFT_ORIGIN, REACTION_ORIGIN, free_until
from hometown.agent.planning.rest_of_day import present_entry
from hometown.clock import minutes_between
from hometown.memory.schedule import Entry
from hometown.world.befalling import course_of
from hometown.world.effects import Rescheduled
from hometown.world.happening_process import find_happening
from hometown.world.incidents import Happening
from hometown.world.world import arena_of

RENEWAL_MINUTES = 20
"""Minutes after which those who are amid an alarm and do nothing about it are asked again."""


def find_due_decision(mind: Mind, has_appointment: bool) -> Happening | None:
    """Return the happening in the same room about which the resident has to decide again; None if
    there is none.

    They decide once they have come, when what they did is done, in an alarm also when an
    appointment is due and every `RENEWAL_MINUTES`, and otherwise once a day; those who have decided
    on none yet are not asked here.
    """
    measure = mind.state.measure(mind.who)
    happening = find_happening(mind.state, measure) if measure else None
    if measure is None or happening is None or arena_of(happening.address) != mind.arena:
        return None
    is_alarm = course_of(happening, mind.world.lang).weight >= ALARM_WEIGHT_MIN
    if has_appointment and is_alarm and measure.role != "leaves":
        return happening
    if measure.origin and _is_under_way(mind, measure.origin):
        has_come = not measure.here and measure.role not in ("helps", "calls")
        return happening if has_come and measure.role != "leaves" else None
    if not is_alarm:
        return happening if measure.when.date() != mind.now.date() else None
    is_stale = minutes_between(measure.when, mind.now) >= RENEWAL_MINUTES
    return happening if is_stale or measure.role != "stays" else None


def is_needed_here(mind: Mind) -> bool:
    """Return True if the resident has decided to stay amid an alarm, whatever the appointment."""
    measure = mind.state.measure(mind.who)
    happening = find_happening(mind.state, measure) if measure else None
    return (
        measure is not None
        and happening is not None
        and measure.role != "leaves"
        and arena_of(happening.address) == mind.arena
        and course_of(happening, mind.world.lang).weight >= ALARM_WEIGHT_MIN
    )


def is_responding(mind: Mind, entry: Entry) -> bool:
    """Return True if an entry is what the resident has decided to do about an event, other than to
    leave: it comes before an appointment, to which they go late.
    """
    measure = mind.state.measure(mind.who)
    is_leaving = measure is not None and (measure.role, measure.origin) == ("leaves", entry.origin)
    return entry.origin.startswith(REACTION_ORIGIN) and not is_leaving


def finish_measure(mind: Mind) -> None:
    """Replace what the resident was doing about a happening by free time, once it is over, if they
    are still in its room or know it.
    """
    measure = mind.state.measure(mind.who)
    if (
        measure is None
        or not measure.origin
        or find_happening(mind.state, measure) is not None
        or not _is_under_way(mind, measure.origin)
        or not (
            arena_of(measure.address) == mind.arena
            or knows_end(mind, measure.address, measure.when)
        )
    ):
        return
    schedule = mind.state.schedule(mind.who)
    left = free_until(mind, schedule, schedule.at(mind.minute).end)
    mind.do(Rescheduled(mind.who, left, LEFT_ORIGIN), "rule:put_right")


def _is_under_way(mind: Mind, origin: str) -> bool:
    """Return True if the present entry of the schedule has this origin."""
    entry = present_entry(mind)
    return entry is not None and entry.origin == origin
