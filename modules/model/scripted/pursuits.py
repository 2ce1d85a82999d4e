"""What the day of a resident is made of: its habits and, for variety, pastimes; and what an activity is about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from random import Random

from modules.clock import DAY
from modules.model.scripted.words import bank, pattern, shuffled
from modules.world.persona import Habit, Persona
from modules.world.world import Lang

IDLE_STRETCH = 45
"""A gap between habits, in minutes, from which on it is filled with something."""

SWAPPABLE_MINUTES = 150
"""Longer habits are work, and aren't swapped for a pastime."""

WORKING_HOURS = (8 * 60, 19 * 60)
"""Minutes of the day between which what takes the most time is one's work."""

MEALS = frozenset({"eat", "cook"})

MORNING, EVENING = 9 * 60, 20 * 60 + 30
"""Before and after these, idle people look for something to do at home."""


@dataclass(frozen=True, slots=True)
class Theme:
    """What an activity can be about, recognised by its words. `tags` are those of fitting places, best first."""

    key: str
    words: tuple[str, ...]
    tags: tuple[str, ...]
    emoji: tuple[str, ...]
    tasks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pursuit:
    """Something that fills a stretch of the day. `place` is an address, `tags` those of fitting places.

    `start` and `end` are usual minutes of the day; a pastime has none (both 0).
    """

    activity: str
    place: str
    tags: tuple[str, ...]
    tasks: tuple[str, ...]
    start: int = 0
    end: int = 0


@lru_cache(maxsize=2)
def themes(lang: Lang) -> tuple[Theme, ...]:
    rows = bank(lang, "doing")["themes"]
    return tuple(Theme(row["key"], tuple(row["words"]), tuple(row["tags"]), tuple(row["emoji"]), tuple(row["tasks"])) for row in rows)


@lru_cache(maxsize=4096)
def themes_of(activity: str, lang: Lang) -> tuple[Theme, ...]:
    """The themes an activity's words name, in the order in which they are named.

    >>> [theme.key for theme in themes_of("reading the newspaper over a coffee", "en")]
    ['read', 'drink']
    """
    text = activity.lower()
    found = [(match.start(), at) for at, theme in enumerate(themes(lang)) if (match := pattern(theme.words).search(text))]
    return tuple(themes(lang)[at] for _, at in sorted(found))


@lru_cache(maxsize=2)
def pastimes(lang: Lang) -> tuple[Pursuit, ...]:
    """What anybody may do of an idle hour."""
    return tuple(Pursuit(row["activity"], "", tuple(row["tags"]), tuple(row["tasks"])) for row in bank(lang, "planning")["pastimes"])


def interests(me: Persona, lang: Lang) -> list[Pursuit]:
    """The resident's interests, in every wording in which a plan may name them."""
    phrases = bank(lang, "planning")
    return [
        Pursuit(frame.format(interest=interest), "", (), tuple(task.format(interest=interest) for task in phrases["interest_tasks"]))
        for interest in me.interests
        for frame in phrases["interest"]
    ]


def habits_on(me: Persona, day: date) -> list[Pursuit]:
    """The habits that hold on this weekday, in order; those after midnight come last, above 1440."""
    return sorted((_pursuit(me, habit) for habit in me.habits_on(day)), key=lambda one: one.start)


def _pursuit(me: Persona, habit: Habit) -> Pursuit:
    shift = DAY if habit.start + 120 < me.wake else 0
    end = habit.end + shift + (DAY if habit.end < habit.start else 0)
    return Pursuit(habit.activity, habit.place, (), habit.tasks, habit.start + shift, end)


def pursuit(me: Persona, activity: str, minute: int, day: date, lang: Lang) -> Pursuit | None:
    """What a schedule entry names, at the time of day at which it stands; None if it is nothing usual."""
    named = [one for one in habits_on(me, day) if one.activity == activity]
    if named:
        return min(named, key=lambda one: abs(one.start - minute))
    return next((one for one in (*pastimes(lang), *interests(me, lang)) if one.activity == activity), None)


def plain(activity: str, lang: Lang) -> str:
    """An activity without the words that say it is returned to.

    >>> plain("getting back to sketching the logo", "en")
    'sketching the logo'
    """
    for frame in bank(lang, "doing")["resume"]:
        activity = activity.removeprefix(frame.partition("{task}")[0])
    return activity


# variety -----------------------------------------------------------------------------------


def work_place(habits: list[Pursuit], me: Persona) -> str:
    """The arena where most of the working hours are spent, the bedroom aside."""
    minutes: dict[str, int] = {}
    for habit in habits:
        spent = min(habit.end, WORKING_HOURS[1]) - max(habit.start, WORKING_HOURS[0])
        if spent > 0 and kind_of_place(habit) != me.home:
            minutes[kind_of_place(habit)] = minutes.get(kind_of_place(habit), 0) + spent
    return max(minutes, key=lambda place: minutes[place], default="")


def at_work(habit: Pursuit, work: str, me: Persona) -> bool:
    """Whether a habit has its place where one works: there, or elsewhere in the same house, unless that is one's home."""
    house = work.split("/")[0]
    return kind_of_place(habit) == work or (habit.place.split("/")[0] == house and house != me.home.split("/")[0])


def bound_hours(me: Persona, day: date, lang: Lang) -> list[tuple[int, int]]:
    """Minutes of the day that belong to work and to meals, in which nobody arranges to be elsewhere."""
    habits = habits_on(me, day)
    work = work_place(habits, me)
    return [(one.start, one.end) for one in habits if at_work(one, work, me) or is_meal(one, lang)]


def is_meal(habit: Pursuit, lang: Lang) -> bool:
    return not MEALS.isdisjoint(theme.key for theme in themes_of(habit.activity, lang))


def stands(habit: Pursuit, work: str, me: Persona, lang: Lang) -> bool:
    """Whether a habit is too much part of the day to be swapped: mornings, meals, work, and what is too short or too long."""
    if habit.start < MORNING or at_work(habit, work, me) or not IDLE_STRETCH <= habit.end - habit.start <= SWAPPABLE_MINUTES:
        return True
    return is_meal(habit, lang)


def ideas_for(me: Persona, rng: Random, lang: Lang) -> list[Pursuit]:
    """Pastimes in a chance order, with one wording of each interest among them."""
    wordings = len(bank(lang, "planning")["interest"])
    every = interests(me, lang)
    own = [every[at * wordings + rng.randrange(wordings)] for at in range(len(me.interests))]
    return shuffled([*pastimes(lang), *own, *own], rng)


def take_idea(minute: int, ideas: list[Pursuit]) -> Pursuit:
    """Takes the last idea that suits the time of day out of the list."""
    indoors = not MORNING <= minute < EVENING
    fitting = [at for at, idea in enumerate(ideas) if not indoors or "home" in idea.tags]
    chosen = ideas.pop(fitting[-1] if fitting else -1)
    ideas[:] = [idea for idea in ideas if idea.activity != chosen.activity]
    return chosen


def kind_of_place(one: Pursuit) -> str:
    """Where it leads, near enough to count places: an arena, or what kind of place a pastime asks for."""
    return "/".join(one.place.split("/")[:2]) if one.place else "".join(one.tags[:1])
