"""The effects with which a society begins: what lies where, who can do what, what things cost."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from hometown.society.bodies import rested
from hometown.society.market import opening
from hometown.world.book.book import COIN, Book
from hometown.world.effects import Effect
from hometown.world.labour import Learned, NeedsSet, Priced
from hometown.world.matter import NATURE, NATURE_HOLDER, Goods, Granted

NATURE_GRAMS = 10**12
"""What soil, water and air have to give; no town uses up a part of it that could be noticed."""


def beginning(book: Book, now: datetime) -> list[Effect]:
    """What is granted and set when a run begins."""
    begun: list[Effect] = [Granted(NATURE_HOLDER, ((NATURE, NATURE_GRAMS),))]
    begun += [Granted(f"house:{house}", ((COIN, part.coins),)) for house, part in book.start.houses.items() if part.coins]
    begun += [Granted(address, _goods(stock)) for address, stock in book.start.stocks.items() if stock]
    begun += [Priced(address, opening(fixture.shop, book.start.stocks.get(address, {}))) for address, fixture in book.fixtures.items() if fixture.shop]
    for who, person in book.start.people.items():
        begun += [Granted(who, _goods(person.has))] if person.has else []
        begun += [Learned(who, skill, level) for skill, level in person.skills.items()]
        begun.append(NeedsSet(who, rested(book, now)))
    return begun


def _goods(counts: Mapping[str, int]) -> Goods:
    return tuple(sorted(counts.items()))
