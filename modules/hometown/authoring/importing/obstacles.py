"""Find the blocked tiles of a Tiled map that has no layer for them."""

from __future__ import annotations

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
    """Return the blocked tiles of a map that has no layer for them, and report the guess: those
    with collision shapes, properties or terrains that block; without any, all that stands in the
    upper layers.
    """
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
        for number in {*_solid_tiles(source.given), *_liquid_tiles(source.given)}:
            if isinstance(first, int) and isinstance(number, int) and 0 < first + number <= GID:
                yield first + number


def _solid_tiles(tileset: Json) -> Iterator[Any]:
    """Yield the ids of tiles with collision shapes, or with a property that says that they block."""
    words = read_word_table("places")["blocking"]["properties"]
    for tile in json_objects(tileset.get("tiles", [])) or ():
        shapes = tile.get("objectgroup")
        given = json_objects(tile.get("properties", [])) or ()
        if (isinstance(shapes, dict) and shapes.get("objects")) or any(
            str(prop.get("name")).lower() in words and prop.get("value") is True for prop in given
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
