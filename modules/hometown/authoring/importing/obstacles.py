"""Find the blocked tiles of a Tiled map that has no layer for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.site import is_above
from hometown.authoring.word_tables import contains_word, read_word_table
from hometown.json_object import Json
from hometown.text import Phrase
from hometown.world.maze import Tile
from hometown.world.tiled import GID, TiledMap, TileLayer, TilesetSource
from hometown.world.tiled.document import json_objects

MOST_COVERED = 0.5
"""The largest share of a map that an upper layer covers if it shows what stands in the way."""

Cells = NDArray[np.uint32]


def collision_layer(drawn: TiledMap) -> TileLayer | None:
    """Return the first layer of blocked tiles: one named "collision(s)", or else "wall(s)"; None
    without either.
    """
    for names in (("collision", "collisions"), ("walls", "wall")):
        layers = [layer for layer in drawn.layers if layer.name.lower().strip() in names]
        if layers:
            return layers[0]
    return None


def guess_blocked(drawn: TiledMap, report: ImportReport) -> set[Tile]:
    """Return the blocked tiles of a map that has no layer for them, and report the guess: those on
    which nothing is drawn, and those of water; of the rest those with collision shapes, properties
    or terrains that block; without any, all that stands in the upper layers.
    """
    return _find_voids(drawn, report) | _find_water(drawn, report) | _find_obstacles(drawn, report)


def _find_voids(drawn: TiledMap, report: ImportReport) -> set[Tile]:
    """Return the tiles on which nothing is drawn, if most of the map is drawn; report them."""
    shown = [layer.cells != 0 for layer in drawn.layers if layer.visible]
    covered = np.any(shown, axis=0) if shown else np.zeros((drawn.height, drawn.width), dtype=bool)
    if np.count_nonzero(covered) < MOST_COVERED * covered.size or covered.all():
        return set()
    voids = _tiles([~covered])
    report.guessed.append(
        Phrase("that nobody walks where nothing is drawn, on {count} tiles", count=len(voids))
    )
    return voids


def _find_water(drawn: TiledMap, report: ImportReport) -> set[Tile]:
    """Return the tiles of layers that are called water or the like, without those below a bridge;
    report the layers.
    """
    words, ways = read_word_table("places")["blocking"], read_word_table("places")["crossing"]

    def select(table: Json) -> list[TileLayer]:
        known = [*table["en"], *table["zh"]]
        return [
            layer
            for layer in drawn.layers
            if layer.visible and contains_word(re.sub(r"[_\W\d]+", " ", layer.name), known)
        ]

    wet = [layer for layer in select(words) if np.count_nonzero(layer.cells) < layer.cells.size]
    if wet:
        report.guessed.append(
            Phrase("what blocks the way: {layers}", layers=[layer.name for layer in wet])
        )
    return _tiles(layer.cells for layer in wet) - _tiles(layer.cells for layer in select(ways))


def _find_obstacles(drawn: TiledMap, report: ImportReport) -> set[Tile]:
    """Return the tiles that block the way by what they are, or else by where they are drawn."""
    numbers = np.array(sorted(_blocking_tiles(drawn.sources)), dtype=np.uint32)
    marked = [np.isin(layer.cells & GID, numbers) for layer in drawn.layers]
    if any(cells.any() for cells in marked):
        report.guessed.append(
            Phrase("what blocks the way: the tiles with collision shapes, or of water and the like")
        )
        return _tiles(marked)
    upper = [
        layer
        for layer in drawn.layers[1:]
        if layer.visible
        and not is_above(layer.name)
        and 0 < np.count_nonzero(layer.cells) <= MOST_COVERED * layer.cells.size
    ]
    if not upper:
        report.guessed.append(
            Phrase(
                "that nothing blocks the way; to block some tiles, draw them in a layer "
                "called collision"
            )
        )
        return set()
    report.guessed.append(
        Phrase(
            "what blocks the way: all that is drawn in {layers}; if that is wrong, "
            "add a layer called collision",
            layers=[layer.name for layer in upper],
        )
    )
    return _tiles(layer.cells for layer in upper)


def _tiles(layers: Iterable[NDArray[Any]]) -> set[Tile]:
    """Return the tiles, as column and row, at which any layer has something."""
    return {
        (int(column), int(row))
        for cells in layers
        for row, column in zip(*cells.nonzero(), strict=True)
    }


def _blocking_tiles(sources: Iterable[TilesetSource]) -> Iterator[int]:
    """Yield the numbers of the tiles that block the way."""
    for source in sources:
        first = source.given.get("firstgid")
        given = source.given
        for number in {*_solid_tiles(given), *_liquid_tiles(given), *_old_liquid_tiles(given)}:
            if isinstance(first, int) and isinstance(number, int) and 0 < first + number <= GID:
                yield first + number


def _solid_tiles(tileset: Json) -> Iterator[Any]:
    """Yield the ids of tiles with collision shapes, or with a class or a property that says that
    they block.
    """
    words = read_word_table("places")["blocking"]
    for tile in json_objects(tileset.get("tiles", [])) or ():
        shapes = tile.get("objectgroup")
        given = json_objects(tile.get("properties", [])) or ()
        called = str(tile.get("class") or tile.get("type") or "")
        if (
            (isinstance(shapes, dict) and shapes.get("objects"))
            or contains_word(called, [*words["properties"], *words["en"], *words["zh"]])
            or any(
                str(prop.get("name")).lower() in words["properties"] and prop.get("value") is True
                for prop in given
            )
        ):
            yield tile.get("id")


def _liquid_tiles(tileset: Json) -> Iterator[Any]:
    """Yield the ids of tiles that are mostly of a terrain that blocks, such as water."""
    words = read_word_table("places")["blocking"]
    for terrains in json_objects(tileset.get("wangsets", [])) or ():
        colours = json_objects(terrains.get("colors", [])) or ()
        blocking = {
            number
            for number, colour in enumerate(colours, 1)
            if contains_word(str(colour.get("name")), [*words["en"], *words["zh"]])
        }
        for tile in json_objects(terrains.get("wangtiles", [])) or ():
            edges = tile.get("wangid")
            known = [edge for edge in edges if edge] if isinstance(edges, list) else []
            if 2 * sum(edge in blocking for edge in known) > len(known):
                yield tile.get("tileid")


def _old_liquid_tiles(tileset: Json) -> Iterator[Any]:
    """Yield the ids of tiles that are mostly of a terrain that blocks, in the form of Tiled before
    1.5: a terrain's number at each corner.
    """
    words = read_word_table("places")["blocking"]
    blocking = {
        number
        for number, terrain in enumerate(json_objects(tileset.get("terrains", [])) or ())
        if contains_word(str(terrain.get("name")), [*words["en"], *words["zh"]])
    }
    for tile in json_objects(tileset.get("tiles", [])) or ():
        corners = tile.get("terrain")
        known = [corner for corner in corners if corner != -1] if isinstance(corners, list) else []
        if known and 2 * sum(corner in blocking for corner in known) > len(known):
            yield tile.get("id")
