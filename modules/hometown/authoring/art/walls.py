"""Walls, thin and seen from above: a cap twelve pixels thick, below it twenty pixels of face;
doors, windows, shadows.

Houses are cut open at the height of the cap, so that residents are visible indoors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from hometown.authoring.art.canvas import NIGHT, Canvas

SIZE = 32
THICK = 12
"""Pixels of the cap; the wall stands in the middle of its tile."""
FROM, TO = (SIZE - THICK) // 2, (SIZE + THICK) // 2 - 1


@dataclass(frozen=True)
class Facade:
    """The style of a building: the coping and outer face of its walls, and the paper and panels of
    its rooms.
    """

    cap: str
    outside: str
    paper: str
    panel: str


FACADES = {
    "plaster": Facade("red_tile", "plaster", "wall", "white"),
    "timber": Facade("dark_wood", "timber", "straw", "dark_wood"),
    "clapboard": Facade("slate", "clapboard", "rose", "white"),
    "brick": Facade("cap", "brick", "teal", "wood"),
    "stone": Facade("slate", "stone", "blue", "dark_wood"),
    "thatch": Facade("straw", "plaster", "wall", "wood"),
    "fieldstone": Facade("straw", "stone", "wall", "dark_wood"),
    "sect": Facade("red", "lacquer", "wall", "dark_wood"),
    "barn": Facade("cap", "boards", "straw", "dark_wood"),
}
PALE = {"rose": -0.35, "teal": -0.5, "blue": -0.55, "straw": -0.3, "wall": 0.35}
"""Wallpapers are light tones of their materials."""


@dataclass(frozen=True)
class Site:
    """The surroundings of a wall's tile: the directions in which the wall continues, and the ground
    that its face borders.
    """

    left: bool
    right: bool
    down: bool
    filled: tuple[bool, bool]
    """Flags for walls that fill the corner to the lower left, and to the lower right."""
    outside: tuple[bool, bool]
    """Flags for an outdoor left and right half of the face."""
    window: bool
    above: bool


def wall(site: Site, facade: Facade, flowers: bool) -> Image.Image:
    """Return a tile of a wall, transparent elsewhere."""
    c = Canvas(SIZE, SIZE, soft=True)
    spans = (
        [(0, FROM - 1)] * site.left
        + [(FROM, SIZE // 2 - 1), (SIZE // 2, TO)] * (not site.down)
        + [(TO + 1, SIZE - 1)] * site.right
    )
    for x0, x1 in spans:
        (OUTSIDE[facade.outside] if site.outside[x0 >= SIZE // 2] else _inside)(c, x0, x1, facade)
    if site.window:
        _window(c, flowers and all(site.outside))
        if not any(site.outside):
            _curtains(c, "red" if facade.paper in ("teal", "blue") else "teal")
    _cap(c, site, facade.cap)
    return c.image


def _cap(c: Canvas, site: Site, material: str) -> None:
    """Draw the top of the wall, lit along its upper and left edges."""
    x0, x1 = 0 if site.left else FROM, SIZE - 1 if site.right else TO
    c.fill(x0, 0, x1, THICK - 1, material, 1)
    if site.down:
        c.fill(FROM, THICK, TO, SIZE - 1, material, 1)
    for corner, (left, right) in zip(site.filled, ((0, FROM), (TO, SIZE - 1)), strict=True):
        if corner:
            c.fill(left, 0, right, SIZE - 1, material, 1)
    _courses(c, site, x0, x1, material)
    if not (site.above and not site.left and not site.right):
        for start, end in ((x0, FROM - 1), (FROM, TO), (TO + 1, x1)):
            if start <= end and not (site.above and start == FROM):
                c.line(start, 0, end, 0, material, 3)
                c.line(start, 1, end, 1, material, -0.2)
    for start, end, filled in (
        (x0, FROM, site.filled[0]),
        (FROM, TO, site.down),
        (TO, x1, site.filled[1]),
    ):
        if not filled and start < end:
            c.line(start, THICK - 1, end, THICK - 1, material, 3)
            c.line(start, THICK - 2, end, THICK - 2, material, 1.8)
    _upright(c, site, material)


def _courses(c: Canvas, site: Site, x0: int, x1: int, material: str) -> None:
    """Draw the joints of the coping."""
    for x in range(7, SIZE, 16):
        if x0 < x < x1:
            c.line(x, 2, x, THICK - 3, material, 1.45)
    if site.down:
        for y in (15, 31):
            c.line(FROM + 2, y, TO - 2, y, material, 1.45)


def _upright(c: Canvas, site: Site, material: str) -> None:
    """Draw the edges of the cap where it runs down the page."""
    bottom = SIZE - 1 if site.down else THICK - 1
    for goes_on, filled, x, light in (
        (site.left, site.filled[0], FROM, True),
        (site.right, site.filled[1], TO, False),
    ):
        top = THICK - 1 if goes_on else 0
        if filled or top >= bottom:
            continue
        inner = x + 1 if light else x - 1
        c.line(inner, top, inner, bottom, material, -0.1 if light else 1.8)
        c.line(x, top, x, bottom, material, 3)


def _inside(c: Canvas, x0: int, x1: int, facade: Facade) -> None:
    """Draw wallpaper over panels and a skirting board, in the shade of the cap."""
    pale = PALE[facade.paper]
    c.fill(x0, THICK, x1, SIZE - 1, facade.paper, pale)
    for x in range(x0 + (3 - x0) % 8, x1 + 1, 8):
        c.line(x, THICK, x, 23, facade.paper, pale + 0.28)
    c.fill(x0, THICK, x1, THICK + 1, facade.paper, pale + 1.1)
    c.line(x0, THICK + 2, x1, THICK + 2, facade.paper, pale + 0.5)
    c.fill(x0, 24, x1, SIZE - 1, facade.panel, 0.9)
    c.line(x0, 23, x1, 23, facade.panel, 2.2)
    c.line(x0, 24, x1, 24, facade.panel, 0)
    for x in range(x0 + (7 - x0) % 8, x1 + 1, 8):
        c.line(x, 25, x, 29, facade.panel, 1.7)
    c.fill(x0, 30, x1, 31, facade.panel, 2.4)


def _plaster(c: Canvas, x0: int, x1: int, _: Facade) -> None:
    c.fill(x0, THICK, x1, SIZE - 1, "wall", 0.5)
    for x, y in ((4, 18), (20, 24), (27, 16)):
        if x0 <= x <= x1 - 4:
            c.line(x, y, x + 4, y, "wall", 1.2)
    _base(c, x0, x1, "brick", 27)


def _timber(c: Canvas, x0: int, x1: int, _: Facade) -> None:
    c.fill(x0, THICK, x1, SIZE - 1, "paper", 0.7)
    for x in range(x0 + -x0 % 16, x1 + 1, 16):
        c.fill(x, THICK, min(x + 2, x1), 28, "dark_wood", 1.6)
    c.fill(x0, 20, x1, 21, "dark_wood", 1.5)
    _base(c, x0, x1, "stone", 28)


def _clapboard(c: Canvas, x0: int, x1: int, _: Facade) -> None:
    for y in range(THICK, SIZE, 4):
        c.fill(x0, y, x1, y + 3, "teal", 0.25)
        c.line(x0, y + 3, x1, y + 3, "teal", 1.3)
        c.line(x0, y, x1, y, "teal", -0.4)
    _base(c, x0, x1, "stone", 28)


def _boards(c: Canvas, x0: int, x1: int, _: Facade) -> None:
    """Draw upright boards, painted red."""
    c.fill(x0, THICK, x1, SIZE - 1, "red", 1.3)
    for x in range(x0 + -x0 % 6, x1 + 1, 6):
        c.line(x, THICK, x, 28, "red", 2.2)
        if x < x1:
            c.line(x + 1, THICK, x + 1, 28, "red", 0.9)
    c.fill(x0, 19, x1, 20, "paper", 0.8)
    _base(c, x0, x1, "stone", 28)


def _lacquer(c: Canvas, x0: int, x1: int, _: Facade) -> None:
    """Draw white plaster between red posts."""
    c.fill(x0, THICK, x1, SIZE - 1, "white", 0.5)
    for x in range(x0 + -x0 % 16, x1 + 1, 16):
        c.fill(x, THICK, min(x + 4, x1), SIZE - 1, "red", 1.6)
    c.fill(x0, THICK + 3, x1, THICK + 5, "red", 1.8)
    _base(c, x0, x1, "slate", 28)


def _brick(c: Canvas, x0: int, x1: int, _: Facade) -> None:
    c.fill(x0, THICK, x1, SIZE - 1, "brick", 1.5)
    for n, y in enumerate(range(THICK, 28, 4)):
        for x in range(-8 + n % 2 * 4, SIZE, 8):
            left, right = max(x, x0), min(x + 6, x1)
            if left <= right:
                c.fill(left, y, right, y + 2, "brick", 0.75 if (x * 3 + y) % 5 else 0.5)
                c.line(left, y, right, y, "brick", 0.35)
    _base(c, x0, x1, "stone", 28)


def _stonework(c: Canvas, x0: int, x1: int, _: Facade) -> None:
    c.fill(x0, THICK, x1, SIZE - 1, "stone", 1.9)
    for n, y in enumerate(range(THICK, SIZE - 4, 6)):
        for x in range(-12 + n % 2 * 6, SIZE, 12):
            left, right = max(x, x0), min(x + 10, x1)
            if left <= right:
                c.fill(left, y, right, y + 4, "stone", 0.8 + (x * 7 + y) % 3 * 0.15)
                c.line(left, y, right, y, "stone", 0.2)
    _base(c, x0, x1, "slate", 29)


OUTSIDE: dict[str, Callable[[Canvas, int, int, Facade], None]] = {
    "plaster": _plaster, "timber": _timber, "clapboard": _clapboard, "brick": _brick, "stone": _stonework, "boards": _boards, "lacquer": _lacquer,
}  # fmt: skip


def _base(c: Canvas, x0: int, x1: int, material: str, top: int) -> None:
    """Draw the plinth of an outer wall, and the shade below the cap."""
    c.fill(x0, top, x1, SIZE - 1, material, 1.4)
    c.line(x0, top, x1, top, material, 0.5)
    c.image.alpha_composite(Image.new("RGBA", (x1 - x0 + 1, 3), (*NIGHT[:3], 70)), (x0, THICK))


def _window(c: Canvas, flowers: bool) -> None:
    """Draw panes in a white frame with a sill, and outdoors sometimes a flower box."""
    c.block(5, 13, 26, 27, "white", 1)
    c.fill(7, 15, 24, 25, "blue", 0.6)
    c.pen.polygon([(7, 15), (16, 15), (7, 23)], fill=(*(215, 240, 240), 255))
    c.line(19, 25, 24, 19, "blue", -0.3)
    c.fill(15, 15, 16, 25, "white", 0.6)
    c.line(7, 20, 24, 20, "white", 1)
    c.fill(4, 26, 27, 27, "white", 0.2)
    c.line(4, 28, 27, 28, "white", 2.6)
    if flowers:
        c.fill(4, 27, 27, 30, "dark_wood", 1.2)
        c.line(4, 25, 27, 25, "leaf", 1.2, 3)
        for n, x in enumerate(range(6, 28, 4)):
            c.disc(x, 24 + n % 2, 1, ("red", "yellow", "rose")[n % 3], 0.5)


def _curtains(c: Canvas, material: str) -> None:
    """Draw open curtains on a rail: windows seen from indoors."""
    for x0, x1 in ((3, 8), (23, 28)):
        c.fill(x0, 13, x1, 28, material, 0.9)
        for x in (x0 + 1, x0 + 4):
            c.line(x, 14, x, 27, material, 0.1)
        c.line(x0, 28, x1, 28, material, 2.2)
        c.line(x1, 13, x1, 28, material, 1.9)
    c.line(2, 12, 29, 12, "dark_wood", 1.6)


def lit_window() -> Image.Image:
    """Return the lit part of a window at night."""
    c = Canvas(SIZE, SIZE)
    for x0, x1 in ((7, 14), (17, 24)):
        for y0, y1 in ((15, 19), (21, 25)):
            c.pen.rectangle((x0, y0, x1, y1), (255, 205, 110, 255))
            c.pen.line((x0, y0, x1, y0), (255, 236, 170, 255))
    return c.image


# doors ------------------------------------------------------------------------------------


def doorway(facade: Facade, outside: bool) -> tuple[Image.Image, Image.Image]:
    """Return a door in a wall that runs across: its threshold, and the lintel, which is drawn over
    residents who pass below it.
    """
    c = Canvas(SIZE, SIZE, soft=True)
    if outside:
        c.block(6, 22, 25, 30, "red", 1)
        c.line(8, 24, 23, 24, "yellow", 0.6)
        c.line(8, 28, 23, 28, "yellow", 0.6)
    c.shade(0, THICK, 31, THICK + 6, 60)
    for x in (0, 28):
        c.fill(x, THICK, x + 3, SIZE - 1, "dark_wood", 1)
        c.line(x, THICK, x, SIZE - 1, "dark_wood", 3 if x == 0 else 0.4)
        c.line(x + 3, THICK, x + 3, SIZE - 1, "dark_wood", 2 if x == 0 else 3)
    top = Canvas(SIZE, SIZE, soft=True)
    _cap(top, Site(True, True, False, (False, False), (False, False), False, False), facade.cap)
    top.fill(0, THICK, 31, THICK + 3, "dark_wood", 1)
    top.line(0, THICK, 31, THICK, "dark_wood", 0)
    top.line(0, THICK + 3, 31, THICK + 3, "dark_wood", 3)
    return c.image, top.image


def threshold() -> Image.Image:
    """Return a door in a wall that runs down the page: a gap with a sill."""
    c = Canvas(SIZE, SIZE, soft=True)
    c.fill(FROM, 0, TO, SIZE - 1, "dark_wood", 1)
    c.fill(FROM + 4, 0, FROM + 5, SIZE - 1, "dark_wood", 1.5)
    c.line(FROM, 0, FROM, SIZE - 1, "dark_wood", 2.5)
    c.line(TO, 0, TO, SIZE - 1, "dark_wood", 2.5)
    c.line(FROM + 1, 0, FROM + 1, SIZE - 1, "dark_wood", 0.2)
    c.shade(FROM, 0, TO, 4, 80)
    return c.image


def shade_below(left: bool, right: bool) -> Image.Image:
    """Return the shadow at the foot of a wall's face; narrow where the wall ends to the `left` or
    to the `right`.
    """
    c = Canvas(SIZE, SIZE)
    for y in range(7):
        c.pen.line(
            (FROM if left else 0, y, TO + 3 if right else SIZE - 1, y), (*NIGHT[:3], 78 - y * 11)
        )
    return c.image


def shade_beside() -> Image.Image:
    """Return the shadow to the right of a wall that runs down its tile."""
    c = Canvas(SIZE, SIZE)
    for x in range(TO + 1, SIZE):
        c.pen.line((x, 0, x, SIZE - 1), (*NIGHT[:3], max(0, 74 - (x - TO) * 7)))
    return c.image
