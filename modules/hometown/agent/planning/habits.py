"""Planning near habit: a small model chooses from the resident's usual behaviour.

`llm.freedom` and trials of the models (`llm.tried`) select them, by kind of prompt. A day is the
usual one with a few lines changed, an activity consists of its usual steps, and its places are
those of the habit (`hometown.agent.planning.place_choice`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hometown.agent.mind import Mind, concepts
from hometown.clock import DAY, minute_of_day
from hometown.frozen import frozen
from hometown.memory.scoring import Scored
from hometown.prompt.plans import WAKE_UP
from hometown.prompt.varying import SCHEDULE_CHANGES, PlanLine, ScheduleChangesVars, varied
from hometown.world.activities import themes_of
from hometown.world.persona import Habit
from hometown.world.rows import Promise
from hometown.world.work import is_at_work, workplace


@frozen
class Leeway:
    """Multiples of `unit` minutes, up to `reach` minutes before and after a usual time."""

    reach: int
    unit: int


NEAR_HABIT_LEEWAY, FREE_LEEWAY = Leeway(45, 15), Leeway(240, 5)
"""Leeway for getting up and going to bed. Near habit it is shorter than `FREE_TIME_MIN_MINUTES`, so
that no empty stretch opens before the day begins.
"""

FREE_TIME_MIN_MINUTES = 60
"""Minutes without a habit from which a stretch is free time."""

MEAL_THEMES = frozenset({"eat", "cook"})
"""Themes of activities that are meals."""

READY_MINUTES = 30
"""Minutes between getting up and the first appointment, and between the last one and going to bed.
"""


def list_times_near(usual: int, leeway: Leeway) -> list[int]:
    """Return times near a usual one, in minutes since midnight.

    Times before the day are below 0, times after it above 1440.

    >>> list_times_near(370, Leeway(30, 15))
    [345, 360, 375, 390]
    """
    earliest = usual - leeway.reach
    return list(range(earliest + -earliest % leeway.unit, usual + leeway.reach + 1, leeway.unit))


def offer_times(mind: Mind, promises: Sequence[Promise]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the times from which the model chooses: when to get up and when to go to bed.

    Both are in minutes of the day and leave time for the promises, if any of them can.
    """
    leeway = NEAR_HABIT_LEEWAY if mind.is_near_habit(WAKE_UP.kind) else FREE_LEEWAY
    wakes = [minute for minute in list_times_near(mind.me.wake, leeway) if 0 <= minute < DAY]
    usual_bed = mind.me.bed + (DAY if mind.me.bed < mind.me.wake else 0)
    beds = list_times_near(usual_bed, leeway)
    first = (
        min((minute_of_day(promise.start) for promise in promises), default=2 * DAY) - READY_MINUTES
    )
    last = (
        max((minute_of_day(promise.start) + promise.minutes for promise in promises), default=0)
        + READY_MINUTES
    )
    wakes = [minute for minute in wakes if minute <= first] or wakes
    beds = [minute for minute in beds if minute >= last] or beds
    return tuple(wakes), tuple(minute % DAY for minute in beds)


def usual_day(mind: Mind, wake: int, bed: int) -> tuple[PlanLine, ...]:
    """Return today's habits between waking and bedtime in order, with free time in longer gaps.

    Lines that may be changed are numbered; meals, work and both ends of the day are not. The result
    is () for residents without habits.
    """
    me, lang = mind.me, mind.world.lang
    habits = me.habits_on(mind.now.date())
    work = workplace(habits, me.home)
    stretches = [
        (start, habit)
        for start, end, habit in _in_order(habits, me.wake)
        if start < bed and end > wake
    ]
    lines: list[PlanLine] = []
    number = 0
    until = wake
    for at, (start, habit) in enumerate(stretches):
        if at and start - until >= FREE_TIME_MIN_MINUTES:
            number += 1
            lines.append(PlanLine(until, mind.words.say("free_time"), number))
        stands = at in (0, len(stretches) - 1) or is_at_work(habit.place, work, me.home)
        stands = stands or not MEAL_THEMES.isdisjoint(
            theme.key for theme in themes_of(habit.activity, lang)
        )
        number += not stands
        begin = start if at and start > wake else wake
        lines.append(PlanLine(begin, habit.activity, 0 if stands else number))
        until = min(begin, start) + (habit.end - habit.start) % DAY
    if lines and bed - until >= FREE_TIME_MIN_MINUTES:  # who stays up gets ready for bed no earlier
        *lines, last = lines
        lines += [
            PlanLine(last.start, mind.words.say("free_time"), number + 1),
            replace(last, start=bed - (until - last.start)),
        ]
    return tuple(lines)


def _in_order(habits: Sequence[Habit], wake: int) -> Iterator[tuple[int, int, Habit]]:
    """Yield habits as (start, end, habit) in minutes since midnight; those after midnight are above
    1440.
    """
    shifted = [
        (habit.start + (DAY if habit.start + 2 * 60 < wake else 0), habit) for habit in habits
    ]
    for start, habit in sorted(shifted, key=lambda stretch: stretch[0]):
        yield start, start + (habit.end - habit.start) % DAY, habit


async def vary_usual_day(
    mind: Mind,
    usual: tuple[PlanLine, ...],
    wake: int,
    bed: int,
    found: list[Scored],
    promises: tuple[Promise, ...],
) -> tuple[list[tuple[int, str]], str]:
    """Ask which lines of the usual day change today.

    Returns:
        The day as (start in minutes, activity), and the reference of the call.
    """
    if not any(each.number for each in usual):
        return [(each.start, each.activity) for each in usual], "rule:habits"
    variables = ScheduleChangesVars(
        mind.situation, mind.now.date(), wake, bed, usual, concepts(found), promises
    )
    reply, cause = await mind.ask(SCHEDULE_CHANGES, variables)
    return list(varied(variables, reply)), cause


def usual_emoji(mind: Mind, activity: str, entry: str) -> tuple[str, ...]:
    """Return emoji for the theme of an activity, or else of its entry; () if neither has one."""
    themes = themes_of(activity, mind.world.lang) or themes_of(entry, mind.world.lang)
    return themes[0].emoji if themes else ()


def find_habit(mind: Mind, activity: str) -> Habit | None:
    """Return today's habit with the activity of an entry, the nearest in time; None if there is
    none.
    """
    named = [habit for habit in mind.me.habits_on(mind.now.date()) if habit.activity == activity]
    return min(named, key=lambda habit: abs(habit.start - mind.minute), default=None)
