"""Painters of personal belongings: canvases, instruments, books, a telescope. They are decorations
and cannot be used.
"""

from __future__ import annotations

from collections.abc import Callable

from hometown.authoring.art.at_home import screen
from hometown.authoring.art.canvas import Canvas, tone

Painter = Callable[[Canvas], None]


def _canvases(c: Canvas) -> None:
    """Draw paintings leaning against one another."""
    c.shadow(2, 23, 31, 31)
    for x, y, material in ((12, 1, "purple"), (7, 5, "teal"), (2, 9, "straw")):
        c.block(x, y, x + 17, 30, "wood", 1)
        c.fill(x + 2, y + 2, x + 15, 28, material, 0.4)
    c.disc(12, 16, 4, "red", 0.7)
    c.fill(4, 22, 17, 28, "green", 0.9)


def _easel(c: Canvas) -> None:
    """Draw an unfinished painting on an easel, two tiles high."""
    c.shadow(4, 55, 28, 63)
    for x0, x1 in ((15, 5), (16, 27)):
        c.line(x0, 14, x1, 61, "dark_wood", 1, 2)
    c.line(16, 12, 16, 56, "dark_wood", 0.6, 2)
    c.block(3, 18, 28, 44, "paper", 1)
    c.fill(5, 20, 26, 42, "water", 0)
    c.pen.polygon([(5, 34), (13, 26), (20, 33), (26, 29), (26, 42), (5, 42)], tone("purple", 0.8))
    c.fill(5, 38, 26, 42, "leaf", 0.8)
    c.disc(20, 25, 2, "yellow", -0.2)
    c.fill(3, 45, 28, 47, "wood", 1)


def _tripod(c: Canvas) -> None:
    c.shadow(5, 55, 27, 63)
    for x in (6, 16, 26):
        c.line(16, 30, x, 60, "dark", 1, 2)
    c.block(7, 18, 25, 31, "dark", 2)
    c.disc(16, 25, 5, "metal", 1, outline=True)
    c.disc(16, 25, 3, "blue", 1.6)
    c.dots([(14, 23), (15, 23)], "white", 0)
    c.fill(9, 16, 14, 17, "metal", 1)


def _music_stand(c: Canvas) -> None:
    c.shadow(7, 56, 26, 63)
    c.fill(15, 34, 16, 58, "dark", 1)
    for x in (7, 25):
        c.line(16, 54, x, 61, "dark", 1, 2)
    c.pen.polygon([(4, 20), (27, 20), (29, 36), (2, 36)], tone("paper", 0.3), tone("dark", 2))
    c.line(16, 20, 16, 36, "paper", 2)
    for y in (24, 28, 32):
        c.line(6, y, 13, y, "dark", 1)
        c.line(18, y, 25, y, "dark", 1)


def _cello(c: Canvas) -> None:
    c.shadow(6, 55, 27, 63)
    c.fill(15, 8, 17, 36, "dark", 2)
    c.disc(16, 9, 3, "dark_wood", 1, outline=True)
    c.disc(16, 33, 7, "red_tile", 1, outline=True)
    c.oval(7, 38, 25, 60, "red_tile", 1)
    c.disc(16, 36, 5, "red_tile", 0.6)
    c.oval(10, 41, 18, 54, "red_tile", 0.4, outline=False)
    c.fill(15, 20, 16, 54, "paper", 1)
    for x in (11, 20):
        c.line(x, 42, x, 48, "dark", 2)


def _tv(c: Canvas) -> None:
    c.shadow(2, 55, 62, 63)
    c.box(4, 44, 59, 62, "dark_wood", 11)
    c.block(8, 22, 55, 48, "dark", 3)
    c.fill(11, 25, 52, 44, "blue", 0.9)
    c.pen.polygon([(11, 25), (28, 25), (14, 44), (11, 44)], tone("blue", 0.3))
    c.disc(40, 34, 5, "yellow", 0.6)
    c.fill(11, 40, 52, 44, "green", 1)


def _fish_tank(c: Canvas) -> None:
    c.shadow(2, 24, 31, 31)
    c.box(2, 18, 29, 31, "dark_wood", 11)
    c.pen.rectangle((3, 2, 28, 21), tone("water", 0.4), tone("metal", 2.5))
    c.fill(4, 18, 27, 20, "straw", 1)
    for x, y, material in ((9, 9, "red"), (19, 13, "yellow")):
        c.oval(x, y, x + 5, y + 3, material, 0.6, outline=False)
        c.dots([(x + 6, y), (x + 6, y + 3)], material, 1)
    for x in (7, 24):
        c.line(x, 18, x, 9, "leaf", 1.2)
    c.line(5, 4, 12, 4, "white", -0.4)


def _chest(c: Canvas) -> None:
    c.shadow(2, 23, 31, 31)
    c.box(3, 6, 28, 30, "dark_wood", 13, 3)
    for x in (7, 23):
        c.fill(x, 7, x + 2, 29, "metal", 1.8)
    c.block(13, 16, 18, 21, "yellow", 1)


