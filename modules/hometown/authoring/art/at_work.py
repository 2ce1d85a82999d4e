"""Painters of furniture for the café, the library, the studio and the flower shop."""

from __future__ import annotations

from collections.abc import Callable

from hometown.authoring.art.at_home import books, chair, cup, screen, shelf, table
from hometown.authoring.art.canvas import Canvas, tone


def _counter(c: Canvas) -> None:
    """Draw a bar with a cake case, a till and a vase, and four stools in front of it."""
    for x in (8, 40, 72, 104):
        c.shadow(x, 50, x + 18, 59)
        c.fill(x + 7, 48, x + 9, 56, "metal", 2)
        c.oval(x, 42, x + 16, 54, "red", 2)
        c.oval(x, 40, x + 16, 51, "red", 0.7)
        c.line(x + 4, 43, x + 8, 42, "red", -0.6)
    c.shadow(0, 26, 127, 34)
    c.box(0, 2, 127, 31, "dark_wood", 15, 3)
    c.box(0, 1, 127, 17, "cafe", 3)
    for x in range(5, 118, 20):
        c.block(x, 20, x + 16, 29, "wood", 1)
        c.pen.rectangle((x + 3, 22, x + 13, 27), outline=tone("wood", 1.9))
    c.box(6, -3, 32, 14, "water", 5)
    for x, material in ((12, "rose"), (19, "yellow"), (26, "dark_wood")):
        c.disc(x, 6, 3, material, 0.8, outline=True)
    c.box(95, -1, 112, 12, "dark", 6)
    c.fill(98, 1, 109, 5, "green", 0)
    cup(c, 60, 5)
    cup(c, 72, 6, "teal")
    c.disc(46, 5, 4, "rose", 0.4, outline=True)
    c.block(43, 8, 49, 15, "teal", 2)


def _espresso(c: Canvas) -> None:
    """Draw a shiny machine on a cupboard, with cups warming on top."""
    c.box(0, 12, 31, 31, "dark_wood", 12)
    c.box(2, 2, 29, 22, "metal", 13)
    c.fill(5, 12, 26, 14, "red", 1)
    for x in (9, 19):
        c.fill(x, 15, x + 3, 17, "dark", 2)
        c.block(x, 18, x + 4, 21, "white", 1)
    for x in (5, 12, 19):
        c.oval(x, 3, x + 5, 7, "white", 0.2)


def _oven(c: Canvas) -> None:
    """Draw two glowing doors, one above the other, with trays of buns behind them."""
    c.box(1, 0, 30, 31, "metal", 26)
    for y in (7, 19):
        c.block(4, y, 27, y + 10, "dark", 2)
        c.fill(6, y + 2, 25, y + 8, "red", 1.8)
        for x in (9, 15, 21):
            c.oval(x - 2, y + 4, x + 3, y + 8, "straw", 0.8, outline=False)
        c.line(7, y + 1, 24, y + 1, "metal", 0)
    c.dots([(6, 3), (10, 3), (24, 3)], "red", 0.6)


def _cafe_table(c: Canvas) -> None:
    """Draw a round table under a cloth that hangs over its edge."""
    chair(c, 1, -1, "red", "right")
    chair(c, 63, -1, "red", "left")
    c.shadow(34, 20, 66, 31)
    c.fill(46, 25, 49, 30, "dark_wood", 2)
    c.oval(31, 6, 64, 29, c.cloth, 1.6)
    c.oval(31, 2, 64, 24, "paper", 0.3)
    c.pen.ellipse((34, 4, 61, 22), outline=tone(c.cloth, 0.8))
    for x in (35, 43, 52, 60):
        c.line(x, 25 if x in (43, 52) else 22, x, 27 if x in (43, 52) else 24, c.cloth, 2.4)
    cup(c, 36, 10)
    cup(c, 52, 10)
    c.line(47, 10, 47, 16, "leaf")
    c.block(45, 13, 49, 18, "blue", 1)
    c.disc(47, 8, 2, "rose", 0.4, outline=True)


def _long_table(c: Canvas, chairs: str, top: str) -> None:
    for y in (0, 32):
        chair(c, 0, y, chairs, "right")
        chair(c, 64, y, chairs, "left")
    table(c, 30, 3, 65, 62, top)


