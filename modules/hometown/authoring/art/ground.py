"""Painters of outdoor ground: grass, paths, roads, paving, gardens, fields, water, and the borders
between them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import numpy as np
from PIL import Image

from hometown.authoring.art import cliffs
from hometown.authoring.art.canvas import Canvas, tone
from hometown.authoring.art.texture import (
    MARGIN,
    PERIOD,
    SIZE,
    SPAN,
    Field,
    Pixels,
    border,
    clouds,
    darken,
    middle,
    noise,
    over,
    rgb,
    scatter_seamlessly,
    shift_tile,
    window,
)

LAID = "gmy:rsz~"
"""Plan characters that are laid on the grass, from the lowest to the uppermost."""
JOINS = {":": ":srd=+", "r": "rs+", "s": "s+d", "~": "~=", "g": "g", "m": "m", "y": "y", "z": "zs:"}
"""Kinds of ground that each kind adjoins without a border."""
SOFTNESS = {
    "s": (0.1, 3),
    "r": (0.14, 4),
    "g": (0.35, 5),
    "m": (0.35, 5),
    "y": (0.3, 5),
    "z": (0.02, 1),
    "~": (0.26, 13),
    ":": (0.3, 12),
}
"""Raggedness of the border and roundness of its corners, by kind of ground."""


def draw_ground(column: int, row: int, around: tuple[str, ...]) -> Image.Image:
    """Return a tile of the ground; `around` has the 18 half tiles about it (see `texture.border`),
    one plan character each.
    """
    return _draw_place(column % PERIOD, row % PERIOD, around)


@cache
def _draw_place(column: int, row: int, around: tuple[str, ...]) -> Image.Image:
    pixels: Pixels = window(surface("."), column, row)
    for kind in LAID:
        here = tuple(mark in JOINS[kind] for mark in around)
        if any(mark == kind for mark in around):
            ragged, soft = SOFTNESS[kind]
            pixels = _lay(pixels, kind, border(here, column, row, ragged, 0.5, soft), column, row)
    return Image.fromarray(pixels).convert("RGBA")


def _lay(pixels: Pixels, kind: str, depth: Field, column: int, row: int) -> Pixels:
    """Lay one surface over another; a rim, lit from the upper left, shows the difference in height."""
    if kind == "~":
        return _water(pixels, depth, column, row)
    inside = depth > 0
    texture = window(surface(kind), column, row)
    laid: Pixels = np.where(middle(inside)[..., None], texture, pixels).astype(np.uint8)
    rim = inside & ~(
        shift_tile(inside, -1, -1) & shift_tile(inside, 0, -2) & shift_tile(inside, -2, 0)
    )
    lip = ~inside & (shift_tile(inside, 0, -1) | shift_tile(inside, -1, 0))
    if kind in "sr":
        kerb = inside & ~(
            shift_tile(inside, 1, 0)
            & shift_tile(inside, -1, 0)
            & shift_tile(inside, 0, 1)
            & shift_tile(inside, 0, -1)
        )
        laid = np.where(middle(kerb)[..., None], rgb("stone", 2.1), laid).astype(np.uint8)
        return darken(
            laid, middle(~inside & (shift_tile(inside, -1, -1) | shift_tile(inside, 0, -2))), 0.22
        )
    laid = darken(laid, middle(rim), 0.17)
    return np.where(middle(lip)[..., None], rgb("grass", -0.3), laid).astype(np.uint8)


def _water(pixels: Pixels, depth: Field, column: int, row: int) -> Pixels:
    """Water with a bank, a line of foam, a shallow and a deep part."""
    bank, wet = depth > -0.1, depth > 0
    laid: Pixels = np.where(middle(bank)[..., None], rgb("path", 1.5), pixels).astype(np.uint8)
    laid = darken(laid, middle(bank & ~shift_tile(bank, 0, 2)), 0.3)
    laid = np.where(middle(wet)[..., None], window(surface("~"), column, row), laid).astype(
        np.uint8
    )
    laid = darken(laid, middle(wet & (depth > 0.43)), 0.07)
    shallow = wet & (depth < 0.24)
    laid = np.where(middle(shallow)[..., None], rgb("water", 0.45), laid).astype(np.uint8)
    foam = wet & (depth < 0.055)
    laid = np.where(middle(foam)[..., None], rgb("water", -0.5), laid).astype(np.uint8)
    shaded = wet & ~(shift_tile(wet, 0, -3) & shift_tile(wet, -1, -2))
    return np.where(middle(shaded)[..., None], rgb("water", 1.9), laid).astype(np.uint8)


@cache
def surface(kind: str) -> Pixels:
    """Return the texture of a plan character, uint8[128, 128, 3]."""
    return SURFACES[kind]()


def _grass() -> Pixels:
    base = clouds("grass", "grass", (32, 16), [(0.36, 1.22), (0.6, 1.0), (0.72, 0.84), (2, 0.72)])
    stream = Random("blades")

    def blades(c: Canvas, x: int, y: int) -> None:
        shade = stream.choice((1.7, 1.5, 1.5))
        c.line(x + 2, y + 4, x + 2, y + 1, "grass", shade)
        c.line(x + 1, y + 3, x, y + 1, "grass", shade)
        c.line(x + 3, y + 3, x + 4, y + 2, "grass", shade)
        c.dots([(x + 2, y), (x, y)], "grass", 0.1)

    def clover(c: Canvas, x: int, y: int) -> None:
        c.dots([(x, y), (x + 2, y), (x + 1, y + 1), (x + 1, y - 1)], "green", 0.9)

    return over(
        over(base, scatter_seamlessly(blades, "grass", 46)),
        scatter_seamlessly(clover, "clover", 16),
    )


def _path() -> Pixels:
    base = clouds("path", "path", (32, 8), [(0.36, 1.25), (0.66, 1.0), (2, 0.72)])
    stream = Random("pebbles")

    def pebble(c: Canvas, x: int, y: int) -> None:
        wide = stream.choice((1, 2, 2, 3))
        c.line(x, y + 1, x + wide, y + 1, "path", 1.9)
        c.line(x, y, x + wide, y, "path", 0)

    return over(base, scatter_seamlessly(pebble, "path", 22))


def _earth() -> Pixels:
    base = clouds("soil", "field", (32, 8), [(0.4, 1.0), (0.64, 0.8), (2, 0.6)])

    def crumb(c: Canvas, x: int, y: int) -> None:
        c.dots([(x, y), (x + 1, y)], "soil", 0.2)
        c.dots([(x, y + 1), (x + 1, y + 1)], "soil", 1.6)

    return over(base, scatter_seamlessly(crumb, "field", 40))


def _garden() -> Pixels:
    """Return a lawn mown in stripes, with clover and daisies."""
    pixels = clouds("grass", "garden", (16, 8), [(0.5, 1.15), (2, 1.0)])
    light = clouds("grass", "garden", (16, 8), [(0.5, 0.8), (2, 0.62)])
    striped = np.where((np.arange(SPAN) // 16 % 2 == 0)[None, :, None], pixels, light).astype(
        np.uint8
    )

    def daisy(c: Canvas, x: int, y: int) -> None:
        c.dots([(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)], "white", 0)
        c.dots([(x, y)], "yellow", 0.5)

    return over(striped, scatter_seamlessly(daisy, "daisies", 12))


def _field() -> Pixels:
    c = Canvas(SPAN, SPAN, soft=True)
    c.image.paste(Image.fromarray(_earth()))
    stream = Random("field")
    for y in range(0, SPAN, 16):
        c.fill(0, y + 11, SPAN, y + 14, "soil", 2.1)
        c.fill(0, y + 5, SPAN, y + 6, "soil", 0.4)
        for x in range(4, SPAN, 8):
            high = stream.randrange(3, 6)
            c.line(x, y + 9, x, y + 9 - high, "leaf", 1.2)
            c.line(x, y + 8, x - 2, y + 8 - high, "leaf", 0.4)
            c.line(x, y + 8, x + 2, y + 9 - high, "leaf", 0.8)
    return np.asarray(c.image.convert("RGB"))


def _wheat() -> Pixels:
    """Wheat in the ear, in close rows that the wind has combed."""
    c = Canvas(SPAN, SPAN, soft=True)
    c.fill(0, 0, SPAN, SPAN, "straw", 1.9)
    stream = Random("wheat")
    wind = noise("wind", 32)
    for y in range(0, SPAN, 8):
        for x in range(0, SPAN, 3):
            light, lean, high = (
                1.1 - wind[y, x] * 1.1,
                stream.choice((0, 1, 1, 2)),
                stream.randrange(7, 10),
            )
            for foot in (y - 1, y + SPAN - 1):
                c.line(x, foot, x + lean, foot - high, "grass", 1.2 + light * 0.5)
                c.line(x + lean, foot - high + 3, x + lean + 1, foot - high - 2, "straw", light)
                c.dots([(x + lean + 1, foot - high - 3)], "straw", light - 0.6)
    return np.asarray(c.image.convert("RGB"))


def _stones(
    seed: str,
    height: int,
    widths: tuple[int, ...],
    radius: int,
    shades: tuple[float, ...],
    gap: float,
) -> Pixels:
    """Courses of stones of several widths and tones, each lit from the upper left."""
    c = Canvas(SPAN, SPAN, soft=True)
    c.fill(0, 0, SPAN, SPAN, "stone", gap)
    stream = Random(seed)
    for y in range(0, SPAN, height):
        x = start = stream.randrange(0, 8)
        while x < SPAN + start:
            left = SPAN + start - x
            wide = left if left < min(widths) * 2 else stream.choice(widths)
            shade = stream.choice(shades)
            for shift in (0, -SPAN):
                _stone(c, (x + shift, y, x + shift + wide - 2, y + height - 2), shade, radius)
            x += wide
    return np.asarray(c.image.convert("RGB"))


def _stone(c: Canvas, box: tuple[int, int, int, int], shade: float, radius: int) -> None:
    x0, y0, x1, y1 = box
    c.pen.rounded_rectangle(box, radius, tone("stone", shade))
    c.line(x0 + radius, y0, x1 - radius, y0, "stone", shade - 0.45)
    c.line(x0, y0 + radius, x0, y1 - radius, "stone", shade - 0.3)
    c.line(x0 + radius, y1, x1 - radius, y1, "stone", shade + 0.4)


def _paving() -> Pixels:
    return over(
        _stones("paving", 16, (16, 20, 24, 28), 1, (0.55, 0.75, 0.75, 0.95, 1.1), 1.75),
        scatter_seamlessly(_moss, "moss", 14),
    )


def _moss(c: Canvas, x: int, y: int) -> None:
    c.dots([(x, y), (x + 1, y), (x + 2, y + 1), (x, y + 1)], "grass", 1.5)


def _cobbles() -> Pixels:
    return _stones("cobbles", 8, (8, 9, 10, 12), 2, (0.9, 1.1, 1.25, 1.4), 2.2)


def _lake() -> Pixels:
    base = clouds("water", "lake", (32, 16), [(0.4, 1.2), (0.62, 1.1), (2, 1.02)])
    stream = Random("ripples")

    def ripple(c: Canvas, x: int, y: int) -> None:
        wide = stream.choice((4, 6, 9))
        c.line(x, y, x + wide, y, "water", 0.3)
        c.line(x + 2, y + 1, x + wide + 2, y + 1, "water", 1.6)

    return over(base, scatter_seamlessly(ripple, "ripples", 26))


SURFACES: dict[str, Callable[[], Pixels]] = {
    ".": _grass, ":": _path, "s": _paving, "r": _cobbles, "~": _lake, "g": _garden, "m": _field, "y": _wheat, "z": cliffs.steps,
}  # fmt: skip

assert MARGIN >= 3  # as far as the rims look
assert noise("border", 8).shape == (SPAN, SPAN)
assert SIZE * PERIOD == SPAN
