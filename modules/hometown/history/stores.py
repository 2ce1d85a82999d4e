"""The fixtures of a town with a society: their goods, owners, prices with reasons, and unattended
processes.
"""

from __future__ import annotations

from typing import Any, Literal

from hometown.history import shapes
from hometown.history.held_goods import holdings, town_at
from hometown.history.living import going_on
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.shapes.versioned_values import Versions
from hometown.society.market import SALES_MEMORY_DAYS, fair_price
from hometown.society.work_phrasing import WorkPhrases
from hometown.world import keys
from hometown.world.book.book import Book
from hometown.world.book.parts import FixturePart
from hometown.world.labour import Shop
from hometown.world.matter import Stock
from hometown.world.notices import Board
from hometown.world.world import World, sector_of


def stores(run: RunReader, names: Names, first: int, last: int) -> shapes.Stores:
    """Return the fixtures, the things that hold goods or are needed for work, with their goods,
    prices, processes and notices in steps `first` to `last`; none in a town without a society.
    """
    begin, world = run.begin(first), town_at(run, names, last)
    book = world.book if world else None
    fixtures: dict[str, shapes.Fixture] = {}
    if world and book:
        telling = WorkPhrases(world)
        fixtures = {
            address: _view_fixture(run, names, telling, address, part, begin, last)
            for address, part in book.fixtures.items()
        }
    return {"from": first, "to": last, "fixtures": fixtures}


def _view_fixture(
    run: RunReader,
    names: Names,
    telling: WorkPhrases,
    address: str,
    part: FixturePart,
    begin: int,
    last: int,
) -> shapes.Fixture:
    """Return a fixture with its owner, keepers, opening hours and uses, and the versions of its
    goods, prices, process and notices; opening hours are -1 for no shop.
    """
    book = telling.book
    return {
        "owner": owner_of(names, book, part.owner),
        "people": book.keepers(address),
        "holds": part.holds,
        "closed": part.closed,
        "opens": part.shop.opens if part.shop else -1,
        "closes": part.shop.closes if part.shop else -1,
        "used_for": list(
            dict.fromkeys(
                telling.recipe(recipe) for recipe in book.recipes.values() if recipe.at in part.tags
            )
        ),
        "goods": holdings(run, telling.world, address, begin, last),
        "prices": _list_prices(run, telling.world, book, address, begin, last)
        if part.shop
        else [(begin, [])],
        "going_on": [
            (since, going_on(run, telling, row))
            for since, row in run.versions_or(keys.PROCESS.of(address), begin, last, None)
        ],
        "notices": [
            (since, _list_notices(run, telling, row))
            for since, row in run.versions_or(keys.BOARD.of(address), begin, last, None)
        ],
    }


def _list_notices(run: RunReader, telling: WorkPhrases, board: Board | None) -> list[shapes.Pinned]:
    """Return the notices of a board, each with its time and its number of readers."""
    said = [(telling.notice(each), each) for each in (board.notices if board else ())]
    return [
        {
            "text": text[0].upper() + text[1:],
            "tick": run.tick(each.since),
            "readers": len(each.readers),
        }
        for text, each in said
    ]


def owner_of(names: Names, book: Book, owner: str) -> str:
    """Return an owner's name: a resident's, or the building of a house; "" for common property."""
    house = book.start.houses.get(owner.removeprefix("house:"))
    return names.building(sector_of(house.home)) if house else names.person(owner) if owner else ""


def _list_prices(
    run: RunReader, world: World, book: Book, address: str, begin: int, last: int
) -> Versions[list[shapes.Price]]:
    """Return the posted prices of a shop, each with its reason, anew for each step that changed
    one.
    """
    posted: Versions[list[shapes.Price]] = []
    prices: Any = None
    for step, row in run.rows(keys.SHOP.of(address), begin, last, lambda row: row.prices):
        shop = row
        if shop.prices != prices:
            prices, before = (
                shop.prices,
                run.row(keys.SHOP.of(address), step - 1) if step else None,
            )
            posted.append(
                (
                    max(step, begin),
                    [
                        _view_price(run, world, book, address, kind, shop, before, step)
                        for kind in dict(prices)
                        if kind in book.kinds
                    ],
                )
            )
    return posted or [(begin, [])]


def _view_price(
    run: RunReader,
    world: World,
    book: Book,
    address: str,
    kind: str,
    shop: Shop,
    before: Shop | None,
    step: int,
) -> shapes.Price:
    """Return a posted price with the one before, the usual one, the reason, the stock, and the
    sales expected, rounded, for as many days as the shop covers.
    """
    sells = book.fixtures[address].shop
    days, price, was = (
        sells.cover if sells else 1,
        dict(shop.prices)[kind],
        dict(before.prices).get(kind, 0) if before else 0,
    )
    usual = sells.sells.get(kind, price) if sells else price
    stock, wanted = (
        (run.row(keys.STOCK.of(address), step) or Stock()).count(kind),
        _recall_sales(dict(shop.sold).get(kind, 0)) * days,
    )
    return {
        "name": book.kinds[kind].name[world.lang],
        "price": price,
        "before": was or price,
        "usual": usual,
        "tick": run.tick(run.moment(step)),
        "why": _explain_price(price, was, fair_price(was, usual, stock, wanted)),
        "stock": stock,
        "wanted": round(wanted / SALES_MEMORY_DAYS),
        "days": days,
    }


def _explain_price(
    price: int, was: int, right: int
) -> Literal["opening", "short", "plenty", "even", "least"]:
    """Return the reason for a price. A price that has not fallen although it is above the fair one
    is at its lower limit.

    >>> _explain_price(40, 0, 40), _explain_price(43, 40, 72), _explain_price(37, 40, 18)
    ('opening', 'short', 'plenty')
    >>> _explain_price(40, 40, 40), _explain_price(40, 40, 30), _explain_price(44, 40, 30)
    ('even', 'least', 'least')
    """
    if not was:
        return "opening"
    if price < was:
        return "plenty"
    if price > right:
        return "least"
    return "short" if price > was else "even"


def _recall_sales(left: int) -> int:
    """Return the greatest number of sales of which `left` remain after a night, in which a shop
    forgets one part in `SALES_MEMORY_DAYS`.

    >>> [_recall_sales(count - count // SALES_MEMORY_DAYS) for count in (0, 5, 40, 161)]
    [0, 5, 40, 161]
    """
    return next(
        count
        for count in range(left + left // (SALES_MEMORY_DAYS - 1) + 1, -1, -1)
        if count - count // SALES_MEMORY_DAYS == left
    )
