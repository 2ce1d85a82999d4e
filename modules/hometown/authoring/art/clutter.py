"""Painters of small decorations for rooms: lamps, rugs, plants, pictures, barrels. They cannot be
used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hometown.authoring.art.canvas import Canvas, tone

Painter = Callable[[Canvas], None]


def leaves(
    c: Canvas,
    fronds: tuple[tuple[int, int, int], ...],
    foot: tuple[int, int],
    material: str = "leaf",
) -> None:
    """Draw fronds that grow from one point: the middle of each, and how far it leans."""
    for x, y, lean in fronds:
        c.line(*foot, x, y + 4, material, 2, 2)
        c.oval(x - 4 + lean, y, x + 4 + lean, y + 9, material, 1.2)
        c.oval(x - 3 + lean, y + 1, x + 1 + lean, y + 5, material, 0.3, outline=False)


def pot(c: Canvas, x0: int, y0: int, x1: int, y1: int, material: str = "red_tile") -> None:
    c.pen.polygon(
        [(x0, y0), (x1, y0), (x1 - 2, y1), (x0 + 2, y1)], tone(material, 1), tone(material, 3)
    )
    c.line(x0 + 2, y0 + 3, x0 + 3, y1 - 2, material, 0, 2)
    c.fill(x0 - 1, y0 - 2, x1 + 1, y0 + 1, material, 0.3)
    c.line(x0 - 1, y0 + 2, x1 + 1, y0 + 2, material, 2.4)


def _plant(c: Canvas) -> None:
    c.shadow(6, 23, 26, 31)
    leaves(c, ((9, 6, -2), (16, 2, 0), (22, 7, 3), (12, 10, -1), (20, 11, 1)), (16, 22))
    pot(c, 10, 21, 21, 30)


def _tall_plant(c: Canvas) -> None:
    c.shadow(6, 55, 27, 63)
    c.line(16, 24, 16, 54, "dark_wood", 1, 3)
    leaves(
        c,
        (
            (6, 20, -2),
            (25, 20, 3),
            (10, 10, -2),
            (22, 9, 2),
            (16, 3, 0),
            (13, 26, -1),
            (21, 27, 2),
            (16, 16, 0),
        ),
        (16, 30),
        "green",
    )
    pot(c, 9, 52, 22, 62, "white")


def _rug(c: Canvas, field: str, trim: str, mark: str) -> None:
    """Draw a rug with fringes, a border and a row of diamonds."""
    width, height = c.image.size
    for y in range(5, height - 5, 3):
        c.line(1, y, width - 2, y, "paper", 1.4)
    c.block(3, 3, width - 4, height - 4, trim, 1)
    c.fill(6, 6, width - 7, height - 7, field, 1)
    c.pen.rectangle((9, 9, width - 10, height - 10), outline=tone(trim, 0.3))
    for x in range(24, width - 16, 16):
        middle = height // 2
        c.pen.polygon(
            [(x - 6, middle), (x, middle - 9), (x + 6, middle), (x, middle + 9)],
            tone(mark, 0.6),
            tone(field, 2.2),
        )
        c.pen.polygon(
            [(x - 2, middle), (x, middle - 4), (x + 2, middle), (x, middle + 4)], tone(field, 1.8)
        )
    c.line(4, height - 4, width - 5, height - 4, trim, 2.4)


def _round_rug(c: Canvas) -> None:
    for radius, material, shade in (
        (30, "blue", 1.3),
        (27, "paper", 0.8),
        (23, "blue", 0.8),
        (15, "paper", 0.9),
        (11, "rose", 0.9),
        (5, "paper", 0.6),
    ):
        c.disc(32, 32, radius, material, shade, outline=radius == 30)


def _floor_lamp(c: Canvas) -> None:
    c.shadow(7, 55, 26, 63)
    c.oval(10, 56, 22, 61, "dark", 1)
    c.fill(15, 20, 16, 58, "metal", 2)
    c.pen.polygon([(10, 5), (21, 5), (26, 21), (5, 21)], tone("yellow", 0.2), tone("yellow", 2.8))
    c.line(11, 7, 8, 19, "yellow", -0.8, 2)
    c.line(6, 20, 25, 20, "yellow", 1.6)


def _side_table(c: Canvas) -> None:
    c.shadow(4, 23, 28, 31)
    c.box(5, 14, 26, 29, "wood", 8)
    c.pen.polygon([(12, 1), (19, 1), (23, 10), (8, 10)], tone("rose", 0.2), tone("rose", 2.6))
    c.fill(15, 11, 16, 16, "dark_wood", 1)
    c.oval(12, 15, 19, 18, "dark_wood", 1)
    c.line(12, 3, 10, 9, "rose", -0.7)


def _vase(c: Canvas) -> None:
    c.shadow(7, 24, 26, 31)
    for x, y, material in (
        (10, 8, "rose"),
        (16, 4, "red"),
        (22, 8, "yellow"),
        (13, 12, "white"),
        (19, 12, "rose"),
    ):
        c.line(x, y, 16, 20, "leaf", 1.5)
        c.disc(x, y, 3, material, 0.9, outline=True)
        c.dots([(x - 1, y - 1), (x, y - 1)], material, -0.3)
    c.oval(10, 17, 22, 30, "blue", 0.8)
    c.line(13, 20, 13, 26, "blue", -0.6, 2)
    c.fill(13, 16, 19, 18, "blue", 1.6)


def barrel(c: Canvas) -> None:
    c.shadow(4, 23, 29, 31)
    c.pen.rounded_rectangle((6, 6, 25, 30), 5, tone("wood", 1.3), tone("wood", 3))
    for x, shade in ((8, 0.5), (13, 0.9), (19, 1.5), (23, 2.1)):
        c.fill(x, 9, x + 1, 28, "wood", shade)
    for y in (13, 24):
        c.fill(6, y, 25, y + 2, "metal", 2.2)
        c.line(7, y, 13, y, "metal", 0.8)
    c.oval(6, 3, 25, 11, "wood", 0.7)
    c.oval(9, 5, 22, 9, "wood", 1.5, outline=False)


def _crate(c: Canvas) -> None:
    c.shadow(3, 24, 30, 31)
    c.box(4, 5, 27, 30, "wood", 15, 1)
    for y in (20, 25):
        c.line(5, y, 26, y, "wood", 2.3)
    c.line(6, 29, 25, 17, "wood", 0.4, 2)
    for x in (10, 16, 22):
        c.line(x, 6, x, 14, "wood", 1.7)


def _sacks(c: Canvas) -> None:
    c.shadow(2, 23, 30, 31)
    for x, y in ((3, 12), (15, 13), (9, 4)):
        c.oval(x, y, x + 14, y + 16, "straw", 1.1)
        c.oval(x + 2, y + 2, x + 8, y + 9, "straw", 0.5, outline=False)
        c.fill(x + 5, y - 2, x + 9, y + 1, "straw", 1.6)
        c.line(x + 5, y + 2, x + 9, y + 2, "dark_wood", 1)


def _fireplace(c: Canvas) -> None:
    """Draw a brick chimney breast, a mantelpiece and a fire."""
    c.shadow(0, 55, 63, 63)
    c.block(4, 6, 59, 61, "brick", 1)
    for n, y in enumerate(range(10, 60, 5)):
        for x in range(6 + n % 2 * 5, 56, 10):
            c.line(x, y, x + 8, y, "brick", 1.9)
    c.box(1, 18, 62, 28, "dark_wood", 5)
    c.pen.pieslice((14, 30, 49, 78), 180, 360, tone("dark", 2), tone("brick", 3))
    c.line(20, 58, 44, 56, "dark_wood", 1, 4)
    for x, y, material, shade in (
        (31, 38, "red", 0.6),
        (25, 45, "red", 0.9),
        (38, 44, "red", 0.7),
        (31, 45, "yellow", 0.8),
        (32, 50, "yellow", -0.2),
    ):
        c.pen.polygon(
            [(x, y), (x + 6, y + 10), (x + 3, 57), (x - 4, 57), (x - 6, y + 10)],
            tone(material, shade),
        )
    c.block(9, 9, 18, 18, "paper", 1)
    c.block(44, 11, 49, 18, "teal", 1)


def _coat_rack(c: Canvas) -> None:
    c.shadow(7, 55, 26, 63)
    c.line(16, 8, 16, 60, "dark_wood", 1, 2)
    c.line(9, 12, 16, 16, "dark_wood", 1, 2)
    c.line(23, 12, 16, 16, "dark_wood", 1, 2)
    c.block(7, 16, 14, 42, "blue", 3)
    c.block(18, 16, 25, 38, "red", 3)
    c.oval(9, 5, 22, 11, "dark_wood", 1)
    c.line(9, 60, 23, 60, "dark_wood", 2, 2)


# on the wall: between the cap (12 pixels) and the skirting board


def _painting(c: Canvas) -> None:
    c.shade(8, 25, 25, 26, 60)
    c.block(7, 13, 24, 24, "yellow", 1)
    c.fill(9, 15, 22, 22, "blue", 0.2)
    c.fill(9, 19, 22, 22, "green", 0.9)
    c.pen.polygon([(11, 20), (14, 16), (18, 20)], tone("slate", 0.8))
    c.dots([(20, 16), (19, 16)], "yellow", -0.5)


def _painting_wide(c: Canvas) -> None:
    c.shade(9, 26, 56, 27, 60)
    c.block(8, 13, 55, 25, "dark_wood", 1)
    c.fill(10, 15, 53, 23, "water", 0.6)
    c.fill(10, 20, 53, 23, "water", 1.6)
    c.pen.polygon([(28, 20), (33, 15), (33, 20)], tone("white", 0))
    c.line(26, 21, 38, 21, "red", 1.4)
    c.disc(46, 17, 1, "yellow", -0.5)


def _clock(c: Canvas) -> None:
    c.disc(16, 18, 6, "dark_wood", 1, outline=True)
    c.disc(16, 18, 4, "paper", 0)
    c.line(16, 18, 16, 15, "dark", 2)
    c.line(16, 18, 18, 19, "dark", 2)


def _wall_shelf(c: Canvas) -> None:
    for x, tall, material in (
        (5, 5, "red"),
        (8, 6, "blue"),
        (11, 4, "yellow"),
        (20, 5, "teal"),
        (24, 6, "rose"),
    ):
        c.fill(x, 20 - tall, x + 2, 20, material, 0.8)
    c.fill(14, 17, 17, 20, "green", 0.8)
    c.fill(3, 21, 28, 22, "dark_wood", 0.6)
    c.line(3, 23, 28, 23, "dark_wood", 2.6)


def _wall_lamp(c: Canvas) -> None:
    c.fill(14, 20, 17, 24, "metal", 2)
    c.pen.polygon([(11, 14), (20, 14), (18, 21), (13, 21)], tone("yellow", 0), tone("yellow", 2.7))


def _banner(c: Canvas) -> None:
    c.fill(8, 12, 23, 13, "dark_wood", 1)
    c.pen.polygon([(9, 14), (22, 14), (22, 28), (16, 24), (9, 28)], tone("red", 1), tone("red", 3))
    c.disc(15, 19, 3, "yellow", 0.5)


PAINTERS: dict[str, Painter] = {
    "plant": _plant, "tall_plant": _tall_plant, "rug": partial(_rug, field="rose", trim="red", mark="yellow"),
    "rug_blue": partial(_rug, field="blue", trim="purple", mark="paper"), "rug_green": partial(_rug, field="green", trim="teal", mark="yellow"),
    "round_rug": _round_rug, "floor_lamp": _floor_lamp, "side_table": _side_table, "vase": _vase, "barrel": barrel, "crate": _crate, "sacks": _sacks,
    "fireplace": _fireplace, "coat_rack": _coat_rack, "painting": _painting, "painting_wide": _painting_wide, "clock": _clock,
    "wall_shelf": _wall_shelf, "wall_lamp": _wall_lamp, "banner": _banner,
}  # fmt: skip
