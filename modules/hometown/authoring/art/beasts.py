"""Painters of beasts. They stay where they are and cannot be used."""

from __future__ import annotations

from collections.abc import Callable

from hometown.authoring.art.canvas import Canvas, tone


def hen(c: Canvas, x: int, y: int, material: str) -> None:
    """Draw a hen about 14 by 12 pixels."""
    c.oval(x, y + 2, x + 9, y + 9, material, 0.8)
    c.disc(x + 9, y + 2, 2, material, 0.8, outline=True)
    c.dots([(x + 9, y - 1), (x + 8, y - 1), (x + 9, y)], "red", 1)
    c.dots([(x + 12, y + 2)], "yellow", 1)
    c.line(x + 4, y + 10, x + 4, y + 11, "yellow", 1.6)
    c.line(x + 6, y + 10, x + 6, y + 11, "yellow", 1.6)
    c.line(x - 1, y, x + 1, y + 4, material, 1.4, 2)


def _hens(c: Canvas) -> None:
    for x, y, material in ((3, 4, "white"), (16, 15, "cap"), (4, 18, "straw")):
        c.shadow(x, y + 8, x + 12, y + 13)
        hen(c, x, y, material)


def _sheep(c: Canvas) -> None:
    c.shadow(3, 23, 30, 31)
    for x in (8, 12, 20, 24):
        c.fill(x, 22, x + 1, 28, "dark", 2)
    for x, y in ((10, 15), (16, 12), (22, 15), (11, 20), (17, 20), (23, 20), (16, 17)):
        c.disc(x, y, 6, "white", 1.2)
    for x, y in ((9, 13), (15, 10), (21, 13), (15, 16)):
        c.disc(x, y, 4, "white", 0.2)
    c.oval(1, 10, 10, 20, "dark", 1)
    c.dots([(4, 14)], "white", 0)
    c.line(8, 11, 11, 9, "dark", 1, 2)


def _cow(c: Canvas) -> None:
    c.shadow(4, 24, 60, 31)
    for x in (16, 22, 44, 50):
        c.fill(x, 20, x + 3, 29, "cap", 1)
        c.fill(x, 27, x + 3, 29, "dark", 2)
    c.pen.rounded_rectangle((12, 4, 56, 23), 8, tone("cap", 0.8), tone("cap", 3))
    for box in ((24, 6, 36, 15), (42, 12, 52, 21), (16, 13, 22, 19)):
        c.oval(*box, "paper", 0.6, outline=False)
    c.line(18, 6, 46, 6, "cap", -0.1)
    c.pen.rounded_rectangle((2, 3, 16, 18), 4, tone("cap", 0.9), tone("cap", 3))
    c.oval(1, 11, 10, 18, "rose", 0.4)
    c.line(4, 3, 2, 0, "paper", 1, 2)
    c.line(13, 3, 15, 0, "paper", 1, 2)
    c.dots([(6, 8), (7, 8), (12, 8)], "dark", 2)
    c.line(56, 8, 60, 18, "cap", 1.6, 2)


def _cat(c: Canvas) -> None:
    """Draw asleep, curled up."""
    c.shadow(5, 22, 27, 29)
    c.oval(6, 13, 25, 27, "yellow", 1.4)
    c.oval(6, 10, 16, 20, "yellow", 1.2)
    c.pen.polygon([(7, 12), (8, 7), (11, 10)], tone("yellow", 1.4), tone("yellow", 3))
    c.pen.polygon([(12, 10), (15, 8), (15, 13)], tone("yellow", 1.4), tone("yellow", 3))
    for x in (17, 20, 23):
        c.line(x, 14, x + 1, 19, "cap", 1)
    c.line(8, 16, 10, 16, "dark", 1)
    c.line(24, 24, 12, 25, "cap", 1, 3)


PAINTERS: dict[str, Callable[[Canvas], None]] = {
    "hens": _hens,
    "sheep": _sheep,
    "cow": _cow,
    "cat": _cat,
}