def _cafe_big_table(c: Canvas) -> None:
    """Draw a long table under a runner."""
    _long_table(c, "red", "wood")
    c.fill(42, 4, 53, 54, c.cloth, 0.5)
    c.fill(42, 55, 53, 59, c.cloth, 1.5)
    for x in (43, 52):
        c.line(x, 4, x, 58, "paper", 0.4)
    for x, y in ((33, 10), (55, 16), (33, 38), (55, 44)):
        cup(c, x, y)
    c.block(44, 25, 51, 32, "blue", 2)
    for x, y, material in ((44, 22, "rose"), (51, 22, "yellow"), (48, 19, "red")):
        c.disc(x, y, 3, "leaf", 1.2)
        c.disc(x, y - 1, 2, material, 0.6)


def _piano(c: Canvas) -> None:
    """Draw an upright piano with sheet music and a candle, and a stool in front of it."""
    c.shadow(7, 50, 25, 59)
    for x in (9, 20):
        c.fill(x, 48, x + 2, 55, "dark_wood", 2)
    c.box(7, 38, 24, 51, "red", 4, 3)
    c.shadow(0, 25, 63, 34)
    c.box(0, 0, 63, 31, "dark_wood", 24, 2)
    c.fill(4, 10, 59, 15, "dark_wood", 1.2)
    c.block(22, 3, 41, 15, "paper", 1)
    for y in (6, 9, 12):
        c.line(24, y, 39, y, "dark", 1)
    c.box(1, 17, 62, 27, "dark_wood", 3, 1)
    c.fill(4, 18, 59, 23, "white", 0)
    for n, x in enumerate(range(7, 59, 4)):
        c.line(x, 18, x, 23, "white", 2.2)
        if n % 7 not in (2, 6):
            c.fill(x - 1, 18, x, 20, "dark", 2)
    for x in (8, 52):
        c.fill(x, 3, x + 1, 8, "paper", 0)
        c.dots([(x, 1), (x, 2)], "yellow", 0)


def _shelf(c: Canvas) -> None:
    shelf(c, 96)


def _help_desk(c: Canvas) -> None:
    """Draw a long desk with panels, a screen and returned books."""
    c.shadow(0, 26, 95, 34)
    c.box(0, 2, 95, 31, "dark_wood", 15, 3)
    c.box(0, 1, 95, 17, "wood", 3)
    for x in range(5, 86, 18):
        c.pen.rectangle((x, 20, x + 13, 28), outline=tone("dark_wood", 0.8))
    screen(c, 62, -1)
    books(c, 8, 12, 32)
    c.disc(46, 9, 3, "yellow", 1, outline=True)


def _reading_table(c: Canvas) -> None:
    _long_table(c, "green", "wood")
    for y in (10, 38):
        c.block(45, y, 50, y + 5, "green", 2)
        c.block(34, y + 3, 42, y + 10, "paper", 1)
        c.block(53, y + 3, 61, y + 10, "paper", 1)


def _carrel(c: Canvas) -> None:
    chair(c, 0, 0, "green", "right")
    chair(c, 64, 0, "green", "left")
    table(c, 30, 3, 65, 31)
    c.line(48, 3, 48, 22, "dark_wood", 1, 2)
    c.block(34, 10, 43, 18, "paper", 1)
    c.block(53, 10, 62, 18, "paper", 1)


def _round_table(c: Canvas) -> None:
    for y in (0, 32, 64):
        chair(c, 0, y, "purple", "right")
        chair(c, 96, y, "purple", "left")
    table(c, 30, 4, 97, 94, "wood")
    for x, y in ((38, 14), (78, 20), (38, 46), (80, 52), (40, 72)):
        c.block(x, y, x + 9, y + 8, "paper", 1)
    c.oval(56, 38, 72, 52, "teal", 0)
    c.disc(64, 43, 4, "rose", 0)
    c.disc(60, 41, 2, "yellow", 0)


def _catalogue(c: Canvas) -> None:
    c.shadow(4, 25, 28, 31)
    c.box(4, 13, 27, 31, "dark_wood", 11)
    screen(c, 7, 3)
    for x in (8, 17):
        c.block(x, 23, x + 6, 28, "wood", 1)


def _workstation(c: Canvas) -> None:
    chair(c, 0, 0, "blue", "right")
    table(c, 31, 2, 62, 31, "white")
    screen(c, 40, 2)
    c.fill(36, 17, 50, 20, "metal", 1)
    cup(c, 54, 17, "yellow")


