"""Painters of what stands in homes. Each draws on a canvas of its kind's size, 32 pixels a tile."""

from __future__ import annotations

from collections.abc import Callable

from modules.art.canvas import Canvas

Painter = Callable[[Canvas], None]


def chair(c: Canvas, x: int, y: int, material: str = "wood", facing: str = "down") -> None:
    """A chair on the tile whose upper left pixel is (x, y); its back is opposite to where it faces."""
    c.shadow(x + 6, y + 22, x + 25, y + 30)
    c.block(x + 8, y + 12, x + 23, y + 27, material, 3)
    back = {"down": (8, 6, 23, 12), "up": (8, 22, 23, 28), "right": (5, 9, 10, 27), "left": (21, 9, 26, 27)}[facing]
    c.block(x + back[0], y + back[1], x + back[2], y + back[3], "dark_wood", 2)


def table(c: Canvas, x0: int, y0: int, x1: int, y1: int, material: str = "wood") -> None:
    """A table with a front edge and two legs to be seen."""
    c.shadow(x0 - 1, y1 - 6, x1 + 1, y1 + 2)
    for x in (x0 + 2, x1 - 4):
        c.fill(x, y1 - 4, x + 2, y1 + 1, "dark_wood", 2)
    c.block(x0, y0, x1, y1 - 4, material, 3)
    c.fill(x0 + 1, y1 - 7, x1 - 1, y1 - 5, material, 2)


def books(c: Canvas, x0: int, y: int, x1: int, height: int = 8, start: int = 0) -> None:
    """A row of book spines standing on the line y."""
    colours = ("red", "blue", "yellow", "green", "purple", "paper", "teal", "rose")
    x, n = x0, start
    while x + 3 <= x1:
        tall = height - (n * 5) % 3
        c.fill(x, y - tall, x + 2, y, colours[(n * 3) % 8], n % 3)
        x, n = x + 3 + (n % 4 == 3), n + 1


def screen(c: Canvas, x: int, y: int) -> None:
    c.block(x, y, x + 17, y + 11, "dark", 1)
    c.fill(x + 2, y + 2, x + 15, y + 9, "blue", 0)
    for row, length in enumerate((8, 5, 10)):
        c.line(x + 4, y + 3 + row * 2, x + 4 + length, y + 3 + row * 2, "white", 0)
    c.fill(x + 7, y + 12, x + 10, y + 14, "metal", 2)


def cup(c: Canvas, x: int, y: int, material: str = "white") -> None:
    c.oval(x, y, x + 6, y + 5, material, 0)
    c.oval(x + 2, y + 1, x + 4, y + 3, "dark_wood", 2, outline=False)


def _bed(c: Canvas) -> None:
    c.shadow(1, 52, 30, 63)
    c.block(2, 2, 29, 61, "dark_wood", 4)
    c.block(4, 6, 27, 58, "white", 3, outline=False)
    c.block(7, 8, 24, 20, "paper", 4)
    c.block(4, 26, 27, 58, "teal", 3)
    c.fill(5, 26, 26, 30, "white", 0)
    for y in range(35, 56, 7):
        c.line(6, y, 25, y, "teal", 0)


def _wardrobe(c: Canvas) -> None:
    c.block(2, 0, 29, 30, "dark_wood", 2)
    for x in (4, 17):
        c.block(x, 3, x + 10, 25, "wood", 1)
        c.line(x + 3, 7, x + 7, 7, "wood", 0)
    c.dots([(13, 15), (18, 15), (13, 16), (18, 16)], "yellow", 0)


def _desk(c: Canvas) -> None:
    chair(c, 0, 30, "blue", "up")
    table(c, 2, 4, 61, 30)
    screen(c, 8, 3)
    c.fill(9, 20, 24, 24, "metal", 0)
    books(c, 42, 19, 56)
    c.block(32, 12, 38, 20, "paper", 1)


def _sink(c: Canvas) -> None:
    c.block(3, 4, 28, 28, "wood", 2)
    c.block(4, 5, 27, 20, "white", 3)
    c.oval(9, 9, 22, 18, "water", 0)
    c.fill(15, 4, 16, 9, "metal", 2)


def _shower(c: Canvas) -> None:
    c.block(1, 1, 30, 30, "white", 3)
    c.fill(4, 4, 27, 27, "water", 0)
    for x in range(6, 27, 5):
        for y in range(6, 27, 5):
            c.dots([(x, y)], "water", 2)
    c.disc(15, 15, 3, "metal", 2, outline=True)


def _toilet(c: Canvas) -> None:
    c.block(8, 2, 23, 11, "white", 2)
    c.oval(7, 9, 24, 28, "white", 0)
    c.oval(10, 13, 21, 25, "water", 0)


