"""Planning a day in layers, from a model's replies or from habits: goals and situation, waking
hours, broad strokes, hours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from hometown.agent.inner_life.bonds import drift_apart
from hometown.agent.mind import Mind, NewMemory, concepts
from hometown.agent.mind.due import find_due, find_news_for_today
from hometown.agent.mind.facing import put_first
from hometown.agent.planning.agreements import as_entry
from hometown.agent.planning.habits import (
    READY_MINUTES,
    find_habit,
    offer_times,
    usual_day,
    vary_usual_day,
)
from hometown.agent.planning.known_rooms import (
    list_known_rooms,
)
from hometown.agent.planning.occasion_entries import plan_attendance, plan_hosting
from hometown.agent.planning.weekly_agreements import renew_weekly
from hometown.clock import DAY, at_minute, minute_of_day
from hometown.memory.concept import PLAN_PREDICATE
from hometown.memory.schedule import (
    Entry,
    PlacedEntry,
    Schedule,
    cover,
)
from hometown.memory.scoring import Scored
from hometown.prompt.plans import (
    CURRENTLY,
    SCHEDULE_DAILY,
    SCHEDULE_INIT,
    WAKE_UP,
    CurrentlyVars,
    ScheduleDailyVars,
    ScheduleInitVars,
    WakeUpVars,
    clock_minutes,
    since_waking,
)
from hometown.text import overlap
from hometown.world.beginnings import day_so_far
from hometown.world.effects import (
    DayPlanned,
    GoalsSet,
    Promised,
    Retired,
)
from hometown.world.goal import Goals
from hometown.world.rows import Promise, Promises
from hometown.world.world import arena_of

PLAN_POIGNANCY = 4
"""Poignancy of a day's plan, which is too low to dwell on."""


GOAL_OVERLAP_MIN = 0.4
"""Overlap of character trigrams (Jaccard) from which an activity serves a goal."""

MAX_DUE_TODAY = 4
"""Maximum number of intentions dated for the day among the memories with which it is planned."""

MAX_NEWS_OF_TODAY = 2
"""Maximum number of pieces of news dated for the day among those memories."""

DAWN_MINUTES = 60
"""Minutes before the usual time to get up from which a sleeper may wake and plan the day."""


SHORTEST_WAKING_MINUTES = 60
"""Minimum waking time of a day, whatever a reply says."""


class PlannedStretch(NamedTuple):
    """A planned activity, its start in minutes since midnight, and the arena named for it, "" for
    none.
    """

    start: int
    activity: str
    room: str = ""


def is_new_day(mind: Mind) -> bool:
    """Return True if the current date has not been planned yet."""
    return mind.state.mind(mind.who).planned != mind.now.date()


def is_before_dawn(mind: Mind) -> bool:
    """Return True if it is too early for a sleeper to plan the new date.

    Planning begins an hour before the usual time to get up or the first appointment, whichever is
    earlier.
    """
    first = (
        min((minute_of_day(promise.start) for promise in _promises_today(mind)), default=DAY)
        - READY_MINUTES
    )
    return (
        mind.state.is_asleep(mind.who)
        and mind.minute + mind.moment.stride <= min(mind.me.wake, first) - DAWN_MINUTES
    )


