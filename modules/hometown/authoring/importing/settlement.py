"""Lay out a settlement on a map without places: a home for each resident, and common ground."""

from __future__ import annotations

from collections.abc import Sequence

from hometown.authoring.importing.site import Names, Rect, SourceMap, main_area, tiles_of
from hometown.authoring.word_tables import read_word_table
from hometown.language import Lang
from hometown.world.faults import Faults
from hometown.world.maze import Tile

SPOT, COMMON = (4, 4), (7, 6)
"""Columns and rows of a spot to live at, and of the common ground."""

AT_HOME = (("bed", (0, 0, 1, 2)), ("sink", (3, 0, 1, 1)), ("desk", (0, 3, 1, 1)))
IN_COMMON = (
    ("stove", (1, 0, 1, 1)), ("counter", (3, 0, 3, 1)), ("dining_table", (1, 2, 1, 1)), ("table", (3, 2, 1, 1)), ("chess", (5, 2, 1, 1)),
    ("bookshelf", (1, 4, 2, 1)), ("bench", (4, 4, 2, 1)),
)  # fmt: skip
"""Things by their name in the table of words, and their rectangle in the spot."""


def lay_out(site: SourceMap, names: Sequence[str], lang: Lang, faults: Faults) -> list[Names]:
    """Mark the places and return the home of each resident; if the map has too little open ground,
    a fault is reported, and homes are missing.
    """
    words = read_word_table(lang)["settlement"]
    free = main_area(site)
    common = _room(free, COMMON)
    if common:
        place = (words["common"], words["common"])
        _mark(
            site,
            place,
            common,
            IN_COMMON,
            words,
            {"tags": "square, park, outdoor, cafe", "public": True},
        )
        free -= _margin(common)
    site.laid_out = True
    homes: list[Names] = []
    for name in names:
        spot = _room(free, SPOT)
        if spot is None or common is None:
            faults.add("map", "", "has open ground for {count} of {all} people; each needs {width} × {height} free tiles", count=len(homes), all=len(names),
                       width=SPOT[0], height=SPOT[1])  # fmt: skip
            return homes
        home = (words["home"].format(name=name), words["room"])
        _mark(site, home, spot, AT_HOME, words, {"tags": "home, bedroom", "public": False})
        free -= _margin(spot)
        homes.append(home)
    return homes


def _room(free: set[Tile], size: tuple[int, int]) -> Rect | None:
    """Return the open rectangle nearest to the middle of the free tiles, with a way around it."""
    if not free:
        return None
    middle = (
        sum(column for column, _ in free) // len(free),
        sum(row for _, row in free) // len(free),
    )
    for column, row in sorted(
        free, key=lambda tile: (abs(tile[0] - middle[0]) + abs(tile[1] - middle[1]), tile)
    ):
        rect = (column, row, *size)
        if _margin(rect) <= free:
            return rect
    return None


def _margin(rect: Rect) -> set[Tile]:
    """Return a rectangle's tiles with those around it."""
    return tiles_of((rect[0] - 1, rect[1] - 1, rect[2] + 2, rect[3] + 2))


def _mark(
    site: SourceMap,
    place: Names,
    rect: Rect,
    things: Sequence[tuple[str, Rect]],
    words: dict[str, str],
    given: dict[str, str | bool],
) -> None:
    for tile in tiles_of(rect):
        site.mark(place, tile)
    site.given[place] = given
    for thing, (right, down, width, height) in things:
        for tile in tiles_of((rect[0] + right, rect[1] + down, width, height)):
            site.mark((*place, words[thing]), tile)
