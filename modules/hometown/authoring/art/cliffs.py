"""Rock and cliffs: mossy tops, and faces that fall to the ground below."""

from __future__ import annotations

from functools import cache

import numpy as np
from PIL import Image

from hometown.authoring.art.canvas import tone
from hometown.authoring.art.drawings import SIZE
from hometown.authoring.art.texture import (
    PERIOD,
    border,
    load_surface,
    middle,
    shift_tile,
    window,
)

FACE = 2
"""Height of a cliff's face in tiles; the tiles above belong to its top."""


@cache
def draw_cliff(column: int, row: int, around: tuple[bool, ...], below: int) -> Image.Image:
    """Return a tile of a rock, `below` tiles above its foot, or of its shadow outside the rock."""
    depth = border(around, column, row, 0.3, 0.45, 4)
    inside = depth > 0
    face = below < FACE
    surface = load_surface("cliff" if face else "rock")
    pixels = window(surface, column % PERIOD, row % PERIOD).copy()
    lit = inside & ~(shift_tile(inside, 0, -2) & shift_tile(inside, -2, 0))
    ink = inside & ~(
        shift_tile(inside, 0, 1)
        & shift_tile(inside, 1, 0)
        & shift_tile(inside, -1, 0)
        & shift_tile(inside, 0, -1)
    )
    for mask, shade in ((lit, 0.3), (ink, 2.9)):
        pixels = np.where(middle(mask)[..., None], tone("slate", shade), pixels).astype(np.uint8)
    if below == FACE - 1:
        pixels[:3] = tone("leaf", 0.4)
        pixels[3:5] = tone("pine", 2.2)
    if below == 0:
        pixels[-5:] = (pixels[-5:] * 0.7).astype(np.uint8)
    cast = ~inside & (shift_tile(inside, -2, -3) | shift_tile(inside, 0, -4))
    whole = np.zeros((SIZE, SIZE, 4), np.uint8)
    whole[middle(cast)] = (44, 36, 80, 90)
    kept = middle(inside)
    whole[kept] = np.dstack([pixels, np.full((SIZE, SIZE), 255, np.uint8)])[kept]
    return Image.fromarray(whole)
