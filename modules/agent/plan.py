"""Planning in layers: what is going on, waking, broad strokes, hours, and the tasks of each hour."""

from __future__ import annotations

from dataclasses import replace

from modules.agent.thinking import NewMemory, Thinking, concepts
from modules.clock import DAY, at_minute
from modules.memory.associate import Scored
from modules.memory.schedule import Entry, Schedule, Task, Tasks, cover
from modules.prompt.planning import (
    CURRENTLY,
    DECOMPOSE,
    SCHEDULE_DAILY,
    SCHEDULE_INIT,
    WAKE_UP,
    CurrentlyVars,
    DecomposeReply,
    DecomposeVars,
    ScheduleDailyReply,
    ScheduleDailyVars,
    ScheduleInitVars,
    WakeUpVars,
    clock_minutes,
)
from modules.world.effects import DayPlanned, Promised, Retired, TaskBegun, TasksClosed, TasksSet
from modules.world.rows import Promise, Promises

PLAN_POIGNANCY = 4
"""A day's plan is worth remembering, but nothing to dwell on."""

SHORTEST_WAKING = 60
"""A day lasts at least so many minutes, whatever a reply says of waking and sleeping."""


def is_new_day(mind: Thinking) -> bool:
    return mind.state.mind(mind.who).planned != mind.now.date()


async def plan_day(mind: Thinking) -> None:
    """Plans the date that has begun. Whoever is still up keeps the rest of the evening first, then sleeps."""
    _forget(mind)
    first = mind.state.mind(mind.who).planned is None
    evening = None if first else _rest_of_evening(mind)
    today = mind.words.say("recall_day", name=mind.me.name, date=mind.words.date(mind.now.date()))
    found = await mind.recall([mind.words.say("recall_plan", name=mind.me.name), today, mind.words.say("recall_news", name=mind.me.name)])
    currently = mind.state.mind(mind.who).currently if first else await _currently(mind, found)
    wake, bed = await _waking_hours(mind, evening)
    strokes, _ = await mind.ask(SCHEDULE_INIT, ScheduleInitVars(mind.situation, mind.now.date(), wake, bed, concepts(found), _promises_today(mind)), found)
    hours, cause = await _hours(mind, wake, bed, tuple(strokes.strokes))
    schedule = lay_out(mind, hours, wake, bed, evening)
    mind.do(DayPlanned(mind.who, schedule, bed, currently), cause)
    await _keep_plan(mind, schedule, cause)


def _forget(mind: Thinking) -> None:
    """Memories past their expiry retire, and promises whose time is over are let go."""
    expired = mind.state.memory(mind.who).expired(mind.now)
    if expired:
        mind.do(Retired(mind.who, tuple(expired), "expired"), "rule:expiry")
    promises = mind.state.promises(mind.who).items
    open_ones = tuple(one for one in promises if at_minute(one.start.date(), DAY) > mind.now)
    if open_ones != promises:
        mind.do(Promised(mind.who, Promises(open_ones)), "rule:expiry")


def _rest_of_evening(mind: Thinking) -> Entry | None:
    """The first entry of a day that began while the resident was up; None if it was in bed."""
    if mind.state.asleep(mind.who):
        return None
    until = mind.state.mind(mind.who).bed - DAY
    last = mind.state.schedule(mind.who).entries[-1]
    if until <= 0 or last.kind == "sleep":
        return None
    return replace(last, start=0, end=until)


async def _currently(mind: Thinking, found: list[Scored]) -> str:
    variables = CurrentlyVars(mind.situation, mind.now.date(), concepts(found), mind.state.promises(mind.who).items)
    reply, _ = await mind.ask(CURRENTLY, variables, found)
    return reply.currently


async def _waking_hours(mind: Thinking, evening: Entry | None) -> tuple[int, int]:
    """When to get up and to go to bed, in minutes since midnight; a bedtime after midnight is above 1440."""
    reply, _ = await mind.ask(WAKE_UP, WakeUpVars(mind.situation, mind.now.date(), awake=evening is not None))
    night = evening.end if evening else 0
    wake = min(max(clock_minutes(reply.wake), night + SHORTEST_WAKING if evening else 0), DAY - SHORTEST_WAKING)
    bed = clock_minutes(reply.bed)
    if bed < wake + SHORTEST_WAKING:
        bed += DAY
    return wake, min(bed, DAY + wake)


async def _hours(mind: Thinking, wake: int, bed: int, strokes: tuple[str, ...]) -> tuple[ScheduleDailyReply, str]:
    """The hours of the day, asked for until they are varied enough or `max_try` is reached."""
    settings = mind.settings.schedule
    variables = ScheduleDailyVars(mind.situation, mind.now.date(), wake, bed, strokes, _promises_today(mind), settings.diversity)
    best, best_cause = await mind.ask(SCHEDULE_DAILY, variables)
    for _ in range(settings.max_try - 1):
        if _diversity(best) >= settings.diversity:
            break
        reply, cause = await mind.ask(SCHEDULE_DAILY, variables)
        if _diversity(reply) > _diversity(best):
            best, best_cause = reply, cause
    return best, best_cause


