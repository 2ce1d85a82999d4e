"""Painters of a vale among mountains: peaks in ink and mist, falls, gates, a pagoda, lanterns. They
cannot be used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import numpy as np
from PIL import Image

from hometown.authoring.art.canvas import NIGHT, Canvas, tone

Painter = Callable[[Canvas], None]


def _veil(c: Canvas, top: int, bottom: int, strongest: int) -> None:
    """Draw mist that thickens towards the bottom, and fade the drawing into it."""
    height, width = c.image.height, c.image.width
    alpha = np.zeros((height, width), float)
    rows = np.arange(top, bottom)
    alpha[top:bottom] = (strongest * ((rows - top) / max(1, bottom - top)) ** 1.6)[:, None]
    own = np.asarray(c.image.getchannel("A")) > 0
    veil = np.zeros((height, width, 4), np.uint8)
    veil[..., :3] = (236, 241, 238)
    veil[..., 3] = np.where(own, alpha, 0).astype(np.uint8)
    c.image.alpha_composite(Image.fromarray(veil))
    fading = np.asarray(c.image).copy()
    fading[..., 3] = (
        fading[..., 3] * np.clip((height - np.arange(height)) / (height * 0.22), 0, 1)[:, None]
    )
    c.image.paste(Image.fromarray(fading))


def _peak(c: Canvas, seed: str, lean: float, pale: float) -> None:
    """Draw a steep peak in washes of ink, its lit side paler, pines on its shoulders, its foot in
    mist.
    """
    width, height = c.image.size
    stream = Random(seed)
    top = width * lean
    left, right = [(top, 3.0)], [(top, 3.0)]
    for n in range(1, 9):
        y = 3 + (height - 6) * n / 8
        left.append((max(1.0, top - (top - 2) * (n / 8) ** 1.15 + stream.uniform(-7, 7)), y))
        right.append(
            (min(width - 2.0, top + (width - 3 - top) * (n / 8) ** 1.15 + stream.uniform(-7, 7)), y)
        )
    c.pen.polygon([*left, *reversed(right)], tone("pine", 1.7 - pale), tone("pine", 3 - pale))
    ridge = [(top + stream.uniform(-6, 10) + n, y) for n, (_, y) in enumerate(left)]
    c.pen.polygon([*left, *reversed(ridge)], tone("pine", 0.8 - pale * 0.8))
    for _ in range(width // 2):
        n = stream.randrange(1, 8)
        x0, y0 = (
            left[n][0] + stream.random() * (right[n][0] - left[n][0]),
            left[n][1] + stream.uniform(-8, 12),
        )
        shade = 2.5 - pale if x0 > ridge[n][0] else 1.5 - pale
        c.line(
            round(x0),
            round(y0),
            round(x0 + (x0 - top) * 0.12),
            round(y0 + stream.randrange(8, 26)),
            "pine",
            shade,
            stream.choice((1, 1, 2)),
        )
    for _ in range(width // 14):
        n = stream.randrange(3, 8)
        x, y = round(left[n][0] + stream.random() * (right[n][0] - left[n][0])), round(left[n][1])
        c.pen.polygon([(x, y - 11), (x + 5, y), (x - 5, y)], tone("pine", 2.5 - pale))
    _veil(c, height // 2, height, 235)


def _mist(c: Canvas) -> None:
    """Draw a drifting bank of mist."""
    width, height = c.image.size
    across, down = np.meshgrid(np.arange(width), np.arange(height))
    alpha = np.zeros((height, width))
    stream = Random("mist")
    for _ in range(9):
        x, y = stream.uniform(0.2, 0.8) * width, stream.uniform(0.35, 0.65) * height
        rx, ry = stream.uniform(0.14, 0.2) * width, stream.uniform(0.14, 0.3) * height
        alpha += 70 * np.exp(-(((across - x) / rx) ** 2) - ((down - y) / ry) ** 2)
    edge = np.minimum(1, np.minimum(across, width - 1 - across) / 24) * np.minimum(
        1, np.minimum(down, height - 1 - down) / 8
    )
    pixels = np.zeros((height, width, 4), np.uint8)
    pixels[..., :3] = (240, 245, 243)
    pixels[..., 3] = (np.minimum(alpha, 150) * edge // 10 * 10).astype(np.uint8)
    c.image.paste(Image.fromarray(pixels))


def _waterfall(c: Canvas) -> None:
    width, height = c.image.size
    c.fill(6, 0, width - 7, height, "water", 0.9)
    stream = Random("fall")
    for _ in range(80):
        x, y = stream.randrange(8, width - 9), stream.randrange(0, height - 16)
        c.line(
            x,
            y,
            x,
            y + stream.randrange(10, 34),
            "water",
            stream.choice((-0.6, -0.2, 0.3, 1.5)),
            stream.choice((1, 1, 2)),
        )
    for x in (5, width - 6):
        c.line(x, 0, x, height, "slate", 2.4, 2)
    for _ in range(46):
        x, y = stream.randrange(2, width - 8), stream.randrange(height - 20, height - 3)
        c.disc(x + 3, y, stream.choice((2, 3, 4)), "white", stream.choice((-0.4, 0, 0.4)))


def roof(c: Canvas, x0: int, x1: int, y: int, high: int, material: str = "red") -> None:
    """Draw a tiled roof with upturned eaves between two columns, `high` pixels from eaves to ridge."""
    middle, half = (x0 + x1) // 2, (x1 - x0) // 2
    c.pen.polygon(
        [
            (x0 - 6, y - 7),
            (x0 + 3, y - 2),
            (x0 + half // 3, y - high),
            (x1 - half // 3, y - high),
            (x1 - 3, y - 2),
            (x1 + 6, y - 7),
            (x1, y + 4),
            (x0, y + 4),
        ],
        tone(material, 1.2),
        tone(material, 3),
    )
    for x in range(x0 + 4, x1 - 2, 5):
        c.line(x, y + 2, middle + (x - middle) * 2 // 3, y - high + 2, material, 2.1)
        c.line(x + 1, y + 2, middle + 1 + (x - middle) * 2 // 3, y - high + 2, material, 0.4)
    c.line(x0 + half // 3, y - high, x1 - half // 3, y - high, "yellow", 1.2, 3)
    c.line(x0, y + 4, x1, y + 4, "dark_wood", 2.6, 2)


def _gate(c: Canvas) -> None:
    """Draw a gateway of red posts under three roofs; one walks below it."""
    width, height = c.image.size
    for x in (14, 50, width - 57, width - 21):
        c.fill(x, 34, x + 6, height - 4, "red", 1.4)
        c.line(x + 1, 34, x + 1, height - 6, "red", 0)
        c.box(x - 3, height - 9, x + 9, height - 1, "stone", 5)
    c.box(12, 44, width - 13, 56, "red", 6)
    c.block(width // 2 - 22, 40, width // 2 + 22, 58, "teal", 2)
    for x in range(width // 2 - 15, width // 2 + 14, 9):
        c.block(x, 45, x + 5, 53, "yellow", 1)
    roof(c, 8, 58, 38, 14)
    roof(c, width - 59, width - 9, 38, 14)
    roof(c, 48, width - 49, 28, 20)
    for x in (34, width - 35):
        c.line(x, 56, x, 62, "dark", 2)
        c.oval(x - 6, 62, x + 6, 76, "red", 0.7)
        c.fill(x - 3, 60, x + 3, 62, "yellow", 1)


def _pagoda(c: Canvas) -> None:
    """Draw five storeys, each with a roof."""
    width, height = c.image.size
    c.shadow(2, height - 20, width - 1, height - 1)
    c.box(4, height - 22, width - 5, height - 2, "stone", 9, 2)
    for n in range(5):
        low, inset = height - 22 - n * 40, 14 + n * 5
        c.fill(inset, low - 26, width - 1 - inset, low, "wall", 0.6)
        for x in (inset, width - 5 - inset, width // 2 - 12, width // 2 + 8):
            c.fill(x, low - 26, x + 4, low, "red", 1.4)
        c.pen.pieslice(
            (width // 2 - 7, low - 20, width // 2 + 7, low + 14), 180, 360, tone("dark", 2)
        )
        roof(c, inset - 7, width - 1 - inset + 7, low - 26, 15)
    c.line(width // 2, height - 240, width // 2, height - 222, "yellow", 1, 3)


def _stone_lantern(c: Canvas) -> None:
    c.shadow(7, 54, 27, 62)
    c.box(9, 54, 22, 61, "stone", 4)
    c.fill(14, 38, 17, 55, "stone", 1.4)
    c.box(9, 22, 22, 38, "stone", 4)
    c.fill(12, 26, 19, 34, "yellow", 0.6)
    c.pen.polygon([(4, 24), (15, 12), (16, 12), (27, 24)], tone("slate", 1.3), tone("slate", 3))
    c.disc(16, 11, 2, "slate", 1)


def _lanterns(c: Canvas) -> None:
    """Draw red lanterns on a string, above head height."""
    width = c.image.width
    c.pen.arc((4, -44, width - 5, 8), 10, 170, tone("dark_wood", 1))
    for n, x in enumerate(range(18, width - 12, 26)):
        y = 5 + (3 if 0 < n < (width - 30) // 26 else 0)
        c.line(x, y - 4, x, y, "dark", 2)
        c.oval(x - 8, y, x + 8, y + 17, "red", 0.8)
        c.oval(x - 5, y + 3, x, y + 13, "red", -0.2, outline=False)
        c.fill(x - 4, y - 1, x + 4, y + 1, "yellow", 1)
        c.line(x, y + 18, x, y + 22, "yellow", 1.6)


def _crane(c: Canvas) -> None:
    c.shadow(8, 24, 26, 31)
    c.line(15, 20, 14, 30, "dark", 1)
    c.line(18, 20, 19, 30, "dark", 1)
    c.oval(7, 11, 24, 22, "white", 0.2)
    c.pen.polygon([(6, 15), (1, 21), (10, 20)], tone("dark", 1.4))
    c.line(22, 14, 25, 4, "white", 0.4, 3)
    c.disc(25, 3, 2, "white", 0.4)
    c.dots([(25, 1), (24, 1)], "red", 1)
    c.line(27, 4, 31, 5, "yellow", 1.6)


def _scholar_rock(c: Canvas) -> None:
    c.shadow(4, 54, 60, 63)
    c.pen.polygon(
        [
            (8, 60),
            (4, 42),
            (14, 30),
            (10, 16),
            (24, 6),
            (32, 18),
            (44, 10),
            (56, 26),
            (50, 38),
            (60, 50),
            (54, 60),
        ],
        tone("slate", 1.1),
        tone("slate", 3),
    )
    c.pen.polygon([(10, 42), (16, 31), (13, 18), (24, 9), (27, 24), (20, 44)], tone("slate", 0.2))
    for box in ((26, 26, 36, 38), (40, 42, 48, 52), (18, 46, 24, 54)):
        c.pen.ellipse(box, tone("slate", 2.8))
    c.line(8, 59, 30, 60, "leaf", 1, 3)


def _koi(c: Canvas) -> None:
    for x, y, material in ((4, 6, "red"), (15, 17, "yellow"), (20, 5, "white")):
        c.pen.ellipse((x, y, x + 9, y + 4), (*tone(material, 0.8)[:3], 220))
        c.line(x - 3, y, x, y + 2, material, 0.8, 2)
    c.pen.arc((2, 2, 30, 30), 200, 300, (*NIGHT[:3], 40))


PAINTERS: dict[str, Painter] = {
    "peak": partial(_peak, seed="one", lean=0.46, pale=0.0), "peak_wide": partial(_peak, seed="two", lean=0.6, pale=0.25),
    "peak_far": partial(_peak, seed="three", lean=0.4, pale=0.7), "mist": _mist, "waterfall": _waterfall, "gate": _gate, "pagoda": _pagoda,
    "stone_lantern": _stone_lantern, "lanterns": _lanterns, "crane": _crane, "scholar_rock": _scholar_rock, "koi": _koi,
}  # fmt: skip
