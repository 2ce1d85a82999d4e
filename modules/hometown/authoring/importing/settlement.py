"""Lay out a settlement on a map without places: a home for each resident, and common ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.site import Names, Rect, SourceMap, main_area, tiles_of
from hometown.authoring.word_tables import read_word_table
from hometown.language import Lang
from hometown.text import N_, Phrase
from hometown.world.faults import Faults
from hometown.world.maze import Tile
from hometown.world.tiled import Layer

MARGIN = 10
"""The number of tiles added at a time on each side of a map without room for a settlement."""

SPOT, COMMON = (4, 4), (7, 6)
"""Columns and rows of a spot to live at, and of the common ground."""

AT_HOME = (("bed", (0, 0, 1, 2)), ("sink", (3, 0, 1, 1)), ("desk", (0, 3, 1, 1)))
IN_COMMON = (
    ("stove", (1, 0, 1, 1)),
    ("counter", (3, 0, 3, 1)),
    ("dining_table", (1, 2, 1, 1)),
    ("table", (3, 2, 1, 1)),
    ("chess", (5, 2, 1, 1)),
    ("bookshelf", (1, 4, 2, 1)),
    ("bench", (4, 4, 2, 1)),
)
"""Things by their name in the table of words, and their rectangle in the spot."""


def settle_on(
    site: SourceMap, names: Sequence[str], lang: Lang, report: ImportReport, fewest: int = 1
) -> list[Names]:
    """Lay out homes for as many of the people as a map has room for, at least `fewest`; a small map
    gets as wide a margin of open ground as that needs. Return the homes.
    """
    (columns, rows), margin = site.size, 0
    spots = _find_spots(main_area(site), len(names))
    while len(spots) < 1 + fewest:
        widen(site, MARGIN)
        margin += MARGIN
        spots = _find_spots(main_area(site), len(names))
    if margin:
        text = N_(
            "a margin of {count} tiles around the map of {columns} × {rows}, so that its people have room to live"
        )
        report.guessed.append(Phrase(text, count=margin, columns=columns, rows=rows))
    housed = list(names[: max(0, len(spots) - 1)])
    report.guessed.append(
        Phrase(
            "where they live: the map names no places, so {count} spots with a bed and a common ground were laid out on it",
            count=len(housed),
        )
    )
    return lay_out(site, housed, lang, Faults(""))


def widen(site: SourceMap, margin: int) -> None:
    """Add `margin` tiles of open ground on all sides of a map: more of the commonest tile at its
    lowest layer's edge. The tiles of places are not moved along.
    """
    width, height = site.size
    site.size = (width + 2 * margin, height + 2 * margin)
    site.blocked = {(column + margin, row + margin) for column, row in site.blocked}
    site.layers = tuple(
        replace(
            layer,
            cells=np.pad(
                layer.cells, margin, constant_values=0 if number else _edge_tile(layer.cells)
            ),
        )
        for number, layer in enumerate(site.layers)
    )


def _edge_tile(cells: Layer) -> int:
    """Return the commonest cell at the edges of a layer."""
    edge = np.concatenate([cells[0], cells[-1], cells[:, 0], cells[:, -1]])
    numbers, counts = np.unique(edge, return_counts=True)
    return int(numbers[counts.argmax()])


def _find_spots(free: set[Tile], people: int) -> list[Rect]:
    """Return the rectangle of the common ground, followed by those of up to `people` spots to live
    at, as many as the free tiles have room for; nothing if there is no room for the common ground.
    """
    spots: list[Rect] = []
    for size in (COMMON, *[SPOT] * people):
        spot = _find_room(free, size)
        if spot is None:
            break
        spots.append(spot)
        free = free - _tiles_with_margin(spot)
    return spots


def lay_out(site: SourceMap, names: Sequence[str], lang: Lang, faults: Faults) -> list[Names]:
    """Mark common ground and a home for each resident on a map, and return the homes as (building,
    room), in the order of `names`. If the map has too little open ground, add a fault, and return
    the homes of only the first residents, or of none.
    """
    words = read_word_table(lang)["settlement"]
    spots = _find_spots(main_area(site), len(names))
    if spots:
        place = (words["common"], words["common"])
        _mark(
            site,
            place,
            spots[0],
            IN_COMMON,
            words,
            {"tags": "square, park, outdoor, cafe", "public": True},
        )
    site.laid_out = True
    homes: list[Names] = []
    for number, name in enumerate(names, 1):
        if number >= len(spots):
            faults.add(
                "map",
                "",
                "has open ground for {count} of {all} people; each needs {width} × {height} free tiles",
                count=len(homes),
                all=len(names),
                width=SPOT[0],
                height=SPOT[1],
            )
            return homes
        home = (words["home"].format(name=name), words["room"])
        _mark(site, home, spots[number], AT_HOME, words, {"tags": "home, bedroom", "public": False})
        homes.append(home)
    return homes


def _find_room(free: set[Tile], size: tuple[int, int]) -> Rect | None:
    """Return the open rectangle nearest to the middle of the free tiles, with a way around it; None
    if there is none.
    """
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
        if _tiles_with_margin(rect) <= free:
            return rect
    return None


def _tiles_with_margin(rect: Rect) -> set[Tile]:
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
    """Mark a place with its properties, and its things, on the tiles of a rectangle."""
    for tile in tiles_of(rect):
        site.mark(place, tile)
    site.given[place] = given
    for thing, (right, down, width, height) in things:
        for tile in tiles_of((rect[0] + right, rect[1] + down, width, height)):
            site.mark((*place, words[thing]), tile)
