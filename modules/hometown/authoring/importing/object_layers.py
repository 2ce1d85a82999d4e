"""The object layers of an imported world's map."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from hometown.authoring.art.tmj import map_object
from hometown.authoring.importing.rooms import Furnished, Place, Properties
from hometown.authoring.importing.site import Rect, rectangles
from hometown.json_object import Json


def objects_of(town: Furnished) -> dict[str, list[Json]]:
    """Return the objects of each layer, with ids from 1."""
    layers = {
        "sectors": [piece for place in town.sectors.values() for piece in _split_place(place)],
        "arenas": [piece for place in town.arenas.values() for piece in _split_place(place)],
        "things": [(thing.address, thing.rect, thing.properties) for thing in town.things],
    }
    numbers = count(1)
    return {
        layer: [map_object(next(numbers), *piece, town.site.tile_size) for piece in pieces]
        for layer, pieces in layers.items()
    }


def _split_place(place: Place) -> Iterator[tuple[str, Rect, Properties]]:
    """Yield address, rectangle and properties; a place that is no rectangle is marked by several,
    of which the first has the properties.
    """
    for number, rect in enumerate(rectangles(place.tiles)):
        yield place.address, rect, {} if number else place.properties
