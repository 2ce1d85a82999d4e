"""Painters of a sect's equipment: cushions, a furnace for pills, veins of qi, herbs, swords, a
bell.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hometown.authoring.art.at_home import table
from hometown.authoring.art.canvas import Canvas, tone
from hometown.authoring.art.greenery import crown

Painter = Callable[[Canvas], None]


def _mat(c: Canvas) -> None:
    c.shadow(3, 20, 30, 30)
    c.oval(3, 8, 28, 27, "straw", 1.6)
    c.oval(3, 5, 28, 23, "straw", 0.8)
    for inset in (4, 8):
        c.pen.ellipse(
            (3 + inset, 5 + inset * 2 // 3, 28 - inset, 23 - inset * 2 // 3),
            outline=tone("straw", 1.7),
        )


def _vein(c: Canvas) -> None:
    """Draw crystals of qi that break through the rock."""
    c.shadow(2, 52, 62, 63)
    c.pen.polygon(
        [(2, 60), (8, 46), (24, 50), (40, 44), (56, 50), (62, 60)],
        tone("slate", 1.6),
        tone("slate", 3),
    )
    for x, top, half in ((18, 22, 6), (32, 6, 8), (46, 26, 6), (10, 38, 4), (55, 40, 4)):
        c.pen.polygon(
            [
                (x, top),
                (x + half, top + half * 2),
                (x + half - 1, 54),
                (x - half + 1, 54),
                (x - half, top + half * 2),
            ],
            tone("teal", 0.6),
            tone("teal", 3),
        )
        c.pen.polygon(
            [(x, top + 1), (x - half + 1, top + half * 2), (x - half + 2, 53), (x - 1, 53)],
            tone("teal", -0.5),
        )
        c.line(x + 2, top + 6, x + 2, 50, "white", 0)
    c.line(4, 60, 60, 60, "leaf", 1, 2)


def _furnace(c: Canvas) -> None:
    """Draw a bronze tripod over a fire, its lid like a mountain."""
    c.shadow(4, 52, 60, 63)
    for x, y, shade in ((24, 50, 0.6), (32, 46, 0.4), (40, 50, 0.7)):
        c.pen.polygon(
            [(x, y - 6), (x + 5, 61), (x - 5, 61)], tone("red" if shade > 0.5 else "yellow", shade)
        )
    for x in (12, 48):
        c.pen.polygon(
            [(x, 44), (x + 5, 44), (x + 4, 62), (x + 1, 62)], tone("straw", 2.3), tone("straw", 3)
        )
    c.oval(6, 24, 57, 54, "straw", 1.9)
    c.oval(9, 25, 34, 46, "straw", 1, outline=False)
    c.pen.arc((6, 24, 57, 54), 20, 160, tone("teal", 1.6), 4)
    c.box(4, 26, 59, 33, "straw", 3)
    c.pen.polygon(
        [(12, 27), (20, 14), (26, 19), (32, 6), (38, 19), (44, 13), (51, 27)],
        tone("straw", 1.5),
        tone("straw", 3),
    )
    for x in (2, 58):
        c.pen.arc((x - 2, 16, x + 6, 30), 160, 380, tone("straw", 2.4), 3)
    for x, y in ((30, 3), (35, 0), (27, 1)):
        c.disc(x, y, 2, "white", 0.2)


def _herb_bed(c: Canvas) -> None:
    """Draw ginseng, mushrooms and orchids between stones."""
    c.shadow(1, 24, 95, 31)
    c.box(1, 6, 94, 30, "slate", 5)
    c.fill(4, 9, 91, 25, "soil", 1.8)
    for n, x in enumerate(range(10, 90, 9)):
        kind = n % 3
        if kind == 0:
            for lean in (-4, 0, 4):
                c.line(x, 22, x + lean, 12, "leaf", 0.6, 2)
            c.disc(x, 10, 2, "red", 0.8, outline=True)
        elif kind == 1:
            c.line(x, 23, x, 16, "paper", 0.6, 2)
            c.oval(x - 5, 10, x + 5, 18, "purple", 0.7)
        else:
            for lean in (-5, -2, 2, 5):
                c.line(x, 23, x + lean, 11, "green", 0.8)
            c.disc(x + 1, 11, 2, "white", 0)


def _paddy(c: Canvas) -> None:
    """Draw young rice in water behind a low dam."""
    c.box(0, 2, 127, 61, "soil", 4, 4)
    c.fill(5, 7, 122, 54, "water", 0.8)
    stream = Random("paddy")
    for y in range(16, 54, 9):
        for x in range(11, 120, 9):
            for lean in (-2, 0, 2):
                c.line(
                    x,
                    y,
                    x + lean,
                    y - stream.randrange(6, 10),
                    "leaf",
                    stream.choice((0, 0.5, 0.9)),
                )
            c.line(x - 2, y + 1, x + 3, y + 1, "water", 1.7)


def _cabinet(c: Canvas) -> None:
    """Draw a hundred drawers of herbs."""
    c.box(1, 0, 94, 31, "dark_wood", 28)
    for y in (5, 13, 21):
        for x in range(5, 88, 9):
            c.block(x, y, x + 7, y + 6, "wood", 1)
            c.dots([(x + 3, y + 3), (x + 4, y + 3)], "yellow", 0)
    for x, material in ((10, "red"), (26, "teal"), (70, "paper")):
        c.oval(x, -4, x + 9, 5, material, 1)


def _wok_stove(c: Canvas) -> None:
    """Draw a brick stove with two woks, one steaming."""
    c.shadow(0, 24, 63, 31)
    c.box(1, 4, 62, 31, "brick", 15)
    for x in (5, 34):
        c.oval(x, 4, x + 24, 15, "dark", 1.4)
        c.oval(x + 3, 5, x + 21, 12, "dark", 2.4, outline=False)
        c.pen.pieslice((x + 6, 20, x + 18, 36), 180, 360, tone("red", 0.6), tone("dark", 2))
    c.oval(9, 6, 25, 11, "paper", 0.4, outline=False)


def _eating_table(c: Canvas) -> None:
    for x in (2, 66):
        c.oval(x + 2, 12, x + 26, 28, "red", 1)
        c.oval(x + 2, 9, x + 26, 24, "red", 0.4)
    table(c, 33, 6, 62, 29, "dark_wood")
    c.oval(38, 9, 47, 16, "blue", 0.4)
    c.oval(40, 10, 45, 13, "white", 0, outline=False)
    c.oval(49, 12, 58, 19, "white", 0.6)
    c.line(50, 8, 58, 10, "wood", 0.4)


def _dummy(c: Canvas) -> None:
    """Draw a post with arms for practice."""
    c.shadow(6, 54, 28, 62)
    c.fill(12, 10, 20, 60, "wood", 1.2)
    c.line(13, 10, 13, 58, "wood", 0)
    for y, x0, x1 in ((20, 2, 16), (28, 16, 30), (40, 4, 16)):
        c.line(x0, y, x1, y + 2, "dark_wood", 1, 4)
    c.fill(11, 14, 21, 17, "straw", 1.4)
    c.fill(11, 48, 21, 51, "straw", 1.4)


def _sword_rack(c: Canvas) -> None:
    c.shadow(2, 24, 62, 31)
    for x in (5, 55):
        c.fill(x, 4, x + 3, 30, "dark_wood", 1.2)
    for y in (10, 22):
        c.fill(3, y, 60, y + 2, "dark_wood", 1)
    for n, x in enumerate(range(13, 54, 10)):
        c.line(x, 1, x, 24, "metal", 0.4, 2)
        c.fill(x - 3, 20, x + 4, 22, "yellow", 1)
        c.fill(x - 1, 22, x + 2, 30, ("red", "teal", "purple", "dark")[n % 4], 1)


def _bell(c: Canvas) -> None:
    """Draw a bronze bell in its frame."""
    c.shadow(0, 54, 63, 63)
    for x in (4, 54):
        c.fill(x, 10, x + 5, 60, "red", 1.4)
        c.line(x + 1, 10, x + 1, 58, "red", 0.2)
    c.box(0, 4, 63, 13, "red", 5)
    c.pen.polygon(
        [(24, 14), (39, 14), (45, 46), (48, 50), (15, 50), (18, 46)],
        tone("straw", 2),
        tone("straw", 3),
    )
    c.pen.polygon([(25, 15), (30, 15), (26, 48), (20, 48)], tone("straw", 1))
    for y in (24, 40):
        c.line(20, y, 43, y, "straw", 2.7)


def _burner(c: Canvas) -> None:
    c.shadow(6, 52, 58, 63)
    c.box(8, 50, 55, 61, "stone", 5)
    c.oval(10, 30, 53, 54, "teal", 1.9)
    c.oval(10, 27, 53, 42, "teal", 1.2)
    c.oval(15, 30, 48, 39, "paper", 1.9, outline=False)
    for x in (24, 31, 38):
        c.line(x, 34, x, 16, "red", 0.8)
        c.dots([(x, 15)], "yellow", 0)
    for x, y in ((31, 10), (28, 4), (35, 1)):
        c.disc(x, y, 3, "white", 0.4)


def _hot_spring(c: Canvas) -> None:
    """Draw a pool between stones, steaming."""
    c.oval(1, 4, 94, 62, "water", 0.2)
    c.oval(8, 10, 87, 56, "water", 0.7, outline=False)
    for n in range(14):
        x, y = (
            (2, 12),
            (12, 4),
            (28, 0),
            (46, 0),
            (64, 2),
            (80, 8),
            (86, 22),
            (84, 38),
            (72, 50),
            (54, 54),
            (36, 54),
            (18, 50),
            (4, 40),
            (0, 26),
        )[n]
        c.oval(x, y, x + 12, y + 9, "slate", 0.9 + n % 3 * 0.3)
    for x, y, wide in ((24, 18, 16), (50, 26, 20), (34, 38, 14)):
        c.pen.ellipse((x, y, x + wide, y + 6), (255, 255, 255, 120))


def _cave(c: Canvas) -> None:
    """Draw the mouth of a cave under a carved lintel."""
    c.pen.polygon(
        [(0, 95), (4, 34), (26, 8), (70, 6), (92, 36), (95, 95)],
        tone("slate", 1.4),
        tone("slate", 3),
    )
    c.pen.polygon(
        [(4, 60), (10, 34), (28, 12), (42, 10), (22, 50), (16, 94), (4, 94)], tone("slate", 0.5)
    )
    c.pen.pieslice((20, 28, 75, 160), 180, 360, tone("dark", 2.4), tone("slate", 3))
    c.box(28, 20, 67, 32, "stone", 4)
    for x in (35, 45, 55):
        c.block(x, 22, x + 5, 28, "red", 1)
    c.line(8, 40, 24, 16, "leaf", 1, 3)


def _old_plum(c: Canvas) -> None:
    """Draw a broad old plum tree in flower, its petals on the ground."""
    c.shadow(8, 76, 90, 96)
    c.pen.polygon(
        [(40, 52), (54, 50), (58, 78), (70, 92), (54, 88), (46, 94), (40, 87), (26, 92), (38, 78)],
        tone("dark_wood", 1.8),
        tone("dark_wood", 3),
    )
    for x0, y0, x1, y1 in ((44, 58, 22, 36), (50, 56, 74, 34), (47, 56, 46, 24)):
        c.line(x0, y0, x1, y1, "dark_wood", 1.8, 6)
    clumps = (
        (28, 20, 14),
        (62, 18, 14),
        (46, 13, 14),
        (16, 34, 13),
        (80, 34, 12),
        (34, 42, 13),
        (62, 42, 13),
        (47, 30, 18),
    )
    c.image.alpha_composite(crown(clumps, (96, 60), "rose", "plum"), (0, 2))
    stream = Random("petals")
    for _ in range(36):
        x, y = (
            stream.randrange(8, 88),
            stream.randrange(8, 58) if stream.random() < 0.6 else stream.randrange(82, 95),
        )
        c.dots([(x, y), (x + 1, y), (x, y + 1)], "rose", stream.choice((-0.5, 0.1, 1.5)))


PAINTERS: dict[str, Painter] = {
    "mat": _mat, "vein": _vein, "pill_furnace": _furnace, "herb_bed": _herb_bed, "paddy": _paddy, "herb_cabinet": _cabinet, "wok_stove": _wok_stove,
    "eating_table": _eating_table, "practice_post": _dummy, "sword_rack": _sword_rack, "bell": _bell, "incense": _burner, "hot_spring": _hot_spring,
    "cave_mouth": _cave, "old_plum": _old_plum,
}  # fmt: skip
