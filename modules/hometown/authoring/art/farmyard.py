"""Painters for a farmstead's rooms and yards: plain furniture, tools, a water wheel."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin
from random import Random

from hometown.authoring.art.at_home import table
from hometown.authoring.art.beasts import hen
from hometown.authoring.art.canvas import Canvas, tone
from hometown.authoring.art.farm import sack
from hometown.authoring.art.greenery import SMALL, crown
from hometown.authoring.art.yard import PAINTERS as YARD

Painter = Callable[[Canvas], None]


def _settle(c: Canvas) -> None:
    """Draw a wooden bench with a high back and cushions."""
    c.shadow(1, 22, 62, 31)
    c.box(1, 2, 62, 22, "dark_wood", 8)
    for x in range(8, 60, 9):
        c.line(x, 5, x, 12, "dark_wood", 1.9)
    c.box(2, 14, 61, 29, "dark_wood", 6)
    for x in (5, 33):
        c.block(x, 12, x + 25, 22, c.cloth, 4)
        c.line(x + 4, 15, x + 16, 15, c.cloth, -0.2)


def _writing_table(c: Canvas) -> None:
    """Draw a table with papers, an inkwell and a candle, and a stool."""
    c.shadow(6, 48, 26, 58)
    c.oval(6, 40, 25, 54, "wood", 0.8)
    table(c, 1, 6, 62, 31)
    c.block(8, 9, 26, 20, "paper", 1)
    for y in (12, 15, 18):
        c.line(11, y, 22, y, "dark", 1)
    c.block(34, 7, 40, 13, "blue", 2)
    c.line(37, 8, 43, 0, "white", 1, 2)
    c.fill(52, 2, 54, 11, "paper", 0.4)
    c.block(48, 10, 58, 14, "yellow", 2)
    c.disc(53, 1, 2, "yellow", 0)


def _washstand(c: Canvas) -> None:
    c.shadow(1, 24, 32, 31)
    table(c, 1, 6, 30, 31)
    c.oval(5, 6, 26, 17, "white", 1.2)
    c.oval(8, 7, 23, 14, "water", 0.6, outline=False)
    c.block(22, 0, 29, 10, "blue", 2)
    c.line(24, 2, 24, 7, "blue", -0.4)


def _spinning_wheel(c: Canvas) -> None:
    c.shadow(2, 55, 31, 63)
    c.pen.ellipse((2, 14, 29, 46), outline=tone("dark_wood", 1), width=3)
    for n in range(4):
        right, down = round(12 * cos(n * pi / 4)), round(14 * sin(n * pi / 4))
        c.line(16 - right, 30 - down, 16 + right, 30 + down, "wood", 1.2)
    c.disc(16, 30, 2, "dark_wood", 2)
    c.box(3, 48, 28, 54, "wood", 3)
    for x in (6, 24):
        c.line(x, 53, x, 61, "dark_wood", 1, 2)
    c.line(8, 30, 8, 50, "dark_wood", 1, 2)
    c.line(24, 30, 24, 50, "dark_wood", 1, 2)
    c.oval(18, 2, 29, 16, "white", 0.6)
    c.line(24, 14, 24, 30, "dark_wood", 1.4, 2)


def _trestle(c: Canvas) -> None:
    """Draw a long table under a cloth, with a bench on either side."""
    for y in (8, 78):
        c.shadow(4, y + 8, 124, y + 16)
        c.box(4, y, 123, y + 12, "wood", 4)
    c.shadow(0, 58, 127, 70)
    c.box(1, 28, 126, 64, "paper", 8)
    for x in range(4, 124, 12):
        c.fill(x, 30, x + 5, 54, "red", 0.4)
    c.line(3, 42, 124, 42, "paper", 0.2, 3)
    for x, material in ((18, "straw"), (54, "red"), (92, "straw")):
        c.oval(x, 34, x + 18, 47, "white", 0.6)
        c.disc(x + 9, 39, 5, material, 0.9, outline=True)
    for x in (42, 80, 114):
        c.block(x, 33, x + 6, 44, "blue", 2)


def _swing(c: Canvas) -> None:
    """Draw a board on two ropes from a bough."""
    c.line(0, 4, 31, 8, "dark_wood", 1, 5)
    c.line(0, 3, 31, 6, "dark_wood", 0)
    for x in (9, 22):
        c.line(x, 6, x, 50, "straw", 1.6, 2)
    c.shadow(5, 54, 28, 62)
    c.box(5, 47, 26, 53, "wood", 3)


def _hen_house(c: Canvas) -> None:
    c.shadow(0, 52, 63, 63)
    for x in (6, 54):
        c.fill(x, 48, x + 3, 61, "dark_wood", 1.4)
    c.block(4, 22, 59, 54, "red", 1)
    for y in range(28, 54, 6):
        c.line(5, y, 58, y, "red", 1.8)
    c.pen.polygon(
        [(0, 26), (31, 4), (63, 26), (60, 30), (3, 30)], tone("straw", 1), tone("straw", 3)
    )
    for x in range(8, 60, 8):
        c.line(x, 27, 31 + (x - 31) // 3, 8, "straw", 1.7)
    c.pen.pieslice((22, 32, 38, 60), 180, 360, tone("dark", 2), tone("dark_wood", 3))
    c.pen.polygon([(24, 52), (36, 52), (30, 63), (16, 63)], tone("wood", 0.8), tone("wood", 3))
    c.fill(44, 34, 53, 41, "dark", 2)
    hen(c, 46, 33, "white")


def _haystack(c: Canvas) -> None:
    """Draw a round stack with a pole through its peak."""
    c.shadow(2, 72, 64, 95)
    c.line(32, 2, 32, 14, "dark_wood", 1, 2)
    c.pen.polygon(
        [(32, 8), (44, 22), (56, 48), (60, 78), (54, 90), (10, 90), (4, 78), (8, 48), (20, 22)],
        tone("straw", 1.1),
        tone("straw", 3),
    )
    c.pen.polygon([(32, 9), (22, 24), (11, 50), (8, 78), (22, 84), (30, 50)], tone("straw", 0.4))
    stream = Random("haystack")
    for _ in range(90):
        y = stream.randrange(18, 88)
        half = int(6 + (y - 8) * 0.3)
        x = 32 + stream.randrange(-half, half + 1)
        c.line(x, y, x + (x - 32) // 8, y + 7, "straw", stream.choice((-0.3, 0.3, 1.7, 2.1)))
    for y in (36, 60):
        c.pen.arc((32 - y // 2 + 4, y - 12, 28 + y // 2, y + 6), 10, 170, tone("dark_wood", 1.2))


def _sheaves(c: Canvas) -> None:
    """Draw three sheaves leaning together."""
    c.shadow(3, 23, 30, 31)
    for x, lean in ((9, -3), (22, 3), (16, 0)):
        c.pen.polygon(
            [
                (x - 5, 29),
                (x - 2, 17),
                (x - 6 + lean, 3),
                (x + 6 + lean, 3),
                (x + 2, 17),
                (x + 5, 29),
            ],
            tone("straw", 0.9),
            tone("straw", 2.8),
        )
        c.line(x - 1, 26, x - 2 + lean, 5, "straw", -0.2)
        c.line(x + 2, 26, x + 3 + lean, 5, "straw", 1.8)
        c.line(x - 3, 17, x + 3, 17, "red", 1.2, 2)


def _cart(c: Canvas) -> None:
    """Draw a hay cart with its shafts on the ground."""
    c.shadow(2, 52, 92, 63)
    c.line(64, 46, 94, 58, "dark_wood", 1, 3)
    c.pen.polygon(
        [(4, 30), (14, 12), (32, 6), (52, 9), (66, 30)], tone("straw", 0.9), tone("straw", 3)
    )
    stream = Random("cart")
    for _ in range(50):
        x, y = stream.randrange(10, 60), stream.randrange(13, 30)
        c.line(x, y, x + stream.randrange(-4, 5), y - 4, "straw", stream.choice((-0.3, 0.3, 1.8)))
    c.box(2, 28, 68, 48, "wood", 16)
    for x in range(8, 66, 10):
        c.line(x, 34, x, 46, "dark_wood", 1.2)
    for x in (18, 52):
        c.disc(x, 50, 11, "dark_wood", 1, outline=True)
        c.disc(x, 50, 8, "wood", 0.6)
        for n in range(4):
            right, down = round(8 * cos(n * pi / 4)), round(8 * sin(n * pi / 4))
            c.line(x - right, 50 - down, x + right, 50 + down, "dark_wood", 1)
        c.disc(x, 50, 2, "dark", 1)


def _water_wheel(c: Canvas) -> None:
    """Draw a wheel of paddles, seen from the side, half in the water."""
    x, y, radius = 48, 48, 44
    for ring, shade in ((radius, 1.4), (radius - 12, 1.8)):
        c.pen.ellipse(
            (x - ring, y - ring, x + ring, y + ring), outline=tone("dark_wood", 3), width=6
        )
        c.pen.ellipse(
            (x - ring + 1, y - ring + 1, x + ring - 1, y + ring - 1),
            outline=tone("dark_wood", shade - 0.4),
            width=4,
        )
    for n in range(12):
        right, down = cos(n * pi / 6 + 0.2), sin(n * pi / 6 + 0.2)
        c.line(x, y, round(x + 40 * right), round(y + 40 * down), "wood", 1.6, 3)
        c.line(
            round(x + 33 * right),
            round(y + 33 * down),
            round(x + 45 * right),
            round(y + 45 * down),
            "wood",
            0.6,
            8,
        )
    c.disc(x, y, 7, "dark_wood", 1, outline=True)
    c.disc(x, y, 3, "metal", 1)
    for place in range(10, 86, 9):
        c.line(place, 84 + place % 4, place + 6, 84 + place % 4, "white", 0)
        c.line(place + 3, 90, place + 10, 90, "water", -0.3)


def _woodpile(c: Canvas) -> None:
    c.shadow(1, 22, 63, 31)
    for row, y in enumerate((24, 16, 8)):
        for x in range(6 + row * 4, 60 - row * 4, 8):
            c.disc(x, y, 4, "dark_wood", 1, outline=True)
            c.disc(x, y, 2, "wood", 0.4)


def _churn(c: Canvas) -> None:
    c.shadow(6, 23, 27, 31)
    c.pen.polygon([(10, 8), (20, 8), (24, 29), (6, 29)], tone("metal", 1), tone("metal", 3))
    c.line(10, 11, 8, 27, "metal", -0.2, 2)
    c.box(9, 4, 21, 9, "metal", 3)
    c.line(7, 20, 23, 20, "metal", 2)


def _apples(c: Canvas) -> None:
    """Draw a crate of apples."""
    c.shadow(2, 22, 31, 31)
    c.box(2, 10, 29, 30, "wood", 14)
    for n, x in enumerate((7, 13, 19, 25, 10, 16, 22)):
        c.disc(x, 12 - (n > 3) * 4, 4, "red" if n % 3 else "yellow", 0.9, outline=True)
        c.dots([(x - 1, 10 - (n > 3) * 4)], "paper", 0)
    for y in (20, 26):
        c.line(3, y, 28, y, "dark_wood", 1.4)


def _grain_sack(c: Canvas) -> None:
    sack(c, 6, 4, "yellow")


def _tools(c: Canvas) -> None:
    """Draw a scythe, a rake and a fork on the wall."""
    c.line(6, 13, 10, 30, "dark_wood", 1, 2)
    c.pen.arc((-2, 8, 14, 22), 200, 330, tone("metal", 1.4), 2)
    c.line(16, 14, 16, 30, "wood", 1, 2)
    c.line(12, 14, 20, 14, "wood", 1.4, 2)
    c.line(25, 14, 24, 30, "dark_wood", 1, 2)
    for x in (22, 25, 28):
        c.line(x, 12, x, 17, "metal", 1.6)


def _herbs(c: Canvas) -> None:
    """Draw onions and herbs that hang to dry."""
    c.line(3, 13, 28, 13, "dark_wood", 1, 2)
    for x, material in ((6, "leaf"), (12, "purple"), (18, "straw"), (24, "leaf")):
        c.line(x, 14, x, 17, "straw", 2)
        c.pen.polygon([(x, 16), (x + 3, 26), (x - 3, 26)], tone(material, 0.9), tone(material, 2.6))


def _currants(c: Canvas) -> None:
    c.shadow(2, 20, 31, 31)
    c.image.alpha_composite(crown(SMALL, (32, 30), "green", "currant"), (0, 0))
    stream = Random("currants")
    for _ in range(12):
        x, y = stream.randrange(6, 26), stream.randrange(6, 24)
        c.dots([(x, y), (x + 1, y), (x, y + 1)], "red", 0.6)


def _washing_line(c: Canvas) -> None:
    """Draw shirts, a sheet and stockings between two posts."""
    for x in (6, 118):
        c.shadow(x - 3, 55, x + 12, 62)
        c.fill(x, 10, x + 2, 59, "dark_wood", 1)
    c.pen.arc((8, -8, 118, 24), 10, 170, tone("paper", 2.2))
    c.pen.polygon([(16, 20), (30, 22), (30, 44), (16, 44)], tone("white", 0.6), tone("white", 3))
    c.pen.polygon(
        [(36, 23), (56, 24), (60, 30), (55, 32), (54, 46), (38, 46), (37, 32), (32, 30)],
        tone("blue", 0.6),
        tone("blue", 3),
    )
    for x in (64, 71):
        c.pen.polygon(
            [(x, 24), (x + 4, 24), (x + 4, 40), (x + 7, 43), (x, 43)],
            tone("red", 0.8),
            tone("red", 3),
        )
    c.pen.polygon([(80, 23), (110, 20), (110, 42), (80, 46)], tone("paper", 0.6), tone("paper", 3))
    for x in (86, 94, 102):
        c.line(x, 24, x, 44, "rose", 0.6)


PAINTERS: dict[str, Painter] = {
    "settle": _settle, "writing_table": _writing_table, "washstand": _washstand, "spinning_wheel": _spinning_wheel, "trestle": _trestle, "swing": _swing,
    "hen_house": _hen_house, "haystack": _haystack, "sheaves": _sheaves, "cart": _cart,
    "water_wheel": _water_wheel, "woodpile": _woodpile, "churn": _churn, "apples": _apples, "grain_sack": _grain_sack, "tools": _tools, "herbs": _herbs,
    "currants": _currants, "draw_well": YARD["well"], "washing_line": _washing_line,
}  # fmt: skip
