"""What each kind of thing looks like."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from tools.minitown.canvas import Canvas
from tools.minitown.kinds import KINDS


@dataclass(frozen=True)
class Picture:
    """A picture of whole tiles; its first `above` rows stand above the thing and are drawn over the residents."""

    image: Image.Image
    above: int = 0


def draw(kind: str) -> Picture:
    shape = KINDS[kind].shape if kind in KINDS else ("#",)
    c = Canvas(32 * len(shape[0]), 32 * len(shape))
    for y, line in enumerate(shape):
        for x, one in enumerate(line):
            if one == "#":
                c.block(x * 32 + 2, y * 32 + 2, x * 32 + 29, y * 32 + 29, "wood")
    return Picture(c.image)
