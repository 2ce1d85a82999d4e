"""Writes a map in Tiled's own format (`.tmj`, 1.10), one object or layer to a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from modules.art.tilemap import HIDDEN
from modules.world.maze import Tile
from modules.worlds.importing.furnish import Furnished, Properties
from modules.worlds.importing.site import Rect, rectangles

Marked = tuple[str, Rect, Properties]
"""Name, rectangle in tiles, properties."""


def objects_of(found: Furnished) -> dict[str, list[Marked]]:
    """What each object layer marks; a place that is no rectangle is marked by several, of which the first has the properties."""
    return {
        "sectors": [one for place in found.sectors.values() for one in _pieces(place.address, rectangles(place.tiles), place.properties)],
        "arenas": [one for place in found.arenas.values() for one in _pieces(place.address, rectangles(place.tiles), place.properties)],
        "things": [(thing.address, thing.rect, thing.properties) for thing in found.things],
    }


def _pieces(address: str, rects: Sequence[Rect], properties: Properties) -> Iterable[Marked]:
    for number, rect in enumerate(rects):
        yield address, rect, {} if number else properties


def map_text(size: Tile, pixels: int, layers: Sequence[dict[str, Any]], objects: dict[str, list[Marked]], tilesets: Sequence[dict[str, Any]]) -> str:
    """The file. `layers` have a name and data (width × height numbers); `pixels` are those of a tile's side."""
    shared = {"x": 0, "y": 0, "opacity": 1}
    drawn = [{"type": "tilelayer", "visible": one["name"] not in HIDDEN, "width": size[0], "height": size[1], **shared, **one} for one in layers]
    count = 0
    for name, ones in objects.items():
        marked = []
        for address, rect, properties in ones:
            count += 1
            marked.append(_object(count, address, rect, properties, pixels))
        drawn.append({"type": "objectgroup", "name": name, "visible": True, "draworder": "index", **shared, "objects": marked})
    whole = {
        "type": "map", "version": "1.10", "tiledversion": "1.10.2", "orientation": "orthogonal", "renderorder": "right-down", "infinite": False,
        "width": size[0], "height": size[1], "tilewidth": pixels, "tileheight": pixels, "nextlayerid": len(drawn) + 1, "nextobjectid": count + 1,
        "tilesets": list(tilesets), "layers": [{"id": number, **layer} for number, layer in enumerate(drawn, 1)],
    }  # fmt: skip
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).replace('{"id"', '\n{"id"') + "\n"


def _object(number: int, name: str, rect: Rect, properties: Properties, pixels: int) -> dict[str, Any]:
    x, y, width, height = (value * pixels for value in rect)
    kinds: dict[type, str] = {bool: "bool", int: "int", str: "string"}
    said = [{"name": key, "type": kinds[type(value)], "value": value} for key, value in sorted(properties.items())]
    return {
        "id": number, "name": name, "type": "", "x": x, "y": y, "width": width, "height": height, "rotation": 0, "visible": True, "properties": said,
    }  # fmt: skip