def _project_table(c: Canvas) -> None:
    _long_table(c, "blue", "white")
    c.block(35, 10, 50, 19, "dark", 1)
    c.fill(37, 12, 48, 17, "blue", 0)
    c.block(48, 36, 60, 48, "paper", 1)
    c.fill(36, 40, 42, 46, "yellow", 0)
    c.fill(38, 28, 44, 34, "rose", 0)


def _whiteboard(c: Canvas) -> None:
    c.block(3, 8, 60, 28, "metal", 2)
    c.fill(5, 10, 58, 25, "white", 0)
    c.line(9, 14, 26, 14, "blue", 2)
    c.line(9, 18, 20, 18, "red", 1)
    c.line(9, 22, 28, 22, "blue", 1)
    c.oval(36, 12, 52, 23, "white", 0)
    c.line(40, 20, 48, 14, "green", 2)


def _printer(c: Canvas) -> None:
    c.shadow(3, 26, 30, 31)
    c.box(3, 1, 28, 31, "dark", 24)
    c.fill(7, 10, 24, 23, "water", 0)
    c.line(7, 14, 24, 14, "metal", 2)
    c.block(12, 17, 19, 23, "yellow", 1)
    c.dots([(6, 28), (9, 28)], "green", 0)


def _coffee_corner(c: Canvas) -> None:
    c.box(0, 5, 63, 31, "wood", 12)
    c.block(0, 4, 63, 18, "stone", 2)
    for x in (4, 24, 44):
        c.block(x, 21, x + 15, 29, "wood", 1)
    c.box(6, -1, 22, 15, "metal", 10)
    c.fill(11, 8, 17, 12, "dark", 2)
    for x in (30, 39):
        cup(c, x, 8, "teal")
    c.box(48, -1, 58, 14, "blue", 9)


def _flower(c: Canvas, x: int, y: int, material: str) -> None:
    c.line(x, y, x, y + 7, "leaf")
    c.disc(x, y, 3, material, 1)
    c.disc(x - 1, y - 1, 1, material, 0)


def _flower_counter(c: Canvas) -> None:
    c.shadow(0, 26, 63, 34)
    c.box(0, 3, 63, 31, "dark_wood", 14, 3)
    c.box(0, 2, 63, 17, "wood", 3)
    for x in (4, 24, 44):
        c.pen.rectangle((x, 20, x + 14, 28), outline=tone("dark_wood", 0.8))
    for n, material in enumerate(("rose", "yellow", "purple")):
        _flower(c, 8 + n * 6, 3, material)
    c.block(6, 8, 22, 15, "teal", 2)
    c.box(42, 0, 56, 14, "metal", 7)


def _arranging_table(c: Canvas) -> None:
    chair(c, 0, 0, "green", "right")
    table(c, 31, 4, 94, 31)
    for n, material in enumerate(("rose", "red", "white", "rose", "yellow")):
        _flower(c, 40 + n * 5, 8 + n % 2 * 3, material)
    c.line(70, 10, 84, 16, "leaf", 1, 2)
    c.line(74, 18, 82, 12, "metal", 1, 2)


def _flower_rack(c: Canvas) -> None:
    c.block(1, 14, 62, 31, "dark_wood", 2)
    for n, material in enumerate(("rose", "white", "yellow", "red", "purple")):
        x = 8 + n * 12
        for right, up in ((-3, 4), (0, 2), (3, 5)):
            _flower(c, x + right, up + 2, material)
        c.block(x - 5, 12, x + 5, 26, "metal", 2)


PAINTERS: dict[str, Callable[[Canvas], None]] = {
    "counter": _counter, "espresso": _espresso, "oven": _oven, "cafe_table": _cafe_table, "cafe_big_table": _cafe_big_table, "piano": _piano,
    "shelf": _shelf, "help_desk": _help_desk, "reading_table": _reading_table, "carrel": _carrel, "round_table": _round_table,
    "catalogue": _catalogue, "workstation": _workstation, "project_table": _project_table, "whiteboard": _whiteboard, "printer": _printer,
    "coffee_corner": _coffee_corner, "flower_counter": _flower_counter, "arranging_table": _arranging_table, "flower_rack": _flower_rack,
}  # fmt: skip
