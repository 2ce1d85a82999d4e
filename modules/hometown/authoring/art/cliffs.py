"""Rock and cliffs: mossy tops, and faces that fall to the ground below."""

from __future__ import annotations

from functools import cache

import numpy as np
from PIL import Image

from hometown.authoring.art.canvas import tone
from hometown.authoring.art.texture import (
    PERIOD,
    border,
    cut_out,
    fill_mask,
    lit_edge,
    load_surface,
    outline,
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
    pixels = window(surface, column % PERIOD, row % PERIOD)
    for mask, shade in ((lit_edge(inside), 0.3), (outline(inside), 2.9)):
        pixels = fill_mask(pixels, mask, tone("slate", shade))
    if below == FACE - 1:
        pixels[:3] = tone("leaf", 0.4)
        pixels[3:5] = tone("pine", 2.2)
    if below == 0:
        pixels[-5:] = (pixels[-5:] * 0.7).astype(np.uint8)
    return cut_out(pixels, inside, 90)
