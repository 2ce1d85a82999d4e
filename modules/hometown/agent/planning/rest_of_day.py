"""The rest of the day on a resident's schedule: coming entries, appointments and free time."""

from __future__ import annotations

from hometown.agent.mind import Mind
from hometown.agent.mind.due import Due, find_date
from hometown.agent.planning.plan_acts import split_acts
from hometown.agent.planning.plan_settling import is_for_words
from hometown.clock import DAY
from hometown.memory.schedule import Entry, planned_room
from hometown.world.activities import DUTIES, themes_of
from hometown.world.conversation import Conversation
from hometown.world.work import is_at_work, workplace

PASTIMES = frozenset(
    ("eat", "drink", "game", "music", "dance", "walk", "outside", "stars", "meet", "rest", "fish")
)
"""Themes of activities in company, wherever they take place."""

SHORTEST_STRETCH = 20
"""Minutes of the shortest free time in which residents can meet."""


def present_entry(mind: Mind) -> Entry | None:
    """Return the entry of today's schedule for the present minute; None without such a schedule."""
    schedule = mind.state.schedule(mind.who)
    if schedule.date != mind.now.date() or not schedule.entries:
        return None
    return schedule.at(mind.minute)


def is_duty(mind: Mind, entry: Entry, room: str = "") -> bool:
    """Return True if an entry is a duty by its words or, unless it is a pastime, by its place:
    `room`, or else that of the plan.
    """
    keys = {theme.key for theme in themes_of(entry.activity, mind.world.lang)}
    if keys & DUTIES:
        return True
    place = room or planned_room(entry)
    if not place or (keys and keys <= PASTIMES):
        return False
    return is_at_work(place, workplace(mind.me.habits, mind.me.home), mind.me.home)


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
    """Return the stretches of the rest of the day without sleep, duties, appointments, and the
    hours named in a conversation that is not summed up yet, as (start, end) in minutes of the day;
    none is shorter than `SHORTEST_STRETCH`.
    """
    stretches: list[tuple[int, int]] = []
    for entry in mind.state.schedule(mind.who).entries:
        acts = split_acts(mind, entry.activity)
        is_taken = is_duty(mind, entry) and not all(is_for_words(mind, act) for act in acts)
        if entry.kind != "activity" or entry.end <= mind.minute or is_taken:
            continue
        start = max(entry.start, mind.minute)
        if stretches and stretches[-1][1] == start:
            start, _ = stretches.pop()
        stretches.append((start, entry.end))
    for due in _list_hours_named(mind):
        stretches = [
            (first, last)
            for start, end in stretches
            for first, last in ((start, min(end, due.start)), (max(start, due.end), end))
            if first < last
        ]
    return tuple(each for each in stretches if each[1] - each[0] >= SHORTEST_STRETCH)


def list_unsummed(mind: Mind) -> list[Conversation]:
    """Return the resident's conversations that are not summed up yet: their agreements enter the
    mind with the summary.
    """
    talks = (mind.state.unsummed(each.talk) for each in mind.state.questions(mind.who) if each.talk)
    return [talk for talk in talks if talk]


def _list_hours_named(mind: Mind) -> list[Due]:
    """Return the hours of today named in conversations that are not summed up yet: agreements for
    them enter the plan with the summary.
    """
    named = [
        find_date(line.text, talk.started, mind.world.lang, True)
        for talk in list_unsummed(mind)
        for line in talk.lines_for(mind.who)
    ]
    return [due for due in named if due and due.is_timed and due.day == mind.now.date()]
