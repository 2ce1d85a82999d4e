"""Painters of outdoor decorations and of shop signs. They cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hometown.authoring.art.canvas import Canvas, tone
from hometown.authoring.art.clutter import pot
from hometown.authoring.art.greenery import SMALL, crown

Painter = Callable[[Canvas], None]


def _lamp(c: Canvas) -> None:
    c.shadow(9, 55, 25, 62)
    c.fill(14, 20, 17, 58, "dark", 1.4)
    c.line(14, 20, 14, 58, "dark", 0.2)
    c.block(11, 54, 20, 60, "dark", 2)
    c.pen.polygon([(9, 8), (22, 8), (20, 21), (11, 21)], tone("yellow", 0.2), tone("dark", 2.5))
    c.line(12, 10, 13, 19, "yellow", -0.9, 2)
    c.pen.polygon([(7, 8), (24, 8), (18, 2), (13, 2)], tone("dark", 1), tone("dark", 2.6))
    c.line(15, 0, 16, 2, "dark", 2)


def _lantern(c: Canvas) -> None:
    c.shadow(9, 55, 22, 62)
    c.fill(14, 3, 16, 60, "dark_wood", 1.2)
    c.line(14, 3, 14, 60, "dark_wood", 0.2)
    c.line(15, 5, 25, 5, "dark_wood", 1, 2)
    c.oval(17, 9, 30, 24, "red", 0.9)
    c.oval(19, 11, 24, 19, "red", -0.2, outline=False)
    for y in (8, 23):
        c.fill(20, y, 27, y + 2, "yellow", 1)
    c.line(23, 25, 23, 31, "yellow", 2)


def _mailbox(c: Canvas) -> None:
    c.shadow(8, 24, 26, 31)
    c.fill(14, 16, 17, 29, "dark_wood", 1)
    c.box(8, 4, 24, 18, "red", 9, 4)
    c.fill(11, 12, 20, 13, "dark", 2)
    c.fill(24, 4, 25, 10, "yellow", 1)


def _flower_pots(c: Canvas) -> None:
    c.shadow(2, 22, 30, 31)
    for x, y, material in ((9, 16, "rose"), (22, 17, "yellow"), (16, 12, "purple")):
        for right, up in ((-4, 4), (0, 7), (4, 4), (0, 2)):
            c.disc(x + right, y - up, 3, "leaf", 1.2)
            c.disc(x + right, y - up - 1, 2, material, 0.6)
            c.dots([(x + right - 1, y - up - 2)], material, -0.6)
        pot(c, x - 5, y + 3, x + 5, y + 12)


def _signpost(c: Canvas) -> None:
    c.shadow(9, 56, 24, 62)
    c.fill(15, 22, 17, 60, "dark_wood", 1)
    c.line(15, 22, 15, 60, "dark_wood", 0)
    for y, points in (
        (24, [(4, 24), (24, 24), (29, 29), (24, 34), (4, 34)]),
        (38, [(28, 38), (9, 38), (4, 42), (9, 47), (28, 47)]),
    ):
        c.pen.polygon(points, tone("wood", 0.8), tone("wood", 3))
        c.line(10, y + 5, 22, y + 5, "dark_wood", 2)


def _bush(c: Canvas) -> None:
    c.shadow(2, 20, 31, 31)
    c.image.alpha_composite(crown(SMALL, (32, 30), "leaf", "bush"), (0, 0))
    for x, y in ((9, 10), (18, 7), (22, 15), (13, 18)):
        c.dots([(x, y), (x + 1, y), (x, y + 1)], "rose", 0.2)


def _rock(c: Canvas) -> None:
    c.shadow(2, 19, 31, 31)
    c.pen.polygon(
        [(3, 26), (6, 13), (14, 7), (23, 10), (29, 21), (27, 28), (8, 29)],
        tone("stone", 1.3),
        tone("stone", 3),
    )
    c.pen.polygon([(6, 18), (9, 12), (15, 9), (20, 11), (15, 18)], tone("stone", 0.3))
    c.line(15, 18, 20, 25, "stone", 2)
    c.line(7, 27, 14, 28, "grass", 1.4, 2)


def _stump(c: Canvas) -> None:
    c.shadow(4, 20, 29, 31)
    c.pen.polygon(
        [(7, 14), (24, 14), (27, 29), (4, 29)], tone("dark_wood", 1.2), tone("dark_wood", 3)
    )
    c.oval(6, 9, 25, 19, "wood", 0.5)
    c.oval(10, 11, 21, 17, "wood", 1.2, outline=False)
    c.oval(13, 13, 18, 16, "wood", 0.4, outline=False)


def _log(c: Canvas) -> None:
    c.shadow(2, 20, 62, 31)
    c.pen.rounded_rectangle((4, 12, 58, 28), 7, tone("dark_wood", 1), tone("dark_wood", 3))
    c.line(8, 15, 50, 15, "dark_wood", 0, 2)
    c.line(14, 22, 42, 22, "dark_wood", 2)
    c.oval(49, 11, 61, 28, "wood", 0.6)
    c.oval(52, 15, 58, 24, "wood", 1.4, outline=False)
    c.line(16, 12, 30, 12, "leaf", 0.8, 2)


def _well(c: Canvas) -> None:
    c.shadow(4, 54, 63, 63)
    for x in (8, 52):
        c.fill(x, 16, x + 3, 46, "dark_wood", 1.2)
    c.box(4, 38, 59, 62, "stone", 14, 5)
    c.oval(12, 40, 51, 48, "dark", 2)
    c.line(32, 18, 32, 40, "paper", 2)
    c.block(28, 36, 36, 43, "wood", 2)
    c.pen.polygon([(0, 20), (10, 3), (54, 3), (63, 20)], tone("red_tile", 0.9), tone("red_tile", 3))
    for y in (8, 14):
        c.line(8 - y // 3, y, 56 + y // 3, y, "red_tile", 1.9)
    c.line(11, 4, 53, 4, "red_tile", -0.2)


def _hay(c: Canvas) -> None:
    c.shadow(2, 21, 31, 31)
    c.box(3, 5, 28, 30, "straw", 13, 4)
    for x in range(6, 27, 4):
        c.line(x, 8 + x % 3, x + 2, 14, "straw", 1.7)
        c.line(x, 20 + x % 4, x - 1, 28, "straw", 0.7)
    c.line(11, 5, 11, 29, "red", 1.4)
    c.line(21, 5, 21, 29, "red", 1.4)


def _reeds(c: Canvas) -> None:
    for x, high, lean in ((6, 20, -2), (10, 26, 0), (15, 22, 2), (20, 27, -1), (25, 19, 3)):
        c.line(x, 30, x + lean, 30 - high, "leaf", 1.3, 2)
        c.line(x, 30, x + lean, 30 - high, "leaf", 0.2)
        if high > 21:
            c.fill(x + lean - 1, 30 - high, x + lean + 1, 36 - high, "dark_wood", 1)


def _lily(c: Canvas) -> None:
    for x, y, wide in ((5, 8, 9), (17, 16, 10), (8, 21, 7)):
        c.oval(x, y, x + wide, y + wide * 2 // 3, "green", 1.1)
        c.line(x + wide // 2, y + wide // 3, x + wide, y + 1, "water", 1)
        c.line(x + 2, y + 1, x + wide - 4, y + 1, "green", 0)
    c.disc(22, 17, 2, "rose", 0.3, outline=True)
    c.dots([(22, 17)], "yellow", 0)


def _flower_cart(c: Canvas) -> None:
    c.shadow(2, 52, 63, 63)
    for n in range(14):
        x, y = 7 + n % 7 * 8, 22 + n // 7 * 7
        c.disc(x, y + 2, 4, "leaf", 1.4)
        c.disc(x, y, 3, ("red", "yellow", "rose", "white", "purple")[n % 5], 0.7, outline=True)
    c.box(2, 36, 61, 54, "teal", 13)
    for x in (14, 48):
        c.disc(x, 55, 7, "dark_wood", 1, outline=True)
        c.disc(x, 55, 4, "wood", 0.6)
        c.disc(x, 55, 1, "dark", 1)


def _parasol(c: Canvas) -> None:
    for n in range(8):
        c.pen.pieslice(
            (2, 4, 61, 58),
            n * 45,
            n * 45 + 45,
            tone("red" if n % 2 else "paper", 0.8 + (n in (0, 1, 2)) * 0.4),
            tone("red", 2.4),
        )
    c.disc(31, 30, 3, "yellow", 0.6, outline=True)


def _sign(c: Canvas, ground: str, picture: Painter) -> None:
    """Draw a board that hangs from the wall next to a door."""
    c.line(5, 13, 26, 13, "dark", 1, 2)
    for x in (9, 22):
        c.line(x, 14, x, 16, "dark", 2)
    c.block(5, 16, 26, 30, ground, 2)
    picture(c)


def _cup(c: Canvas) -> None:
    c.block(10, 20, 19, 28, "white", 2)
    c.oval(18, 21, 22, 26, "white", 1.4)
    c.line(13, 18, 14, 19, "white", 0)


def _mug(c: Canvas) -> None:
    c.block(11, 19, 19, 28, "yellow", 1)
    c.oval(18, 21, 22, 26, "yellow", 1.4)
    c.fill(11, 18, 19, 20, "white", 0)


def _basket(c: Canvas) -> None:
    c.disc(12, 21, 3, "red", 0.8)
    c.disc(18, 20, 3, "green", 0.6)
    c.block(9, 22, 22, 28, "wood", 2)


def _cross(c: Canvas) -> None:
    c.fill(14, 18, 17, 28, "green", 1)
    c.fill(11, 21, 20, 25, "green", 1)


def _hammer(c: Canvas) -> None:
    c.line(12, 28, 18, 20, "dark_wood", 1, 2)
    c.line(14, 18, 22, 22, "metal", 2, 3)


def _book(c: Canvas) -> None:
    c.pen.polygon([(8, 20), (15, 22), (15, 28), (8, 26)], tone("paper", 0), tone("paper", 3))
    c.pen.polygon([(23, 20), (16, 22), (16, 28), (23, 26)], tone("paper", 0.6), tone("paper", 3))


def _cap(c: Canvas) -> None:
    c.pen.polygon([(8, 21), (16, 18), (24, 21), (16, 25)], tone("dark", 1), tone("dark", 2.6))
    c.fill(12, 24, 20, 27, "dark", 1.4)
    c.line(23, 22, 23, 27, "yellow", 1)


def _bloom(c: Canvas) -> None:
    for right, down in ((-3, 0), (3, 0), (0, -3), (0, 3)):
        c.disc(16 + right, 23 + down, 2, "rose", 0.6)
    c.disc(16, 23, 1, "yellow", 0.2)


def _palette(c: Canvas) -> None:
    c.oval(9, 18, 23, 28, "paper", 1)
    for x, y, material in (
        (12, 22, "red"),
        (15, 20, "blue"),
        (19, 21, "yellow"),
        (14, 25, "green"),
    ):
        c.disc(x, y, 1, material, 0.9)


SIGNS: dict[str, tuple[str, Painter]] = {
    "cafe": ("dark_wood", _cup), "pub": ("green", _mug), "market": ("paper", _basket), "pharmacy": ("white", _cross), "tools": ("yellow", _hammer),
    "books": ("blue", _book), "college": ("paper", _cap), "flowers": ("teal", _bloom), "art": ("purple", _palette),
}  # fmt: skip

PAINTERS: dict[str, Painter] = {
    "lamp": _lamp, "lantern": _lantern, "mailbox": _mailbox, "flower_pots": _flower_pots, "signpost": _signpost, "bush": _bush, "rock": _rock,
    "stump": _stump, "log": _log, "well": _well, "hay": _hay, "reeds": _reeds, "lily": _lily, "flower_cart": _flower_cart, "parasol": _parasol,
    **{f"sign_{name}": partial(_sign, ground=ground, picture=picture) for name, (ground, picture) in SIGNS.items()},
}  # fmt: skip