def _basket(c: Canvas) -> None:
    c.shadow(4, 23, 29, 31)
    c.pen.polygon([(5, 13), (27, 13), (24, 30), (8, 30)], tone("straw", 1.2), tone("straw", 3))
    for y in (18, 23, 27):
        c.line(7, y, 25, y, "straw", 2)
    c.oval(6, 7, 19, 16, "rose", 0.8)
    c.oval(14, 8, 26, 16, "white", 0.8)


def _bath_mat(c: Canvas) -> None:
    for x in range(3, 29, 3):
        c.line(x, 6, x, 25, "paper", 1)
    c.block(3, 8, 28, 23, "teal", 4)
    c.pen.rectangle((6, 11, 25, 20), outline=tone("teal", 0))


def _tub(c: Canvas) -> None:
    c.shadow(2, 23, 63, 31)
    c.box(2, 3, 61, 29, "white", 9, 8)
    c.pen.rounded_rectangle((6, 6, 57, 18), 6, tone("water", 0.5), tone("white", 2.4))
    for x, y in ((14, 9), (20, 12), (27, 9), (11, 13), (33, 12)):
        c.disc(x, y, 3, "white", 0)
    c.fill(52, 1, 54, 8, "metal", 1.4)


def _weights(c: Canvas) -> None:
    c.shadow(2, 20, 31, 29)
    c.fill(6, 16, 25, 18, "metal", 1)
    for x in (3, 22):
        c.block(x, 9, x + 5, 25, "dark", 2)


def _toys(c: Canvas) -> None:
    """Draw a bear on a heap of picture books."""
    c.shadow(3, 24, 29, 31)
    for y, material in ((26, "blue"), (22, "yellow")):
        c.block(4, y, 27, y + 4, material, 1)
    c.oval(9, 12, 22, 24, "wood", 1.2)
    c.disc(16, 9, 5, "wood", 1, outline=True)
    for x in (11, 20):
        c.disc(x, 4, 2, "wood", 1.3)
    c.disc(16, 11, 2, "paper", 0.6)
    c.dots([(14, 8), (18, 8), (16, 10)], "dark", 2)
    c.line(12, 14, 20, 14, "red", 1, 2)


def _ship(c: Canvas) -> None:
    """Draw a model of a ship on a little table."""
    c.shadow(3, 24, 29, 31)
    c.box(4, 19, 27, 30, "dark_wood", 6)
    c.pen.polygon([(5, 15), (27, 15), (23, 21), (9, 21)], tone("wood", 1.2), tone("wood", 3))
    c.line(16, 1, 16, 15, "dark_wood", 2)
    c.pen.polygon([(17, 2), (25, 13), (17, 13)], tone("paper", 0), tone("paper", 3))
    c.pen.polygon([(14, 4), (14, 13), (7, 13)], tone("paper", 0.7), tone("paper", 3))
    c.line(16, 1, 19, 2, "red", 0.6)


def _computers(c: Canvas) -> None:
    """Draw a tower of machines with blinking lights."""
    c.shadow(3, 55, 30, 63)
    c.box(4, 14, 27, 62, "dark", 44)
    for n, y in enumerate((24, 33, 42, 51)):
        c.block(7, y, 24, y + 6, "slate", 1)
        c.dots([(10, y + 3), (13, y + 3)], ("green", "yellow", "red", "green")[n], 0)
        c.line(17, y + 3, 22, y + 3, "metal", 1)


def _cabinet(c: Canvas) -> None:
    """Draw drawers of files."""
    c.shadow(2, 55, 31, 63)
    c.box(3, 18, 28, 62, "metal", 38)
    for y in (28, 39, 50):
        c.block(6, y, 25, y + 9, "metal", 1)
        c.fill(12, y + 2, 19, y + 4, "paper", 0)
        c.fill(13, y + 6, 18, y + 6, "dark", 1)
    c.block(7, 12, 20, 21, "straw", 1)


def _monitor_wall(c: Canvas) -> None:
    """Draw a streamer's lamp and camera next to a screen."""
    c.shadow(5, 24, 28, 31)
    c.box(4, 16, 27, 30, "purple", 9)
    screen(c, 7, 3)


PAINTERS: dict[str, Painter] = {
    "canvases": _canvases, "painting_easel": _easel, "tripod": _tripod, "music_stand": _music_stand, "cello": _cello, "tv": _tv, "fish_tank": _fish_tank,
    "chest": _chest, "basket": _basket, "bath_mat": _bath_mat, "tub": _tub, "weights": _weights, "toys": _toys, "ship": _ship, "computers": _computers,
    "cabinet": _cabinet, "game_corner": _monitor_wall,
}  # fmt: skip

TALL = ("painting_easel", "tripod", "music_stand", "cello", "computers", "cabinet")
"""Of one tile, and higher than that."""
SMALL = (*TALL, "canvases", "fish_tank", "chest", "basket", "toys", "ship", "game_corner")
"""Kinds of one tile that block the way."""