def _stove(c: Canvas) -> None:
    c.block(1, 3, 30, 30, "metal", 2)
    c.fill(2, 19, 29, 29, "metal", 2)
    for x in (9, 22):
        c.disc(x, 10, 5, "dark", 1, outline=True)
        c.disc(x, 10, 2, "red", 1)
    c.block(7, 21, 24, 28, "dark", 1)
    c.dots([(5, 20), (26, 20)], "red", 0)


def _fridge(c: Canvas) -> None:
    c.block(3, 0, 28, 30, "white", 3)
    c.line(4, 12, 27, 12, "white", 2)
    for y in (4, 15):
        c.fill(23, y, 24, y + 5, "metal", 2)
    c.fill(7, 16, 12, 20, "yellow", 0)
    c.fill(14, 20, 18, 24, "rose", 0)


def _kitchen_sink(c: Canvas) -> None:
    c.block(0, 3, 31, 30, "wood", 1)
    c.fill(1, 4, 30, 18, "stone", 0)
    c.block(6, 7, 25, 17, "metal", 2)
    c.fill(8, 9, 23, 15, "water", 0)
    c.fill(15, 3, 17, 9, "metal", 2)
    for x in (5, 18):
        c.block(x, 21, x + 8, 28, "wood", 1)


def _dining_table(c: Canvas) -> None:
    chair(c, 0, 0, "wood", "right")
    chair(c, 64, 0, "wood", "left")
    table(c, 30, 3, 65, 31)
    c.oval(35, 9, 44, 16, "white", 0)
    c.oval(51, 9, 60, 16, "white", 0)
    c.disc(47, 9, 3, "green")
    c.disc(47, 7, 2, "rose", 0)


def _sofa(c: Canvas) -> None:
    c.shadow(2, 22, 61, 31)
    c.block(2, 3, 61, 28, "red", 5)
    c.block(7, 12, 31, 26, "rose", 3)
    c.block(32, 12, 56, 26, "rose", 3)
    for x in (2, 55):
        c.block(x, 9, x + 6, 28, "red", 3)
    c.block(10, 10, 18, 18, "yellow", 3)


def _bookshelf(c: Canvas) -> None:
    shelf(c, 64)


def shelf(c: Canvas, width: int) -> None:
    """A bookcase against a wall, two rows of books high."""
    c.block(1, 0, width - 2, 31, "dark_wood", 2)
    for row, y in enumerate((13, 27)):
        c.fill(4, y - 10, width - 5, y, "dark", 2)
        books(c, 5, y, width - 6, 9, row * 4)
        c.fill(3, y + 1, width - 4, y + 2, "wood", 0)


def _armchair(c: Canvas) -> None:
    c.shadow(3, 22, 28, 31)
    c.block(4, 3, 27, 28, "green", 5)
    c.block(8, 12, 23, 26, "leaf", 3)
    for x in (3, 24):
        c.block(x, 10, x + 4, 28, "green", 2)


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


def _plant(c: Canvas) -> None:
    c.shadow(6, 23, 25, 31)
    for x, y, lean in ((9, 6, -2), (16, 2, 0), (22, 7, 3), (12, 10, -1), (20, 11, 1)):
        c.line(16, 22, x, y + 4, "leaf", 2, 2)
        c.oval(x - 4 + lean, y, x + 4 + lean, y + 9, "leaf", 1)
        c.oval(x - 2 + lean, y + 1, x + 1 + lean, y + 4, "leaf", 0, outline=False)
    c.block(9, 19, 22, 30, "red", 3)
    c.fill(9, 19, 22, 21, "red", 0)


def _rug(c: Canvas) -> None:
    c.block(2, 3, 93, 60, "rose", 8)
    c.block(8, 9, 87, 54, "paper", 6, outline=False)
    c.block(13, 14, 82, 49, "rose", 5, outline=False)
    for x in range(24, 80, 16):
        c.disc(x, 31, 5, "yellow", 0)
        c.disc(x, 31, 2, "red", 0)


PAINTERS: dict[str, Painter] = {
    "bed": _bed, "wardrobe": _wardrobe, "desk": _desk, "sink": _sink, "shower": _shower, "toilet": _toilet, "stove": _stove, "fridge": _fridge,
    "kitchen_sink": _kitchen_sink, "dining_table": _dining_table, "sofa": _sofa, "bookshelf": _bookshelf, "armchair": _armchair, "easel": _easel,
    "telescope": _telescope, "guitar": _guitar, "calligraphy": _calligraphy, "tea_table": _tea_table, "birdcage": _birdcage, "plant": _plant, "rug": _rug,
}  # fmt: skip
