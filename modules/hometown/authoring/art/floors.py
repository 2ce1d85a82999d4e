"""Floors of rooms, and the wooden decks and bridges outdoors. All repeat every four tiles."""

from __future__ import annotations

from PIL import Image

from hometown.authoring.art.drawings import cut_variant, index_combination
from hometown.authoring.art.texture import PERIOD, load_surface, window

FLOORS = {
    "w": "planks",
    "n": "dark_planks",
    "p": "parquet",
    "c": "carpet",
    "e": "red_carpet",
    "o": "office_carpet",
    "b": "bathroom_tiles",
    "l": "pale_tiles",
    "k": "kitchen_tiles",
    "q": "flagstones",
    "d": "deck",
    "=": "bridge",
}
"""Surface by plan character."""
INDOORS = set(FLOORS) - set("d=")
"""Plan characters that are floors of rooms."""


def draw_floor(kind: str, column: int, row: int) -> Image.Image:
    """Return a tile of a floor."""
    surface = load_surface(FLOORS[kind])
    return Image.fromarray(window(surface, column % PERIOD, row % PERIOD)).convert("RGBA")


def rim(left: bool, right: bool, up: bool, down: bool) -> Image.Image:
    """Return the beams along the outer sides of a deck or a bridge."""
    return cut_variant("ground/rim", index_combination(left, right, up, down))
