"""Rock and cliffs: mossy tops, faces that fall to the ground below, and steps cut into them."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
from PIL import Image

from hometown.authoring.art.canvas import Canvas
from hometown.authoring.art.texture import (
    PERIOD,
    SIZE,
    SPAN,
    Pixels,
    border,
    clouds,
    middle,
    noise,
    over,
    rgb,
    scatter_seamlessly,
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
    pixels = window(_face() if face else _top(), column % PERIOD, row % PERIOD).copy()
    lit = inside & ~(shift_tile(inside, 0, -2) & shift_tile(inside, -2, 0))
    ink = inside & ~(
        shift_tile(inside, 0, 1)
        & shift_tile(inside, 1, 0)
        & shift_tile(inside, -1, 0)
        & shift_tile(inside, 0, -1)
    )
    for mask, shade in ((lit, 0.3), (ink, 2.9)):
        pixels = np.where(middle(mask)[..., None], rgb("slate", shade), pixels).astype(np.uint8)
    if below == FACE - 1:
        pixels[:3] = rgb("leaf", 0.4)
        pixels[3:5] = rgb("pine", 2.2)
    if below == 0:
        pixels[-5:] = (pixels[-5:] * 0.7).astype(np.uint8)
    cast = ~inside & (shift_tile(inside, -2, -3) | shift_tile(inside, 0, -4))
    whole = np.zeros((SIZE, SIZE, 4), np.uint8)
    whole[middle(cast)] = (44, 36, 80, 90)
    kept = middle(inside)
    whole[kept] = np.dstack([pixels, np.full((SIZE, SIZE), 255, np.uint8)])[kept]
    return Image.fromarray(whole)


@cache
def _top() -> Pixels:
    """Moss over stone."""
    base = clouds("pine", "rock", (32, 8), [(0.36, 2.0), (0.5, 1.5), (0.66, 1.1), (2, 0.7)])
    stream = Random("moss")

    def stone(c: Canvas, x: int, y: int) -> None:
        wide = stream.choice((5, 8, 11))
        c.oval(x, y, x + wide, y + wide // 2 + 2, "slate", 1.2, outline=False)
        c.line(x + 2, y, x + wide - 3, y, "slate", 0.2)
        c.line(x + 2, y + wide // 2 + 2, x + wide - 2, y + wide // 2 + 2, "slate", 2.4)

    return over(base, scatter_seamlessly(stone, "rocks", 9))


@cache
def _face() -> Pixels:
    """Stone that is split from top to bottom, like strokes of a dry brush."""
    pixels = clouds("slate", "face", (16, 8), [(0.4, 1.9), (0.58, 1.5), (2, 1.1)])
    columns = noise("split", 8)[0]
    pixels[:, columns > 0.62] = rgb("slate", 0.7)
    pixels[:, columns < 0.3] = rgb("slate", 2.5)
    stream = Random("cracks")

    def crack(c: Canvas, x: int, y: int) -> None:
        high = stream.choice((8, 14, 20))
        c.line(x, y, x + stream.choice((-2, 0, 1)), y + high, "slate", 2.8)
        c.line(x + 1, y, x + 1, y + high - 3, "slate", 0.4)
        if high < 10:
            c.oval(x - 2, y, x + 5, y + 3, "pine", 0.8, outline=False)

    return over(pixels, scatter_seamlessly(crack, "cracks", 60))


def steps() -> Pixels:
    """Worn steps, seen from below, as a surface of the ground."""
    c = Canvas(SPAN, SPAN, soft=True)
    c.fill(0, 0, SPAN, SPAN, "stone", 1)
    stream = Random("steps")
    for y in range(0, SPAN, 8):
        c.fill(0, y, SPAN, y + 4, "stone", stream.choice((0.3, 0.5, 0.6)))
        c.line(0, y, SPAN, y, "stone", -0.3)
        c.fill(0, y + 5, SPAN, y + 7, "stone", 2.1)
        for _ in range(7):
            x = stream.randrange(SPAN)
            c.line(x, y + 1, x, y + 4, "stone", 1.6)
            c.dots([(x + 9, y + 4), (x + 10, y + 4)], "leaf", 1)
    return np.asarray(c.image.convert("RGB"))
