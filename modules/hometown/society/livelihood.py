"""Livelihood analysis: whether recipes can meet all needs in the long run, and the first
bottleneck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum, inf

from hometown.society.chains import WORKDAY_MINUTES, Chain, build_chain, need_values
from hometown.world.book.book import Book
from hometown.world.book.references import SLEEP

HOURS_AWAKE, HOURS_ASLEEP = 16, 8


@dataclass(frozen=True)
class Livelihood:
    """The supply of a need for all residents.

    Attributes:
        used: Points used a day.
        supplied: Points that can be supplied a day.
        minutes: Work, in person-minutes a day.
        days: Days for which the stores last by themselves.
        weakest: The tag of the fixtures that limit the supply, or the missing kind; "" if it is working
            time.
        meal: Days that a resident lasts from the level at which they satisfy the need.
    """

    need: str
    used: float
    supplied: float
    minutes: float
    days: float
    weakest: str
    meal: float

    @property
    def sufficient(self) -> bool:
        return self.supplied >= self.used

    @property
    def until_empty(self) -> float:
        """The days until the first resident is at 0: the stores run out, then the last meal is used
        up.

        The remaining supply is ignored, since it reaches only the residents nearest to it.
        """
        return inf if self.sufficient else self.days + self.meal


def analyse_livelihoods(book: Book, stored: Mapping[str, int] | None = None) -> list[Livelihood]:
    """Return the analysis of each need that falls over time.

    Args:
        stored: The stores by kind; by default those at the start of a run.
    """
    stored = initial_stocks(book) if stored is None else stored
    return [
        _analyse_need(book, need, stored) for need, part in book.needs.items() if part.awake < 0
    ]


def initial_stocks(book: Book) -> Counter[str]:
    """Return the goods of each kind in fixtures and bags at the start of a run."""
    stocks = [*book.start.stocks.values(), *(person.has for person in book.start.people.values())]
    return sum((Counter(stock) for stock in stocks), Counter())


def _analyse_need(book: Book, need: str, stored: Mapping[str, int]) -> Livelihood:
    """Return the supply of one need: by sleep alone, if that satisfies it or outweighs its fall; or
    else by the chains of the recipes that meet it, limited by fixtures and working time.
    """
    part, people = book.needs[need], max(1, len(book.start.people))
    if SLEEP in part.met_by or part.awake * HOURS_AWAKE + part.asleep * HOURS_ASLEEP >= 0:
        return Livelihood(
            need,
            -part.awake * HOURS_AWAKE * people,
            part.asleep * HOURS_ASLEEP * people,
            0.0,
            0.0,
            SLEEP,
            0.0,
        )
    used = float(-(part.awake * HOURS_AWAKE + part.asleep * HOURS_ASLEEP) * people)
    chains = sorted(
        (
            build_chain(book, recipe, used / dict(recipe.body)[need])
            for recipe in book.meeting(need)
        ),
        key=lambda chain: chain.minutes,
    )
    whole = [chain for chain in chains if not chain.missing]
    missing = _first_missing(book, [chain.missing for chain in chains if chain.missing])
    points = need_values(book, need)
    days = fsum(points.get(kind, 0.0) * count for kind, count in stored.items()) / used
    meal = part.low * people / used
    if not whole:
        return Livelihood(need, used, 0.0, 0.0, days, missing, meal)
    minutes, worktime = _total_minutes(whole), float(people * WORKDAY_MINUTES)
    possible = fsum(1 / chain.load if chain.load else worktime for chain in whole)
    timely = worktime / minutes
    best = max(whole, key=lambda chain: 1 / chain.load if chain.load else 0.0)
    scarce = missing if missing and possible < 1 else best.weakest
    return Livelihood(
        need,
        used,
        used * min(possible, timely),
        minutes,
        days,
        "" if timely < possible else scarce,
        meal,
    )


def _first_missing(book: Book, missing: list[str]) -> str:
    """Return the missing kind or tag; of several, the first tag, or kind that some recipe makes,
    else the first; "" for none.
    """
    return next(
        (name for name in missing if name not in book.kinds or book.makers[name]),
        next(iter(missing), ""),
    )


def _total_minutes(chains: list[Chain]) -> float:
    """Return the person-minutes a day if the chains with the least work are used to capacity first."""
    minutes, left = 0.0, 1.0
    for chain in chains:
        share = min(left, 1 / chain.load) if chain.load else left
        minutes, left = minutes + share * chain.minutes, left - share
    return minutes + left * chains[-1].minutes
