"""The world as it is now: its map, with what the user has placed and removed since, its people,
with those who have moved in, and its society's book, with the laws that have changed.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

from hometown.rng import stream_seed
from hometown.text import catalogue
from hometown.world import keys
from hometown.world.book.amend import amended, tidied
from hometown.world.book.book import Book
from hometown.world.incidents import Placed
from hometown.world.moving_in import peopled
from hometown.world.rows import Row
from hometown.world.world import Thing, World, arena_of

FURNITURE = ("placed/", "removed/", "law/")
"""How the keys of rows begin that make a world another one."""


def furnished(world: World, rows: Mapping[str, Row]) -> World:
    """The world with the things that `placed/…` and `removed/…` rows tell of, and the laws and
    people of `law/…` rows; the world itself where there are none.

    A thing that is gone stays in `things`, since memories, plans and ways may still lead to it, but
    no arena holds it.
    """
    placed = dict(sorted(keys.PLACED.select(rows)))
    gone = frozenset(address for address, _ in keys.REMOVED.select(rows))
    laws = {key: law.entry for key, law in sorted(keys.LAW.select(rows))}
    if not placed and not gone and not laws and not world.latecomers:
        return world
    world = peopled(world, laws)
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


def put_down(world: World, address: str, name: str, like: str) -> Placed:
    """A thing that is placed at an address, on an open tile of its arena."""
    tiles = world.open_tiles[arena_of(address)]
    return Placed(name, tiles[stream_seed(0, address) % len(tiles)], like)


def _changed(
    book: Book, placed: Mapping[str, Placed], gone: Container[str], laws: dict[str, str]
) -> Book:
    """A placed thing can do what the map's thing of the same kind can, or what its own name says it
    is for, unless a law says what.
    """
    changed = amended(book, laws)
    tags = sorted({recipe.at for recipe in changed.entries.values() if recipe.at})
    named = {
        address: next((tag for tag in tags if tag in row.name.casefold()), "")
        for address, row in placed.items()
    }
    return tidied(
        changed.furnished({address: row.like for address, row in placed.items()}, named, gone)
    )


def _thing(world: World, address: str, row: Placed) -> Thing:
    """A placed thing stands on one tile and is used from there; its uses are those of the map's
    thing of the same kind.
    """
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
    """The thing of the map whose name is all or most of `name` ("piano" of "a grand piano"), "" if
    there is none.
    """
    folded = name.casefold()
    named = [
        thing
        for thing in world.things.values()
        if thing.name and thing.name.casefold() in folded and thing.address not in placed
    ]
    return max(named, key=lambda thing: (len(thing.name), thing.address)).address if named else ""
