"""The drawings in `data/art`: things, plants, surfaces of the ground, and parts of walls.

They are PNG files for any pixel editor, at 32 pixels to a tile. Variants of a drawing are side by
side in one file.
"""

from __future__ import annotations

from collections.abc import Iterator
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
def cut_variant(name: str, number: int, columns: int = 1) -> Image.Image:
    """Return one of the drawings side by side in a file, each `columns` tiles wide; numbers beyond
    the last begin again with the first. Do not change it.
    """
    variants, width = load_drawing(name), columns * SIZE
    left = number * width % variants.width
    return variants.crop((left, 0, left + width, variants.height))


def cut_tiles(image: Image.Image) -> Iterator[tuple[int, int, Image.Image]]:
    """Yield (column, row, tile) for the whole tiles of a picture, row by row."""
    for row in range(image.height // SIZE):
        for column in range(image.width // SIZE):
            left, top = column * SIZE, row * SIZE
            yield column, row, image.crop((left, top, left + SIZE, top + SIZE))


def index_combination(*flags: bool) -> int:
    """Return the number of a drawing in a file with one for each combination of flags.

    >>> [index_combination(*flags) for flags in ((False, False), (True, False), (False, True))]
    [0, 1, 2]
    """
    return sum(flag << bit for bit, flag in enumerate(flags))
