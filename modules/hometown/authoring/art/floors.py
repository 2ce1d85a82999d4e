"""Floors of rooms, and the wooden decks and bridges outdoors. All repeat every four tiles."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from random import Random

import numpy as np
from PIL import Image

from hometown.authoring.art.canvas import Canvas
from hometown.authoring.art.texture import PERIOD, SIZE, SPAN, Pixels, clouds, window


def draw_floor(kind: str, column: int, row: int) -> Image.Image:
    """Return a tile of a floor."""
    return Image.fromarray(window(_surface(kind), column % PERIOD, row % PERIOD)).convert("RGBA")


@cache
def rim(left: bool, right: bool, up: bool, down: bool) -> Image.Image:
    """Return the beams along the outer sides of a deck or a bridge."""
    c = Canvas(SIZE, SIZE)
    end = SIZE - 1
    for there, box in (
        (up, (0, 0, end, 2)),
        (left, (0, 0, 2, end)),
        (right, (end - 2, 0, end, end)),
        (down, (0, end - 4, end, end)),
    ):
        if there:
            c.fill(*box, "dark_wood", 1.6)
            c.line(
                box[0],
                box[1],
                *((box[2], box[1]) if box[2] - box[0] > box[3] - box[1] else (box[0], box[3])),
                "dark_wood",
                0,
            )
    if down:
        c.line(0, end, end, end, "dark_wood", 3)
    return c.image


@cache
def _surface(kind: str) -> Pixels:
    return FLOORS[kind]()


def _planks(material: str, height: int = 8, base: float = 1.0) -> Pixels:
    """Boards of several lengths and tones, with occasional knots and nails."""
    c = Canvas(SPAN, SPAN)
    stream = Random(f"planks {material}")
    for y in range(0, SPAN, height):
        x = start = stream.randrange(0, 40)
        while x < SPAN + start:
            left = SPAN + start - x
            long = left if left < 64 else stream.choice((32, 40, 48))
            shade = base + stream.choice((-0.28, -0.14, 0.0, 0.0, 0.12))
            for shift in (0, -SPAN):
                _board(
                    c,
                    (x + shift, y, x + shift + long - 1, y + height - 1),
                    material,
                    shade,
                    stream.randrange(6, 20),
                )
            x += long
    return np.asarray(c.image.convert("RGB"))


def _board(
    c: Canvas, box: tuple[int, int, int, int], material: str, shade: float, grain: int
) -> None:
    x0, y0, x1, y1 = box
    c.fill(x0, y0, x1, y1, material, shade)
    c.line(x0, y0, x1, y0, material, shade - 0.22)
    c.line(x0, y1, x1, y1, material, shade + 0.62)
    c.line(x0, y0, x0, y1, material, shade + 0.62)
    c.line(x0 + grain, y0 + 3, x0 + grain + 7, y0 + 3, material, shade + 0.2)
    c.dots([(x0 + 2, y0 + 2), (x1 - 1, y0 + 2)], material, shade + 0.5)


def _parquet() -> Pixels:
    c = Canvas(SPAN, SPAN)
    for n in range(SPAN // 16):
        for m in range(SPAN // 16):
            x, y, upright = m * 16, n * 16, (n + m) % 2
            for k in range(4):
                shade = (0.75, 1.0, 0.9, 1.12)[(k + n * 3 + m) % 4]
                box = (
                    (x + k * 4, y, x + k * 4 + 3, y + 15)
                    if upright
                    else (x, y + k * 4, x + 15, y + k * 4 + 3)
                )
                c.fill(*box, "wood", shade)
                c.line(
                    *((box[2], y, box[2], box[3]) if upright else (x, box[3], box[2], box[3])),
                    "wood",
                    shade + 0.45,
                )
    return np.asarray(c.image.convert("RGB"))


def _carpet(material: str) -> Pixels:
    base = clouds(material, f"carpet {material}", (32, 8), [(0.36, 1.1), (0.66, 1.0), (2, 0.88)])
    c = Canvas(SPAN, SPAN)
    c.image.paste(Image.fromarray(base))
    for y in range(0, SPAN, 4):
        c.dots([(x + y % 8, y) for x in range(0, SPAN, 8)], material, 0.55)
        c.dots([(x + y % 8 + 1, y + 1) for x in range(0, SPAN, 8)], material, 1.4)
    return np.asarray(c.image.convert("RGB"))


def _tiles(
    pitch: int, shades: tuple[tuple[str, float], ...], checked: bool, grout: float
) -> Pixels:
    """Square tiles with a highlight in the corner, in a checked pattern or in mixed tones."""
    c = Canvas(SPAN, SPAN)
    stream = Random(f"tiles {pitch} {shades}")
    for n in range(SPAN // pitch):
        for m in range(SPAN // pitch):
            material, shade = shades[(n + m) % 2] if checked else stream.choice(shades)
            shade += stream.choice((-0.1, 0, 0, 0.1))
            x, y, end = m * pitch, n * pitch, pitch - 1
            c.fill(x, y, x + end, y + end, material, shade)
            c.line(x, y, x + end - 1, y, material, shade - 0.35)
            c.line(x, y, x, y + end - 1, material, shade - 0.25)
            c.line(x, y + end, x + end, y + end, material, shade + grout)
            c.line(x + end, y, x + end, y + end, material, shade + grout)
    return np.asarray(c.image.convert("RGB"))


FLOORS: dict[str, Callable[[], Pixels]] = {
    "w": partial(_planks, "wood"),
    "n": partial(_planks, "dark_wood", base=0.8),
    "p": _parquet,
    "c": partial(_carpet, "carpet"),
    "e": partial(_carpet, "red"),
    "o": partial(_carpet, "office"),
    "b": partial(_tiles, 16, (("tile", 0.6), ("tile", 0.9)), True, 0.5),
    "l": partial(_tiles, 16, (("office", 0.3), ("tile", 0.8)), True, 0.4),
    "k": partial(_tiles, 16, (("cafe", 0.25), ("cafe", 1.15)), True, 0.35),
    "q": partial(_tiles, 32, (("stone", 0.9), ("stone", 1.1), ("stone", 0.75)), False, 0.7),
    "d": partial(_planks, "wood", 8, 1.35),
    "=": partial(_planks, "dark_wood", 8, 0.5),
}
INDOORS = set(FLOORS) - set("d=")
"""Plan characters that are floors of rooms."""
