"""Painters of furniture for homes. Each draws on a canvas of its kind's size, 32 pixels per tile."""

from __future__ import annotations

from collections.abc import Callable

from hometown.authoring.art.canvas import Canvas, tone

Painter = Callable[[Canvas], None]


def chair(c: Canvas, x: int, y: int, material: str = "wood", facing: str = "down") -> None:
    """Draw a chair on the tile whose upper left pixel is (x, y). Its back is opposite to the side
    that it faces.
    """
    c.shadow(x + 6, y + 21, x + 26, y + 30)
    for leg in (9, 20):
        c.fill(x + leg, y + 24, x + leg + 2, y + 28, "dark_wood", 2)
    back = {
        "down": (8, 5, 23, 14),
        "up": (8, 20, 23, 29),
        "right": (6, 6, 10, 26),
        "left": (21, 6, 25, 26),
    }[facing]
    if facing != "up":
        c.box(x + back[0], y + back[1], x + back[2], y + back[3], "dark_wood", 4)
    c.box(x + 8, y + 11, x + 23, y + 26, material, 5, 3)
    c.line(x + 11, y + 14, x + 15, y + 14, material, -0.7)
    if facing == "up":
        c.box(x + back[0], y + back[1], x + back[2], y + back[3], "dark_wood", 6)


def table(c: Canvas, x0: int, y0: int, x1: int, y1: int, material: str = "wood") -> None:
    """Draw a table of boards with a visible front edge and two legs."""
    c.shadow(x0 - 1, y1 - 7, x1 + 2, y1 + 2)
    for x in (x0 + 2, x1 - 4):
        c.fill(x, y1 - 4, x + 2, y1 + 1, "dark_wood", 2.2)
        c.line(x, y1 - 4, x, y1, "dark_wood", 1)
    c.box(x0, y0, x1, y1 - 3, material, 5)
    for y in range(y0 + 8, y1 - 10, 8):
        c.line(x0 + 3, y, x1 - 3, y, material, 1.1)


def books(c: Canvas, x0: int, y: int, x1: int, height: int = 8, start: int = 0) -> None:
    """Draw a row of book spines on the baseline y; some lean or lie flat."""
    colours = ("red", "blue", "straw", "green", "purple", "paper", "teal", "rose")
    x, n = x0, start
    while x + 3 <= x1:
        tall, material = height - (n * 5) % 3, colours[(n * 3) % 8]
        c.fill(x, y - tall, x + 2, y, material, 0.8 + n % 3 * 0.3)
        c.line(x, y - tall, x, y, material, 0)
        c.line(x, y - tall + 2, x + 2, y - tall + 2, material, 2)
        x, n = x + 3 + (n % 4 == 3), n + 1


def screen(c: Canvas, x: int, y: int) -> None:
    c.block(x, y, x + 17, y + 11, "dark", 1)
    c.fill(x + 2, y + 2, x + 15, y + 9, "blue", 0)
    for row, length in enumerate((8, 5, 10)):
        c.line(x + 4, y + 3 + row * 2, x + 4 + length, y + 3 + row * 2, "white", 0)
    c.fill(x + 7, y + 12, x + 10, y + 14, "metal", 2)


def cup(c: Canvas, x: int, y: int, material: str = "white") -> None:
    c.oval(x - 1, y + 2, x + 8, y + 7, "paper", 1.3)
    c.oval(x, y, x + 6, y + 5, material, 0)
    c.oval(x + 2, y + 1, x + 4, y + 3, "dark_wood", 2, outline=False)


