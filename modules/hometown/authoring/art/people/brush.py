"""The brush for people: shapes in one dye each, lit from the upper left, and outlined once the
painting is complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from hometown.authoring.art.people.dyes import DYES, TONES

Mask = npt.NDArray[np.bool_]
Points = Sequence[tuple[float, float]]

GLEAM, LIGHT, BASE, SHADE, DEEP, INK = range(TONES)
NAMES: Final = tuple(DYES)
COLOURS: Final = np.array([[[*tone, 255] for tone in DYES[name]] for name in NAMES], np.uint8)


def smooth(points: Points, rounds: int = 2) -> list[tuple[float, float]]:
    """Return a smooth closed curve from a polygon: its corners are cut `rounds` times (Chaikin)."""
    curve = list(points)
    for _ in range(rounds):
        cut = []
        for (x0, y0), (x1, y1) in zip(curve, curve[1:] + curve[:1], strict=True):
            cut += [
                (0.75 * x0 + 0.25 * x1, 0.75 * y0 + 0.25 * y1),
                (0.25 * x0 + 0.75 * x1, 0.25 * y0 + 0.75 * y1),
            ]
        curve = cut
    return curve


def shift_mask(mask: Mask, dx: int, dy: int) -> Mask:
    """Return the mask moved right and down; pixels that come in from beyond the edge are empty."""
    moved = np.zeros(mask.shape, bool)
    (to_row, from_row), (to_column, from_column) = _slices(dy), _slices(dx)
    moved[to_row, to_column] = mask[from_row, from_column]
    return moved


@lru_cache(maxsize=64)
def _slices(shift: int) -> tuple[slice, slice]:
    """Return the part of a row or column that is filled when it is moved on, and the part that fills
    it.
    """
    return slice(max(shift, 0), min(shift, 0) or None), slice(
        max(-shift, 0), min(-shift, 0) or None
    )


@lru_cache(maxsize=1)
def _circle() -> Points:
    """Return 24 points of a circle about the origin, of radius 1."""
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return [(float(np.cos(turn)), float(np.sin(turn))) for turn in turns]


@lru_cache(maxsize=4096)
def _inside(
    points: tuple[tuple[float, float], ...],
    rounds: int,
    origin: tuple[float, float],
    scale: float,
    width: int,
    height: int,
) -> Mask:
    """Return the mask of `Brush.area` before mirroring. The result is cached, since heads and arms
    have the same shapes in most frames, and must not be written to.
    """
    corners = [
        (origin[0] + x * scale, origin[1] + y * scale)
        for x, y in (smooth(points, rounds) if rounds else points)
    ]
    # Only the pixels about the polygon are looked at: most shapes are small.
    left, right = (
        min(max(int(edge), 0), width)
        for edge in (min(x for x, _ in corners), max(x for x, _ in corners) + 1)
    )
    top, bottom = (
        min(max(int(edge), 0), height)
        for edge in (min(y for _, y in corners), max(y for _, y in corners) + 1)
    )
    rows, columns = (
        np.arange(top, bottom)[None, :] + 0.5,
        np.arange(left, right)[None, None, :] + 0.5,
    )
    # A point lies inside if the edges to its right are odd in number: per row, which edges cross
    # it, and where.
    ends = np.array(
        [
            (*start, *end)
            for start, end in zip(corners, [*corners[1:], corners[0]], strict=True)
            if start[1] != end[1]
        ]
    ).reshape(-1, 4)
    x0, y0, x1, y1 = ends.T[:, :, None]
    crosses = np.where((y0 <= rows) != (y1 <= rows), (rows - y0) * (x1 - x0) / (y1 - y0) + x0, -1.0)
    inside = np.zeros((height, width), bool)
    inside[top:bottom, left:right] = np.logical_xor.reduce(columns < crosses[:, :, None], axis=0)
    inside.flags.writeable = False
    return inside


class Brush:
    """A picture being painted; pixels hold a dye and a tone, not yet a colour.

    Points are in units of `scale` pixels from `origin` (a pixel's corner); a `mirrored` picture is
    turned left to right shape by shape, so that the light stays on the left.
    """

    def __init__(self, width: int, height: int, mirrored: bool = False) -> None:
        self.dye = np.full((height, width), -1, np.int16)
        self.tone = np.zeros((height, width), np.int8)
        self.scale = 1.0
        self.mirrored = mirrored
        self.origin = (0.0, 0.0)

    # masks ---------------------------------------------------------------------------------

    def area(self, points: Points, rounds: int = 2) -> Mask:
        """Return the mask of the pixels with their centre inside a polygon, rounded unless `rounds`
        is 0.
        """
        height, width = self.dye.shape
        inside = _inside(tuple(points), rounds, self.origin, self.scale, width, height)
        return inside[:, ::-1] if self.mirrored else inside

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Mask:
        return self.area([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], 0)

    def oval(self, x: float, y: float, rx: float, ry: float) -> Mask:
        """Return the mask of an ellipse about (x, y)."""
        return self.area([(x + rx * right, y + ry * down) for right, down in _circle()], 1)

    def stroke(self, points: Points, width: float) -> Mask:
        """Return the mask of a polyline of some width with round ends."""
        mask = np.zeros(self.dye.shape, bool)
        half = width / 2
        for (x0, y0), (x1, y1) in pairwise(points):
            length = max(float(np.hypot(x1 - x0, y1 - y0)), 1e-6)
            nx, ny = -(y1 - y0) / length * half, (x1 - x0) / length * half
            mask |= self.area(
                [(x0 + nx, y0 + ny), (x1 + nx, y1 + ny), (x1 - nx, y1 - ny), (x0 - nx, y0 - ny)], 0
            )
        for x, y in points:
            mask |= self.oval(x, y, half, half)
        return mask

    def dots(self, *places: tuple[float, float]) -> Mask:
        """Return the mask of single units, named by their upper left corners."""
        mask = np.zeros(self.dye.shape, bool)
        for x, y in places:
            mask |= self.box(x, y, x + 1, y + 1)
        return mask

    def painted(self) -> Mask:
        return self.dye >= 0

    # paint ---------------------------------------------------------------------------------

    def lay(
        self, mask: Mask, dye: str, lit: float = 1, shaded: float = 2, edge: bool = True
    ) -> Mask:
        """Paint a rounded shape, and return its mask: `lit` units of light along its upper left,
        `shaded` along its lower right, and an edge on the paint below it.
        """
        if edge:
            self.tone[self.around(mask) & self.painted()] = DEEP
        self.flat(mask, dye, BASE)
        for dx, reach, tone in ((-1, shaded, SHADE), (1, lit, LIGHT)):
            inner = mask
            for step in range(1, max(1, round(reach * self.scale)) + 1 if reach else 0):
                inner = inner & shift_mask(mask, dx * step, dx * step)
            self.tone[mask & ~inner] = tone
        return mask

    def flat(self, mask: Mask, dye: str, tone: int = BASE) -> None:
        self.dye[mask] = NAMES.index(dye)
        self.tone[mask] = tone

    def tint(self, mask: Mask, tone: int, dye: str = "") -> None:
        """Change the tone of the paint in a mask; only of paint in `dye` if one is given."""
        self.tone[mask & (self.dye == NAMES.index(dye) if dye else self.painted())] = tone

    def darken(self, mask: Mask, by: int = 1) -> None:
        """Darken the paint in a mask by `by` tones, down to the darkest."""
        there = mask & self.painted()
        self.tone[there] = np.clip(self.tone[there] + by, GLEAM, DEEP)

    @staticmethod
    def around(mask: Mask) -> Mask:
        """Return the pixels directly beside a mask, to the left, to the right, above and below."""
        wide = mask.copy()
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            wide |= shift_mask(mask, dx, dy)
        return wide & ~mask

    # the picture ---------------------------------------------------------------------------

    def image(self) -> Image.Image:
        """Return the finished picture in colours, outlined in the ink of the dye next to it,
        lighter on the lit side.
        """
        painted = self.painted()
        pixels = np.zeros((*self.dye.shape, 4), np.uint8)
        pixels[painted] = COLOURS[self.dye[painted], self.tone[painted]]
        # Later outlines overwrite earlier ones, so the lit sides (from the right and from below)
        # come first.
        for dx, dy, tone in ((-1, 0, INK), (0, -1, INK), (1, 0, INK), (0, 1, INK)):
            ring = shift_mask(painted, dx, dy) & ~painted
            dyes = np.roll(self.dye, (dy, dx), (0, 1))
            pixels[ring] = COLOURS[dyes[ring], tone]
        return Image.fromarray(pixels)
