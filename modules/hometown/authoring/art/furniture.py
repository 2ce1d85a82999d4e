"""Pictures and shapes of things and decorations by kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from zlib import crc32

import numpy as np
from PIL import Image, ImageDraw

from hometown.authoring.art.drawings import cut_tiles, load_drawing
from hometown.authoring.art.kinds import Furnishing, load_decorations, load_kinds
from hometown.world.maze import Tile

GLOWS = {
    "warm": ((255, 196, 98, 255), (255, 236, 176, 255)),
    "cold": ((120, 222, 206, 255), (222, 255, 246, 255)),
}
"""Colours of the rim and of the middle of a light."""

GLOW_RIM = 3
"""Width of the rim of a light in pixels."""


@dataclass(frozen=True)
class Picture:
    """A picture of whole tiles; its first `above` rows stand above the thing and are drawn over the
    residents.
    """

    image: Image.Image
    above: int = 0
    layer: str = "furniture"
    glow: Image.Image | None = None

    def tiles(self) -> Iterator[tuple[str, int, int, Image.Image]]:
        """Yield each tile of the picture and of its glow after its layer and its place, counted
        from the upper left tile of the thing: rows above it are below 0.
        """
        for layer, image in (("", self.image), ("lights", self.glow)):
            for right, row, tile in cut_tiles(image) if image else ():
                above = "foreground" if row < self.above else self.layer
                yield layer or above, right, row - self.above, tile


def draw_thing(kind: str, room: str = "") -> Picture:
    """Return the picture of a kind of thing, or of a decoration; covers and cushions are of the
    colour of its `room`.
    """
    given, image = _find(kind), load_drawing(f"things/{kind}")
    if given.has_cloth:
        image = _dye_cloth(image, room)
    return Picture(image, given.above, given.layer, _draw_glow(given, image.size))


def shape(kind: str) -> tuple[str, ...]:
    """Return the rows of tiles of a thing or a decoration, as in `Furnishing.shape`."""
    return _find(kind).shape


def size_of_kind(kind: str) -> tuple[int, int]:
    """Return the columns and rows of a thing or a decoration."""
    rows = shape(kind)
    return len(rows[0]), len(rows)


def list_tiles(at: Tile, shape: Sequence[str]) -> Iterator[tuple[Tile, str]]:
    """Yield the tiles of a shape whose upper left one is `at`, each with its character."""
    for down, line in enumerate(shape):
        for right, mark in enumerate(line):
            yield (at[0] + right, at[1] + down), mark


def _find(kind: str) -> Furnishing:
    """Return a kind of thing, or else a decoration."""
    return load_kinds().get(kind) or load_decorations()[kind]


@cache
def _load_cloths() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return the colours of covers, uint8[shade, cloth, rgba]; the first cloth is that of the
    drawings.
    """
    return np.asarray(load_drawing("cloths"))


def _dye_cloth(image: Image.Image, room: str) -> Image.Image:
    """Return a drawing with its cloth in the colour of a room."""
    cloths, drawn = _load_cloths(), np.asarray(image)
    dyed, cloth = drawn.copy(), crc32(room.encode()) % cloths.shape[1]
    for shade in cloths:
        dyed[(drawn == shade[0]).all(axis=-1)] = shade[cloth]
    return Image.fromarray(dyed)


def _draw_glow(given: Furnishing, size: tuple[int, int]) -> Image.Image | None:
    """Return the light of a kind that glows, almost white in the middle; None for one that does
    not.
    """
    if given.glow is None:
        return None
    rim, middle = GLOWS[given.light]
    left, top, right, bottom = given.glow
    image = Image.new("RGBA", size)
    pen = ImageDraw.Draw(image)
    pen.ellipse(given.glow, rim)
    pen.ellipse(
        (left + GLOW_RIM, top + GLOW_RIM, right - GLOW_RIM, bottom - GLOW_RIM),
        middle,
    )
    return image