def _bed(c: Canvas) -> None:
    """Draw a wooden bed: headboard, pillow, a quilt with a turned-down sheet."""
    c.shadow(1, 52, 32, 63)
    c.box(1, 0, 30, 12, "dark_wood", 5, 3)
    c.block(2, 10, 29, 60, "dark_wood", 2)
    c.fill(4, 10, 27, 56, "white", 1)
    c.block(6, 9, 25, 21, "paper", 4)
    c.line(9, 18, 21, 18, "paper", 1.7)
    c.pen.rounded_rectangle((3, 25, 28, 57), 3, tone(c.cloth, 1), tone(c.cloth, 3))
    c.fill(3, 24, 28, 29, "white", 0.2)
    c.line(3, 30, 28, 30, c.cloth, 2)
    for y in range(33, 55, 8):
        for x in range(6, 27, 8):
            c.fill(x, y, x + 4, y + 4, c.cloth if (x + y) % 16 else "paper", 0.2)
    c.line(4, 31, 4, 54, c.cloth, 0)
    c.fill(24, 31, 27, 55, c.cloth, 1.6)
    c.box(1, 55, 30, 62, "dark_wood", 4)


def _wardrobe(c: Canvas) -> None:
    c.shadow(1, 24, 32, 31)
    c.box(1, 0, 30, 31, "dark_wood", 25)
    for x in (3, 17):
        c.block(x, 8, x + 11, 27, "wood", 1)
        c.pen.rectangle((x + 3, 11, x + 8, 24), outline=tone("wood", 1.8))
    c.dots([(13, 18), (18, 18), (13, 19), (18, 19)], "yellow", -0.3)


def _desk(c: Canvas) -> None:
    table(c, 1, 5, 62, 31)
    c.block(40, 27, 58, 30, "wood", 1)
    screen(c, 8, 2)
    c.block(8, 18, 25, 22, "metal", 1)
    books(c, 44, 16, 60)
    c.block(30, 11, 38, 19, "paper", 1)
    c.line(32, 14, 36, 14, "blue", 1)
    cup(c, 33, 4, "rose")
    chair(c, 0, 31, "blue", "up")


def _sink(c: Canvas) -> None:
    c.shadow(3, 23, 30, 31)
    c.box(3, 4, 28, 29, "wood", 11)
    c.block(3, 3, 28, 18, "white", 3)
    c.oval(8, 7, 23, 16, "water", 0.3)
    c.fill(15, 3, 16, 9, "metal", 2)
    c.line(15, 21, 15, 27, "wood", 2.2)
    c.dots([(13, 23), (18, 23)], "yellow", 0)


def _shower(c: Canvas) -> None:
    """Draw a tray with a drain, glass on two sides, and a shower head."""
    c.box(1, 4, 30, 31, "white", 4)
    c.fill(4, 8, 27, 24, "water", 0)
    for x in range(7, 27, 5):
        for y in range(11, 24, 4):
            c.dots([(x, y)], "water", 1.4)
    c.disc(16, 18, 2, "metal", 2)
    c.fill(14, 1, 16, 8, "metal", 1)
    c.oval(10, 5, 20, 10, "metal", 0.4)
    for x in (12, 15, 18):
        c.line(x, 11, x - 1, 15, "water", -0.6)
    c.pen.rectangle((1, 0, 3, 29), tone("water", -0.3), tone("metal", 2))
    c.line(27, 2, 27, 28, "metal", 0.4, 2)


def _toilet(c: Canvas) -> None:
    """Draw a cistern, and a bowl with its lid open."""
    c.shadow(6, 23, 27, 31)
    c.box(7, 0, 24, 12, "white", 7, 2)
    c.fill(14, 2, 17, 3, "metal", 1)
    c.pen.polygon([(10, 18), (21, 18), (20, 30), (11, 30)], tone("white", 2), tone("white", 3))
    c.oval(7, 10, 24, 27, "white", 0.4)
    c.oval(10, 13, 21, 24, "water", 0.8)
    c.oval(11, 17, 20, 23, "water", 0, outline=False)


