"""Outdoor ground: grass, paths, roads, paving, gardens, fields, water, and the borders between
them.
"""

from __future__ import annotations

from functools import cache

from PIL import Image

from hometown.authoring.art.canvas import tone
from hometown.authoring.art.texture import (
    MARGIN,
    PERIOD,
    Field,
    Pixels,
    border,
    darken,
    fill_mask,
    load_surface,
    outline,
    shift_tile,
    window,
)

LAID = "gmy:rsz~"
"""Plan characters that are laid on the grass, from the lowest to the uppermost."""
JOINS = {":": ":srd=+", "r": "rs+", "s": "s+d", "~": "~=", "g": "g", "m": "m", "y": "y", "z": "zs:"}
"""Kinds of ground that each kind adjoins without a border."""
SOFTNESS = {
    "s": (0.1, 3),
    "r": (0.14, 4),
    "g": (0.35, 5),
    "m": (0.35, 5),
    "y": (0.3, 5),
    "z": (0.02, 1),
    "~": (0.26, 13),
    ":": (0.3, 12),
}
"""Raggedness of the border and roundness of its corners, by kind of ground."""


def draw_ground(column: int, row: int, around: tuple[str, ...]) -> Image.Image:
    """Return a tile of the ground; `around` has the 18 half tiles about it (see `texture.border`),
    one plan character each.
    """
    return _draw_place(column % PERIOD, row % PERIOD, around)


@cache
def _draw_place(column: int, row: int, around: tuple[str, ...]) -> Image.Image:
    """Return the tile with all kinds of ground laid over the grass that occur about it, drawn once
    for each combination within a period.
    """
    pixels: Pixels = window(surface("."), column, row)
    for kind in LAID:
        here = tuple(mark in JOINS[kind] for mark in around)
        if any(mark == kind for mark in around):
            ragged, soft = SOFTNESS[kind]
            pixels = _lay(pixels, kind, border(here, column, row, ragged, 0.5, soft), column, row)
    return Image.fromarray(pixels).convert("RGBA")


def _lay(pixels: Pixels, kind: str, depth: Field, column: int, row: int) -> Pixels:
    """Return the pixels of a tile with a surface laid over them; a rim, lit from the upper left,
    shows the difference in height.
    """
    if kind == "~":
        return _lay_water(pixels, depth, column, row)
    inside = depth > 0
    texture = window(surface(kind), column, row)
    laid = fill_mask(pixels, inside, texture)
    rim = inside & ~(
        shift_tile(inside, -1, -1) & shift_tile(inside, 0, -2) & shift_tile(inside, -2, 0)
    )
    lip = ~inside & (shift_tile(inside, 0, -1) | shift_tile(inside, -1, 0))
    if kind in "sr":
        laid = fill_mask(laid, outline(inside), tone("stone", 2.1))
        return darken(
            laid, ~inside & (shift_tile(inside, -1, -1) | shift_tile(inside, 0, -2)), 0.22
        )
    return fill_mask(darken(laid, rim, 0.17), lip, tone("grass", -0.3))


def _lay_water(pixels: Pixels, depth: Field, column: int, row: int) -> Pixels:
    """Return the pixels of a tile with water laid over them: a bank, a line of foam, a shallow and
    a deep part.
    """
    bank, wet = depth > -0.1, depth > 0
    laid = fill_mask(pixels, bank, tone("path", 1.5))
    laid = darken(laid, bank & ~shift_tile(bank, 0, 2), 0.3)
    laid = fill_mask(laid, wet, window(surface("~"), column, row))
    laid = darken(laid, wet & (depth > 0.43), 0.07)
    shallow, foam = wet & (depth < 0.24), wet & (depth < 0.055)
    shaded = wet & ~(shift_tile(wet, 0, -3) & shift_tile(wet, -1, -2))
    for mask, shade in ((shallow, 0.45), (foam, -0.5), (shaded, 1.9)):
        laid = fill_mask(laid, mask, tone("water", shade))
    return laid


def surface(kind: str) -> Pixels:
    """Return the surface of a plan character, uint8[128, 128, 3]."""
    return load_surface(SURFACES[kind])


SURFACES = {
    ".": "grass",
    ":": "path",
    "s": "paving",
    "r": "cobbles",
    "~": "water",
    "g": "garden",
    "m": "field",
    "y": "wheat",
    "z": "steps",
}
"""Surface by plan character."""

assert MARGIN >= 3  # as far as the rims look
