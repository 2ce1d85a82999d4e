"""The present world: its map with placed and removed things, its residents with those who moved in,
and its rules with the laws in force.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from weakref import WeakKeyDictionary

from hometown.rng import stream_seed
from hometown.text import catalogue
from hometown.world import keys
from hometown.world.book.amend import amend, drop_dangling_references
from hometown.world.book.book import Book
from hometown.world.incidents import PlacedThing
from hometown.world.moving_in import add_latecomers
from hometown.world.rows import Row
from hometown.world.world import Thing, World, arena_of

FURNITURE = ("placed/", "removed/", "law/")
"""The prefixes of the rows that change the world."""

_latest: WeakKeyDictionary[World, tuple[Mapping[str, Row], World]] = WeakKeyDictionary()
"""The rows by which a world was changed the last time, and the changed world."""


def furnish_world(world: World, rows: Mapping[str, Row]) -> World:
    """Return the world changed by `placed/…`, `removed/…` and `law/…` rows; the world itself
    without any, and the one of the last time with the same, since much is derived from it.

    A removed thing stays in `things`, since memories and plans may refer to it, but in no arena.
    """
    furniture = {key: row for key, row in rows.items() if key.startswith(FURNITURE)}
    before, furnished = _latest.get(world, (None, world))
    if before != furniture:
        furnished = _change(world, furniture)
        _latest[world] = furniture, furnished
    return furnished


def _change(world: World, rows: Mapping[str, Row]) -> World:
    """Return the world changed by such rows."""
    placed = dict(sorted(keys.PLACED.select(rows)))
    gone = frozenset(address for address, _ in keys.REMOVED.select(rows))
    laws = {key: law.entry for key, law in sorted(keys.LAW.select(rows))}
    if not placed and not gone and not laws and not world.latecomers:
        return world
    world = add_latecomers(world, laws)
    things = world.things | {
        address: _thing(world, address, row) for address, row in placed.items()
    }
    arenas = {}
    for address, arena in world.arenas.items():
        added = tuple(thing for thing in placed if arena_of(thing) == address)
        arenas[address] = replace(
            arena, things=tuple(thing for thing in (*arena.things, *added) if thing not in gone)
        )
    book = world.book and _changed(world.book, placed, gone, laws)
    return replace(world, things=things, arenas=arenas, gone=gone, book=book)


def put_down(world: World, address: str, name: str, like: str) -> PlacedThing:
    """Return the row of a thing placed at an address, on an open tile of its arena that the address
    determines. `like` is the thing on the map after which it is modelled, "" for none.
    """
    tiles = world.open_tiles[arena_of(address)]
    return PlacedThing(name, tiles[stream_seed(0, address) % len(tiles)], like)


def _changed(
    book: Book, placed: Mapping[str, PlacedThing], gone: Container[str], laws: dict[str, str]
) -> Book:
    """Return the rules with the functions of placed things: those that a law gives, or else the
    model's, or else the name's.
    """
    changed = amend(book, laws)
    tags = sorted({recipe.at for recipe in changed.entries.values() if recipe.at})
    named = {
        address: next((tag for tag in tags if tag in row.name.casefold()), "")
        for address, row in placed.items()
    }
    return drop_dangling_references(
        changed.furnished({address: row.like for address, row in placed.items()}, named, gone)
    )


def _thing(world: World, address: str, row: PlacedThing) -> Thing:
    """Return a placed thing: it covers one tile and is used from there, like its model on the map."""
    spot = (row.tile,)
    if row.like:
        return replace(
            world.things[row.like],
            address=address,
            name=row.name,
            arena=arena_of(address),
            tiles=spot,
            stands=spot,
        )
    return Thing(
        address,
        row.name,
        arena_of(address),
        spot,
        spot,
        idle=catalogue(world.lang, "mind")["stands_there"],
    )


def like(world: World, name: str, placed: Container[str]) -> str:
    """Return the address of the thing, not among `placed`, with the longest name that is part of
    `name` ("piano" of "a grand piano"); "" for none.
    """
    folded = name.casefold()
    named = [
        thing
        for thing in world.things.values()
        if thing.name and thing.name.casefold() in folded and thing.address not in placed
    ]
    return max(named, key=lambda thing: (len(thing.name), thing.address)).address if named else ""
