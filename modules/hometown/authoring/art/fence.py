"""A white picket fence."""

from __future__ import annotations

from PIL import Image

from hometown.authoring.art.canvas import Canvas

SIZE = 32


def draw_fence(left: bool, right: bool, up: bool, down: bool) -> Image.Image:
    """Return a tile of fence, connected on the given sides."""
    c = Canvas(SIZE, SIZE, soft=True)
    c.shadow(8 if left else 10, 24, 31 if right else 26, 31)
    if up or down:
        _upright(c, 0 if up else 6, SIZE - 1 if down else 26)
    for y in (12, 20) if left or right else ():
        x0, x1 = 0 if left else 13, SIZE - 1 if right else 18
        c.fill(x0, y, x1, y + 2, "white", 0.6)
        c.line(x0, y + 3, x1, y + 3, "white", 2.6)
    for x in (2, 13, 24) if left or right else (13,):
        if (x < 10 and not left) or (x > 20 and not right):
            continue
        _picket(c, x)
    if left + right + up + down < 2:
        _post(c)
    return c.image


def _post(c: Canvas) -> None:
    """Draw the thick, capped post at the end of a fence."""
    c.box(11, 4, 20, 30, "white", 23, 1)
    c.block(10, 3, 21, 8, "white", 2)
    c.disc(16, 2, 2, "white", 0.4, outline=True)


def _picket(c: Canvas, x: int) -> None:
    c.block(x, 7, x + 5, 28, "white", 1)
    c.dots([(x, 7), (x + 5, 7)], "white", 2)
    c.line(x + 2, 5, x + 3, 5, "white", 2.6)
    c.line(x + 2, 6, x + 3, 6, "white", 0)


def _upright(c: Canvas, top: int, bottom: int) -> None:
    """Draw a fence seen end-on: a rail with the tops of its pickets."""
    c.fill(14, top, 17, bottom, "white", 1)
    c.line(13, top, 13, bottom, "white", 2.6)
    c.line(18, top, 18, bottom, "white", 2.6)
    for y in range(2, SIZE, 10):
        if top <= y <= bottom - 4:
            c.fill(13, y, 18, y + 3, "white", 0)
            c.line(13, y + 4, 18, y + 4, "white", 2.4)