def _diversity(reply: ScheduleDailyReply) -> int:
    return len({hour.activity for hour in reply.hours})


def lay_out(mind: Thinking, reply: ScheduleDailyReply, wake: int, bed: int, evening: Entry | None) -> Schedule:
    """A schedule of minutes 0–1440 from whatever hours were given: sleep around them, promises laid over them."""
    sleeping = Entry(0, DAY, mind.words.say("sleeping"), "sleep")
    starts = sorted((_after(clock_minutes(hour.start), wake), hour.activity) for hour in reply.hours)
    ends = [start for start, _ in starts[1:]] + [bed]
    entries = [Entry(start, min(end, bed), activity) for (start, activity), end in zip(starts, ends, strict=True) if start < bed]
    if entries and entries[0].start > wake:
        entries[0] = replace(entries[0], start=wake)
    if evening:
        entries.append(evening)
    schedule = cover(mind.now.date(), entries, sleeping)
    for promise in _promises_today(mind):
        entry = appointment(promise)
        if wake <= entry.start and entry.end <= min(bed, DAY):
            schedule = schedule.splice(entry)
    return schedule


def _after(minute: int, wake: int) -> int:
    """A time before waking is meant for the night that follows."""
    return minute if minute >= wake else minute + DAY


def appointment(promise: Promise) -> Entry:
    """The schedule entry of a promise, within its day."""
    start = promise.start.hour * 60 + promise.start.minute
    return Entry(start, min(start + promise.minutes, DAY), promise.what, "appointment", promise.address, promise.talk)


def _promises_today(mind: Thinking) -> tuple[Promise, ...]:
    return tuple(one for one in mind.state.promises(mind.who).items if one.start.date() == mind.now.date() and one.start >= mind.now)


async def _keep_plan(mind: Thinking, schedule: Schedule, cause: str) -> None:
    text = mind.words.day_plan(mind.who, schedule.date, schedule.entries)
    memory = NewMemory("plan", text, mind.who, "plan", schedule.date.isoformat())
    await mind.remember([memory], [PLAN_POIGNANCY], cause, counts=False)


# tasks -------------------------------------------------------------------------------------


def shortest_task(mind: Thinking) -> int:
    return max(mind.settings.schedule.task_minutes, mind.moment.stride)


async def task_due(mind: Thinking) -> Task:
    """The sub-task of the entry at hand that is due now, begun; the entry is decomposed when it begins."""
    entry = mind.state.schedule(mind.who).at(mind.minute)
    tasks = mind.state.tasks(mind.who)
    if tasks.due(mind.minute) is None or not entry.start <= tasks.entry < entry.end:
        if tasks.items:
            mind.do(TasksClosed(mind.who, mind.minute), "rule:schedule")
        tasks, cause = await _decompose(mind, entry)
        mind.do(TasksSet(mind.who, tasks), cause)
    if tasks.begin(mind.minute) != tasks:
        mind.do(TaskBegun(mind.who, mind.minute), "rule:schedule")
    due = mind.state.tasks(mind.who).due(mind.minute)
    assert due is not None, f"the tasks of {entry} do not hold minute {mind.minute}"
    return due


async def _decompose(mind: Thinking, entry: Entry) -> tuple[Tasks, str]:
    """Tasks that cover the entry from now to its end."""
    start, shortest = mind.minute, shortest_task(mind)
    rest = replace(entry, start=start)
    if rest.end - start <= shortest:
        return Tasks(start, (Task(start, entry.end, entry.activity),)), "rule:short"
    entries = mind.state.schedule(mind.who).entries
    at = entries.index(entry)
    variables = DecomposeVars(mind.situation, rest, entries[at - 1] if at else None, entries[at + 1] if at + 1 < len(entries) else None, shortest)
    reply, cause = await mind.ask(DECOMPOSE, variables)
    return Tasks(start, fit_tasks(reply, start, entry.end, shortest)), cause


def fit_tasks(reply: DecomposeReply, start: int, end: int, shortest: int) -> tuple[Task, ...]:
    """Tasks in order from `start` to `end`, none shorter than `shortest`; the last is stretched or cut to fit."""
    tasks: list[Task] = []
    minute = start
    for planned in reply.tasks:
        if end - minute < shortest:
            break
        length = min(max(planned.minutes, shortest), end - minute)
        tasks.append(Task(minute, minute + length, planned.activity))
        minute += length
    tasks[-1] = replace(tasks[-1], end=end)
    return tuple(tasks)
