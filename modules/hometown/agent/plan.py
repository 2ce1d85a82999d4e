"""Planning in layers: what is going on, waking, broad strokes, hours, and the tasks of each hour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from hometown.agent.bonds import drift_apart
from hometown.agent.habits import (
    READY,
    habit_named,
    times_offered,
    usual_day,
    usual_emoji,
    vary_usual_day,
)
from hometown.agent.mind import Mind, NewMemory, concepts
from hometown.agent.occasions import intended, preparations
from hometown.agent.places import spots
from hometown.agent.reconsider import REACTION
from hometown.agent.routines import as_usual, recurs
from hometown.agent.steps import think_through
from hometown.clock import DAY, at_minute, minute_of_day
from hometown.memory.schedule import Entry, PlacedTask, Schedule, Task, Tasks, cover
from hometown.memory.scoring import Scored
from hometown.prompt.doing import DECOMPOSE, DecomposeReply, DecomposeVars, Spot
from hometown.prompt.planning import (
    ACTIVITY,
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
from hometown.prompt.wording import fitting
from hometown.text import overlap
from hometown.world.effects import (
    DayPlanned,
    GoalsSet,
    Promised,
    Retired,
    RoutineKept,
    TaskBegun,
    TasksClosed,
    TasksSet,
)
from hometown.world.goal import Goals
from hometown.world.rows import Promise, Promises

PLAN_POIGNANCY = 4
"""A day's plan is worth remembering, but nothing to dwell on."""

DAY_PLAN = "plan"
"""The predicate of the memory of a day's plan."""

AS_USUAL = "rule:as_usual"
"""The cause of tasks that were thought out on an earlier day."""

FOR_A_GOAL = 0.4
"""Overlap of character trigrams (Jaccard) with a goal from which on an activity is for it."""

DAWN = 60
"""Minutes before it usually gets up from which on a sleeper may wake, and plans the day."""

SHORTEST_WAKING = 60
"""Minimum waking time in minutes, whatever a reply gives for waking and sleeping."""


def is_new_day(mind: Mind) -> bool:
    """Whether the date has not been planned yet."""
    return mind.state.mind(mind.who).planned != mind.now.date()


def before_dawn(mind: Mind) -> bool:
    """Whether somebody who is in bed sleeps on without a plan for the new date: that is made within
    an hour of when it usually gets up, or has to.
    """
    first = (
        min((minute_of_day(promise.start) for promise in _promises_today(mind)), default=DAY)
        - READY
    )
    return (
        mind.state.is_asleep(mind.who)
        and mind.minute + mind.moment.stride <= min(mind.me.wake, first) - DAWN
    )


async def plan_day(mind: Mind) -> None:
    """Plans the date that has begun, on waking. Whoever is still up at midnight keeps the rest of
    the evening first, then sleeps.
    """
    _forget(mind)
    drift_apart(mind)
    first = mind.state.mind(mind.who).planned is None
    evening = None if first else _rest_of_evening(mind)
    if not mind.settings.faculties.plan and _live_by_habit(mind, evening):
        return
    today = mind.words.say("recall_day", name=mind.me.name, date=mind.words.date(mind.now.date()))
    found = await mind.recall(
        [
            mind.words.say("recall_plan", name=mind.me.name),
            today,
            mind.words.say("recall_news", name=mind.me.name),
        ]
    )
    currently = mind.state.mind(mind.who).currently if first else await _take_stock(mind, found)
    wake, bed = await _waking_hours(mind, evening)
    usual = usual_day(mind, wake, bed) if mind.near_habit else ()
    if usual:
        hours, cause = await vary_usual_day(mind, usual, wake, bed, found, _promises_today(mind))
    else:
        hours, cause = await _hours(mind, wake, bed, found)
    schedule = lay_out(mind, hours, wake, bed, evening)
    mind.do(DayPlanned(mind.who, schedule, bed, currently), cause)
    _note_work(mind, schedule)
    await _keep_plan(mind, schedule, cause)


def _live_by_habit(mind: Mind, evening: Entry | None) -> bool:
    """Takes the usual day as it is, without a model; False for somebody without habits, whose day
    has to be planned.
    """
    wake, bed = (
        mind.me.wake,
        mind.me.bed + (DAY if mind.me.bed < mind.me.wake + SHORTEST_WAKING else 0),
    )
    hours = [(line.start, line.activity) for line in usual_day(mind, wake, bed)]
    if hours:
        mind.do(
            DayPlanned(
                mind.who,
                lay_out(mind, hours, wake, bed, evening),
                bed,
                mind.state.mind(mind.who).currently,
            ),
            "rule:habit",
        )
    return bool(hours)


