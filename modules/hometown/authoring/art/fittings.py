"""Painters of fittings for shops, the pub and the college: cases, racks, boards, globes. They are
decorations and cannot be used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hometown.authoring.art.at_home import books, cup
from hometown.authoring.art.canvas import Canvas, tone
from hometown.authoring.art.village import bottles, boxes, case

Painter = Callable[[Canvas], None]


def _cake_case(c: Canvas) -> None:
    """Draw a glass case of cakes on a panelled foot."""
    c.shadow(0, 24, 63, 31)
    c.box(1, 6, 62, 31, "dark_wood", 12)
    c.pen.rounded_rectangle((2, 0, 61, 19), 2, tone("water", -0.4), tone("metal", 2.4))
    for y in (9, 17):
        c.fill(4, y, 59, y, "metal", 1)
        for n, x in enumerate(range(9, 58, 9)):
            material = ("rose", "yellow", "dark_wood", "red", "paper", "purple")[(n + y) % 6]
            c.fill(x - 3, y - 3, x + 3, y - 1, "straw", 1)
            c.fill(x - 3, y - 5, x + 3, y - 4, material, 0.5)
            c.dots([(x, y - 6)], "red", 0.5)
    c.line(6, 2, 14, 2, "white", -0.5)
    for x in (6, 26, 46):
        c.pen.rectangle((x, 22, x + 12, 28), outline=tone("wood", 1.2))


def _rack(c: Canvas, fill: Callable[[Canvas, int], None], material: str = "dark_wood") -> None:
    """Draw a rack as wide as the canvas, with two full shelves."""
    for y in case(c, c.image.width, material):
        fill(c, y)


def _of_bottles(c: Canvas, y: int) -> None:
    bottles(c, 6, y, c.image.width - 6, 6, y)


def _of_jars(c: Canvas, y: int) -> None:
    for n, x in enumerate(range(6, c.image.width - 10, 9)):
        c.block(
            x,
            y - 7,
            x + 6,
            y,
            ("straw", "red", "green", "paper", "rose", "dark_wood")[(n + y) % 6],
            2,
        )
        c.fill(x + 1, y - 9, x + 5, y - 8, "wood", 0.4)
        c.fill(x + 2, y - 5, x + 4, y - 3, "paper", 0)


def _of_crates(c: Canvas, y: int) -> None:
    for n, x in enumerate(range(5, c.image.width - 16, 15)):
        if n % 3 == 1:
            boxes(c, x, y, x + 14, n + y)
            continue
        c.block(x, y - 8, x + 12, y, ("wood", "", "cap")[n % 3], 1)
        c.line(x + 1, y - 4, x + 11, y - 4, "dark_wood", 1)


def _of_timber(c: Canvas, y: int) -> None:
    for n in range(3):
        c.fill(5, y - 8 + n * 3, c.image.width - 7 - n * 5, y - 6 + n * 3, "wood", 0.4 + n * 0.3)
        c.line(5, y - 6 + n * 3, c.image.width - 7 - n * 5, y - 6 + n * 3, "dark_wood", 1)


def _bread_rack(c: Canvas) -> None:
    for y in case(c, c.image.width, "wood"):
        for x in range(6, c.image.width - 12, 10):
            c.oval(x, y - 6, x + 9, y, "straw", 1.2)
            c.line(x + 3, y - 4, x + 5, y - 2, "paper", 0)


def _kegs(c: Canvas) -> None:
    """Draw three casks on their sides, one on top of two."""
    c.shadow(0, 52, 63, 63)
    for x, y in ((3, 36), (33, 36), (18, 12)):
        c.oval(x, y, x + 27, y + 26, "dark_wood", 1)
        c.oval(x + 3, y + 3, x + 24, y + 23, "wood", 1)
        for right in (9, 14, 19):
            c.line(x + right, y + 4, x + right, y + 22, "wood", 1.8)
        c.disc(x + 13, y + 19, 2, "metal", 1, outline=True)
        c.pen.arc((x + 1, y + 1, x + 26, y + 25), 150, 300, tone("metal", 0.6))


def _menu_board(c: Canvas) -> None:
    _chalk(c, 4, 12, 27, 28)
    c.line(8, 16, 18, 16, "paper", 0)
    for n, y in enumerate((19, 22, 25)):
        c.line(8, y, 14 + n % 2 * 2, y, "yellow" if n == 1 else "paper", 1)
        c.dots([(21, y), (23, y)], "rose", 0)


def _chalk(c: Canvas, x0: int, y0: int, x1: int, y1: int) -> None:
    c.pen.rectangle((x0, y0, x1, y1), tone("wood", 1.4), tone("wood", 3))
    c.pen.rectangle((x0 + 2, y0 + 2, x1 - 2, y1 - 2), tone("slate", 2.7))


def _blackboard(c: Canvas) -> None:
    """Sum in chalk."""
    _chalk(c, 3, 12, 60, 29)
    for x, y, length in ((7, 16, 12), (7, 20, 8), (7, 24, 14), (44, 24, 10)):
        c.line(x, y, x + length, y, "paper", 0.4)
    c.pen.polygon([(27, 25), (34, 16), (40, 25)], outline=tone("paper", 0))
    c.pen.ellipse((45, 15, 54, 21), outline=tone("yellow", 0.4))


def _chart(c: Canvas) -> None:
    """Draw a sea chart."""
    c.shade(6, 27, 27, 28, 60)
    c.block(4, 12, 27, 27, "paper", 1)
    c.pen.polygon([(6, 14), (14, 14), (11, 20), (6, 22)], tone("straw", 1))
    c.fill(15, 15, 25, 25, "water", 0)
    c.disc(21, 22, 2, "straw", 1)
    c.line(9, 25, 23, 17, "red", 1)


def _world_map(c: Canvas) -> None:
    c.block(3, 12, 60, 28, "dark_wood", 1)
    c.fill(5, 14, 58, 26, "water", 0.2)
    for points in (
        ((8, 16), (20, 15), (17, 21), (12, 20)),
        ((16, 22), (20, 22), (18, 26)),
        ((28, 15), (46, 14), (52, 18), (40, 20), (36, 25), (31, 20)),
        ((48, 22), (54, 22), (53, 25), (48, 25)),
    ):
        c.pen.polygon(list(points), tone("green", 0.7))


def _notices(c: Canvas) -> None:
    """Draw a cork board."""
    c.block(3, 12, 60, 29, "dark_wood", 1)
    c.fill(5, 14, 58, 27, "straw", 1.3)
    for x, y, wide, high, material in (
        (8, 15, 9, 10, "paper"),
        (19, 16, 7, 7, "yellow"),
        (29, 15, 10, 8, "water"),
        (42, 16, 6, 9, "rose"),
        (50, 15, 7, 6, "paper"),
    ):
        c.fill(x, y, x + wide, y + high, material, 0.3)
        c.line(x + 2, y + 3, x + wide - 2, y + 3, material, 2)
        c.dots([(x + wide // 2, y)], "red", 1)


def _poster(c: Canvas, ground: str, mark: str) -> None:
    c.shade(10, 28, 23, 28, 60)
    c.block(8, 12, 23, 27, ground, 1)
    c.disc(16, 18, 4, mark, 0.6)
    c.line(11, 24, 20, 24, "paper", 0)
    c.line(13, 26, 18, 26, "paper", 0)


def _pans(c: Canvas) -> None:
    c.line(3, 13, 28, 13, "metal", 2, 2)
    for x, radius, material in ((8, 4, "cap"), (17, 3, "dark"), (25, 3, "cap")):
        c.line(x, 14, x, 18, "dark_wood", 1)
        c.disc(x, 21, radius, material, 0.7, outline=True)
        c.dots([(x - 1, 20)], material, -0.7)


def _mirror(c: Canvas) -> None:
    c.oval(8, 12, 23, 28, "yellow", 1.2)
    c.oval(10, 14, 21, 26, "water", -0.3, outline=False)
    c.line(13, 22, 18, 16, "white", -0.5)


def _towels(c: Canvas) -> None:
    c.line(5, 14, 26, 14, "metal", 2, 2)
    for x, material in ((7, "rose"), (17, "blue")):
        c.fill(x, 14, x + 7, 27, material, 0.7)
        c.line(x, 24, x + 7, 24, "white", 0)
        c.line(x + 7, 15, x + 7, 27, material, 2)


def _antlers(c: Canvas) -> None:
    c.pen.polygon(
        [(11, 19), (20, 19), (18, 28), (13, 28)], tone("dark_wood", 1), tone("dark_wood", 3)
    )
    for side in (-1, 1):
        for reach, high in ((9, 13), (6, 12), (4, 15)):
            c.line(16, 20, 16 + side * reach, high, "paper", 1.4, 2)


def _garland(c: Canvas) -> None:
    """Draw little flags on a string along a wall."""
    for n, x in enumerate(range(0, 64, 8)):
        y = 14 + (4 if n in (3, 4) else 3 if n in (2, 5) else 1 if n in (1, 6) else 0)
        c.pen.polygon(
            [(x, y), (x + 7, y), (x + 3, y + 8)],
            tone(("red", "yellow", "teal", "rose", "blue")[n % 5], 0.8),
        )
        c.line(x, y, x + 7, y, "paper", 1)


def _globe(c: Canvas) -> None:
    c.shadow(7, 25, 26, 31)
    c.oval(9, 25, 22, 30, "dark_wood", 1)
    c.fill(15, 20, 16, 27, "dark_wood", 1)
    c.pen.arc((4, 1, 27, 24), 300, 130, tone("yellow", 1.6), 2)
    c.disc(15, 12, 9, "blue", 0.8, outline=True)
    c.pen.polygon([(9, 8), (15, 5), (17, 10), (12, 15)], tone("green", 0.6))
    c.pen.polygon([(17, 13), (22, 11), (20, 18)], tone("green", 0.9))
    c.dots([(11, 7), (12, 6)], "white", 0)


def _book_pile(c: Canvas) -> None:
    c.shadow(3, 23, 29, 31)
    for n, (x, wide, material) in enumerate(
        ((4, 22, "blue"), (6, 20, "red"), (5, 18, "straw"), (8, 16, "green"))
    ):
        y = 25 - n * 5
        c.block(x, y, x + wide, y + 5, material, 1)
        c.fill(x + wide - 2, y + 1, x + wide - 1, y + 4, "paper", 0.5)
    c.block(10, 3, 22, 9, "paper", 1)
    c.line(16, 4, 16, 8, "paper", 2)


def _bookcase(c: Canvas) -> None:
    """Draw a bookcase with four rows of books, taller than a person."""
    width = c.image.width
    c.shadow(1, 57, width, 63)
    c.box(0, 2, width - 1, 63, "dark_wood", 56)
    for n, y in enumerate((20, 33, 46, 60)):
        c.fill(3, y - 10, width - 4, y, "dark", 2)
        for start in range(4, width - 8, 30):
            books(c, start, y, min(start + 25, width - 5), 8, n * 5 + start)
        c.fill(2, y + 1, width - 3, y + 1, "wood", 0.6)


def _worktop(c: Canvas) -> None:
    """Draw a kitchen cupboard with a chopping board and vegetables on it."""
    width = c.image.width
    c.box(0, 2, width - 1, 31, "wood", 13)
    c.block(0, 2, width - 1, 18, "stone", 1)
    for x in range(2, width - 10, 15):
        c.block(x, 21, x + 12, 29, "wood", 1)
    c.block(5, 6, 20, 15, "wood", 1)
    c.oval(8, 8, 12, 12, "red", 0.8)
    c.line(14, 8, 17, 13, "leaf", 0.6, 2)
    if width > SIZE:
        c.oval(38, 4, 52, 14, "white", 0.4)
        for x, material in ((42, "red"), (46, "green"), (49, "yellow")):
            c.disc(x, 7, 2, material, 0.7)


def _low_table(c: Canvas) -> None:
    c.shadow(5, 22, 60, 30)
    for x in (8, 52):
        c.fill(x, 22, x + 3, 28, "dark_wood", 2)
    c.box(5, 6, 58, 25, "wood", 5)
    c.block(12, 10, 23, 17, "paper", 1)
    c.line(14, 12, 21, 12, "blue", 1)
    cup(c, 42, 10, "teal")


def _rails(c: Canvas) -> None:
    """Draw clothes on hangers."""
    c.shadow(1, 55, 62, 63)
    for x in (3, 59):
        c.fill(x, 20, x + 1, 60, "metal", 2)
    c.fill(3, 20, 60, 21, "metal", 1)
    for n, x in enumerate(range(7, 54, 7)):
        c.block(
            x,
            24,
            x + 7,
            46 + n % 3 * 4,
            ("rose", "blue", "straw", "teal", "purple", "red", "paper")[n],
            2,
        )


def _billiards(c: Canvas) -> None:
    c.shadow(0, 50, 95, 63)
    for x in (6, 84):
        c.fill(x, 46, x + 6, 60, "dark_wood", 2)
    c.box(1, 4, 94, 54, "dark_wood", 10, 3)
    c.block(7, 9, 88, 40, "green", 1)
    for x in (7, 47, 86):
        for y in (9, 39):
            c.disc(x, y, 2, "dark", 2)
    for n, (x, y) in enumerate(
        ((62, 24), (67, 21), (67, 27), (72, 18), (72, 24), (72, 30), (30, 25))
    ):
        c.disc(x, y, 2, ("red", "yellow", "blue", "purple", "dark", "rose", "white")[n], 0.5)
    c.line(12, 34, 27, 27, "straw", 0, 2)


SIZE = 32

SHELVES: dict[str, Painter] = {
    "cellar_shelf": partial(_rack, fill=_of_bottles), "stock_shelf": partial(_rack, fill=_of_crates, material="wood"),
    "timber_shelf": partial(_rack, fill=_of_timber, material="wood"),
}  # fmt: skip
"""Painters of shelves in storerooms."""

PAINTERS: dict[str, Painter] = {
    "cake_case": _cake_case, "bottle_rack": partial(_rack, fill=_of_bottles), "jar_rack": partial(_rack, fill=_of_jars, material="wood"),
    "crate_rack": partial(_rack, fill=_of_crates, material="wood"), "bread_rack": _bread_rack, "kegs": _kegs, "menu_board": _menu_board,
    "chalk_wall": _blackboard, "sea_chart": _chart, "world_map": _world_map, "notices": _notices, "poster": partial(_poster, ground="red", mark="yellow"),
    "poster_blue": partial(_poster, ground="blue", mark="rose"), "pans": _pans, "mirror": _mirror, "towels": _towels, "antlers": _antlers,
    "garland": _garland, "globe": _globe, "book_pile": _book_pile, "bookcase": _bookcase, "worktop": _worktop, "worktop_wide": _worktop,
    "low_table": _low_table, "clothes_rail": _rails, "billiards": _billiards,
}  # fmt: skip