def _stove(c: Canvas) -> None:
    c.box(1, 2, 30, 31, "metal", 13)
    for x in (9, 22):
        c.disc(x, 10, 5, "dark", 1, outline=True)
        c.disc(x, 10, 2, "red", 0.8)
    c.block(6, 22, 25, 29, "dark", 1)
    c.line(8, 24, 14, 24, "dark", 0)
    c.dots([(5, 20), (9, 20), (22, 20), (26, 20)], "red", 0)
    c.oval(16, 4, 28, 13, "teal", 1)
    c.oval(18, 5, 26, 10, "teal", 2.2, outline=False)


def _fridge(c: Canvas) -> None:
    c.shadow(2, 24, 31, 31)
    c.box(2, 0, 29, 31, "white", 25)
    c.line(3, 15, 28, 15, "white", 2.6)
    for y in (9, 18):
        c.fill(24, y, 25, y + 4, "metal", 2)
    c.fill(7, 18, 11, 22, "yellow", 0)
    c.fill(13, 21, 17, 25, "rose", 0)
    c.line(4, 8, 4, 28, "white", -0.5)


def _kitchen_sink(c: Canvas) -> None:
    c.box(0, 2, 31, 31, "wood", 13)
    c.block(0, 2, 31, 18, "stone", 1)
    c.block(6, 6, 25, 16, "metal", 2)
    c.fill(8, 8, 23, 14, "water", 0.4)
    c.line(8, 8, 23, 8, "water", 1.8)
    c.fill(15, 2, 17, 9, "metal", 0.4)
    for x in (2, 17):
        c.block(x, 21, x + 12, 29, "wood", 1)
    c.dots([(12, 24), (19, 24)], "yellow", 0)


def _dining_table(c: Canvas) -> None:
    chair(c, 1, -1, c.cloth, "right")
    chair(c, 63, -1, c.cloth, "left")
    table(c, 29, 2, 66, 31)
    c.fill(43, 3, 52, 24, "paper", 0.7)
    c.fill(43, 25, 52, 28, "paper", 1.5)
    for x in (32, 54):
        c.oval(x, 9, x + 9, 17, "white", 0.3)
        c.oval(x + 2, 11, x + 7, 15, "white", 1.2, outline=False)
    c.disc(47, 12, 4, "leaf", 1.2)
    for x, y, material in ((45, 10, "rose"), (50, 11, "yellow"), (47, 7, "red")):
        c.disc(x, y, 2, material, 0.6)


def _sofa(c: Canvas) -> None:
    c.shadow(2, 21, 63, 31)
    c.box(2, 2, 61, 29, c.cloth, 9, 5)
    c.box(3, 2, 60, 14, c.cloth, 4, 4)
    for x in (8, 32):
        c.box(x, 11, x + 23, 26, c.cloth, 5, 3)
        c.line(x + 5, 14, x + 13, 14, c.cloth, -0.7)
    for x in (1, 54):
        c.box(x, 8, x + 8, 29, c.cloth, 9, 3)
    c.block(11, 8, 20, 17, "paper", 3)
    c.line(13, 10, 17, 10, "paper", -0.7)


def _bookshelf(c: Canvas) -> None:
    shelf(c, 64)


def shelf(c: Canvas, width: int) -> None:
    """Draw a bookcase against a wall, two rows of books high."""
    c.shadow(1, 25, width, 31)
    c.box(0, 0, width - 1, 31, "dark_wood", 27)
    for row, y in enumerate((15, 28)):
        c.fill(3, y - 10, width - 4, y, "dark", 2)
        for start in range(4, width - 8, 30):
            books(c, start, y, min(start + 27, width - 5), 8, row * 4 + start)
            if start + 30 < width - 8:
                c.fill(start + 28, y - 10, start + 28, y, "dark_wood", 1)
        c.fill(2, y + 1, width - 3, y + 1, "wood", 0.6)


def _armchair(c: Canvas) -> None:
    c.shadow(3, 21, 30, 31)
    c.box(4, 2, 27, 29, c.cloth, 9, 5)
    c.box(5, 2, 26, 13, c.cloth, 4, 4)
    c.box(8, 11, 23, 26, c.cloth, 5, 3)
    for x in (2, 23):
        c.box(x, 9, x + 6, 29, c.cloth, 8, 2)
    c.block(11, 8, 20, 15, "paper", 2)


