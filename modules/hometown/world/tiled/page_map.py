"""The canonical form of a map for the page, independent of Tiled's formats."""

from __future__ import annotations

from hometown.json_object import Json
from hometown.world.tiled.map import TiledMap
from hometown.world.tiled.tilesets import Tileset


def page_map(drawn: TiledMap) -> Json:
    """Return Tiled's JSON format with a flat list of tile layers, cells as lists of numbers, and
    embedded tilesets.

    Images are paths below the map's folder. Object layers are omitted: the page gets places from
    the run.
    """
    return {
        "width": drawn.width,
        "height": drawn.height,
        "tilewidth": drawn.tile_size,
        "tileheight": drawn.tile_size,
        "layers": [
            {
                "type": "tilelayer",
                "name": layer.name,
                "visible": layer.visible,
                "opacity": layer.opacity,
                "data": layer.cells.ravel().tolist(),
            }
            for layer in drawn.layers
        ],
        "tilesets": [tileset_json(tileset) for tileset in drawn.tilesets],
    }


def tileset_json(tileset: Tileset) -> Json:
    """Return a tileset in Tiled's JSON format."""
    return {
        "firstgid": tileset.first,
        "name": tileset.name,
        "image": tileset.image,
        "tilewidth": tileset.tile_width,
        "tileheight": tileset.tile_height,
        "columns": tileset.columns,
        "tilecount": tileset.count,
        "margin": tileset.margin,
        "spacing": tileset.spacing,
    }
