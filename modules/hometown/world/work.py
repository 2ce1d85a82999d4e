"""Where a resident works, as its habits tell: no persona says it in so many words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from hometown.world.world import arena_of, sector_of

WORKING_HOURS = (8 * 60, 19 * 60)
"""Minutes of the day between which the place with the most time counts as work."""


class Timed(Protocol):
    """A stretch of the day at a place, such as a habit; `start` and `end` are minutes of the day,
    `place` an address.
    """

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def place(self) -> str: ...


def workplace(habits: Iterable[Timed], home: str) -> str:
    """The arena where most of the working hours are spent; `home`, the bedroom, does not count. ""
    if there is none.

    >>> from hometown.world.persona import Habit
    >>> workplace([Habit(480, 720, "bake", "bakery/shop/oven"), Habit(720, 780, "eat", "cafe/main"), Habit(1140, 1400, "read", "cafe/main")], "home/bed")
    'bakery/shop'
    """
    minutes: Counter[str] = Counter()
    for habit in habits:
        arena = arena_of(habit.place)
        spent = min(habit.end, WORKING_HOURS[1]) - max(habit.start, WORKING_HOURS[0])
        if spent > 0 and arena != home:
            minutes[arena] += spent
    return max(minutes, key=lambda arena: minutes[arena], default="")


def is_at_work(place: str, work: str, home: str) -> bool:
    """Whether an address is where one works: that arena, or elsewhere in the same house, unless
    that is one's home.

    >>> is_at_work("school/yard", "school/hall", "home/bed"), is_at_work("home/kitchen", "home/study", "home/bed")
    (True, False)
    """
    house = sector_of(work)
    return arena_of(place) == work or (sector_of(place) == house and house != sector_of(home))
