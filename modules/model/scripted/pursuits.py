"""What the day of a resident is made of: its habits and, for variety, pastimes; and what an activity is about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from modules.clock import DAY
from modules.model.scripted.words import bank, pattern
from modules.world.persona import Habit, Persona
from modules.world.world import Lang


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
    return sorted((_pursuit(me, habit) for habit in me.habits if not habit.days or day.weekday() in habit.days), key=lambda one: one.start)


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
