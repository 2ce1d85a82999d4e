"""Hedges, trees, flowers, and patches that vary the green of a lawn."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
from PIL import Image

from hometown.authoring.art.canvas import Canvas, tone
from hometown.authoring.art.texture import (
    MARGIN,
    PERIOD,
    SIZE,
    Mask,
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

Clump = tuple[int, int, int]
"""A round part of a crown: middle and radius."""


@cache
def hedge(column: int, row: int, around: tuple[bool, ...]) -> Image.Image:
    """Return a clipped hedge: leaves on top, a shaded front, and its shadow on the ground."""
    depth = border(around, column, row, 0.45, 0.42, 6)
    inside = depth > 0
    leaves = window(_leaves(), column % PERIOD, row % PERIOD)
    front = inside & ~(
        shift_tile(inside, 0, 4) & shift_tile(inside, -1, 3) & shift_tile(inside, 1, 3)
    )
    lit = inside & ~(shift_tile(inside, 0, -2) & shift_tile(inside, -2, 0))
    ink = inside & ~(
        shift_tile(inside, 0, 1)
        & shift_tile(inside, 1, 0)
        & shift_tile(inside, -1, 0)
        & shift_tile(inside, 0, -1)
    )
    for mask, shade in ((front, 2.1), (lit, 0.1), (ink, 2.8)):
        leaves = np.where(middle(mask)[..., None], rgb("pine", shade), leaves).astype(np.uint8)
    cast = ~inside & (shift_tile(inside, -2, -3) | shift_tile(inside, 0, -4))
    pixels = np.zeros((SIZE, SIZE, 4), np.uint8)
    pixels[middle(cast)] = (44, 36, 80, 80)
    kept = middle(inside)
    pixels[kept] = np.dstack([leaves, np.full((SIZE, SIZE), 255, np.uint8)])[kept]
    return Image.fromarray(pixels)


@cache
def _leaves() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    base = clouds("pine", "hedge", (16, 8), [(0.4, 1.5), (0.6, 1.15), (2, 0.9)])
    stream = Random("leaf")

    def leaf(c: Canvas, x: int, y: int) -> None:
        wide = stream.choice((2, 3, 4))
        c.oval(x, y, x + wide + 2, y + wide + 1, "pine", 1.9, outline=False)
        c.oval(x, y, x + wide + 1, y + wide, "pine", stream.choice((0.2, 0.5, 0.8)), outline=False)
        c.dots([(x + 1, y), (x + 2, y)], "leaf", -0.1)

    return over(base, scatter_seamlessly(leaf, "leaves", 190))


# trees ------------------------------------------------------------------------------------

OAK: tuple[Clump, ...] = (
    (20, 17, 12),
    (42, 17, 13),
    (13, 34, 12),
    (50, 34, 12),
    (31, 12, 12),
    (24, 44, 12),
    (40, 45, 12),
    (32, 30, 17),
)
SMALL: tuple[Clump, ...] = (
    (10, 13, 7),
    (21, 13, 8),
    (16, 8, 7),
    (9, 21, 7),
    (22, 21, 7),
    (16, 17, 10),
)


def crown(
    clumps: tuple[Clump, ...], size: tuple[int, int], material: str, seed: str
) -> Image.Image:
    """Leaves heaped in clumps, lit from the upper left, dark towards the lower right."""
    width, height = size
    across, down = np.meshgrid(np.arange(width), np.arange(height))
    waver = noise(seed, 8)[:height, :width] * 5 + noise(seed + "x", 4)[:height, :width] * 2 - 3.5
    light = np.full((height, width), -9.0)
    for x, y, radius in clumps:
        right, below = (across - x) / radius, (down - y) / radius
        inside = right * right + below * below <= (1 + waver / radius) ** 2
        light = np.where(
            inside,
            np.maximum(
                light * 0.4, -right * 0.42 - below * 0.62 + waver * 0.06 - (y / height) * 0.75
            ),
            light,
        )
    shape = light > -8
    pixels = np.zeros((height, width, 4), np.uint8)
    for limit, shade in (
        (-9, 2.1),
        (-0.75, 1.6),
        (-0.42, 1.1),
        (-0.1, 0.65),
        (0.2, 0.15),
        (0.46, -0.35),
    ):
        pixels[shape & (light > limit)] = tone(material, shade)
    pixels[_rim(shape)] = tone(material, 2.9)
    return Image.fromarray(pixels)


def _rim(shape: Mask) -> Mask:
    wide = np.pad(shape, 1)
    within: Mask = wide[:-2, 1:-1] & wide[2:, 1:-1] & wide[1:-1, :-2] & wide[1:-1, 2:]
    return shape & ~within


def _conifer(c: Canvas, left: int, wide: int, bottom: int, tiers: int, top: int) -> None:
    """Draw tiers of boughs between two heights, each lit on its left."""
    x = left + wide // 2
    rise = (bottom - top) / (tiers + 0.6)
    for n in range(tiers):
        low, half = round(bottom - n * rise), wide * (tiers - n * 0.72) / tiers / 2
        peak = round(low - rise * 1.6)
        c.pen.polygon(
            [
                (x - half, low - 2),
                (x, peak),
                (x + half, low - 2),
                (x + half / 2, low),
                (x - half / 2, low),
            ],
            tone("pine", 1.4),
            tone("pine", 2.9),
        )
        c.pen.polygon(
            [(x - half * 0.8, low - 3), (x, peak + 2), (x - half * 0.1, low - 3)], tone("pine", 0.6)
        )
        c.line(round(x - half * 0.55), low - 5, x - 1, peak + 3, "leaf", 0.3)


def _trunk(c: Canvas, x: int, top: int, bottom: int, half: int, material: str) -> None:
    c.pen.polygon(
        [(x - half, top), (x + half, top), (x + half + 2, bottom), (x - half - 2, bottom)],
        tone(material, 1.2),
        tone(material, 3),
    )
    c.line(x - half + 1, top, x - half, bottom - 1, material, 0.2, 2)
    c.line(x + half - 1, top, x + half, bottom - 1, material, 2.3)
    if material == "white":
        for y in range(top + 3, bottom, 5):
            c.line(x - 1, y, x + 2, y, "dark", 1)


SPECIES = (
    ("oak", "leaf"),
    ("oak", "green"),
    ("pine", "pine"),
    ("birch", "grass"),
    ("oak", "leaf"),
    ("cherry", "rose"),
    ("pine", "pine"),
    ("oak", "green"),
)


@cache
def tree(place: int, big: bool) -> Image.Image:
    """Return a tree three tiles wide and three high, its trunk in the middle of the lowest row; a
    small one fills less of that area.
    """
    species, leaves = SPECIES[place % len(SPECIES)]
    c = Canvas(3 * SIZE, 3 * SIZE, soft=True)
    c.shadow(*((24, 78, 80, 95) if big else (32, 82, 68, 95)))
    _trunk(
        c,
        48,
        56 if big else 70,
        89,
        4 if big else 2,
        "white" if species == "birch" else "dark_wood",
    )
    if species == "pine":
        _conifer(c, *((24, 48, 84, 4, 16) if big else (34, 28, 80, 3, 44)))
        return c.image
    shape, at = (OAK, (16, 4)) if big else (SMALL, (32, 42))
    size = (64, 60) if big else (32, 34)
    c.image.alpha_composite(crown(shape, size, leaves, f"{species}{place % 3}"), at)
    if species == "cherry":
        c.dots([(30, 92), (62, 90), (70, 86), (40, 94), (56, 94)], "rose", 0)
    return c.image


APPLE: tuple[Clump, ...] = (
    (14, 15, 10),
    (34, 15, 10),
    (24, 9, 9),
    (8, 26, 8),
    (40, 26, 8),
    (16, 34, 9),
    (32, 34, 9),
    (24, 24, 13),
)


PLANTED = "aihj"
"""Plan characters of trees of a given kind: apple, ink pine, plum in flower, bamboo."""


@cache
def draw_planted_tree(mark: str, place: int) -> Image.Image:
    """Return a tree of a kind, as large as `tree`."""
    c = Canvas(3 * SIZE, 3 * SIZE, soft=True)
    {"a": _apple, "i": _ink_pine, "h": _plum, "j": _bamboo}[mark](c, place)
    return c.image


def _ink_pine(c: Canvas, place: int) -> None:
    """Draw a crooked old pine with flat clouds of needles."""
    c.shadow(26, 80, 74, 95)
    lean = (place % 3 - 1) * 6
    c.line(48, 90, 46 + lean, 60, "dark_wood", 1.8, 7)
    c.line(46 + lean, 62, 52 - lean, 30, "dark_wood", 1.8, 5)
    c.line(50, 50, 70, 42, "dark_wood", 1.8, 3)
    for x, y, wide in ((52 - lean, 20, 24), (70, 36, 17), (32 + lean, 40, 19), (50, 54, 15)):
        c.oval(x - wide, y - 5, x + wide, y + 11, "pine", 2.2)
        c.oval(x - wide + 1, y - 7, x + wide - 1, y + 6, "pine", 1.2, outline=False)
        c.oval(x - wide + 4, y - 7, x + wide // 3, y + 1, "pine", 0.3, outline=False)
        for right in range(-wide + 3, wide - 2, 5):
            c.line(x + right, y + 2, x + right + 1, y - 4, "leaf", 1.2)


def _plum(c: Canvas, place: int) -> None:
    """Draw a bare plum tree in flower."""
    c.shadow(30, 82, 70, 95)
    boughs = (
        (48, 90, 46, 62, 6),
        (46, 64, 30, 40, 4),
        (46, 64, 64, 36, 4),
        (34, 46, 22, 48, 2),
        (60, 42, 76, 46, 2),
        (46, 60, 48, 28, 3),
    )
    for x0, y0, x1, y1, wide in boughs:
        c.line(x0, y0, x1, y1, "dark_wood", 2, wide)
    stream = Random(f"plum {place}")
    for _ in range(48):
        x, y = stream.gauss(48, 15), stream.gauss(42, 10)
        c.disc(
            round(x), round(y), stream.choice((2, 2, 3)), "rose", stream.choice((-0.2, 0.2, 0.7))
        )
        c.dots([(round(x), round(y))], "red", 1)


def _bamboo(c: Canvas, place: int) -> None:
    """Draw a clump of bamboo."""
    c.shadow(28, 82, 70, 95)
    stream = Random(f"bamboo {place}")
    for x in (34, 41, 48, 55, 62):
        top, lean = stream.randrange(8, 26), stream.randrange(-4, 5)
        c.line(x, 91, x + lean, top, "green", 1.4, 3)
        c.line(x - 1, 91, x + lean - 1, top, "green", 0.2)
        for y in range(84, top, -11):
            c.line(x - 1, y, x + 2, y, "green", 2.3)
        for _ in range(7):
            y, side = stream.randrange(top, 64), stream.choice((-1, 1))
            c.pen.polygon(
                [(x + lean, y), (x + lean + side * 12, y + 5), (x + lean + side * 5, y + 5)],
                tone("leaf", stream.choice((0.2, 0.8, 1.3))),
            )


def _apple(c: Canvas, place: int) -> None:
    """Draw a low, wide tree with apples."""
    c.shadow(26, 80, 74, 95)
    _trunk(c, 48, 62, 89, 4, "dark_wood")
    c.image.alpha_composite(crown(APPLE, (48, 46), "leaf", f"apple{place % 3}"), (24, 26))
    stream = Random(f"apples {place}")
    for _ in range(11):
        x, y = stream.randrange(32, 64), stream.randrange(34, 66)
        c.disc(x, y, 2, "red" if stream.random() < 0.75 else "yellow", 0.8)
        c.dots([(x - 1, y - 1)], "paper", 0)
    c.dots([(36, 92), (60, 93)], "red", 0.8)


# on the grass -------------------------------------------------------------------------------


@cache
def flowers(variant: int, deep: int) -> Image.Image:
    """Return a patch of flowers."""
    c = Canvas(SIZE, SIZE, soft=True)
    material = ("rose", "yellow", "white", "purple", "blue", "red")[variant]
    stream = Random(f"flowers {variant} {deep}")
    for _ in range(5):
        x, y = stream.randrange(2, 28), stream.randrange(10, 30)
        c.line(x - 1, y, x - 2, y - 2, "grass", 1.9)
        c.line(x + 1, y, x + 2, y - 2, "grass", 1.7)
    for y in sorted(stream.randrange(6, 26) for _ in range(6)):
        x = stream.randrange(3, 28)
        c.line(x, y + 1, x, y + 5, "leaf", 1.6)
        c.dots([(x + 1, y + 4), (x - 1, y + 3)], "leaf", 0.6)
        c.dots([(x - 1, y), (x + 1, y), (x, y - 1)], material, 0.2)
        c.dots([(x, y + 1), (x + 1, y + 1)], material, 1.6)
        c.dots([(x, y)], "red" if material == "yellow" else "yellow", 0.4)
    return c.image


@cache
def draw_lawn_details(variant: int) -> Image.Image:
    """Return scattered details of a lawn: tufts, daisies, a stone, leaves."""
    c = Canvas(SIZE, SIZE, soft=True)
    stream = Random(f"strewn {variant}")
    x, y = stream.randrange(5, 24), stream.randrange(8, 26)
    if variant < 5:
        for shift in (-4, -2, 0, 2, 4):
            c.line(
                x + shift // 2,
                y,
                x + shift,
                y - 3 - (shift == 0) * 2,
                "grass",
                1.9 if shift < 1 else 1.4,
            )
        c.dots([(x, y - 5), (x - 2, y - 3)], "grass", -0.3)
    elif variant < 8:
        for right, down in ((0, 0), (5, 3), (-4, 4)):
            c.dots(
                [(x + right + shift, y + down) for shift in (-1, 1)]
                + [(x + right, y + down + shift) for shift in (-1, 1)],
                "white",
                0,
            )
            c.dots([(x + right, y + down)], "yellow", 1)
    elif variant == 8:
        c.oval(x, y, x + 6, y + 4, "stone", 1)
        c.line(x + 2, y + 1, x + 4, y + 1, "stone", -0.2)
    else:
        for right, down in ((0, 0), (7, -2), (3, 5)):
            c.dots([(x + right, y + down), (x + right + 1, y + down)], "leaf", 1.2)
            c.dots([(x + right, y + down + 1)], "leaf", 2)
    return c.image


TINTS = {
    (True, False): (226, 222, 120, 46),
    (False, False): (40, 92, 92, 40),
    (True, True): (255, 240, 206, 44),
    (False, True): (70, 60, 104, 20),
}
"""Colour that tints a patch, by (is_sunny, is_paved)."""


@cache
def patch(
    corners: tuple[bool, bool, bool, bool], column: int, row: int, sunny: bool, paved: bool = False
) -> Image.Image:
    """Part of a large patch where the grass or the paving is lighter or darker; `corners` of the
    tile: upper left and right, lower left and right.
    """
    place = (np.arange(SIZE) + 0.5) / SIZE
    upper, lower = (corners[n] * (1 - place) + corners[n + 1] * place for n in (0, 2))
    depth = upper * (1 - place)[:, None] + lower * place[:, None]
    waver = (
        window(noise("patch", 16), column % PERIOD, row % PERIOD) * 0.5
        + window(noise("patch2", 4), column % PERIOD, row % PERIOD) * 0.3
    )
    pixels = np.zeros((SIZE, SIZE, 4), np.uint8)
    pixels[depth + waver - 0.4 > 0.5] = TINTS[sunny, paved]
    return Image.fromarray(pixels)


assert MARGIN >= 4  # as far as the shadow of a hedge falls