async def plan_day(mind: Mind) -> None:
    """Plan the current date on waking: drop what has expired, revise the situation and goals,
    choose the waking hours, then the activities, by varying the usual day near habit or by asking
    for the hours, and store the schedule and the memory of the plan. Residents who are up at
    midnight finish the evening and sleep first. Without the faculty to plan, the habits of a
    resident, if they have any, are the plan.
    """
    await _drop_expired(mind)
    drift_apart(mind)
    first = mind.state.mind(mind.who).planned is None
    evening = None if first else _rest_of_evening(mind)
    if not mind.settings.faculties.plan and _live_by_habit(mind, evening):
        return
    found = await _recall_for_plan(mind)
    currently = mind.state.mind(mind.who).currently if first else await _take_stock(mind, found)
    is_under_way = first and not mind.state.is_asleep(mind.who)
    wake, bed = (
        (mind.minute, _usual_bed(mind))
        if is_under_way
        else await _ask_for_waking_hours(mind, evening)
    )
    is_varied = any(mind.is_near_habit(each.kind) for each in (SCHEDULE_INIT, SCHEDULE_DAILY))
    usual = usual_day(mind, wake, bed) if is_varied else ()
    if usual:
        lines, cause = await vary_usual_day(mind, usual, wake, bed, found, _promises_today(mind))
        hours = [_habitual_stretch(mind, start, activity) for start, activity in lines]
    else:
        hours, cause = await _ask_for_hours(mind, wake, bed, found, is_under_way)
    schedule = lay_out_schedule(mind, hours, wake, bed, evening)
    if is_under_way:
        schedule = _with_day_so_far(mind, schedule)
    mind.do(DayPlanned(mind.who, schedule, bed, currently), cause)
    _count_goal_days(mind, schedule)
    await _remember_plan(mind, schedule, cause)


async def _recall_for_plan(mind: Mind) -> list[Scored]:
    """Return the memories with which the day is planned: what is dated for it, intentions before
    news, then what a search for plans and news finds.
    """
    day = mind.words.date(mind.now.date())
    found = await mind.recall(
        [
            mind.words.say("recall_plan", name=mind.me.name),
            mind.words.say("recall_day", name=mind.me.name, date=day),
            mind.words.say("recall_news", name=mind.me.name),
        ]
    )
    if not mind.settings.faculties.remember:
        return found
    memories, lang = mind.state.memory(mind.who), mind.world.lang
    due = find_due(memories, lang, mind.now, whole_day=True)[:MAX_DUE_TODAY]
    due += find_news_for_today(memories, lang, mind.now)[:MAX_NEWS_OF_TODAY]
    return put_first(mind, due, found, len(found) + len(due))


def _live_by_habit(mind: Mind, evening: Entry | None) -> bool:
    """Plan the usual day without a model or a memory of the plan; return False for residents
    without habits.
    """
    is_under_way = mind.state.mind(mind.who).planned is None and not mind.state.is_asleep(mind.who)
    wake, bed = mind.minute if is_under_way else mind.me.wake, _usual_bed(mind)
    hours = [
        _habitual_stretch(mind, line.start, line.activity) for line in usual_day(mind, wake, bed)
    ]
    if hours:
        schedule = lay_out_schedule(mind, hours, wake, bed, evening)
        if is_under_way:
            schedule = _with_day_so_far(mind, schedule)
        currently = mind.state.mind(mind.who).currently
        mind.do(DayPlanned(mind.who, schedule, bed, currently), "rule:habit")
    return bool(hours)


def _usual_bed(mind: Mind) -> int:
    """Return the usual time to go to bed in minutes since midnight; after midnight, above 1440."""
    is_after_midnight = mind.me.bed < mind.me.wake + SHORTEST_WAKING_MINUTES
    return mind.me.bed + (DAY if is_after_midnight else 0)


def _with_day_so_far(mind: Mind, schedule: Schedule) -> Schedule:
    """Return the schedule of the day on which the run begins, with the resident's habits in the hours
    before now. The schedule of residents who moved in later is returned unchanged.
    """
    if mind.who not in mind.world.latecomers:
        for habit in day_so_far(mind.me, mind.now):
            end = min(habit.end, mind.minute)
            room = arena_of(habit.place)
            schedule = schedule.splice(PlacedEntry(habit.start, end, habit.activity, room=room))
    return schedule


def _habitual_stretch(mind: Mind, start: int, activity: str) -> PlannedStretch:
    """Return a stretch of a day near habit, in the room of the habit that it names."""
    habit = find_habit(mind, activity)
    return PlannedStretch(start, activity, arena_of(habit.place) if habit else "")


