"""What each kind of thing looks like: its painter, by the kind's name, on a canvas of its own size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from zlib import crc32

from PIL import Image

from modules.art import at_home, at_work, clutter, outdoors, village, yard
from modules.art.canvas import Canvas
from modules.art.kinds import KINDS

SIZE = 32
CLOTHS = ("teal", "red", "blue", "green", "purple", "rose", "straw")


@dataclass(frozen=True)
class Decor:
    """Something that is only looked at: its size in tiles, whether it blocks the way, and the layer that it lies on."""

    columns: int = 1
    rows: int = 1
    blocks: bool = True
    layer: str = "furniture"


RUG = Decor(3, 2, blocks=False, layer="floor")
ON_WALL = Decor(blocks=False, layer="walls")
DECOR: dict[str, Decor] = {
    **dict.fromkeys(("plant", "tall_plant", "floor_lamp", "side_table", "vase", "barrel", "crate", "sacks", "coat_rack"), Decor()),
    **dict.fromkeys(("rug", "rug_blue", "rug_green"), RUG),
    "round_rug": Decor(2, 2, blocks=False, layer="floor"),
    "fireplace": Decor(2),
    **dict.fromkeys(("painting", "clock", "wall_shelf", "wall_lamp", "banner", *(name for name in yard.PAINTERS if name.startswith("sign_"))), ON_WALL),
    "painting_wide": Decor(2, blocks=False, layer="walls"),
    **dict.fromkeys(("lamp", "lantern", "mailbox", "flower_pots", "signpost", "bush", "rock", "stump", "hay"), Decor()),
    **dict.fromkeys(("log", "well", "flower_cart"), Decor(2)),
    **dict.fromkeys(("reeds", "lily"), Decor(blocks=False)),
    "parasol": Decor(2, 2, blocks=False, layer="foreground"),
}

PAINTERS: dict[str, Callable[[Canvas], None]] = {
    **clutter.PAINTERS, **yard.PAINTERS, **at_home.PAINTERS, **at_work.PAINTERS, **outdoors.PAINTERS, **village.PAINTERS,
}  # fmt: skip

ABOVE: dict[str, int] = {
    "camphor": 2, "pavilion": 1, "stall": 1,
    **dict.fromkeys(("lamp", "lantern", "tall_plant", "floor_lamp", "fireplace", "coat_rack", "signpost", "well", "flower_cart"), 1),
}  # fmt: skip
"""Rows that tower over a thing and hide whoever walks behind it."""

GLOW: dict[str, tuple[int, int, int, int]] = {
    "lamp": (11, 9, 20, 20), "lantern": (17, 9, 30, 24), "floor_lamp": (7, 6, 24, 20), "side_table": (9, 2, 22, 9), "wall_lamp": (12, 14, 19, 20),
    "fireplace": (23, 40, 41, 57),
}  # fmt: skip
"""Where what is lit glows at night: left, top, right, bottom in pixels of its picture."""


@dataclass(frozen=True)
class Picture:
    """A picture of whole tiles; its first `above` rows stand above the thing and are drawn over the residents."""

    image: Image.Image
    above: int = 0
    layer: str = "furniture"
    glow: Image.Image | None = None


def draw(kind: str, room: str = "") -> Picture:
    """The picture of a kind of thing, or of a decoration; covers and cushions are of the colour of its `room`."""
    decor = DECOR.get(kind, Decor())
    columns, rows = (len(KINDS[kind].shape[0]), len(KINDS[kind].shape)) if kind in KINDS else (decor.columns, decor.rows)
    above = ABOVE.get(kind, 0)
    canvas = Canvas(columns * SIZE, (rows + above) * SIZE, soft=True, cloth=CLOTHS[crc32(room.encode()) % len(CLOTHS)])
    PAINTERS[kind](canvas)
    return Picture(canvas.image, above, decor.layer, _glow(GLOW[kind], canvas.image.size) if kind in GLOW else None)


def _glow(box: tuple[int, int, int, int], size: tuple[int, int]) -> Image.Image:
    """A warm light, nearly white in its middle."""
    canvas = Canvas(*size)
    canvas.pen.ellipse(box, (255, 196, 98, 255))
    x0, y0, x1, y1 = box
    canvas.pen.ellipse((x0 + 3, y0 + 3, x1 - 3, y1 - 3), (255, 236, 176, 255))
    return canvas.image


def shape(kind: str) -> tuple[str, ...]:
    """The rows of tiles of a thing or a decoration, as in `Kind.shape`."""
    if kind in KINDS:
        return KINDS[kind].shape
    decor = DECOR[kind]
    return (("#" if decor.blocks else ".") * decor.columns,) * decor.rows
