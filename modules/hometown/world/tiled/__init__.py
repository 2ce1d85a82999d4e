"""Reader of Tiled maps, for the loader, the importer, the page and the pictures of a town.

It supports both formats (`.tmj`, `.tmx`), every encoding of layers, groups, infinite maps, and
external tilesets inside the map's folder. Unusable content is a fault with its remedy in Tiled.
Maps are untrusted: nothing outside the folder is read, and no file unpacks to more than a map of
the largest size.
"""

from hometown.world.tiled.cells import Layer
from hometown.world.tiled.map import (
    FLIPPED_ACROSS,
    FLIPPED_DIAGONALLY,
    FLIPPED_DOWN,
    GID,
    MapLayer,
    TiledMap,
    TileLayer,
    map_file,
    read_map,
)
from hometown.world.tiled.objects import DrawnObject, MapObject, object_in
from hometown.world.tiled.page_map import page_map, tileset_json
from hometown.world.tiled.tilesets import Tileset, TilesetSource

__all__ = [
    "FLIPPED_ACROSS",
    "FLIPPED_DIAGONALLY",
    "FLIPPED_DOWN",
    "GID",
    "DrawnObject",
    "Layer",
    "MapLayer",
    "MapObject",
    "TileLayer",
    "TiledMap",
    "Tileset",
    "TilesetSource",
    "map_file",
    "object_in",
    "page_map",
    "read_map",
    "tileset_json",
]