async def _drop_expired(mind: Mind) -> None:
    """Retire expired memories that are not protected, drop promises of past days, and renew those
    that are weekly.
    """
    spared = mind.state.protected_memories(mind.who)
    expired = [
        number for number in mind.state.memory(mind.who).expired(mind.now) if number not in spared
    ]
    if expired:
        mind.do(Retired(mind.who, tuple(expired), "expired"), "rule:expiry")
    promises = mind.state.promises(mind.who).items
    open_ones = tuple(
        promise for promise in promises if at_minute(promise.start.date(), DAY) > mind.now
    )
    if open_ones != promises:
        mind.do(Promised(mind.who, Promises(open_ones)), "rule:expiry")
        over = [promise for promise in promises if promise not in open_ones]
        await renew_weekly(mind, over, "rule:weekly")


def _rest_of_evening(mind: Mind) -> Entry | None:
    """Return the last entry of the day before, from midnight until bedtime, for a resident who is
    up; None if they were in bed, or should be.
    """
    if mind.state.is_asleep(mind.who):
        return None
    until = mind.state.mind(mind.who).bed - DAY
    last = mind.state.schedule(mind.who).entries[-1]
    if until <= 0 or last.kind == "sleep":
        return None
    return replace(last, start=0, end=until)


async def _take_stock(mind: Mind, found: list[Scored]) -> str:
    """Ask for the resident's current situation and goals, store the goals if they have changed, and
    return the situation.
    """
    goals = mind.state.goals(mind.who)
    variables = CurrentlyVars(
        mind.situation, mind.now.date(), concepts(found), mind.state.promises(mind.who).items, goals
    )
    reply, cause = await mind.ask(CURRENTLY, variables, found)
    revised = Goals(goals).revised(tuple(dict.fromkeys(reply.goals)), mind.now.date())
    if revised.items != goals:
        mind.do(GoalsSet(mind.who, revised), cause)
    return reply.currently


def _count_goal_days(mind: Mind, schedule: Schedule) -> None:
    """Add a day to each goal that the plan serves."""
    goals = mind.state.goals(mind.who)
    planned = [entry.activity for entry in schedule.entries]
    worked = tuple(
        replace(
            goal,
            days=goal.days
            + any(overlap(goal.what, activity) >= GOAL_OVERLAP_MIN for activity in planned),
        )
        for goal in goals
    )
    if worked != goals:
        mind.do(GoalsSet(mind.who, Goals(worked)), "rule:goals")


async def _ask_for_waking_hours(mind: Mind, evening: Entry | None) -> tuple[int, int]:
    """Ask when to get up and to go to bed, and return both in minutes since midnight; for a bedtime
    after midnight, above 1440.

    The hours of the reply are corrected: the resident gets up `READY_MINUTES` before the first
    appointment at the latest, `SHORTEST_WAKING_MINUTES` after the end of an `evening` that went on
    past midnight at the earliest, and is awake for `SHORTEST_WAKING_MINUTES` at least.
    """
    wakes, beds = offer_times(mind, _promises_today(mind))
    wakes = tuple(wake for wake in wakes if wake >= mind.minute) or wakes
    reply, _ = await mind.ask(
        WAKE_UP, WakeUpVars(mind.situation, mind.now.date(), evening is not None, wakes, beds)
    )
    night = evening.end if evening else 0
    first = min((minute_of_day(promise.start) for promise in _promises_today(mind)), default=DAY)
    wake = min(
        max(
            min(clock_minutes(reply.wake), max(first - READY_MINUTES, mind.minute)),
            night + SHORTEST_WAKING_MINUTES if evening else 0,
        ),
        DAY - SHORTEST_WAKING_MINUTES,
    )
    bed = clock_minutes(reply.bed)
    if bed < wake + SHORTEST_WAKING_MINUTES:
        bed += DAY
    return wake, min(bed, DAY + wake)


