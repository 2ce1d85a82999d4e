"""Painters of decorations for squares, parks and allotments: clipped trees, stalls, a clock, boats,
beds. They cannot be used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import pi
from random import Random

import numpy as np
from PIL import Image

from hometown.authoring.art.canvas import Canvas, tone
from hometown.authoring.art.greenery import SMALL, crown
from hometown.authoring.art.yard import SIGNS

Painter = Callable[[Canvas], None]


def _square_tree(c: Canvas) -> None:
    """Draw a clipped tree in an iron grate."""
    c.block(2, 66, 29, 93, "slate", 2)
    for x in range(6, 28, 4):
        c.line(x, 69, x, 90, "slate", 2.4)
    c.disc(16, 80, 7, "soil", 1.6)
    c.shadow(5, 74, 30, 86)
    c.fill(14, 34, 18, 82, "dark_wood", 1.3)
    c.line(14, 34, 14, 82, "dark_wood", 0.2)
    c.image.alpha_composite(
        crown(
            (
                (10, 14, 9),
                (21, 14, 9),
                (16, 8, 8),
                (8, 26, 8),
                (23, 26, 8),
                (16, 34, 9),
                (16, 21, 12),
            ),
            (32, 46),
            "green",
            "clipped",
        ),
        (0, 2),
    )


def _clock_post(c: Canvas) -> None:
    c.shadow(6, 84, 28, 94)
    c.box(8, 80, 23, 93, "stone", 6)
    c.fill(14, 30, 17, 82, "teal", 2.2)
    c.line(14, 30, 14, 82, "teal", 0.6)
    c.fill(11, 74, 20, 80, "teal", 2)
    c.disc(16, 18, 13, "teal", 2, outline=True)
    c.disc(16, 18, 10, "paper", 0)
    for right, down in ((0, -8), (8, 0), (0, 8), (-8, 0)):
        c.dots([(16 + right, 18 + down)], "dark", 2)
    c.line(16, 18, 16, 11, "dark", 2)
    c.line(16, 18, 21, 20, "dark", 2)
    c.pen.polygon([(10, 5), (22, 5), (16, 0)], tone("teal", 1.2), tone("teal", 3))


def _statue(c: Canvas) -> None:
    """Draw the founder, in bronze, on a plinth."""
    c.shadow(2, 82, 63, 95)
    c.box(6, 62, 57, 94, "stone", 20)
    c.block(20, 80, 43, 88, "straw", 1)
    c.box(14, 54, 49, 68, "stone", 8)
    c.pen.polygon([(22, 34), (42, 34), (46, 58), (18, 58)], tone("teal", 1.7), tone("teal", 3))
    c.pen.polygon([(24, 35), (31, 35), (29, 57), (20, 57)], tone("teal", 0.9))
    c.pen.polygon([(24, 16), (40, 16), (43, 36), (21, 36)], tone("teal", 1.5), tone("teal", 3))
    c.line(25, 18, 24, 34, "teal", 0.4, 2)
    c.line(41, 19, 50, 10, "teal", 1.5, 4)
    c.line(23, 19, 18, 32, "teal", 1.2, 4)
    c.disc(32, 10, 6, "teal", 1.3, outline=True)
    c.dots([(29, 8), (30, 7)], "teal", -0.4)
    c.block(25, 2, 39, 6, "teal", 1)


def _market(c: Canvas, awning: str, goods: tuple[str, ...]) -> None:
    """Draw a stall under a striped awning."""
    c.shadow(0, 54, 63, 63)
    for x in (3, 58):
        c.fill(x, 20, x + 2, 62, "dark_wood", 1)
    c.box(1, 40, 62, 63, "wood", 12)
    c.shade(2, 41, 61, 45, 60)
    for n in range(4):
        material = goods[n % len(goods)]
        c.block(4 + n * 14, 42, 16 + n * 14, 51, "straw", 1)
        for right, down in ((3, 3), (7, 3), (10, 4), (5, 6), (9, 6)):
            c.disc(4 + n * 14 + right, 41 + down, 2, material, 0.8)
            c.dots([(3 + n * 14 + right, 40 + down)], material, -0.6)
    for n, x in enumerate(range(0, 64, 8)):
        material = "paper" if n % 2 else awning
        c.fill(x, 8, x + 7, 25, material, 0.8)
        c.fill(x, 8, x + 7, 12, material, 0.3)
        c.pen.pieslice((x, 20, x + 7, 30), 0, 180, tone(material, 1.4))
    c.line(0, 7, 63, 7, awning, 3)
    c.line(0, 24, 63, 24, awning, 2.4)


def _planter(c: Canvas) -> None:
    """Draw a stone trough of tulips."""
    width = c.image.width
    c.shadow(0, 24, width - 1, 31)
    c.box(1, 12, width - 2, 30, "stone", 10)
    c.fill(4, 14, width - 5, 18, "soil", 1.7)
    for n, x in enumerate(range(5, width - 5, 5)):
        material = ("red", "yellow", "rose", "purple", "white")[n % 5]
        y = 8 - n % 2 * 3
        c.line(x, y, x, 17, "leaf", 1)
        c.line(x, 16, x + 2, y + 5, "leaf", 0.4)
        c.block(x - 2, y - 3, x + 2, y + 2, material, 2)


def _mosaic(c: Canvas) -> None:
    """Rings of stones around the object in the middle."""
    width, height = c.image.size
    rings = (
        (92, "stone", 1.9),
        (86, "stone", 0.5),
        (72, "red_tile", 0.9),
        (62, "stone", 0.4),
        (48, "slate", 0.8),
        (38, "stone", 0.6),
    )
    for radius, material, shade in rings:
        c.disc(width // 2, height // 2, radius, material, shade)
    across, down = np.meshgrid(
        np.arange(width) - width / 2 + 0.5, np.arange(height) - height / 2 + 0.5
    )
    far = np.hypot(across, down)
    course = (far / 8).astype(int)
    count = np.maximum(6, course * 6)
    turn = (np.arctan2(down, across) / (2 * pi) + 0.5) * count + course * 0.5
    joint = (far % 8 < 1) | (turn % 1 * 2 * pi * far / count < 1)
    stream = Random("mosaic")
    lifts = np.array([stream.uniform(-16, 10) for _ in range(997)])
    lift = np.where(joint, -46, lifts[(course * 89 + turn.astype(int)) % 997])
    pixels = np.asarray(c.image).astype(int)
    pixels[..., :3] += np.where(far <= 92, lift, 0).astype(int)[..., None]
    c.image.paste(Image.fromarray(pixels.clip(0, 255).astype(np.uint8)))


def _bunting(c: Canvas) -> None:
    """Draw flags on a string, above head height, from the middle of the first tile to the middle of
    the last.
    """
    start, end = 16, c.image.width - 16

    def height(x: int) -> int:
        share = (x - start) / (end - start)
        return 4 + round(52 * share * (1 - share))

    for n, x in enumerate(range(start, end - 9, 10)):
        c.line(x, height(x), x + 10, height(x + 10), "dark_wood", 1)
        material = ("red", "yellow", "teal", "paper", "blue", "rose")[n % 6]
        c.pen.polygon(
            [(x + 1, height(x) + 1), (x + 8, height(x) + 1), (x + 4, height(x) + 11)],
            tone(material, 0.7),
            tone(material, 2.6),
        )


def _a_board(c: Canvas) -> None:
    c.shadow(5, 24, 28, 31)
    c.pen.polygon([(8, 3), (23, 3), (26, 30), (5, 30)], tone("wood", 1.2), tone("wood", 3))
    c.pen.polygon([(10, 6), (21, 6), (23, 25), (8, 25)], tone("slate", 2.7))
    for y, length in ((9, 7), (13, 9), (17, 6), (21, 9)):
        c.line(11, y, 11 + length, y, "yellow" if y == 9 else "paper", 0.4)


def _bicycle(c: Canvas) -> None:
    c.shadow(4, 23, 60, 31)
    for x in (16, 47):
        c.pen.ellipse((x - 9, 11, x + 9, 29), outline=tone("dark", 2), width=2)
        c.disc(x, 20, 1, "metal", 1)
    for x0, y0, x1, y1 in (
        (16, 20, 26, 8),
        (26, 8, 42, 8),
        (42, 8, 32, 21),
        (26, 8, 32, 21),
        (16, 20, 32, 21),
        (42, 8, 47, 20),
    ):
        c.line(x0, y0, x1, y1, "red", 0.9, 2)
    c.line(42, 8, 41, 3, "metal", 1, 2)
    c.line(38, 3, 45, 3, "dark", 1, 2)
    c.fill(22, 5, 29, 7, "dark", 1)
    c.block(44, 3, 54, 10, "straw", 2)


def _post_sign(c: Canvas, ground: str, picture: Painter) -> None:
    """Draw a painted board that hangs from a post and faces the street."""
    c.shadow(4, 56, 22, 63)
    c.fill(4, 6, 6, 60, "dark", 1.4)
    c.line(4, 6, 4, 60, "dark", 0.2)
    c.block(2, 55, 9, 61, "dark", 1)
    c.fill(4, 8, 29, 9, "dark", 1)
    c.line(7, 15, 13, 9, "dark", 1)
    for x in (12, 26):
        c.line(x, 10, x, 13, "dark", 2)
    board = Canvas(32, 32, soft=True)
    board.block(5, 14, 26, 31, ground, 2)
    picture(board)
    c.image.alpha_composite(board.image, (3, 0))


def _awning(c: Canvas, material: str) -> None:
    """Draw a striped awning over a shop window."""
    width = c.image.width
    for n, x in enumerate(range(0, width, 8)):
        stripe = "paper" if n % 2 else material
        c.fill(x, 10, x + 7, 24, stripe, 0.8)
        c.fill(x, 10, x + 7, 13, stripe, 0.2)
        c.pen.pieslice((x, 18, x + 7, 29), 0, 180, tone(stripe, 1.5))
    c.line(0, 9, width - 1, 9, material, 3)
    c.line(0, 23, width - 1, 23, material, 2.3)
    c.shade(0, 29, width - 1, 31, 70)


# the park and the allotments ------------------------------------------------------------


def _boat(c: Canvas) -> None:
    c.pen.ellipse((2, 14, 62, 31), (44, 36, 80, 60))
    c.pen.polygon(
        [(2, 8), (12, 4), (52, 4), (62, 10), (52, 25), (12, 25)], tone("red", 1.4), tone("red", 3)
    )
    c.pen.polygon(
        [(6, 9), (14, 7), (50, 7), (56, 11), (49, 19), (14, 19)], tone("wood", 1.3), tone("wood", 3)
    )
    for x in (18, 36):
        c.block(x, 6, x + 6, 20, "wood", 1)
    c.line(10, 28, 34, 2, "wood", 0, 2)
    c.line(6, 23, 54, 23, "paper", 0.6)


def _ducks(c: Canvas) -> None:
    for x, y, material in ((4, 6, "dark_wood"), (17, 15, "paper")):
        c.line(x - 1, y + 9, x + 12, y + 9, "water", -0.3)
        c.oval(x, y + 3, x + 10, y + 9, material, 0.9)
        c.disc(x + 10, y + 2, 3, "green" if material == "dark_wood" else material, 1, outline=True)
        c.fill(x + 13, y + 2, x + 14, y + 3, "yellow", 1)
        c.line(x + 2, y + 5, x + 6, y + 5, material, -0.2)


def _picnic(c: Canvas) -> None:
    c.pen.polygon([(4, 8), (58, 4), (61, 56), (7, 60)], (44, 36, 80, 60))
    c.pen.polygon([(3, 5), (57, 2), (60, 53), (6, 57)], tone("paper", 0.4), tone("red", 2.6))
    for n in range(5):
        x, y = 5 + n * 12, 5 + n * 11
        c.line(x, 5, x + 3, 55, "red", 0.6, 4)
        c.line(4, y, 58, y - 3, "red", 0.6, 4)
    c.block(34, 10, 52, 24, "straw", 3)
    c.pen.arc((36, 2, 50, 20), 180, 360, tone("straw", 2.4), 2)
    c.oval(12, 28, 26, 38, "white", 0.3)
    c.disc(18, 32, 3, "red", 0.7, outline=True)
    c.oval(36, 38, 48, 47, "white", 0.3)
    c.disc(42, 42, 3, "yellow", 0.7, outline=True)


def _bandstand(c: Canvas) -> None:
    """Draw a round floor under a pointed roof on slender posts."""
    c.shadow(0, 80, 95, 95)
    c.pen.polygon(
        [(2, 70), (16, 58), (80, 58), (94, 70), (94, 86), (80, 94), (16, 94), (2, 86)],
        tone("stone", 1.8),
        tone("stone", 3),
    )
    c.pen.polygon(
        [(2, 68), (16, 56), (80, 56), (94, 68), (94, 80), (80, 88), (16, 88), (2, 80)],
        tone("wood", 0.8),
        tone("stone", 3),
    )
    for y in (62, 70, 78):
        c.line(8, y, 88, y, "wood", 1.5)
    c.shade(10, 57, 86, 64, 60)
    for x in (4, 26, 67, 89):
        c.fill(x, 30, x + 2, 84 if x in (4, 89) else 62, "white", 0.6)
        c.line(x + 2, 30, x + 2, 84 if x in (4, 89) else 62, "white", 2.6)
    c.pen.polygon(
        [(0, 36), (47, 4), (95, 36), (84, 42), (12, 42)], tone("red", 1.3), tone("red", 3)
    )
    c.pen.polygon([(2, 36), (46, 5), (36, 41), (12, 41)], tone("red", 0.6))
    for x in (12, 34, 60, 84):
        c.line(x, 41, 47, 5, "red", 2)
    for n, x in enumerate(range(8, 88, 8)):
        c.pen.pieslice((x, 35, x + 8, 47), 0, 180, tone("paper" if n % 2 else "yellow", 0.8))
    c.disc(47, 4, 3, "yellow", 0.6, outline=True)


def _scarecrow(c: Canvas) -> None:
    c.shadow(6, 56, 27, 63)
    c.fill(15, 26, 16, 61, "dark_wood", 1)
    c.line(2, 32, 29, 32, "dark_wood", 1, 2)
    c.block(7, 28, 24, 48, "blue", 2)
    c.block(1, 29, 8, 36, "blue", 1)
    c.block(23, 29, 30, 36, "blue", 1)
    c.fill(13, 37, 18, 42, "rose", 0.8)
    c.disc(16, 20, 6, "straw", 0.8, outline=True)
    c.dots([(13, 19), (18, 19), (15, 23), (16, 23)], "dark", 2)
    c.pen.polygon(
        [(6, 15), (26, 15), (20, 12), (19, 4), (12, 4), (11, 12)],
        tone("dark_wood", 1),
        tone("dark_wood", 3),
    )


def _row(c: Canvas, crop: str) -> None:
    """Draw a row of one vegetable."""
    for n, x in enumerate(range(7, c.image.width - 4, 12)):
        c.pen.ellipse((x - 7, 20, x + 8, 28), (44, 36, 80, 60))
        if crop == "cabbage":
            c.disc(x, 18, 7, "leaf", 1.6, outline=True)
            c.disc(x - 1, 17, 5, "leaf", 0.6)
            c.disc(x, 17, 2, "grass", -0.4)
        elif crop == "pumpkin":
            c.oval(x - 6, 12, x + 6, 24, "yellow", 1.3)
            c.line(x, 13, x, 23, "yellow", 2)
            c.line(x - 3, 14, x - 3, 21, "yellow", 0.2)
            c.fill(x - 1, 9, x, 12, "leaf", 2)
        else:
            top = 2 + n % 2 * 3
            c.line(x, top + 6, x, 26, "leaf", 1.4, 2)
            c.oval(x - 5, 16, x, 20, "leaf", 0.8, outline=False)
            c.oval(x + 1, 19, x + 6, 23, "leaf", 1, outline=False)
            c.disc(x, top + 4, 5, "yellow", 0.6, outline=True)
            c.disc(x, top + 4, 2, "dark_wood", 1.4)


def _topiary(c: Canvas) -> None:
    c.shadow(4, 24, 28, 31)
    c.image.alpha_composite(crown(SMALL, (32, 28), "green", "topiary"), (0, 1))


PAINTERS: dict[str, Painter] = {
    "square_tree": _square_tree, "clock_post": _clock_post, "statue": _statue, "planter": _planter, "planter_wide": _planter, "mosaic": _mosaic,
    "bunting": _bunting, "a_board": _a_board, "bicycle": _bicycle, "boat": _boat, "ducks": _ducks, "picnic": _picnic, "scarecrow": _scarecrow,
    "cabbages": partial(_row, crop="cabbage"), "pumpkins": partial(_row, crop="pumpkin"), "sunflowers": partial(_row, crop="sunflower"),
    "topiary": _topiary, "bandstand": _bandstand,
    "stall_fruit": partial(_market, awning="green", goods=("red", "yellow", "purple", "leaf")),
    "stall_bread": partial(_market, awning="yellow", goods=("straw", "wood", "paper")),
    "stall_cloth": partial(_market, awning="blue", goods=("rose", "teal", "purple", "blue")),
    **{f"awning_{material}": partial(_awning, material=material) for material in ("red", "green", "blue", "yellow")},
    **{f"post_{name}": partial(_post_sign, ground=ground, picture=picture) for name, (ground, picture) in SIGNS.items()},
}  # fmt: skip
