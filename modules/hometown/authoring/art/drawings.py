"""The drawings in `data/art`: things, plants, surfaces of the ground, and parts of walls.

They are PNG files for any pixel editor, at 32 pixels to a tile. Several drawings of one width form
a strip, side by side.
"""

from __future__ import annotations

from functools import cache

from PIL import Image

from hometown.paths import DATA

ART = DATA / "art"

SIZE = 32
"""Pixels of a tile in width and height."""


@cache
def load_drawing(name: str) -> Image.Image:
    """Return a drawing by its path in `data/art`, such as "things/bed"; do not change it."""
    with Image.open(ART / f"{name}.png") as drawing:
        return drawing.convert("RGBA")


@cache
def cut_strip(name: str, number: int, columns: int = 1) -> Image.Image:
    """Return one drawing of a strip, each `columns` tiles wide; numbers beyond the last begin
    again with the first. Do not change it.
    """
    strip, width = load_drawing(name), columns * SIZE
    left = number * width % strip.width
    return strip.crop((left, 0, left + width, strip.height))


def index_sides(*sides: bool) -> int:
    """Return the number of a drawing in a strip with one for each combination of sides.

    >>> [index_sides(*sides) for sides in ((False, False), (True, False), (False, True), (True, True))]
    [0, 1, 2, 3]
    """
    return sum(there << bit for bit, there in enumerate(sides))