async def _ask_for_hours(
    mind: Mind, wake: int, bed: int, found: list[Scored], is_under_way: bool
) -> tuple[list[PlannedStretch], str]:
    """Ask for the day in broad strokes, then for its hours with their rooms.

    Returns:
        The day, and the reference of the call.
    """
    day, promises = mind.now.date(), _promises_today(mind)
    strokes, _ = await mind.ask(
        SCHEDULE_INIT,
        ScheduleInitVars(
            mind.situation,
            day,
            wake,
            bed,
            concepts(found),
            promises,
            mind.state.goals(mind.who),
            is_under_way,
        ),
        found,
    )
    variables = ScheduleDailyVars(
        mind.situation,
        day,
        wake,
        bed,
        tuple(strokes.strokes),
        promises,
        max(1, min(mind.settings.schedule.diversity, (bed - wake) // 60)),
        list_known_rooms(mind),
        is_under_way,
    )
    reply, cause, asked = await mind.ask_with_variables(SCHEDULE_DAILY, variables)
    hours = [
        PlannedStretch(
            since_waking(hour.start, wake),
            hour.activity,
            asked.rooms[hour.place - 1].address if 0 < hour.place <= len(asked.rooms) else "",
        )
        for hour in reply.hours
    ]
    return hours, cause


def lay_out_schedule(
    mind: Mind, hours: Sequence[PlannedStretch], wake: int, bed: int, evening: Entry | None
) -> Schedule:
    """Build the schedule of a day, minutes 0 to 1440, from activities in any order.

    Sleep fills the night; activities that begin at bedtime or later are left out. Appointments, and
    preparations for occasions, replace activities.

    Args:
        mind: the resident.
        hours: the activities.
        wake: the time to get up, in minutes since midnight.
        bed: the time to go to bed; above 1440 if after midnight.
        evening: the rest of the previous evening, if the resident is still up.
    """
    sleeping = Entry(0, DAY, mind.words.say("sleeping"), "sleep")
    starts = sorted(hours)
    ends = [stretch.start for stretch in starts[1:]] + [bed]
    entries = [
        _as_planned(stretch, min(end, bed))
        for stretch, end in zip(starts, ends, strict=True)
        if stretch.start < bed
    ]
    if entries and entries[0].start > wake:
        entries[0] = replace(entries[0], start=wake)
    if evening:
        entries.append(evening)
    schedule = cover(mind.now.date(), entries, sleeping)
    for going in plan_attendance(mind, schedule):
        schedule = schedule.splice(going)
    for promise in _promises_today(mind):
        schedule = schedule.splice(as_entry(mind, promise))
    for around in plan_hosting(mind, schedule):
        schedule = schedule.splice(around)
    return schedule


def _as_planned(stretch: PlannedStretch, end: int) -> Entry:
    """Return the schedule entry of a stretch that ends at minute `end`."""
    if stretch.room:
        return PlacedEntry(stretch.start, end, stretch.activity, room=stretch.room)
    return Entry(stretch.start, end, stretch.activity)


def _promises_today(mind: Mind) -> tuple[Promise, ...]:
    """Return the resident's promises for the rest of today."""
    return tuple(
        promise
        for promise in mind.state.promises(mind.who).items
        if promise.start.date() == mind.now.date() and promise.start >= mind.now
    )


async def _remember_plan(mind: Mind, schedule: Schedule, cause: str) -> None:
    """Store the plan of what is left of the day but sleep as a memory, if anything is."""
    coming = [
        entry for entry in schedule.entries if entry.end > mind.minute and entry.kind != "sleep"
    ]
    if not coming:
        return
    text = mind.words.day_plan(mind.who, schedule.date, coming)
    memory = NewMemory("plan", text, mind.who, PLAN_PREDICATE, schedule.date.isoformat())
    await mind.remember([memory], [PLAN_POIGNANCY], cause, counts=False)
