"""What each kind of thing looks like: its painter, by the kind's name, on a canvas of its own size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from modules.art import at_home, at_work, outdoors
from modules.art.canvas import Canvas
from modules.art.kinds import KINDS

SIZE = 32


@dataclass(frozen=True)
class Decor:
    """Something that is only looked at: its size in tiles, whether it blocks the way, and whether it lies flat on the floor."""

    columns: int = 1
    rows: int = 1
    blocks: bool = True
    flat: bool = False
    on_wall: bool = False

    @property
    def depth(self) -> int:
        """Rows that it is drawn before or after what begins on its own row."""
        return -1000 if self.flat else 0


DECOR: dict[str, Decor] = {
    "plant": Decor(), "rug": Decor(3, 2, blocks=False, flat=True), "lamp": Decor(), "lantern": Decor(),
}  # fmt: skip

PAINTERS: dict[str, Callable[[Canvas], None]] = {**at_home.PAINTERS, **at_work.PAINTERS, **outdoors.PAINTERS}

ABOVE: dict[str, int] = {"camphor": 2, "pavilion": 1, "lamp": 1, "lantern": 1, "stall": 1}
"""Rows that tower over a thing and hide whoever walks behind it."""


@dataclass(frozen=True)
class Picture:
    """A picture of whole tiles; its first `above` rows stand above the thing and are drawn over the residents."""

    image: Image.Image
    above: int = 0
    layer: str = "furniture"
    glow: Image.Image | None = None


def draw(kind: str) -> Picture:
    """The picture of a kind of thing, or of a decoration."""
    shape = KINDS[kind].shape if kind in KINDS else ()
    columns, rows = (len(shape[0]), len(shape)) if shape else (DECOR[kind].columns, DECOR[kind].rows)
    above = ABOVE.get(kind, 0)
    canvas = Canvas(columns * SIZE, (rows + above) * SIZE, soft=True)
    PAINTERS[kind](canvas)
    return Picture(canvas.image, above)
