"""The activities of a resident's day: their habits and, for variety, pastimes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from random import Random

from hometown.clock import DAY
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.scripted.words import read_bank, shuffle
from hometown.world.activities import Theme, themes_of
from hometown.world.persona import Habit, Persona
from hometown.world.work import is_at_work, workplace

IDLE_STRETCH = 45
"""A gap between habits, in minutes, from which on it is filled with something."""

SWAPPABLE_MINUTES = 150
"""Longer habits are work, and aren't swapped for a pastime."""

MEALS = frozenset({"eat", "cook"})

MORNING, EVENING = 9 * 60, 20 * 60 + 30
"""Before and after these, pastimes are chosen at home."""


@frozen
class Pursuit:
    """An activity that fills a stretch of the day. `place` is an address, `tags` those of fitting
    places. `start` and `end` are usual minutes of the day; a pastime has none (both 0). `days` are
    its weekdays, empty for all.
    """

    activity: str
    place: str
    tags: tuple[str, ...]
    tasks: tuple[str, ...]
    start: int = 0
    end: int = 0
    days: tuple[int, ...] = ()


def theme_tasks(themes: Iterable[Theme], lang: Lang) -> list[str]:
    """Return the tasks of these themes."""
    return [
        task for theme in themes for task in read_bank(lang, "doing")["themes"][theme.key]["tasks"]
    ]


@lru_cache(maxsize=2)
def pastimes(lang: Lang) -> tuple[Pursuit, ...]:
    """Return the pastimes for worlds that define none of their own."""
    return tuple(
        Pursuit(row["activity"], "", tuple(row["tags"]), tuple(row["tasks"]))
        for row in read_bank(lang, "planning")["pastimes"]
    )


def pastimes_of(me: Persona, lang: Lang) -> tuple[Pursuit, ...]:
    """Return the pastimes that are open to a resident: those of their world, if it defines any,
    else the general ones.
    """
    return tuple(Pursuit(own.activity, "", own.tags, own.tasks) for own in me.pastimes) or pastimes(
        lang
    )


def interests(me: Persona, lang: Lang) -> list[Pursuit]:
    """Return the resident's interests as pursuits, one for each wording that a plan may use, with
    their tasks.
    """
    phrases = read_bank(lang, "planning")
    return [
        Pursuit(
            frame.format(interest=interest),
            "",
            (),
            tuple(task.format(interest=interest) for task in phrases["interest_tasks"]),
        )
        for interest in me.interests
        for frame in phrases["interest"]
    ]


def habits_on(me: Persona, day: date) -> list[Pursuit]:
    """Return the habits that hold on this weekday, in order; those after midnight come last, above
    1440.
    """
    return sorted((_pursuit(me, habit) for habit in me.habits_on(day)), key=lambda item: item.start)


def _pursuit(me: Persona, habit: Habit) -> Pursuit:
    """Return a habit as a pursuit; one that begins well before the resident gets up belongs to the
    night after, above 1440.
    """
    shift = DAY if habit.start + 120 < me.wake else 0
    end = habit.end + shift + (DAY if habit.end < habit.start else 0)
    return Pursuit(habit.activity, habit.place, (), habit.tasks, habit.start + shift, end)


def pursuit(me: Persona, activity: str, minute: int, day: date, lang: Lang) -> Pursuit | None:
    """Return the habit nearest in time, the pastime or the visit that a schedule entry names; None
    if it names none.
    """
    named = [habit for habit in habits_on(me, day) if habit.activity == activity]
    if named:
        return min(named, key=lambda habit: abs(habit.start - minute))
    return next(
        (
            pastime
            for pastime in (*pastimes_of(me, lang), *interests(me, lang))
            if pastime.activity == activity
        ),
        None,
    ) or _find_visit(activity, lang)


def _find_visit(activity: str, lang: Lang) -> Pursuit | None:
    """Return the visit that a schedule entry names; None if it names none."""
    phrases = read_bank(lang, "planning")
    before, _, after = phrases["visit"].partition("{name}")
    if not (activity.startswith(before) and activity.endswith(after)):
        return None
    name = activity.removeprefix(before).removesuffix(after)
    tasks = tuple(task.format(name=name) for task in phrases["visit_tasks"])
    return Pursuit(activity, "", (), tasks)


def plain(activity: str, lang: Lang) -> str:
    """Return an activity without the words of its being resumed.

    >>> plain("getting back to sketching the logo", "en")
    'sketching the logo'
    """
    for frame in read_bank(lang, "doing")["resume"]:
        activity = activity.removeprefix(frame.partition("{task}")[0])
    return activity


# variety -----------------------------------------------------------------------------------


def bound_hours(me: Persona, day: date, lang: Lang) -> list[tuple[int, int]]:
    """Return the stretches for work and meals, as (start, end) in minutes of the day, during which
    no meetings are arranged.
    """
    habits = habits_on(me, day)
    work = workplace(habits, me.home)
    return [
        (habit.start, habit.end)
        for habit in habits
        if is_at_work(habit.place, work, me.home) or is_meal(habit, lang)
    ]


def is_meal(habit: Pursuit, lang: Lang) -> bool:
    return not MEALS.isdisjoint(theme.key for theme in themes_of(habit.activity, lang))


def stands(habit: Pursuit, work: str, me: Persona, lang: Lang) -> bool:
    """Return True if a habit may not be swapped: mornings, meals, work, and habits that are too
    short or too long.
    """
    if (
        habit.start < MORNING
        or is_at_work(habit.place, work, me.home)
        or not IDLE_STRETCH <= habit.end - habit.start <= SWAPPABLE_MINUTES
    ):
        return True
    return is_meal(habit, lang)


def ideas_for(me: Persona, rng: Random, lang: Lang) -> list[Pursuit]:
    """Return pastimes in random order, among them one random wording of each interest, twice."""
    wordings = len(read_bank(lang, "planning")["interest"])
    every = interests(me, lang)
    own = [every[at * wordings + rng.randrange(wordings)] for at in range(len(me.interests))]
    return shuffle([*pastimes_of(me, lang), *own, *own], rng)


def take_idea(minute: int, ideas: list[Pursuit]) -> Pursuit:
    """Remove from the list and return the last idea that suits the time of day, at home in the
    morning and the evening, or else the last one; drop its repetitions.
    """
    indoors = not MORNING <= minute < EVENING
    fitting = [at for at, idea in enumerate(ideas) if not indoors or "home" in idea.tags]
    chosen = ideas.pop(fitting[-1] if fitting else -1)
    ideas[:] = [idea for idea in ideas if idea.activity != chosen.activity]
    return chosen


def place_of_pursuit(pursuit: Pursuit) -> str:
    """Return the place of a pursuit for counting outings: an arena, or the first tag that a pastime
    requires.
    """
    return "/".join(pursuit.place.split("/")[:2]) if pursuit.place else "".join(pursuit.tags[:1])
