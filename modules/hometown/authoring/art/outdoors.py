"""Painters of objects in the park, on the square and in the garden."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hometown.authoring.art.at_home import table
from hometown.authoring.art.canvas import Canvas, tone
from hometown.authoring.art.clutter import barrel, pot
from hometown.authoring.art.greenery import crown


def _fountain(c: Canvas) -> None:
    c.shadow(0, 40, 63, 63)
    c.oval(1, 8, 62, 62, "stone", 1.9)
    c.oval(1, 3, 62, 56, "stone", 0.6)
    c.pen.arc((3, 5, 60, 54), 150, 290, tone("stone", -0.6), 2)
    c.oval(7, 9, 56, 50, "water", 1.5)
    c.oval(8, 13, 55, 50, "water", 0.9, outline=False)
    c.oval(14, 20, 49, 45, "water", 0.4, outline=False)
    c.oval(22, 24, 41, 38, "stone", 1.8)
    c.oval(22, 22, 41, 34, "stone", 0.7)
    c.oval(25, 24, 38, 31, "water", 0.2)
    c.fill(30, 8, 33, 28, "water", -0.4)
    for lean in (-1, 1):
        for reach, low in ((7, 24), (12, 32), (17, 40)):
            c.pen.arc(
                (31 - reach if lean < 0 else 31, 7, 31 if lean < 0 else 31 + reach, low * 2 - 7),
                *((180, 270) if lean < 0 else (270, 360)),
                tone("water", -0.7),
            )
    c.disc(31, 8, 3, "white", 0)
    for x, y in ((14, 40), (19, 44), (43, 43), (49, 38), (24, 46), (38, 47)):
        c.line(x, y, x + 3, y, "white", 0)


def _bench(c: Canvas) -> None:
    c.shadow(2, 20, 63, 31)
    for x in (6, 54):
        c.fill(x, 16, x + 3, 29, "dark", 1)
        c.line(x, 16, x, 29, "dark", 0)
    for y in (2, 7):
        c.block(3, y, 60, y + 4, "wood", 1)
    c.box(2, 13, 61, 24, "wood", 4)
    c.line(4, 17, 59, 17, "wood", 1.7)


def _notice_board(c: Canvas) -> None:
    for x in (8, 53):
        c.fill(x, 6, x + 3, 31, "dark_wood", 2)
    c.block(2, 1, 61, 24, "dark_wood", 2)
    c.fill(5, 4, 58, 21, "cafe", 1)
    for x, y, width, height, material in (
        (8, 6, 11, 12, "paper"),
        (22, 5, 9, 9, "yellow"),
        (34, 7, 12, 13, "rose"),
        (49, 5, 8, 10, "water"),
    ):
        c.block(x, y, x + width, y + height, material, 0)
        c.line(x + 2, y + 4, x + width - 2, y + 4, "dark")
        c.line(x + 2, y + 7, x + width - 4, y + 7, "dark")


def _stall(c: Canvas) -> None:
    """Draw a striped awning over boxes of fruit."""
    c.shadow(0, 54, 63, 63)
    for x in (3, 58):
        c.fill(x, 20, x + 2, 62, "dark_wood", 1)
    c.box(1, 40, 62, 63, "wood", 12)
    c.shade(2, 41, 61, 45, 60)
    for n, material in enumerate(("red", "yellow", "green", "purple")):
        c.block(4 + n * 14, 42, 16 + n * 14, 51, "dark_wood", 1)
        for right, down in ((3, 3), (7, 3), (10, 4), (5, 6), (9, 6)):
            c.disc(4 + n * 14 + right, 41 + down, 2, material, 0.8)
            c.dots([(3 + n * 14 + right, 40 + down)], material, -0.6)
    c.block(24, 54, 40, 60, "paper", 1)
    for n, x in enumerate(range(0, 64, 8)):
        material = "paper" if n % 2 else "red"
        c.fill(x, 8, x + 7, 25, material, 0.8)
        c.fill(x, 8, x + 7, 12, material, 0.3)
        c.pen.pieslice((x, 20, x + 7, 30), 0, 180, tone(material, 1.4))
    c.line(0, 7, 63, 7, "red", 3)
    c.line(0, 24, 63, 24, "red", 2.4)


def _stage(c: Canvas) -> None:
    c.shadow(0, 26, 95, 34)
    c.box(0, 1, 95, 31, "wood", 7, 3)
    for y in (7, 13, 19):
        c.line(3, y, 92, y, "wood", 1.4)
    c.pen.ellipse((36, 5, 60, 21), outline=tone("wood", 1.5))
    for x in (4, 82):
        c.box(x, 0, x + 9, 16, "dark", 12)
        c.disc(x + 5, 10, 3, "metal", 1.4)
    c.line(48, 4, 48, 14, "metal", 2)
    c.disc(48, 3, 2, "dark", 1)
    for x in range(8, 92, 10):
        c.disc(x, 28, 1, "yellow", 0)


def _lawn(c: Canvas) -> None:
    """Draw mown grass with daisies and a soft border."""
    stream = Random("lawn")
    for x, y, width, height in ((2, 6, 88, 52), (8, 2, 78, 60), (0, 16, 95, 36)):
        c.pen.ellipse((x, y, x + width, y + height), (226, 226, 130, 34))
    for _ in range(26):
        x, y = stream.randrange(8, 86), stream.randrange(10, 54)
        c.line(x, y, x + 1, y - 3, "grass", 1.6)
        c.line(x - 1, y, x - 2, y - 2, "grass", 1.5)
    for n in range(7):
        x, y = stream.randrange(10, 84), stream.randrange(12, 52)
        c.dots([(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)], "white", 0)
        c.dots([(x, y)], "yellow", 0.6 + n % 2)


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
    for x, y, material in (
        (40, 9, "red"),
        (50, 9, "red"),
        (44, 18, "dark"),
        (55, 18, "dark"),
        (48, 14, "red"),
    ):
        c.disc(x, y, 2, material, 1, outline=True)


def _pavilion(c: Canvas) -> None:
    """Draw a tiled roof on red posts above a stone floor with a bench."""
    c.shadow(0, 80, 95, 95)
    c.box(1, 36, 94, 93, "stone", 6, 3)
    for x in range(17, 90, 16):
        c.line(x, 38, x, 86, "stone", 1.3)
    for y in (52, 68):
        c.line(3, y, 92, y, "stone", 1.3)
    c.shade(2, 36, 93, 46, 70)
    c.box(14, 46, 81, 58, "dark_wood", 5)
    for x in (3, 87):
        c.fill(x, 28, x + 5, 90, "red", 1.6)
        c.line(x + 1, 28, x + 1, 90, "red", 0.2, 2)
        c.fill(x - 1, 88, x + 6, 91, "stone", 1.8)
    c.pen.polygon(
        [(0, 33), (12, 17), (38, 7), (57, 7), (83, 17), (95, 33)],
        tone("teal", 1.2),
        tone("teal", 3),
    )
    c.pen.polygon([(2, 32), (13, 18), (38, 8), (46, 8), (40, 32)], tone("teal", 0.6))
    for x in range(5, 95, 6):
        c.line(x, 32, 47 + (x - 47) * 2 // 5, 9, "teal", 1.9)
        c.line(x + 1, 32, 48 + (x - 47) * 2 // 5, 9, "teal", 0.1)
    c.fill(0, 31, 95, 34, "teal", 2)
    c.line(0, 31, 95, 31, "teal", 0)
    c.disc(47, 5, 4, "yellow", 0.8, outline=True)
    c.dots([(46, 3), (46, 4)], "yellow", -0.7)


def _bars(c: Canvas) -> None:
    for x in (6, 30, 56):
        c.fill(x, 4, x + 2, 29, "blue", 1)
        c.shadow(x - 3, 26, x + 6, 31)
    c.fill(5, 4, 34, 6, "metal", 1)
    c.fill(30, 12, 58, 14, "metal", 1)


def _flower_bed(c: Canvas) -> None:
    stream = Random("bed")
    c.shadow(1, 24, 94, 31)
    c.block(1, 5, 94, 30, "stone", 6)
    c.block(4, 8, 91, 27, "soil", 5)
    for n in range(30):
        x, y = 9 + n * 37 % 78, 12 + n * 12 // 30
        c.disc(x, y + 4, 3, "leaf", 1.2 + n % 3 * 0.2)
        c.disc(
            x, y + stream.randrange(3), 2, ("yellow", "rose", "red", "white", "purple")[n % 5], 0.7
        )
        c.dots([(x - 1, y), (x, y)], ("yellow", "rose", "red", "white", "purple")[n % 5], -0.6)


def _pond_side(c: Canvas) -> None:
    for n, x in enumerate(range(3, 92, 13)):
        top = 19 + n * 5 % 4
        c.shadow(x, top + 4, x + 12, top + 12)
        c.oval(x, top, x + 11, top + 9, "stone", 1 + n % 2 * 0.3)
        c.line(x + 3, top + 2, x + 6, top + 2, "stone", -0.4)
    for x in (7, 71, 86):
        for lean, high in ((-4, 14), (0, 20), (3, 16), (6, 11)):
            c.line(x, 26, x + lean, 26 - high, "leaf", 1.2, 2)
            c.line(x, 26, x + lean, 26 - high, "leaf", 0.2)
        c.fill(x - 1, 3, x + 1, 10, "dark_wood", 1)


def _camphor(c: Canvas) -> None:
    """Draw a large old tree with a wide crown, visible roots and a shadow."""
    c.shadow(8, 74, 92, 96)
    c.pen.polygon(
        [(40, 48), (56, 48), (58, 80), (68, 92), (55, 88), (48, 94), (42, 88), (28, 92), (38, 80)],
        tone("dark_wood", 1.2),
        tone("dark_wood", 3),
    )
    for x, shade in ((43, 0.2), (46, 1.8), (51, 1.9), (54, 2.2)):
        c.line(x, 56, x - 1, 84, "dark_wood", shade, 2)
    clumps = (
        (30, 18, 15),
        (62, 18, 15),
        (46, 12, 14),
        (16, 34, 14),
        (78, 34, 14),
        (32, 44, 15),
        (60, 45, 15),
        (46, 32, 22),
    )
    c.image.alpha_composite(crown(clumps, (96, 64), "leaf", "camphor"), (0, 0))


def _garden_bed(c: Canvas) -> None:
    """Draw a raised bed of roses."""
    c.shadow(1, 24, 95, 31)
    c.box(1, 4, 94, 30, "dark_wood", 6)
    c.fill(4, 7, 91, 23, "soil", 1.6)
    for n, x in enumerate(range(9, 90, 9)):
        c.disc(x, 15, 5, "leaf", 1.7)
        c.disc(x - 1, 14, 4, "leaf", 0.9)
        for right, down in ((-3, 11), (2, 9), (1, 15)):
            c.disc(x + right, down, 2, ("rose", "red", "white")[n % 3], 0.7, outline=right == 2)
            c.dots([(x + right - 1, down - 1)], ("rose", "red", "white")[n % 3], -0.5)


def _potting_bench(c: Canvas) -> None:
    table(c, 1, 9, 62, 31)
    for x in range(5, 58, 9):
        c.disc(x + 3, 6, 3, "leaf", 1.4)
        c.disc(x + 2, 5, 2, "leaf", 0.2)
        pot(c, x, 11, x + 6, 18)


def _water_butt(c: Canvas) -> None:
    barrel(c)
    c.oval(8, 4, 23, 10, "water", 0.8)
    c.line(11, 6, 15, 6, "water", -0.6)


PAINTERS: dict[str, Callable[[Canvas], None]] = {
    "fountain": _fountain, "bench": _bench, "notice_board": _notice_board, "stall": _stall, "stage": _stage, "lawn": _lawn, "chess_table": _chess_table,
    "pavilion": _pavilion, "bars": _bars, "flower_bed": _flower_bed, "pond_side": _pond_side, "camphor": _camphor, "vegetable_bed": _garden_bed,
    "potting_bench": _potting_bench, "water_butt": _water_butt,
}  # fmt: skip
