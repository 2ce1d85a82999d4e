"""Painters of equipment for a farm, a mill and a bakery."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hometown.authoring.art.at_home import table
from hometown.authoring.art.canvas import Canvas, tone
from hometown.authoring.art.clutter import PAINTERS as CLUTTER
from hometown.authoring.art.clutter import barrel
from hometown.authoring.art.fittings import PAINTERS as FITTINGS

Painter = Callable[[Canvas], None]


def loaf(c: Canvas, x: int, y: int, wide: int = 10, shade: float = 1.1) -> None:
    """Draw a round loaf with three cuts."""
    c.oval(x, y, x + wide, y + wide * 2 // 3, "straw", shade + 0.4)
    c.oval(x + 1, y, x + wide - 1, y + wide // 2, "wood", shade - 0.4, outline=False)
    for cut in range(2, wide - 2, 3):
        c.line(x + cut, y + 1, x + cut + 1, y + wide // 3, "paper", 0.4)


def sack(c: Canvas, x: int, y: int, full: str = "") -> None:
    """Draw a sack about 18 by 24 pixels; an open one shows its contents, `full`."""
    c.shadow(x - 1, y + 17, x + 21, y + 26)
    c.pen.polygon(
        [
            (x + 3, y + 6),
            (x + 15, y + 6),
            (x + 19, y + 20),
            (x + 16, y + 24),
            (x + 2, y + 24),
            (x, y + 19),
        ],
        tone("paper", 1.6),
        tone("paper", 3),
    )
    c.pen.polygon(
        [(x + 4, y + 7), (x + 8, y + 7), (x + 6, y + 23), (x + 2, y + 22)], tone("paper", 0.9)
    )
    c.line(x + 12, y + 10, x + 14, y + 21, "paper", 2.2)
    if full:
        c.oval(x + 2, y + 1, x + 17, y + 9, "paper", 1.9)
        c.oval(x + 4, y + 2, x + 15, y + 7, full, 0.6, outline=False)
        c.dots([(x + 7, y + 4), (x + 11, y + 5), (x + 9, y + 3)], full, -0.6)
    else:
        c.pen.polygon(
            [(x + 6, y + 6), (x + 12, y + 6), (x + 14, y), (x + 9, y + 3), (x + 4, y)],
            tone("paper", 1.2),
            tone("paper", 3),
        )
        c.line(x + 5, y + 6, x + 13, y + 6, "red", 1.6, 2)


def _furrows(c: Canvas) -> None:
    """Draw a wooden plough at the end of its furrow, and a basket of seed."""
    c.shadow(4, 30, 58, 44)
    c.line(6, 12, 30, 30, "dark_wood", 1, 4)
    c.line(12, 8, 34, 28, "dark_wood", 0.6, 3)
    c.line(28, 30, 60, 34, "wood", 1.4, 4)
    c.pen.polygon([(22, 26), (36, 30), (30, 42), (18, 40)], tone("metal", 1.6), tone("metal", 3))
    c.line(22, 29, 30, 31, "metal", 0)
    c.disc(54, 38, 6, "dark_wood", 1, outline=True)
    c.disc(54, 38, 3, "wood", 0.4)
    c.shadow(92, 36, 120, 48)
    c.pen.polygon([(94, 30), (118, 30), (114, 44), (98, 44)], tone("straw", 1.5), tone("straw", 3))
    c.oval(93, 24, 119, 35, "straw", 1.9)
    c.oval(96, 26, 116, 33, "yellow", 1, outline=False)
    c.pen.arc((96, 12, 116, 40), 190, 350, tone("straw", 2.4), 2)
    stream = Random("seed")
    c.dots([(stream.randrange(70, 94), stream.randrange(30, 50)) for _ in range(24)], "straw", 0)


def _threshing_floor(c: Canvas) -> None:
    """Draw boards strewn with straw, and two flails."""
    c.box(1, 2, 94, 61, "wood", 4, 3)
    for y in range(10, 56, 9):
        c.line(4, y, 91, y, "wood", 1.7)
    stream = Random("straw")
    for _ in range(110):
        x, y = stream.randrange(8, 84), stream.randrange(8, 52)
        c.line(
            x,
            y,
            x + stream.randrange(-5, 6),
            y + stream.randrange(-3, 4),
            "straw",
            stream.choice((-0.2, 0.4, 1.2)),
        )
    c.oval(30, 20, 62, 42, "straw", 0.8, outline=False)
    for _ in range(60):
        x, y = stream.randrange(32, 60), stream.randrange(21, 41)
        c.line(x, y, x + stream.randrange(-4, 5), y - 3, "straw", stream.choice((-0.4, 0.3, 1.5)))
    for x in (14, 66):
        c.line(x, 48, x + 14, 20, "dark_wood", 1, 2)
        c.line(x + 14, 20, x + 20, 34, "dark_wood", 2, 3)


def _hay_loft(c: Canvas) -> None:
    """Draw a raised loft full of sheaves, with a ladder."""
    c.shadow(0, 54, 95, 63)
    c.block(1, 4, 94, 61, "dark_wood", 2)
    c.fill(4, 8, 91, 58, "dark", 2)
    stream = Random("sheaves")
    for top, low in ((12, 31), (36, 56)):
        for x in range(6, 86, 7):
            c.oval(
                x, top + stream.randrange(4), x + 11, low, "straw", stream.choice((0.6, 0.9, 1.2))
            )
            c.line(x + 5, top + 5, x + 5, low - 3, "straw", 0)
        c.fill(3, low, 92, low + 3, "wood", 0.8)
        c.line(3, low + 4, 92, low + 4, "dark_wood", 2.6)
    for x in (66, 80):
        c.line(x, 10, x - 4, 61, "wood", 0.4, 3)
    for y in range(16, 60, 8):
        c.line(64, y, 78, y, "wood", 0.8, 2)


def _grain_bin(c: Canvas) -> None:
    c.shadow(0, 24, 63, 31)
    c.box(1, 4, 62, 31, "wood", 16)
    c.fill(4, 6, 59, 13, "straw", 1.4)
    c.pen.polygon([(4, 13), (16, 5), (30, 2), (44, 4), (59, 13)], tone("yellow", 0.9))
    stream = Random("grain")
    c.dots([(stream.randrange(12, 52), stream.randrange(6, 13)) for _ in range(30)], "yellow", -0.5)
    c.dots([(stream.randrange(8, 56), stream.randrange(8, 13)) for _ in range(20)], "straw", 2)
    for x in (20, 41):
        c.fill(x, 17, x + 2, 30, "dark_wood", 1.2)
    c.block(48, 18, 58, 26, "metal", 2)


def _larder(c: Canvas) -> None:
    """Draw a cupboard with a sieve door, cheeses and jars on top."""
    c.shadow(1, 24, 32, 31)
    c.box(1, 4, 30, 31, "wood", 20)
    c.oval(4, 0, 14, 7, "yellow", 0.8)
    c.block(19, 0, 25, 8, "red", 2)
    for x in (4, 17):
        c.fill(x, 13, x + 10, 28, "dark_wood", 1.4)
        for y in range(15, 28, 3):
            c.line(x + 1, y, x + 9, y, "straw", 1)
    c.disc(15, 21, 1, "yellow", 0)


def _press(c: Canvas) -> None:
    """Draw a screw press over a slatted basket, and a bucket below the spout."""
    c.shadow(0, 54, 63, 63)
    for x in (4, 48):
        c.fill(x, 6, x + 4, 58, "dark_wood", 1)
        c.line(x, 6, x, 58, "dark_wood", 0)
    c.box(1, 4, 56, 14, "dark_wood", 5)
    c.fill(27, 10, 30, 30, "metal", 1)
    for y in range(12, 30, 3):
        c.line(26, y, 31, y + 1, "metal", 2.4)
    c.line(14, 12, 44, 8, "wood", 0, 3)
    c.box(12, 28, 46, 34, "wood", 3)
    c.box(12, 33, 46, 54, "wood", 16)
    for x in range(15, 46, 5):
        c.line(x, 39, x, 53, "dark_wood", 1.6)
    c.box(4, 52, 54, 60, "dark_wood", 5)
    for x, y in ((17, 27), (23, 25), (34, 26), (40, 28)):
        c.disc(x, y, 3, "red", 0.9, outline=True)
    c.box(52, 48, 63, 62, "metal", 9, 3)
    c.oval(53, 48, 62, 52, "yellow", 1.3)


def _cider_barrel(c: Canvas) -> None:
    """Draw two barrels on a trestle, one tapped, with mugs on top."""
    c.shadow(0, 52, 63, 63)
    for x in (2, 32):
        c.oval(x, 18, x + 29, 52, "dark_wood", 1)
        c.oval(x + 3, 21, x + 26, 49, "wood", 1)
        for right in (9, 14, 19):
            c.line(x + right, 22, x + right, 48, "wood", 1.8)
        c.pen.arc((x + 1, 19, x + 28, 51), 150, 300, tone("metal", 0.4), 2)
        c.line(x + 14, 42, x + 14, 48, "metal", 2, 3)
    c.box(1, 50, 62, 60, "dark_wood", 6)
    for x in (10, 24, 44):
        c.block(x, 8, x + 8, 19, "paper", 1)
        c.pen.arc((x + 6, 10, x + 12, 17), 270, 90, tone("paper", 2.4), 2)
        c.fill(x + 1, 8, x + 7, 10, "yellow", 0.2)


def _millstone(c: Canvas) -> None:
    """Draw the runner on its bed, the hopper above, meal running into a chest."""
    c.shadow(0, 54, 63, 63)
    c.box(2, 46, 61, 62, "dark_wood", 8)
    c.oval(4, 34, 59, 60, "stone", 1.9)
    c.oval(4, 29, 59, 54, "stone", 0.8)
    for x0, y0, x1, y1 in (
        (31, 42, 31, 30),
        (31, 42, 52, 34),
        (31, 42, 56, 45),
        (31, 42, 40, 53),
        (31, 42, 18, 52),
        (31, 42, 7, 44),
        (31, 42, 12, 34),
    ):
        c.line(x0, y0, x1, y1, "stone", 1.9)
    c.oval(26, 38, 37, 46, "dark_wood", 1.4)
    c.fill(30, 4, 33, 42, "dark_wood", 1)
    c.pen.polygon([(12, 6), (51, 6), (40, 26), (23, 26)], tone("wood", 1.2), tone("wood", 3))
    c.pen.polygon([(15, 8), (48, 8), (45, 13), (18, 13)], tone("yellow", 1))
    c.line(22, 14, 26, 25, "wood", 0.2)
    c.pen.polygon([(44, 52), (57, 50), (60, 61), (46, 61)], tone("white", 0.6), tone("white", 3))


def _sacks_row(c: Canvas) -> None:
    sack(c, 4, 6, "yellow")
    sack(c, 24, 4)
    sack(c, 43, 6, "white")


def _flour_chest(c: Canvas) -> None:
    """Draw a chest of flour with a scoop and a pair of scales."""
    c.shadow(0, 24, 63, 31)
    c.box(1, 6, 62, 31, "wood", 16)
    c.fill(5, 8, 40, 14, "white", 0.4)
    c.oval(8, 5, 34, 14, "white", -0.2, outline=False)
    c.line(28, 10, 38, 4, "dark_wood", 1, 2)
    c.oval(22, 8, 30, 13, "metal", 1)
    c.fill(51, 0, 52, 12, "metal", 2)
    for x in (44, 55):
        c.line(x + 2, 2, 51, 1, "metal", 2)
        c.oval(x - 1, 5, x + 5, 9, "yellow", 1.3)
    for x in (10, 32):
        c.pen.rectangle((x, 18, x + 16, 28), outline=tone("wood", 1.9))


def _dough(c: Canvas) -> None:
    """Draw a kneading trough with dough under a cloth."""
    table(c, 1, 8, 62, 31)
    c.pen.polygon(
        [(4, 6), (59, 6), (55, 22), (8, 22)], tone("dark_wood", 0.8), tone("dark_wood", 3)
    )
    c.pen.polygon([(7, 8), (56, 8), (53, 17), (10, 17)], tone("wood", 1.6))
    c.oval(10, 3, 36, 17, "paper", 0.6)
    c.oval(14, 4, 26, 10, "white", 0, outline=False)
    c.pen.polygon([(34, 4), (56, 5), (54, 18), (36, 18)], tone("blue", 0.4), tone("blue", 2.4))
    for y in (8, 13):
        c.line(36, y, 54, y, "white", 0)


def _dough_tub(c: Canvas) -> None:
    barrel(c)
    c.oval(7, 2, 24, 11, "paper", 0.6)
    c.oval(9, 2, 18, 7, "white", 0, outline=False)


def _bread_oven(c: Canvas) -> None:
    """Draw a domed brick oven with a fire behind its arch, and a peel."""
    c.shadow(0, 54, 63, 63)
    c.pen.pieslice((2, 6, 61, 86), 180, 360, tone("brick", 1.1), tone("brick", 3))
    c.fill(3, 46, 60, 61, "brick", 1.2)
    for n, y in enumerate(range(14, 60, 6)):
        for x in range(8 + n % 2 * 5, 54, 10):
            if (x - 29) ** 2 / 700 + (46 - min(y, 46)) ** 2 / 1300 < 0.95:
                c.line(x, y, x + 7, y, "brick", 2)
    c.pen.pieslice((16, 26, 47, 70), 180, 360, tone("stone", 1.4), tone("stone", 3))
    c.pen.pieslice((20, 30, 43, 68), 180, 360, tone("dark", 2.4))
    for x, y, material, shade in (
        (26, 40, "red", 0.7),
        (36, 41, "red", 0.8),
        (31, 36, "red", 0.5),
        (31, 42, "yellow", 0.4),
    ):
        c.pen.polygon([(x, y), (x + 4, y + 8), (x - 4, y + 8)], tone(material, shade))
    c.box(10, 49, 53, 60, "stone", 6)
    loaf(c, 14, 45, 9)
    loaf(c, 40, 45, 9)
    c.fill(26, 0, 36, 12, "brick", 1.6)
    c.line(59, 6, 55, 60, "wood", 0.6, 2)
    c.oval(55, 2, 63, 14, "wood", 0.8)


def _bread_counter(c: Canvas) -> None:
    c.shadow(0, 24, 95, 35)
    c.block(0, 4, 95, 31, "dark_wood", 3)
    c.block(0, 4, 95, 16, "wood", 3)
    for x in range(5, 80, 18):
        c.block(x, 19, x + 14, 29, "straw", 1)
    for n, x in enumerate((4, 16, 10, 28, 40, 34)):
        loaf(c, x, 5 if n % 3 < 2 else 0, 12, 0.8 + n % 2 * 0.5)
    c.block(56, 2, 70, 13, "straw", 2)
    for x in (57, 61, 65):
        c.line(x, 12, x + 3, -2, "wood", 0.6, 3)
    c.oval(76, 4, 90, 12, "metal", 1)
    c.disc(83, 7, 3, "yellow", 0.8, outline=True)


def _crop_bed(c: Canvas) -> None:
    """Draw lettuces, cabbages and carrots in a framed bed."""
    c.shadow(1, 24, 95, 31)
    c.box(1, 4, 94, 30, "wood", 5)
    c.fill(4, 7, 91, 25, "soil", 1.4)
    for n, x in enumerate(range(10, 90, 10)):
        for y in (11, 20):
            kind = (n // 3 + (y > 15)) % 3
            if kind == 2:
                for lean in (-3, 0, 3):
                    c.line(x, y + 3, x + lean, y - 5, "green", 0.6, 2)
                c.fill(x - 1, y + 2, x + 1, y + 4, "yellow", 1.6)
            else:
                c.disc(x, y, 5, "leaf" if kind else "green", 1.7, outline=True)
                c.disc(x - 1, y - 1, 3, "leaf" if kind else "grass", 0.3)
                c.dots([(x, y), (x - 1, y - 2)], "grass", -0.6)


def _hive(c: Canvas) -> None:
    """Draw a straw skep on a stand, with bees about it."""
    c.shadow(3, 24, 30, 31)
    for x in (7, 22):
        c.fill(x, 24, x + 2, 30, "dark_wood", 1.4)
    c.box(3, 21, 28, 27, "wood", 3)
    for low, half in ((22, 11), (17, 11), (12, 9), (7, 6)):
        c.pen.rounded_rectangle(
            (16 - half, low - 5, 16 + half, low), 3, tone("straw", 1), tone("straw", 2.7)
        )
        c.line(17 - half + 2, low - 4, 16, low - 4, "straw", -0.2)
    c.oval(12, 17, 19, 22, "dark", 2)
    for x, y in ((3, 8), (28, 5), (26, 15), (7, 2)):
        c.dots([(x, y)], "yellow", 0.4)
        c.dots([(x + 1, y)], "dark", 2)
        c.dots([(x, y - 1)], "white", 0)


PAINTERS: dict[str, Painter] = {
    "furrows": _furrows, "threshing_floor": _threshing_floor, "hay_loft": _hay_loft, "grain_bin": _grain_bin, "larder": _larder, "cider_press": _press,
    "cider_barrel": _cider_barrel, "millstone": _millstone, "flour_sacks": _sacks_row, "flour_chest": _flour_chest, "dough_trough": _dough,
    "dough_tub": _dough_tub, "bread_oven": _bread_oven, "bread_counter": _bread_counter, "crop_bed": _crop_bed, "hive": _hive, "skep": _hive,
    "jar_shelf": FITTINGS["jar_rack"],
    "hearth": CLUTTER["fireplace"],
}  # fmt: skip
