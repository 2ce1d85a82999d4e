"""Derives residents' workplaces from their habits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Protocol

from hometown.world.world import arena_of, sector_of

WORKING_HOURS = (8 * 60, 19 * 60)
"""The hours, in minutes of the day, in which the place with the most time is the workplace."""


DAYS = 7
"""Days of a week."""


class Timed(Protocol):
    """A stretch of the day at a place, such as a habit, from `start` to `end` in minutes of the
    day.
    """

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def place(self) -> str: ...

    @property
    def days(self) -> Collection[int]:
        """The weekdays, Monday 0; all if there are none."""


def workplace(habits: Iterable[Timed], home: str) -> str:
    """Return the arena of most of a week's working hours, except the bedroom `home`; "" for none.

    >>> from hometown.world.persona import Habit
    >>> workplace([Habit(480, 720, "bake", "bakery/shop/oven"), Habit(720, 780, "eat", "cafe/main"), Habit(1140, 1400, "read", "cafe/main")], "home/bed")
    'bakery/shop'
    """
    minutes: Counter[str] = Counter()
    for habit in habits:
        arena = arena_of(habit.place)
        spent = min(habit.end, WORKING_HOURS[1]) - max(habit.start, WORKING_HOURS[0])
        if spent > 0 and arena != home:
            minutes[arena] += spent * (len(habit.days) or DAYS)
    return max(minutes, key=lambda arena: minutes[arena], default="")


def is_at_work(place: str, work: str, home: str) -> bool:
    """Return True if an address is at work: in that arena, or in its house unless that is the home.

    >>> is_at_work("school/yard", "school/hall", "home/bed"), is_at_work("home/kitchen", "home/study", "home/bed")
    (True, False)
    """
    house = sector_of(work)
    return arena_of(place) == work or (sector_of(place) == house and house != sector_of(home))
