"""Write maps in Tiled's own format (`.tmj`, 1.10), one layer or object to a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hometown.json_object import Json

Rect = tuple[int, int, int, int]
"""Left, top, width and height, in tiles."""

Properties = Mapping[str, str | int | bool]

HIDDEN = ("lights", "collision")
"""The layers of lights and of blocked tiles: the page draws the first at night, and never the
second.
"""

SHARED = {"x": 0, "y": 0, "opacity": 1}
"""The defaults of every layer's fields."""

KINDS: dict[type, str] = {bool: "bool", int: "int", str: "string"}


def map_text(
    size: tuple[int, int],
    pixels: int,
    layers: Sequence[Json],
    objects: Mapping[str, Sequence[Json]],
    tilesets: Sequence[Json],
    properties: Sequence[Json] = (),
) -> str:
    """Return the file. `size` is in tiles of `pixels` a side; `layers` have a name and data (width
    × height numbers), `objects` are `map_object` by layer, `properties` those of the map.
    """
    drawn = [*_format_tile_layers(size, layers), *_format_object_layers(objects)]
    whole = {
        "type": "map",
        "version": "1.10",
        "tiledversion": "1.10.2",
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "infinite": False,
        "width": size[0],
        "height": size[1],
        "tilewidth": pixels,
        "tileheight": pixels,
        "nextlayerid": len(drawn) + 1,
        "nextobjectid": 1
        + max((item["id"] for items in objects.values() for item in items), default=0),
        **({"properties": list(properties)} if properties else {}),
        "tilesets": list(tilesets),
        "layers": [{"id": number, **layer} for number, layer in enumerate(drawn, 1)],
    }
    return text_of(whole)


def text_of(whole: Mapping[str, Any]) -> str:
    """Return a map as the text of its file."""
    return (
        json.dumps(whole, ensure_ascii=False, separators=(",", ":")).replace('{"id"', '\n{"id"')
        + "\n"
    )


def map_object(number: int, name: str, rect: Rect, properties: Properties, pixels: int) -> Json:
    """Return an object: the rectangle that marks a place or a thing, given in tiles of `pixels`
    pixels, and its properties. `number` is its id, unique in the map.
    """
    x, y, width, height = (value * pixels for value in rect)
    listed = [
        {"name": key, "type": KINDS[type(value)], "value": value}
        for key, value in sorted(properties.items())
    ]
    return {
        "id": number,
        "name": name,
        "type": "",
        "x": x,
        "y": y,
        "width": width,
        "height": height,
        "rotation": 0,
        "visible": True,
        "properties": listed,
    }


def tileset(name: str, image: str, size: tuple[int, int], pixels: int) -> Json:
    """Return the only tileset of a map, with a picture of `size` pixels."""
    width, height = size
    return {
        "firstgid": 1,
        "name": name,
        "image": image,
        "imagewidth": width,
        "imageheight": height,
        "columns": width // pixels,
        "tilecount": width * height // pixels**2,
        "tilewidth": pixels,
        "tileheight": pixels,
        "margin": 0,
        "spacing": 0,
    }


def _format_tile_layers(size: tuple[int, int], layers: Sequence[Json]) -> Iterator[Json]:
    """Yield tile layers as they stand in the file; those of `HIDDEN` are invisible."""
    for layer in layers:
        yield {
            "name": layer["name"],
            "type": "tilelayer",
            "visible": layer["name"] not in HIDDEN,
            "width": size[0],
            "height": size[1],
            **SHARED,
            **layer,
        }


def _format_object_layers(objects: Mapping[str, Sequence[Json]]) -> Iterator[Json]:
    """Yield the object layers as they stand in the file, by their names."""
    for name, ones in objects.items():
        yield {
            "name": name,
            "type": "objectgroup",
            "visible": True,
            "draworder": "index",
            **SHARED,
            "objects": list(ones),
        }