def _forget(mind: Mind) -> None:
    """Retires expired memories, but for those that are spared, and drops promises whose day is
    over.
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


def _rest_of_evening(mind: Mind) -> Entry | None:
    """The first entry of a day that began while the resident was up; None if it was in bed."""
    if mind.state.is_asleep(mind.who):
        return None
    until = mind.state.mind(mind.who).bed - DAY
    last = mind.state.schedule(mind.who).entries[-1]
    if until <= 0 or last.kind == "sleep":
        return None
    return replace(last, start=0, end=until)


async def _take_stock(mind: Mind, found: list[Scored]) -> str:
    """What is going on by now, which is returned, and what is worked towards, which is revised."""
    goals = mind.state.goals(mind.who)
    variables = CurrentlyVars(
        mind.situation, mind.now.date(), concepts(found), mind.state.promises(mind.who).items, goals
    )
    reply, cause = await mind.ask(CURRENTLY, variables, found)
    revised = Goals(goals).revised(tuple(dict.fromkeys(reply.goals)), mind.now.date())
    if revised.items != goals:
        mind.do(GoalsSet(mind.who, revised), cause)
    return reply.currently


def _note_work(mind: Mind, schedule: Schedule) -> None:
    """Counts the day for each goal that something on the plan is for."""
    goals = mind.state.goals(mind.who)
    planned = [entry.activity for entry in schedule.entries]
    worked = tuple(
        replace(
            goal,
            days=goal.days
            + any(overlap(goal.what, activity) >= FOR_A_GOAL for activity in planned),
        )
        for goal in goals
    )
    if worked != goals:
        mind.do(GoalsSet(mind.who, Goals(worked)), "rule:goals")


async def _waking_hours(mind: Mind, evening: Entry | None) -> tuple[int, int]:
    """When to get up and to go to bed, in minutes since midnight; a bedtime after midnight is above
    1440.
    """
    wakes, beds = times_offered(mind, _promises_today(mind))
    wakes = tuple(wake for wake in wakes if wake >= mind.minute) or wakes
    reply, _ = await mind.ask(
        WAKE_UP, WakeUpVars(mind.situation, mind.now.date(), evening is not None, wakes, beds)
    )
    night = evening.end if evening else 0
    wake = min(
        max(clock_minutes(reply.wake), night + SHORTEST_WAKING if evening else 0),
        DAY - SHORTEST_WAKING,
    )
    bed = clock_minutes(reply.bed)
    if bed < wake + SHORTEST_WAKING:
        bed += DAY
    return wake, min(bed, DAY + wake)


async def _hours(
    mind: Mind, wake: int, bed: int, found: list[Scored]
) -> tuple[list[tuple[int, str]], str]:
    """The day as (start in minutes, activity): in broad strokes first, then its hours; and the name
    of the call.
    """
    day, promises = mind.now.date(), _promises_today(mind)
    strokes, _ = await mind.ask(
        SCHEDULE_INIT,
        ScheduleInitVars(
            mind.situation, day, wake, bed, concepts(found), promises, mind.state.goals(mind.who)
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
        mind.settings.schedule.diversity,
    )
    reply, cause = await mind.ask(SCHEDULE_DAILY, variables)
    return [(since_waking(hour.start, wake), hour.activity) for hour in reply.hours], cause


def lay_out(
    mind: Mind, hours: Sequence[tuple[int, str]], wake: int, bed: int, evening: Entry | None
) -> Schedule:
    """A schedule of minutes 0–1440 from whatever (start, activity) were given: sleep around them,
    promises laid over them.
    """
    sleeping = Entry(0, DAY, mind.words.say("sleeping"), "sleep")
    starts = sorted(hours)
    ends = [start for start, _ in starts[1:]] + [bed]
    entries = [
        Entry(start, min(end, bed), activity)
        for (start, activity), end in zip(starts, ends, strict=True)
        if start < bed
    ]
    if entries and entries[0].start > wake:
        entries[0] = replace(entries[0], start=wake)
    if evening:
        entries.append(evening)
    schedule = cover(mind.now.date(), entries, sleeping)
    for going in intended(mind, schedule):
        schedule = schedule.splice(going)
    for promise in _promises_today(mind):
        entry = appointment(promise)
        if wake <= entry.start and entry.end <= min(bed, DAY):
            schedule = schedule.splice(entry)
    for around in preparations(mind, schedule):
        schedule = schedule.splice(around)
    return schedule


def appointment(promise: Promise) -> Entry:
    """The schedule entry of a promise, within its day."""
    start = promise.start.hour * 60 + promise.start.minute
    return Entry(
        start,
        min(start + promise.minutes, DAY),
        promise.what,
        "appointment",
        promise.address,
        promise.talk or "plan",
    )


def _promises_today(mind: Mind) -> tuple[Promise, ...]:
    return tuple(
        promise
        for promise in mind.state.promises(mind.who).items
        if promise.start.date() == mind.now.date() and promise.start >= mind.now
    )


async def _keep_plan(mind: Mind, schedule: Schedule, cause: str) -> None:
    text = mind.words.day_plan(mind.who, schedule.date, schedule.entries)
    memory = NewMemory("plan", text, mind.who, DAY_PLAN, schedule.date.isoformat())
    await mind.remember([memory], [PLAN_POIGNANCY], cause, counts=False)


# tasks -------------------------------------------------------------------------------------


def shortest_task(mind: Mind) -> int:
    return max(mind.settings.schedule.task_minutes, mind.moment.stride)


async def task_due(mind: Mind) -> Task:
    """The sub-task of the entry at hand that is due now, begun; the entry is decomposed when it
    begins.
    """
    entry = mind.state.schedule(mind.who).at(mind.minute)
    tasks = mind.state.tasks(mind.who)
    if tasks.due(mind.minute) is None or not entry.start <= tasks.entry < entry.end:
        if tasks.items:
            mind.do(TasksClosed(mind.who, mind.minute), "rule:schedule")
        await _draw_up(mind, replace(entry, start=mind.minute))
        tasks = mind.state.tasks(mind.who)
    if tasks.begin(mind.minute) is not tasks:
        mind.do(TaskBegun(mind.who, mind.minute), "rule:schedule")
    due = mind.state.tasks(mind.who).due(mind.minute)
    assert due is not None, f"the tasks of {entry} do not hold minute {mind.minute}"
    return due


async def _draw_up(mind: Mind, entry: Entry) -> None:
    """Tasks that cover the entry: itself if it is short or something unforeseen, or else as on an
    earlier day, or as the model decomposes it.
    """
    shortest, whole = (
        shortest_task(mind),
        Tasks(entry.start, (Task(entry.start, entry.end, entry.activity),)),
    )
    if entry.end - entry.start <= shortest or entry.origin.startswith(REACTION):
        mind.do(TasksSet(mind.who, whole), "rule:short")
    elif usual := as_usual(mind, entry, shortest):
        mind.do(TasksSet(mind.who, usual), AS_USUAL)
    elif society := mind.society:
        tasks, cause = await think_through(mind, society, entry, _steps(mind, entry), shortest)
        _keep_tasks(mind, entry, tasks, cause)
    elif mind.near_habit and not _steps(mind, entry):
        mind.do(TasksSet(mind.who, whole), "rule:habits")
    else:
        tasks, cause = await _decompose(mind, entry, shortest)
        _keep_tasks(mind, entry, tasks, cause)


def _keep_tasks(mind: Mind, entry: Entry, tasks: Tasks, cause: str) -> None:
    """Sets the tasks, and keeps them for other days on which the entry may come again."""
    mind.do(TasksSet(mind.who, tasks), cause)
    if recurs(mind, entry):
        mind.do(RoutineKept(mind.who, entry.activity, tasks), cause)


async def _decompose(mind: Mind, entry: Entry, shortest: int) -> tuple[Tasks, str]:
    """The tasks that the model gives, and the name of the call."""
    steps = _steps(mind, entry) if mind.near_habit else ()
    entries = mind.state.schedule(mind.who).entries
    at = entries.index(mind.state.schedule(mind.who).at(entry.start))
    before, after = (
        entries[at - 1] if at else None,
        entries[at + 1] if at + 1 < len(entries) else None,
    )
    offered = (
        spots(mind, entry.activity, entry.activity)
        if mind.settings.thrift.places_with_tasks and not entry.address
        else ()
    )
    emoji = usual_emoji(mind, entry.activity, "") if mind.near_habit and offered else ()
    variables = DecomposeVars(
        mind.situation, entry, before, after, shortest, steps, offered, mind.arena, emoji
    )
    reply, cause, asked = await mind.ask_by_number(DECOMPOSE, variables)
    return Tasks(entry.start, in_turn(reply, entry.start, asked.spots)), cause


def _steps(mind: Mind, entry: Entry) -> tuple[str, ...]:
    """The steps of the habit that an entry names; () if it names none, or one without steps."""
    habit = habit_named(mind, entry.activity)
    return tuple(dict.fromkeys(fitting(task, ACTIVITY) for task in habit.tasks)) if habit else ()


def in_turn(reply: DecomposeReply, start: int, offered: Sequence[Spot] = ()) -> tuple[Task, ...]:
    """Tasks in order from `start` on, in minutes since midnight; their places are those `offered`."""
    tasks: list[Task] = []
    for (begin, end), task in zip(
        pairwise(accumulate((task.minutes for task in reply.tasks), initial=start)),
        reply.tasks,
        strict=True,
    ):
        placed = task.place and offered[task.place - 1].address
        tasks.append(
            PlacedTask(begin, end, task.activity, address=placed, emoji=task.emoji)
            if placed
            else Task(begin, end, task.activity)
        )
    return tuple(tasks)
