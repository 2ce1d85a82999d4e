"""The effects with which a society begins: what lies where, who can do what, what things cost."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from hometown.society.affairs import numbered
from hometown.society.bodies import rested
from hometown.society.market import opening
from hometown.world.book.book import COIN, Book
from hometown.world.book.parts import WITHIN
from hometown.world.effects import Effect
from hometown.world.labour import Learned, NeedsSet, Priced
from hometown.world.matter import MARK, NATURE, NATURE_HOLDER, Granted, kind_of

NATURE_GRAMS = 10**12
"""What soil, water and air have to give; no town uses up a part of it that could be noticed."""


def beginning(book: Book, now: datetime) -> list[Effect]:
    """What is granted and set when a run begins."""
    begun: list[Effect] = [Granted(NATURE_HOLDER, ((NATURE, NATURE_GRAMS),))]
    begun += [Granted(f"house:{house}", ((COIN, part.coins),)) for house, part in book.start.houses.items() if part.coins]
    begun += _stocked(book)
    begun += [Priced(address, opening(fixture.shop, book.start.stocks.get(address, {}))) for address, fixture in book.fixtures.items() if fixture.shop]
    for who, person in book.start.people.items():
        begun += [Learned(who, skill, level) for skill, level in person.skills.items()]
        begun.append(NeedsSet(who, rested(book, now)))
    return begun


def _stocked(book: Book) -> Iterator[Granted]:
    """What lies where and who has what; what is in an item once that is there."""
    has = {who: person.has for who, person in book.start.people.items()}
    stocks = sorted({**book.start.stocks, **has}.items(), key=lambda stock: stock[0].count(WITHIN))
    last, item_at = 0, dict[str, str]()
    for way, stock in stocks:
        goods = numbered(book, tuple(sorted(stock.items())), last)
        items = [name for name, _ in goods if MARK in name]
        last += len(items)
        item_at |= {f"{way}{WITHIN}{kind_of(name)}": name for name in reversed(items)}
        if goods:
            yield Granted(item_at.get(way, way), goods)
