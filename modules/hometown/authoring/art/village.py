"""Painters of furniture for the pub, the college, the market, the pharmacy and the supply store."""

from __future__ import annotations

from collections.abc import Callable

from hometown.authoring.art.at_home import books, chair, table
from hometown.authoring.art.canvas import Canvas


def bottles(c: Canvas, x0: int, y: int, x1: int, step: int = 6, start: int = 0) -> None:
    """Draw bottles or jars standing on the line y."""
    for n, x in enumerate(range(x0, x1 - 3, step), start):
        material = ("green", "red", "yellow", "teal", "purple", "blue")[n % 6]
        c.fill(x, y - 6, x + 3, y, material, 1)
        c.fill(x + 1, y - 9, x + 2, y - 7, material, 2)
        c.dots([(x, y - 5), (x, y - 4)], "white", 0)


def boxes(c: Canvas, x0: int, y: int, x1: int, start: int = 0) -> None:
    """Draw packets and tins standing on the line y."""
    x, n = x0, start
    while x + 6 <= x1:
        wide, tall = 5 + n % 3, 6 + (n * 5) % 4
        material = ("red", "yellow", "blue", "paper", "green", "rose", "teal")[n % 7]
        c.block(x, y - tall, min(x + wide, x1), y, material, 1)
        c.line(x + 2, y - tall // 2, x + 3, y - tall // 2, "white", 0)
        x, n = x + wide + 1, n + 1


def case(c: Canvas, width: int, material: str = "dark_wood") -> tuple[int, int]:
    """Return an open case with two shelves against a wall; returns the baselines of its shelves."""
    c.block(1, 0, width - 2, 31, material, 2)
    for y in (13, 27):
        c.fill(4, y - 10, width - 5, y, "dark", 2)
        c.fill(3, y + 1, width - 4, y + 2, "wood", 0)
    return 13, 27


def front(c: Canvas, width: int, top: str, panel: str) -> None:
    """Draw a shop counter with panels below its top."""
    c.shadow(0, 24, width - 1, 35)
    c.block(0, 4, width - 1, 31, "dark_wood", 3)
    c.block(0, 4, width - 1, 16, top, 3)
    for x in range(5, width - 14, 18):
        c.block(x, 19, x + 14, 29, panel, 1)


def till(c: Canvas, x: int) -> None:
    c.block(x, 0, x + 17, 13, "dark", 2)
    c.fill(x + 3, 2, x + 14, 6, "green", 0)
    for dot in range(3, 15, 4):
        c.fill(x + dot, 9, x + dot + 2, 10, "metal", 0)


def _light_table(c: Canvas) -> None:
    chair(c, 0, 30, "purple", "up")
    chair(c, 32, 30, "purple", "up")
    c.shadow(1, 24, 62, 34)
    c.block(1, 4, 62, 30, "metal", 3)
    c.fill(5, 7, 58, 22, "yellow", 0)
    c.fill(8, 9, 55, 20, "white", 0)
    for x in range(11, 50, 11):
        c.fill(x, 11, x + 7, 17, "blue", 0)
        c.line(x, 17, x + 7, 13, "green", 1)


def _bar_counter(c: Canvas) -> None:
    front(c, 128, "wood", "red")
    for x, material in ((10, "yellow"), (34, "yellow"), (92, "red")):
        c.block(x, 2, x + 7, 12, material, 2)
        c.fill(x + 1, 1, x + 6, 4, "white", 0)
    for x in (52, 60, 68):
        c.fill(x, 0, x + 2, 9, "metal", 0)
        c.disc(x + 1, 1, 2, "dark", 1)
    bottles(c, 108, 10, 124)
    for x in (8, 40, 72, 104):
        c.shadow(x, 50, x + 16, 58)
        c.disc(x + 8, 49, 7, "dark_wood", 1, outline=True)
        c.disc(x + 8, 47, 5, "red", 1)


def _dartboard(c: Canvas) -> None:
    c.block(4, 8, 27, 29, "dark_wood", 3)
    for radius, material in ((9, "dark"), (7, "paper"), (5, "red"), (3, "green"), (1, "yellow")):
        c.disc(16, 18, radius, material, 1)
    c.line(18, 15, 24, 10, "blue", 1)
    c.line(13, 20, 8, 25, "yellow", 1)


def _lectern(c: Canvas) -> None:
    c.shadow(4, 23, 28, 31)
    c.block(9, 12, 22, 30, "dark_wood", 2)
    c.block(5, 4, 26, 15, "wood", 2)
    c.block(8, 6, 23, 12, "paper", 1)
    c.line(16, 6, 16, 12, "paper", 2)


def _class_desks(c: Canvas) -> None:
    for x in (0, 32, 64, 96):
        chair(c, x, 30, "blue", "up")
    table(c, 2, 6, 125, 31)
    for x in (10, 42, 74, 106):
        c.block(x, 10, x + 10, 18, "paper", 1)
        c.line(x + 13, 11, x + 13, 18, "yellow", 2)


def _lab_bench(c: Canvas) -> None:
    for x in (12, 64):
        c.shadow(x, 50, x + 16, 58)
        c.disc(x + 8, 49, 7, "metal", 1, outline=True)
    front(c, 96, "white", "teal")
    for x, material in ((10, "teal"), (20, "rose"), (76, "yellow")):
        c.oval(x, 5, x + 8, 14, material, 1)
        c.fill(x + 3, 0, x + 5, 6, "water", 0)
    c.line(40, 2, 40, 13, "metal", 2, 2)
    c.line(36, 13, 48, 13, "metal", 2, 2)
    c.disc(46, 6, 3, "green", 1, outline=True)
    c.block(56, 6, 68, 13, "paper", 1)


def _microscope(c: Canvas) -> None:
    c.block(1, 12, 30, 30, "wood", 2)
    c.block(7, 15, 23, 19, "dark", 1)
    c.line(20, 16, 20, 7, "dark", 1, 3)
    c.line(13, 2, 19, 12, "metal", 1, 4)
    c.line(12, 14, 16, 14, "white", 0)


def _checkout(c: Canvas) -> None:
    front(c, 96, "metal", "green")
    c.fill(4, 7, 58, 13, "dark", 1)
    for x, material in ((10, "red"), (24, "green"), (40, "yellow")):
        c.disc(x, 8, 4, material, 1, outline=True)
    till(c, 68)


def _grocery_shelf(c: Canvas) -> None:
    for n, y in enumerate(case(c, 96)):
        boxes(c, 6, y, 90, n * 3)


def _dairy_fridge(c: Canvas) -> None:
    c.block(0, 0, 63, 31, "white", 3)
    for x in (4, 34):
        c.block(x, 3, x + 25, 26, "water", 1)
        for y in (12, 24):
            bottles(c, x + 3, y, x + 24, 7)
            c.line(x + 2, y + 1, x + 23, y + 1, "white", 0)


def _pharmacy_counter(c: Canvas) -> None:
    front(c, 96, "white", "teal")
    c.fill(44, 20, 51, 28, "white", 0)
    c.fill(46, 21, 49, 27, "green", 2)
    c.fill(45, 23, 50, 25, "green", 2)
    bottles(c, 8, 12, 30)
    c.line(40, 11, 56, 11, "metal", 2, 2)
    c.line(48, 3, 48, 11, "metal", 2)
    till(c, 70)


def _medicine_shelf(c: Canvas) -> None:
    for n, y in enumerate(case(c, 96, "white")):
        bottles(c, 6, y, 92, 7, n * 2)


def _shop_counter(c: Canvas) -> None:
    front(c, 96, "wood", "wood")
    books(c, 10, 13, 24)
    c.oval(36, 3, 50, 13, "metal", 1)
    c.disc(43, 8, 3, "yellow", 1)
    till(c, 68)


def _tool_shelves(c: Canvas) -> None:
    case(c, 96, "wood")
    for x in range(8, 86, 13):
        c.line(x + 2, 4, x + 2, 12, "dark_wood", 0, 2)
        c.fill(x - 1, 3, x + 5, 5, "metal", 0)
    for x in range(7, 84, 20):
        c.line(x, 26, x + 9, 18, "metal", 1, 2)
        c.fill(x + 8, 17, x + 13, 20, "red", 1)


def _paint_shelves(c: Canvas) -> None:
    for y in case(c, 96):
        for n, x in enumerate(range(7, 84, 10)):
            c.block(x, y - 8, x + 7, y, "metal", 1)
            c.fill(
                x + 1,
                y - 5,
                x + 6,
                y - 2,
                ("red", "yellow", "blue", "green", "rose", "purple", "teal", "white")[n % 8],
                1,
            )


def _workbench(c: Canvas) -> None:
    c.disc(16, 48, 7, "wood", 1, outline=True)
    c.disc(16, 46, 5, "wood", 0)
    table(c, 1, 4, 62, 31)
    c.line(8, 10, 24, 18, "dark_wood", 1, 3)
    c.fill(20, 15, 28, 20, "metal", 0)
    c.block(40, 8, 56, 17, "red", 2)
    c.line(43, 6, 53, 6, "dark", 1, 2)


PAINTERS: dict[str, Callable[[Canvas], None]] = {
    "light_table": _light_table, "bar_counter": _bar_counter, "dartboard": _dartboard, "lectern": _lectern, "class_desks": _class_desks,
    "lab_bench": _lab_bench, "microscope": _microscope, "checkout": _checkout, "grocery_shelf": _grocery_shelf, "dairy_fridge": _dairy_fridge,
    "pharmacy_counter": _pharmacy_counter, "medicine_shelf": _medicine_shelf, "shop_counter": _shop_counter, "tool_shelves": _tool_shelves,
    "paint_shelves": _paint_shelves, "workbench": _workbench,
}  # fmt: skip
