"""Hedges, trees, flowers, and patches that vary the green of a lawn."""

from __future__ import annotations

from functools import cache

import numpy as np
from PIL import Image

from hometown.authoring.art.canvas import tone
from hometown.authoring.art.drawings import SIZE, cut_variant
from hometown.authoring.art.texture import (
    MARGIN,
    PERIOD,
    border,
    cut_out,
    fill_mask,
    lit_edge,
    load_surface,
    noise,
    outline,
    shift_tile,
    window,
)

SPECIES = ("oak", "green_oak", "pine", "birch", "oak", "cherry", "pine", "green_oak")
"""Trees of a wood, in the order in which they alternate."""
PLANTED = {"a": "apple", "i": "ink_pine", "h": "plum", "j": "bamboo"}
"""Trees of a given kind by plan character."""
TREE_COLUMNS = 3
"""Tiles of a tree in width, and in height."""

FLOWER_VARIANTS = 3
"""Drawings of flowers of each colour."""


@cache
def hedge(column: int, row: int, around: tuple[bool, ...]) -> Image.Image:
    """Return a clipped hedge: leaves on top, a shaded front, and its shadow on the ground."""
    depth = border(around, column, row, 0.45, 0.42, 6)
    inside = depth > 0
    leaves = window(load_surface("hedge"), column % PERIOD, row % PERIOD)
    front = inside & ~(
        shift_tile(inside, 0, 4) & shift_tile(inside, -1, 3) & shift_tile(inside, 1, 3)
    )
    for mask, shade in ((front, 2.1), (lit_edge(inside), 0.1), (outline(inside), 2.8)):
        leaves = fill_mask(leaves, mask, tone("pine", shade))
    return cut_out(leaves, inside, 80)


def tree(place: int, big: bool) -> Image.Image:
    """Return a tree three tiles wide and three high, its trunk in the middle of the lowest row, of
    the species and variant for a place; a small one fills less of that area.
    """
    species = SPECIES[place % len(SPECIES)]
    return cut_variant(f"plants/{species if big else f'small_{species}'}", place, TREE_COLUMNS)


def draw_planted_tree(mark: str, place: int) -> Image.Image:
    """Return a tree of the kind of a mark in the plan, as large as `tree`, in the variant for a
    place.
    """
    return cut_variant(f"plants/{PLANTED[mark]}", place, TREE_COLUMNS)


def flowers(colour: int, variant: int) -> Image.Image:
    """Return a patch of flowers of one of six colours, in a variant."""
    return cut_variant("plants/flowers", colour * FLOWER_VARIANTS + variant)


def draw_lawn_details(variant: int) -> Image.Image:
    """Return scattered details of a lawn: tufts, daisies, a stone, leaves."""
    return cut_variant("plants/lawn", variant)


TINTS = {
    (True, False): (226, 222, 120, 46),
    (False, False): (40, 92, 92, 40),
    (True, True): (255, 240, 206, 44),
    (False, True): (70, 60, 104, 20),
}
"""Colour that tints a patch, by (is_sunny, is_paved)."""


@cache
def patch(
    corners: tuple[bool, ...], column: int, row: int, sunny: bool, paved: bool = False
) -> Image.Image:
    """Return part of a large patch where the grass or the paving is lighter or darker; `corners` of
    the tile: upper left and right, lower left and right.
    """
    place = (np.arange(SIZE) + 0.5) / SIZE
    upper, lower = (corners[n] * (1 - place) + corners[n + 1] * place for n in (0, 2))
    depth = upper * (1 - place)[:, None] + lower * place[:, None]
    waver = (
        window(noise("patch", 16), column % PERIOD, row % PERIOD) * 0.5
        + window(noise("patch2", 4), column % PERIOD, row % PERIOD) * 0.3
    )
    pixels = np.zeros((SIZE, SIZE, 4), np.uint8)
    pixels[depth + waver - 0.4 > 0.5] = TINTS[sunny, paved]
    return Image.fromarray(pixels)


assert MARGIN >= 4  # as far as the shadow of a hedge falls
