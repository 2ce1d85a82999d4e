"""What the object layers of a brought world's map mark."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from modules.art.tmj import marked
from modules.worlds.importing.furnish import Furnished, Place, Properties
from modules.worlds.importing.site import Rect, rectangles


def objects_of(found: Furnished) -> dict[str, list[dict[str, Any]]]:
    """The objects of each layer, numbered from 1."""
    layers = {
        "sectors": [one for place in found.sectors.values() for one in _pieces(place)],
        "arenas": [one for place in found.arenas.values() for one in _pieces(place)],
        "things": [(thing.address, thing.rect, thing.properties) for thing in found.things],
    }
    numbers = count(1)
    return {layer: [marked(next(numbers), *one, found.site.tile_size) for one in ones] for layer, ones in layers.items()}


def _pieces(place: Place) -> Iterator[tuple[str, Rect, Properties]]:
    """Address, rectangle and properties; a place that is no rectangle is marked by several, of which the first has the properties."""
    for number, rect in enumerate(rectangles(place.tiles)):
        yield place.address, rect, {} if number else place.properties
