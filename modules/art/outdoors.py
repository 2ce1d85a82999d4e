"""Painters of what stands in the park, on the square and in the garden."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from modules.art.canvas import Canvas


def _fountain(c: Canvas) -> None:
    c.shadow(0, 42, 63, 63)
    c.oval(1, 6, 62, 61, "stone", 2)
    c.oval(1, 3, 62, 57, "stone", 0)
    c.oval(7, 9, 56, 51, "water", 1)
    c.oval(12, 14, 50, 45, "water", 0, outline=False)
    c.oval(24, 24, 39, 36, "stone", 1)
    c.fill(29, 10, 34, 28, "stone", 0)
    for x, lean in ((31, -10), (32, 10), (31, -16), (32, 16)):
        c.line(x, 10, x + lean, 26 + abs(lean) // 3, "white", 0)
    c.disc(31, 8, 4, "white", 0)
    c.dots([(20, 34), (44, 34), (26, 42), (38, 42), (18, 28), (46, 28)], "white", 0)


def _bench(c: Canvas) -> None:
    c.shadow(2, 22, 61, 31)
    for x in (6, 54):
        c.fill(x, 18, x + 3, 29, "dark")
    for y in (4, 9):
        c.block(3, y, 60, y + 4, "dark_wood", 1)
    c.block(2, 15, 61, 23, "wood", 2)
    c.line(4, 19, 59, 19, "wood", 2)


def _notice_board(c: Canvas) -> None:
    for x in (8, 53):
        c.fill(x, 6, x + 3, 31, "dark_wood", 2)
    c.block(2, 1, 61, 24, "dark_wood", 2)
    c.fill(5, 4, 58, 21, "cafe", 1)
    for x, y, width, height, material in ((8, 6, 11, 12, "paper"), (22, 5, 9, 9, "yellow"), (34, 7, 12, 13, "rose"), (49, 5, 8, 10, "water")):
        c.block(x, y, x + width, y + height, material, 0)
        c.line(x + 2, y + 4, x + width - 2, y + 4, "dark")
        c.line(x + 2, y + 7, x + width - 4, y + 7, "dark")


def _stall(c: Canvas) -> None:
    for x in (3, 58):
        c.fill(x, 20, x + 2, 62, "dark_wood")
    c.block(1, 44, 62, 62, "wood", 2)
    c.fill(2, 45, 61, 50, "cafe", 0)
    for n, material in enumerate(("red", "yellow", "green", "purple", "red", "yellow")):
        c.disc(8 + n * 9, 45 + n % 2 * 3, 4, material, 1, outline=True)
    for n, x in enumerate(range(0, 64, 8)):
        c.fill(x, 10, x + 7, 25, "white" if n % 2 else "red", 1)
        c.oval(x, 20, x + 7, 29, "white" if n % 2 else "red", 1, outline=False)
    c.fill(0, 8, 63, 11, "red", 2)


def _stage(c: Canvas) -> None:
    c.block(0, 2, 95, 31, "dark_wood", 3)
    c.block(0, 2, 95, 26, "wood", 3)
    for x in range(12, 92, 12):
        c.line(x, 3, x, 25, "wood", 2)
    c.block(4, 4, 12, 14, "dark", 1)
    c.disc(8, 9, 3, "metal", 1)
    c.block(84, 4, 92, 14, "dark", 1)
    c.disc(88, 9, 3, "metal", 1)


def _lawn(c: Canvas) -> None:
    stream = Random("lawn")
    c.pen.rounded_rectangle((1, 1, 94, 62), 10, (169, 207, 124, 170))
    for n in range(30):
        x, y = stream.randrange(5, 90), stream.randrange(6, 58)
        c.line(x, y, x + 1, y - 2, "grass", 2)
        if n % 5 == 0:
            c.disc(x, y, 1, "white", 0)
            c.dots([(x, y)], "yellow", 1)


def _chess_table(c: Canvas) -> None:
    for x in (0, 64):
        c.shadow(x + 6, 20, x + 25, 29)
        c.oval(x + 7, 12, x + 24, 26, "stone", 1)
        c.oval(x + 7, 9, x + 24, 21, "stone", 0)
    c.shadow(32, 20, 64, 31)
    c.block(33, 5, 62, 29, "stone", 3)
    c.fill(36, 7, 59, 22, "cafe", 0)
    for n in range(5):
        c.line(36, 8 + n * 3, 59, 8 + n * 3, "dark_wood")
        c.line(38 + n * 5, 7, 38 + n * 5, 22, "dark_wood")
    for x, y, material in ((40, 9, "red"), (50, 9, "red"), (44, 18, "dark"), (55, 18, "dark"), (48, 14, "red")):
        c.disc(x, y, 2, material, 1, outline=True)


def _pavilion(c: Canvas) -> None:
    c.block(1, 36, 94, 93, "stone", 3)
    for x in range(8, 90, 16):
        c.line(x, 37, x, 92, "stone", 2)
    for x in (3, 87):
        c.fill(x, 26, x + 5, 90, "red", 2)
        c.fill(x + 1, 26, x + 2, 90, "red", 1)
    c.block(14, 50, 81, 57, "dark_wood", 1)
    c.pen.polygon([(0, 33), (14, 16), (40, 8), (55, 8), (81, 16), (95, 33)], fill=(60, 130, 127, 255), outline=(59, 47, 60, 255))
    for x in range(8, 92, 8):
        c.line(x, 31, 47 + (x - 47) // 2, 12, "teal", 0)
    c.fill(0, 30, 95, 33, "teal", 2)
    c.disc(47, 6, 4, "yellow", 1, outline=True)


def _bars(c: Canvas) -> None:
    for x in (6, 30, 56):
        c.fill(x, 4, x + 2, 29, "blue", 1)
        c.shadow(x - 3, 26, x + 6, 31)
    c.fill(5, 4, 34, 6, "metal", 1)
    c.fill(30, 12, 58, 14, "metal", 1)


def _flower_bed(c: Canvas) -> None:
    c.block(1, 4, 94, 30, "soil", 6)
    stream = Random("bed")
    for n in range(22):
        x, y = 6 + n * 4, stream.randrange(9, 25)
        c.line(x, y, x, y + 4, "leaf")
        c.disc(x, y, 2, ("yellow", "rose", "yellow", "white")[n % 4], 1)


def _pond_side(c: Canvas) -> None:
    for x in range(3, 92, 13):
        c.oval(x, 20 + x % 3, x + 11, 29 + x % 3, "stone", x % 2)
    for x in (6, 70, 86):
        for lean in (-3, 0, 3):
            c.line(x, 24, x + lean, 10, "leaf", 1)
        c.fill(x, 6, x + 1, 12, "dark_wood", 1)


def _camphor(c: Canvas) -> None:
    c.shadow(20, 78, 75, 95)
    c.block(40, 48, 56, 92, "dark_wood", 3)
    c.line(45, 56, 45, 88, "dark_wood", 2)
    c.line(51, 58, 51, 84, "dark_wood", 0)
    crown = ((48, 18, 17), (26, 30, 16), (70, 30, 16), (40, 42, 15), (58, 42, 15))
    for x, y, radius in crown:
        c.disc(x, y, radius, "leaf", 2, outline=True)
    for x, y, radius in crown:
        c.disc(x, y - 2, radius - 3, "leaf", 1)
    for x, y in ((40, 8), (52, 14), (18, 24), (30, 30), (62, 22), (74, 30), (44, 36), (56, 42), (36, 46)):
        c.oval(x, y, x + 7, y + 4, "leaf", 0, outline=False)


def _garden_bed(c: Canvas) -> None:
    c.block(1, 6, 94, 29, "dark_wood", 2)
    c.fill(4, 9, 91, 26, "soil", 1)
    for n, x in enumerate(range(9, 90, 10)):
        c.disc(x, 15, 5, "leaf", n % 2)
        c.disc(x, 12, 3, ("rose", "red", "white")[n % 3], 0)
        c.dots([(x - 2, 21), (x + 2, 23)], "soil", 0)


def _potting_bench(c: Canvas) -> None:
    c.block(1, 8, 62, 30, "wood", 2)
    c.fill(2, 20, 61, 29, "wood", 2)
    for x in range(6, 58, 9):
        c.block(x, 9, x + 6, 16, "red", 1)
        c.line(x + 3, 3, x + 3, 9, "leaf", 1, 2)
        c.dots([(x + 1, 4), (x + 5, 3)], "leaf", 0)


def _water_butt(c: Canvas) -> None:
    c.shadow(3, 22, 28, 31)
    c.block(5, 6, 26, 29, "wood", 4)
    for y in (12, 23):
        c.fill(5, y, 26, y + 1, "metal", 2)
    c.oval(5, 2, 26, 11, "water", 1)


PAINTERS: dict[str, Callable[[Canvas], None]] = {
    "fountain": _fountain, "bench": _bench, "notice_board": _notice_board, "stall": _stall, "stage": _stage, "lawn": _lawn, "chess_table": _chess_table,
    "pavilion": _pavilion, "bars": _bars, "flower_bed": _flower_bed, "pond_side": _pond_side, "camphor": _camphor, "vegetable_bed": _garden_bed,
    "potting_bench": _potting_bench, "water_butt": _water_butt,
}  # fmt: skip
