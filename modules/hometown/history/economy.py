"""The economy of a society as plain data for plots over time: satisfaction of needs, prices, coins
of houses and stocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from statistics import fmean

from hometown.history.bins import Bins, rows_at_ends
from hometown.history.hardship import levels_under
from hometown.history.held_goods import book_at
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.json_object import Json
from hometown.world import keys
from hometown.world.book.book import COIN, Book
from hometown.world.matter import NATURE, Stock
from hometown.world.world import sector_of

PlotLine = Json
"""A name, and a value for each bin, None where there is none."""


def economy(run: RunReader, names: Names) -> Json:
    """Return lines over time with the values at the end of each bin; none in a world without a
    society.

    `needs` are levels from 0 to 1000: `values` the average, `lowest` that of the resident who is
    worst off. `prices` are in coins, `purses` are the coins of each house, and `stocks` count all
    goods of a kind, wherever they are.
    """
    bins = Bins(run)
    book = book_at(run, names, run.last_step())
    if book is None:
        return bins.header() | {"needs": [], "prices": [], "purses": [], "stocks": []}
    held = rows_at_ends(run, bins, keys.STOCK)
    return bins.header() | {
        "needs": _needs(run, bins, book),
        "prices": _prices(run, names, bins, book),
        "purses": [
            _line(
                names.building(sector_of(part.home)),
                [_coins_of(stocks, house) for stocks in held],
            )
            for house, part in book.start.houses.items()
        ],
        "stocks": _stocks(run, book, held),
    }


def _line(name: str, values: Sequence[float | None]) -> PlotLine:
    """Return a line of the plot in the page's format."""
    return {"name": name, "values": list(values)}


def _coins_of(stocks: dict[str, Stock], house: str) -> int:
    """Return the coins of a house among stocks by holder."""
    stock = stocks.get(f"house:{house}")
    return stock.count(COIN) if stock else 0


def _needs(run: RunReader, bins: Bins, book: Book) -> list[PlotLine]:
    """Return a line for each need, from 0 to 1000, at the end of each bin: the residents' average,
    rounded, and as `lowest` the level of the worst off; None while nobody has the need.
    """
    lang = run.manifest.lang
    points = list[list[dict[str, int]]]()
    for number, bodies in enumerate(rows_at_ends(run, bins, keys.NEEDS), start=1):
        now = run.manifest.start + timedelta(
            minutes=min(number * bins.minutes, bins.last * bins.stride)
        )
        points.append([levels_under(book, body, now) for body in bodies.values()])
    lines = list[PlotLine]()
    for need, part in book.needs.items():
        felt = [[of[need] for of in everybody if need in of] for everybody in points]
        averages = [round(fmean(levels)) if levels else None for levels in felt]
        lowest = [min(levels, default=None) for levels in felt]
        lines.append(_line(part.name[lang], averages) | {"lowest": lowest})
    return lines


def _prices(run: RunReader, names: Names, bins: Bins, book: Book) -> list[PlotLine]:
    """Return a line for each kind of goods on sale, with the shop's name where several sell it."""
    lang = run.manifest.lang
    posted = [
        {shop: dict(row.prices) for shop, row in rows.items()}
        for rows in rows_at_ends(run, bins, keys.SHOP)
    ]
    sold = sorted(
        {(kind, shop) for shops in posted for shop, prices in shops.items() for kind in prices}
    )
    shops = [kind for kind, _ in sold]
    return [
        _line(
            book.kinds[kind].name[lang]
            + (f" · {names.place(shop)}" if shops.count(kind) > 1 else ""),
            [prices_of.get(shop, {}).get(kind) for prices_of in posted],
        )
        for kind, shop in sold
        if kind in book.kinds
    ]


def _stocks(run: RunReader, book: Book, held: list[dict[str, Stock]]) -> list[PlotLine]:
    """Return a line for each kind of goods that exists at some time, except coins and nature."""
    counts = [
        {kind: sum(stock.count(kind) for stock in of.values()) for kind in book.kinds}
        for of in held
    ]
    return [
        _line(part.name[run.manifest.lang], [of[kind] for of in counts])
        for kind, part in book.kinds.items()
        if kind not in (COIN, NATURE) and any(of[kind] for of in counts)
    ]
