"""The proof of a society's livelihood: whether what can be done there meets what bodies need, for good, and what gives way first."""

from __future__ import annotations

from dataclasses import dataclass

from hometown.society.chains import WORKDAY, Chain, chain_for, worth
from hometown.world.book.book import Book
from hometown.world.book.parts import FULL
from hometown.world.book.references import SLEEP

HOURS_AWAKE, HOURS_ASLEEP = 16, 8


@dataclass(frozen=True)
class Livelihood:
    """How a need of all residents is met: what they use up and what can be supplied, in points a day; the work that takes, in person-minutes a day;
    for how many days what lies in store lasts; and the tag of the fixtures that give way first, or what is missing, "" where that is people's time.
    """

    need: str
    used: float
    supplied: float
    minutes: float
    days: float
    weakest: str
    people: int

    @property
    def sufficient(self) -> bool:
        return self.supplied >= self.used

    @property
    def until_empty(self) -> float:
        """Days until levels that were full are 0, if nothing is supplied but what lies in store."""
        return self.days + FULL * self.people / self.used


def livelihoods(book: Book) -> list[Livelihood]:
    """The proof for each need that falls, by id."""
    return [_livelihood(book, need) for need, part in book.needs.items() if part.awake < 0]


def _livelihood(book: Book, need: str) -> Livelihood:
    part, people = book.needs[need], max(1, len(book.start.people))
    if SLEEP in part.met_by:
        return Livelihood(need, -part.awake * HOURS_AWAKE * people, part.asleep * HOURS_ASLEEP * people, 0.0, 0.0, SLEEP, people)
    used = float(-(part.awake * HOURS_AWAKE + part.asleep * HOURS_ASLEEP) * people)
    recipes = [recipe for family in part.met_by for recipe in book.families.get(family, ())]
    chains = sorted((chain_for(book, recipe, used / dict(recipe.body)[need]) for recipe in recipes), key=lambda chain: chain.minutes)
    whole = [chain for chain in chains if not chain.missing]
    days = _stored(book, need) / used
    if not whole:
        return Livelihood(need, used, 0.0, 0.0, days, chains[0].missing if chains else "", people)
    possible = sum(1 / chain.load if chain.load else float(people * WORKDAY) for chain in whole)
    minutes = _work(whole)
    timely = people * WORKDAY / minutes
    missing = next((chain.missing for chain in chains if chain.missing), "")
    scarce = missing if missing and possible < 1 else max(whole, key=lambda chain: 1 / chain.load if chain.load else 0.0).weakest
    weakest = "" if timely < possible else scarce
    return Livelihood(need, used, used * min(possible, timely), minutes, days, weakest, people)


def _work(chains: list[Chain]) -> float:
    """Person-minutes a day, if each chain, that with the least work first, supplies what it can until all is supplied."""
    minutes, left = 0.0, 1.0
    for chain in chains:
        share = min(left, 1 / chain.load) if chain.load else left
        minutes, left = minutes + share * chain.minutes, left - share
    return minutes + left * chains[-1].minutes


def _stored(book: Book, need: str) -> float:
    """Points of a need that what lies in store, and what people carry, can be made into."""
    points = worth(book, need)
    stocks = [*book.start.stocks.values(), *(person.has for person in book.start.people.values())]
    return sum(points.get(kind, 0.0) * count for stock in stocks for kind, count in stock.items())
