"""What each kind of thing looks like: its painter, by the kind's name, on a canvas of its own size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from modules.art import at_home, at_work, outdoors, village
from modules.art.canvas import Canvas
from modules.art.kinds import KINDS

SIZE = 32

DECOR_SIZES = {"plant": (1, 1), "rug": (3, 2), "lamp": (1, 1), "lantern": (1, 1)}
"""Columns and rows of what is only looked at."""

PAINTERS: dict[str, Callable[[Canvas], None]] = {**at_home.PAINTERS, **at_work.PAINTERS, **outdoors.PAINTERS, **village.PAINTERS}

ABOVE: dict[str, int] = {"camphor": 2, "pavilion": 1, "lamp": 1, "lantern": 1, "stall": 1}
"""Rows that tower over a thing and hide whoever walks behind it."""


@dataclass(frozen=True)
class Picture:
    """A picture of whole tiles; its first `above` rows stand above the thing and are drawn over the residents."""

    image: Image.Image
    above: int = 0


def draw(kind: str) -> Picture:
    """The picture of a kind of thing, or of a decoration."""
    shape = KINDS[kind].shape if kind in KINDS else ()
    columns, rows = (len(shape[0]), len(shape)) if shape else DECOR_SIZES[kind]
    above = ABOVE.get(kind, 0)
    canvas = Canvas(columns * SIZE, (rows + above) * SIZE)
    PAINTERS[kind](canvas)
    return Picture(canvas.image, above)
