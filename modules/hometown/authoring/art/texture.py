"""Surfaces that repeat seamlessly every four tiles, and the irregular borders between them. Colours
are uint8[y, x, 3].
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from PIL import Image

from hometown.authoring.art.canvas import NIGHT, Colour
from hometown.authoring.art.drawings import SIZE, load_drawing

PERIOD = 4
"""Tiles after which every texture repeats."""
SPAN = SIZE * PERIOD

Value = TypeVar("Value", bound=np.generic)
Field = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Pixels = npt.NDArray[np.uint8]


@cache
def noise(seed: str, cell: int) -> Field:
    """Return smooth values from 0 to 1, float[128, 128], with hills about `cell` pixels wide; they
    wrap around.
    """
    stream, count = Random(seed), SPAN // cell
    lattice = np.array([[stream.random() for _ in range(count)] for _ in range(count)])
    place = np.arange(SPAN) / cell
    low = place.astype(int)
    share = place - low
    share = share * share * (3 - 2 * share)
    rows = lattice[low % count] * (1 - share)[:, None] + lattice[(low + 1) % count] * share[:, None]
    whole: Field = rows[:, low % count] * (1 - share) + rows[:, (low + 1) % count] * share
    return whole


@cache
def load_surface(name: str) -> Pixels:
    """Return a surface of `data/art/ground`, uint8[128, 128, 3]; do not change it."""
    return np.asarray(load_drawing(f"ground/{name}").convert("RGB"))


def window(
    texture: npt.NDArray[Value], column: int, row: int, margin: int = 0
) -> npt.NDArray[Value]:
    """Return a tile's part of a texture, with a margin of `margin` pixels on each side."""
    across = np.arange(column * SIZE - margin, (column + 1) * SIZE + margin) % SPAN
    down = np.arange(row * SIZE - margin, (row + 1) * SIZE + margin) % SPAN
    return texture[down[:, None], across]


MARGIN = 4


def border(
    around: tuple[bool, ...],
    column: int,
    row: int,
    ragged: float,
    threshold: float = 0.5,
    soft: int = 7,
) -> Field:
    """Return the depth of each pixel within a shape, above 0 inside: float[40, 40], a tile and a
    margin of 4. It is the share of the shape about the pixel, over `soft` pixels each way, less
    `threshold`.

    `around` has 18 half tiles: three rows of six, with the tile's own two in the middle. Outer and
    inner corners are rounded, and the border varies by `ragged`.
    """
    cells = np.array(around, float).reshape(3, 6)
    field = np.repeat(np.repeat(cells, SIZE, axis=0), SIZE // 2, axis=1)
    for axis in (0, 1, 0, 1):
        field = _blur(field, soft, axis)
    near = slice(SIZE - MARGIN, 2 * SIZE + MARGIN)
    waver = window(noise("border", 8), column % PERIOD, row % PERIOD, MARGIN) - 0.5
    depth: Field = field[near, near] - threshold + waver * ragged
    return depth


def _blur(field: Field, reach: int, axis: int) -> Field:
    """Return each value the mean of those up to `reach` away along an axis; edge values go on."""
    wide = np.pad(
        field,
        [(reach + 1, reach) if dimension == axis else (0, 0) for dimension in (0, 1)],
        mode="edge",
    )
    total = np.cumsum(wide, axis=axis)
    length = field.shape[axis]
    upper, lower = (
        total[start : start + length] if axis == 0 else total[:, start : start + length]
        for start in (2 * reach + 1, 0)
    )
    mean: Field = (upper - lower) / (2 * reach + 1)
    return mean


def without_margin(padded: npt.NDArray[Value]) -> npt.NDArray[Value]:
    """Return a tile without its margin of `MARGIN` pixels on each side."""
    return padded[MARGIN:-MARGIN, MARGIN:-MARGIN]


def shift_tile(mask: Mask, right: int, down: int) -> Mask:
    """Return a tile with a margin, shifted so that each pixel holds the value `right` and `down` of
    it; shift by at most the margin.
    """
    return np.roll(mask, (-down, -right), axis=(0, 1))


def outline(inside: Mask) -> Mask:
    """Return the outermost pixels of a shape."""
    beside = [shift_tile(inside, *step) for step in ((0, 1), (1, 0), (-1, 0), (0, -1))]
    inner: Mask = np.logical_and.reduce(beside)
    return inside & ~inner


def lit_edge(inside: Mask) -> Mask:
    """Return the pixels along the upper left of a shape, two pixels wide."""
    return inside & ~(shift_tile(inside, 0, -2) & shift_tile(inside, -2, 0))


def fill_mask(pixels: Pixels, mask: Mask, paint: Colour | npt.NDArray[Value]) -> Pixels:
    """Return a tile with the pixels of a mask, which has a margin, in a colour or as in another
    tile.
    """
    return np.where(without_margin(mask)[..., None], paint, pixels).astype(np.uint8)


def darken(pixels: Pixels, mask: Mask, share: float) -> Pixels:
    """Return a tile with the pixels of a mask, which has a margin, nearer to the colour of shadows
    by a share of the distance, 0 to 1.
    """
    shaded = pixels.astype(float) * (1 - share) + np.array(NIGHT, float) * share
    return fill_mask(pixels, mask, np.rint(shaded))


def cut_out(pixels: Pixels, inside: Mask, shadow: int) -> Image.Image:
    """Return a shape filled with the pixels of a tile, and its shadow (0 to 255) on the ground."""
    cast = ~inside & (shift_tile(inside, -2, -3) | shift_tile(inside, 0, -4))
    whole = np.zeros((SIZE, SIZE, 4), np.uint8)
    whole[without_margin(cast)] = (44, 36, 80, shadow)
    kept = without_margin(inside)
    whole[kept, :3], whole[kept, 3] = pixels[kept], 255
    return Image.fromarray(whole)
