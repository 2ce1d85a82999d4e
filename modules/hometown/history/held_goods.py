"""Goods as the page shows them: the contents of a holder after a step, with the wear and the
contents of items.
"""

from __future__ import annotations

from typing import Any

from hometown.history import shapes
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.shapes.versioned_values import Versions
from hometown.world import keys
from hometown.world.book.book import Book
from hometown.world.furnish import furnish_world
from hometown.world.keys import Key
from hometown.world.matter import Stock, kind_of
from hometown.world.world import World


def town_at(run: RunReader, names: Names, step: int) -> World | None:
    """Return the world after a step, with all objects placed, objects removed and laws enacted by
    then; None where the world is not known.
    """
    return furnish_world(names.world, run.run.furniture(step)) if names.world else None


def book_at(run: RunReader, names: Names, step: int) -> Book | None:
    """Return the rules of the society after a step; None without a society."""
    world = town_at(run, names, step)
    return world.book if world else None


def holdings(
    run: RunReader, world: World, holder: str, begin: int, last: int
) -> Versions[list[shapes.Holding]]:
    """Return the goods of a holder by the step since which they hold, from step `begin` to `last`;
    of containers, with their contents.
    """
    holders = [holder]
    for each in holders:
        rows = [row for _, row in run.versions(keys.STOCK.of(each), begin, last) if row]
        holders += sorted({item for row in rows for item in row.items} - set(holders))
    keys_read: list[Key[Any]] = [
        *(keys.STOCK.of(each) for each in holders),
        *(keys.ITEM.of(item) for item in holders[1:]),
    ]
    steps = {begin, *(since for key in keys_read for since, _ in run.versions(key, begin, last))}
    return [(step, _list_contents(run, world, holder, step)) for step in sorted(steps)]


def _list_contents(run: RunReader, world: World, holder: str, step: int) -> list[shapes.Holding]:
    """Return the goods of a holder after a step, of kinds that the book has."""
    stock = _stock(run, holder, step)
    book = world.book
    assert book is not None, "where goods are there is a book"
    return [
        _holding(run, book, world, name, count, step)
        for name, count in stock.goods
        if kind_of(name) in book.kinds
    ]


def _holding(
    run: RunReader, book: Book, world: World, name: str, count: int, step: int
) -> shapes.Holding:
    """Return goods in the page's format, with the wear and the contents of an item."""
    part = book.kinds[kind_of(name)]
    item = run.row(keys.ITEM.of(name), step)
    inside = _stock(run, name, step) if part.holds else Stock()
    named = [
        (book.kinds[kind_of(each)].name[world.lang], number)
        for each, number in inside.goods
        if kind_of(each) in book.kinds
    ]
    return {
        "name": part.name[world.lang],
        "count": count,
        "worn": item.worn if item else 0,
        "wears": part.wears,
        "inside": named,
    }


def _stock(run: RunReader, holder: str, step: int) -> Stock:
    """Return the goods of a holder after a step; empty for none."""
    return run.row(keys.STOCK.of(holder), step) or Stock()
