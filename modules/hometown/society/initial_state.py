"""The initial effects of a society: stocks, coins, skills, needs and prices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from hometown.society.bodies import satisfied_needs
from hometown.society.knowledge import initial_knowledge
from hometown.society.market import open_shop
from hometown.society.society_view import SocietyView, number_items
from hometown.world.book.amend import Entries
from hometown.world.book.book import COIN, Book
from hometown.world.book.parts import WITHIN, PersonPart
from hometown.world.effects import Effect
from hometown.world.labour import Learned, NeedsSet, Priced
from hometown.world.matter import MARK, NATURE, NATURE_HOLDER, Granted, kind_of

NATURE_GRAMS = 10**12
"""The grams of soil, water and air at the start: far more than a town can use up."""


def initial_effects(book: Book, now: datetime) -> list[Effect]:
    """Return the effects that set up a society at the start of a run: nature, coins, stocks,
    prices, skills and needs.
    """
    begun: list[Effect] = [Granted(NATURE_HOLDER, ((NATURE, NATURE_GRAMS),))]
    begun += [
        Granted(f"house:{house}", ((COIN, part.coins),))
        for house, part in book.start.houses.items()
        if part.coins
    ]
    begun += grant_stocks(
        book,
        {**book.start.stocks, **{who: person.has for who, person in book.start.people.items()}},
        0,
    )
    begun += [
        Priced(address, open_shop(fixture.shop, book.start.stocks.get(address, {})))
        for address, fixture in book.fixtures.items()
        if fixture.shop
    ]
    for who, person in book.start.people.items():
        begun += set_abilities(book, who, person, now)
    return begun


def set_abilities(book: Book, who: str, person: PersonPart, now: datetime) -> Iterator[Effect]:
    """Yield the effects that set a resident's skills, and all their needs as satisfied."""
    yield from (Learned(who, skill, level) for skill, level in person.skills.items())
    yield NeedsSet(who, satisfied_needs(book, now))


def grant_stocks(
    book: Book, stocks: Mapping[str, Mapping[str, int]], last: int
) -> Iterator[Granted]:
    """Yield the grants of the initial goods, containers before their contents.

    Args:
        stocks: Counts by kind for each resident and fixture, or path to an item within one.
        last: The number of the latest item; new items are numbered from the next one.
    """
    item_at = dict[str, str]()
    for way, stock in sorted(stocks.items(), key=lambda stock: stock[0].count(WITHIN)):
        goods = number_items(book, tuple(sorted(stock.items())), last)
        items = [name for name, _ in goods if MARK in name]
        last += len(items)
        item_at |= {f"{way}{WITHIN}{kind_of(name)}": name for name in reversed(items)}
        if goods:
            yield Granted(item_at.get(way, way), goods)


def equip_resident(society: SocietyView, who: str, entries: Entries) -> Iterator[Effect]:
    """Yield a new resident's goods, skills and initial knowledge."""
    person = PersonPart.model_validate_json(entries[f"people/{who}"])
    yield from grant_stocks(society.book, {who: person.has}, society.state.last_item_number)
    yield from set_abilities(society.book, who, person, society.now)
    yield from initial_knowledge(society, who)