def _easel(c: Canvas) -> None:
    c.line(8, 31, 14, 4, "dark_wood", 1, 2)
    c.line(23, 31, 17, 4, "dark_wood", 1, 2)
    c.block(5, 4, 26, 23, "paper", 1)
    c.fill(8, 14, 23, 21, "grass", 1)
    c.disc(19, 10, 3, "yellow", 0)
    c.line(8, 17, 15, 11, "blue", 1, 2)
    c.disc(16, 50, 7, "wood", 1, outline=True)
    c.disc(16, 49, 4, "wood", 0)


def _telescope(c: Canvas) -> None:
    for x in (8, 16, 24):
        c.line(16, 16, x, 30, "dark_wood", 1, 2)
    c.line(6, 20, 25, 5, "metal", 1, 6)
    c.line(6, 19, 24, 4, "metal", 0, 1)
    c.disc(25, 5, 4, "dark", 1, outline=True)
    c.disc(7, 20, 2, "dark")


def _guitar(c: Canvas) -> None:
    c.line(18, 2, 16, 16, "dark_wood", 2, 3)
    c.disc(14, 17, 5, "wood", 1, outline=True)
    c.disc(13, 24, 6, "wood", 1, outline=True)
    c.disc(14, 18, 3, "wood", 0)
    c.disc(14, 20, 2, "dark", 2)


def _calligraphy(c: Canvas) -> None:
    chair(c, 0, 30, "dark_wood", "up")
    table(c, 2, 4, 61, 30, "dark_wood")
    c.fill(6, 8, 30, 22, "paper", 0)
    for x, y, length in ((10, 10, 7), (10, 14, 9), (22, 10, 8)):
        c.line(x, y, x, y + length, "dark", 2, 2)
        c.line(x - 2, y + 2, x + 4, y + 2, "dark", 2)
    c.block(36, 14, 44, 21, "dark", 2)
    c.line(48, 6, 48, 18, "dark_wood", 2)
    for x in (50, 54, 58):
        c.line(x, 7, x, 17, "wood", 0)
        c.fill(x, 17, x + 1, 20, "dark", 2)


def _tea_table(c: Canvas) -> None:
    for x, facing in ((0, "right"), (64, "left")):
        chair(c, x, 0, "dark_wood", facing)
    table(c, 30, 5, 65, 29, "dark_wood")
    c.oval(42, 6, 54, 16, "red", 2)
    c.line(54, 11, 58, 8, "red", 2, 2)
    cup(c, 34, 12)
    cup(c, 57, 13)


def _birdcage(c: Canvas) -> None:
    c.line(16, 0, 16, 6, "metal", 2)
    c.oval(6, 4, 25, 16, "yellow", 2)
    c.fill(7, 11, 24, 26, "paper", 0)
    c.disc(14, 19, 4, "wood", 2)
    c.disc(17, 16, 3, "wood", 1)
    c.dots([(18, 15), (20, 16), (21, 16)], "dark", 2)
    for x in range(6, 26, 4):
        c.line(x, 9, x, 26, "yellow", 2)
    c.block(5, 26, 26, 30, "dark_wood", 1)


PAINTERS: dict[str, Painter] = {
    "bed": _bed, "wardrobe": _wardrobe, "desk": _desk, "sink": _sink, "shower": _shower, "toilet": _toilet, "stove": _stove, "fridge": _fridge,
    "kitchen_sink": _kitchen_sink, "dining_table": _dining_table, "sofa": _sofa, "bookshelf": _bookshelf, "armchair": _armchair, "easel": _easel,
    "telescope": _telescope, "guitar": _guitar, "calligraphy": _calligraphy, "tea_table": _tea_table, "birdcage": _birdcage,
}  # fmt: skip
