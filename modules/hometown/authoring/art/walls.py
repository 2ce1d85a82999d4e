"""Walls, thin and seen from above: a cap twelve pixels thick, below it twenty pixels of face;
doors, windows, shadows.

Houses are cut open at the height of the cap, so that residents are visible indoors.
"""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from hometown.authoring.art.canvas import Canvas
from hometown.authoring.art.drawings import SIZE, cut_variant, index_combination, load_drawing

THICK = 12
"""Pixels of the cap; the wall stands in the middle of its tile."""
FROM, TO = (SIZE - THICK) // 2, (SIZE + THICK) // 2 - 1


@dataclass(frozen=True)
class Facade:
    """The style of a building: the material of its coping, the drawing of a wall's outer and inner
    face (`data/art/walls`), and the curtains.
    """

    cap: str
    face: str
    curtains: str = "teal"


FACADES = {
    "plaster": Facade("red_tile", "plaster"),
    "timber": Facade("dark_wood", "timber"),
    "clapboard": Facade("slate", "clapboard"),
    "brick": Facade("cap", "brick", "red"),
    "stone": Facade("slate", "stone", "red"),
    "thatch": Facade("straw", "thatch"),
    "fieldstone": Facade("straw", "fieldstone"),
    "sect": Facade("red", "sect"),
    "barn": Facade("cap", "barn"),
}


@dataclass(frozen=True)
class Site:
    """The surroundings of a wall's tile: the directions in which the wall continues, and the ground
    that its face borders.
    """

    left: bool
    right: bool
    down: bool
    filled: tuple[bool, ...]
    """Flags for walls that fill the corner to the lower left, and to the lower right."""
    outside: tuple[bool, ...]
    """Flags for an outdoor left and right half of the face."""
    window: bool
    above: bool


def wall(site: Site, facade: Facade, flowers: bool) -> Image.Image:
    """Return a tile of a wall, transparent elsewhere: its face to the sides on which the wall
    continues, and in the middle unless it continues below; a window with flowers or curtains; its
    cap.
    """
    c = Canvas(SIZE, SIZE)
    spans = (
        [(0, FROM - 1)] * site.left
        + [(FROM, SIZE // 2 - 1), (SIZE // 2, TO)] * (not site.down)
        + [(TO + 1, SIZE - 1)] * site.right
    )
    for x0, x1 in spans:
        face = cut_variant(f"walls/{facade.face}", not site.outside[x0 >= SIZE // 2])
        c.image.paste(face.crop((x0, 0, x1 + 1, SIZE)), (x0, 0))
    if site.window:
        c.image.alpha_composite(cut_variant("walls/window", flowers and all(site.outside)))
        if not any(site.outside):
            c.image.alpha_composite(load_drawing(f"walls/{facade.curtains}_curtains"))
    _draw_cap(c, site, facade.cap)
    return c.image


def _draw_cap(c: Canvas, site: Site, material: str) -> None:
    """Draw the top of the wall, lit along its upper and left edges."""
    x0, x1 = 0 if site.left else FROM, SIZE - 1 if site.right else TO
    c.fill(x0, 0, x1, THICK - 1, material, 1)
    if site.down:
        c.fill(FROM, THICK, TO, SIZE - 1, material, 1)
    for corner, (left, right) in zip(site.filled, ((0, FROM), (TO, SIZE - 1)), strict=True):
        if corner:
            c.fill(left, 0, right, SIZE - 1, material, 1)
    _draw_joints(c, site, x0, x1, material)
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
    _draw_upright_edges(c, site, material)


def _draw_joints(c: Canvas, site: Site, x0: int, x1: int, material: str) -> None:
    """Draw the joints of the coping."""
    for x in range(7, SIZE, 16):
        if x0 < x < x1:
            c.line(x, 2, x, THICK - 3, material, 1.45)
    if site.down:
        for y in (15, 31):
            c.line(FROM + 2, y, TO - 2, y, material, 1.45)


def _draw_upright_edges(c: Canvas, site: Site, material: str) -> None:
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


def lit_window() -> Image.Image:
    """Return the lit part of a window at night."""
    return load_drawing("walls/lit_window")


# doors ------------------------------------------------------------------------------------


def doorway(facade: Facade, outside: bool) -> tuple[Image.Image, Image.Image]:
    """Return a door in a wall that runs across: its threshold, and the lintel, which is drawn over
    residents who pass below it.
    """
    top = Canvas(SIZE, SIZE)
    _draw_cap(
        top, Site(True, True, False, (False, False), (False, False), False, False), facade.cap
    )
    top.image.alpha_composite(load_drawing("walls/lintel"))
    return cut_variant("walls/door", outside), top.image


def threshold() -> Image.Image:
    """Return a door in a wall that runs down the page: a gap with a sill."""
    return load_drawing("walls/threshold")


def shade_below(left: bool, right: bool) -> Image.Image:
    """Return the shadow at the foot of a wall's face; narrow where the wall ends to the `left` or
    to the `right`.
    """
    return cut_variant("walls/shade_below", index_combination(left, right))


def shade_beside() -> Image.Image:
    """Return the shadow to the right of a wall that runs down its tile."""
    return load_drawing("walls/shade_beside")
