"""Painters of things by kind; each draws on a canvas of the kind's size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from zlib import crc32

from PIL import Image

from hometown.authoring.art import (
    at_home,
    at_work,
    beasts,
    belongings,
    clutter,
    commons,
    farm,
    farmyard,
    festive,
    fittings,
    mountains,
    outdoors,
    sect,
    village,
    yard,
)
from hometown.authoring.art.canvas import Canvas
from hometown.authoring.art.kinds import KINDS

SIZE = 32
CLOTHS = ("teal", "red", "blue", "green", "purple", "rose", "straw")


@dataclass(frozen=True)
class Decor:
    """A decoration that cannot be used: its size in tiles, whether it blocks the way, and its
    layer.
    """

    columns: int = 1
    rows: int = 1
    blocks: bool = True
    layer: str = "furniture"


RUG = Decor(3, 2, blocks=False, layer="floor")
ON_WALL = Decor(blocks=False, layer="walls")
DECOR: dict[str, Decor] = {
    **dict.fromkeys(
        (
            "plant",
            "tall_plant",
            "floor_lamp",
            "side_table",
            "vase",
            "barrel",
            "crate",
            "sacks",
            "coat_rack",
        ),
        Decor(),
    ),
    **dict.fromkeys(("rug", "rug_blue", "rug_green"), RUG),
    "round_rug": Decor(2, 2, blocks=False, layer="floor"),
    "fireplace": Decor(2),
    **dict.fromkeys(
        (
            "painting",
            "clock",
            "wall_shelf",
            "wall_lamp",
            "banner",
            *(name for name in yard.PAINTERS if name.startswith("sign_")),
        ),
        ON_WALL,
    ),
    "painting_wide": Decor(2, blocks=False, layer="walls"),
    **dict.fromkeys(
        ("lamp", "lantern", "mailbox", "flower_pots", "signpost", "bush", "rock", "stump", "hay"),
        Decor(),
    ),
    **dict.fromkeys(("log", "well", "flower_cart"), Decor(2)),
    **dict.fromkeys(("reeds", "lily"), Decor(blocks=False)),
    "parasol": Decor(2, 2, blocks=False, layer="foreground"),
    **dict.fromkeys(
        ("cake_case", "kegs", "low_table", "worktop_wide", "clothes_rail", "tv", "tub"), Decor(2)
    ),
    **dict.fromkeys(("bottle_rack", "jar_rack", "crate_rack", "bread_rack", "bookcase"), Decor(3)),
    **dict.fromkeys(
        ("menu_board", "sea_chart", "poster", "poster_blue", "pans", "mirror", "towels", "antlers"),
        ON_WALL,
    ),
    **dict.fromkeys(
        ("chalk_wall", "world_map", "notices", "garland"), Decor(2, blocks=False, layer="walls")
    ),
    **dict.fromkeys(("globe", "book_pile", "worktop", *belongings.SMALL), Decor()),
    **dict.fromkeys(("weights",), Decor(blocks=False)),
    "bath_mat": Decor(blocks=False, layer="floor"),
    **dict.fromkeys(
        ("square_tree", "clock_post", "planter", "a_board", "scarecrow", "topiary"), Decor()
    ),
    **dict.fromkeys((name for name in commons.PAINTERS if name.startswith("post_")), Decor()),
    **dict.fromkeys((name for name in commons.PAINTERS if name.startswith("stall_")), Decor(2)),
    **dict.fromkeys(
        (name for name in commons.PAINTERS if name.startswith("awning_")),
        Decor(3, blocks=False, layer="walls"),
    ),
    **dict.fromkeys(("statue", "bicycle"), Decor(2)),
    "planter_wide": Decor(3),
    "billiards": Decor(3, 2),
    "mosaic": Decor(6, 6, blocks=False, layer="floor"),
    "bunting": Decor(8, blocks=False, layer="foreground"),
    "boat": Decor(2, blocks=False),
    "ducks": Decor(blocks=False),
    "picnic": Decor(2, 2, blocks=False, layer="floor"),
    "hot_air_balloon": Decor(2),
    **dict.fromkeys(("cabbages", "pumpkins", "sunflowers"), Decor(3, blocks=False)),
    **dict.fromkeys(
        ("sheep", "cat", "churn", "apples", "grain_sack", "sheaves", "currants", "skep"), Decor()
    ),
    **dict.fromkeys(("cow", "haystack", "woodpile"), Decor(2)),
    "hens": Decor(blocks=False),
    "cart": Decor(3),
    "washing_line": Decor(4),
    "water_wheel": Decor(3, 3, blocks=False),
    **dict.fromkeys(("tools", "herbs"), ON_WALL),
    **dict.fromkeys(("peak", "peak_far"), Decor(6)),
    "peak_wide": Decor(8),
    "mist": Decor(8, 3, blocks=False, layer="foreground"),
    "waterfall": Decor(3, 3, blocks=False),
    "gate": Decor(6, blocks=False, layer="foreground"),
    "pagoda": Decor(4, 2),
    "lanterns": Decor(5, blocks=False, layer="foreground"),
    **dict.fromkeys(("stone_lantern", "crane"), Decor()),
    "scholar_rock": Decor(2),
    "koi": Decor(blocks=False),
    "cave_mouth": Decor(3, blocks=False),
}

PAINTERS: dict[str, Callable[[Canvas], None]] = {
    **clutter.PAINTERS, **yard.PAINTERS, **at_home.PAINTERS, **at_work.PAINTERS, **outdoors.PAINTERS, **village.PAINTERS,
    **fittings.PAINTERS, **fittings.SHELVES, **belongings.PAINTERS, **commons.PAINTERS, **festive.PAINTERS,
    **farm.PAINTERS, **farmyard.PAINTERS, **beasts.PAINTERS, **mountains.PAINTERS, **sect.PAINTERS,
}  # fmt: skip

ABOVE: dict[str, int] = {
    "camphor": 2, "old_plum": 2, "pavilion": 1, "stall": 1,
    **dict.fromkeys(("lamp", "lantern", "tall_plant", "floor_lamp", "fireplace", "coat_rack", "signpost", "well", "flower_cart"), 1),
    **dict.fromkeys(("kegs", "bookcase", "clothes_rail", "tv", *belongings.TALL, "scarecrow"), 1),
    **dict.fromkeys(("square_tree", "clock_post", "statue", "bandstand", "hot_air_balloon"), 2),
    **dict.fromkeys((name for name in commons.PAINTERS if name.startswith(("post_", "stall_"))), 1),
    **dict.fromkeys(("hearth", "hay_loft", "cider_press", "cider_barrel", "millstone", "bread_oven", "draw_well", "spinning_wheel", "swing"), 1),
    **dict.fromkeys(("vein", "pill_furnace", "bell", "incense", "practice_post", "stone_lantern", "scholar_rock"), 1),
    "peak": 6, "peak_wide": 5, "peak_far": 4, "gate": 3, "pagoda": 6, "cave_mouth": 2, "hen_house": 1, "cart": 1, "washing_line": 1, "haystack": 2,
}  # fmt: skip
"""Rows of a picture above the thing's tiles, which hide residents behind it."""

GLOW: dict[str, tuple[int, int, int, int]] = {
    "lamp": (11, 9, 20, 20), "lantern": (17, 9, 30, 24), "floor_lamp": (7, 6, 24, 20), "side_table": (9, 2, 22, 9), "wall_lamp": (12, 14, 19, 20),
    "fireplace": (23, 40, 41, 57),
    "hearth": (23, 40, 41, 57), "bread_oven": (22, 36, 41, 50), "writing_table": (49, 0, 58, 8),
    "vein": (26, 14, 38, 34), "pill_furnace": (22, 42, 42, 60), "stone_lantern": (10, 24, 21, 36), "lanterns": (12, 6, 148, 26),
}  # fmt: skip
"""Area that glows at night: left, top, right, bottom in pixels of the thing's picture."""

COLD = {"vein"}
"""Kinds that glow like crystal instead of fire."""


@dataclass(frozen=True)
class Picture:
    """A picture of whole tiles; its first `above` rows stand above the thing and are drawn over the
    residents.
    """

    image: Image.Image
    above: int = 0
    layer: str = "furniture"
    glow: Image.Image | None = None


def draw_thing(kind: str, room: str = "") -> Picture:
    """Return the picture of a kind of thing, or of a decoration; covers and cushions are of the
    colour of its `room`.
    """
    decor = DECOR.get(kind, Decor())
    columns, rows = (
        (len(KINDS[kind].shape[0]), len(KINDS[kind].shape))
        if kind in KINDS
        else (decor.columns, decor.rows)
    )
    above = ABOVE.get(kind, 0)
    canvas = Canvas(
        columns * SIZE,
        (rows + above) * SIZE,
        soft=True,
        cloth=CLOTHS[crc32(room.encode()) % len(CLOTHS)],
    )
    PAINTERS[kind](canvas)
    return Picture(
        canvas.image,
        above,
        decor.layer,
        _glow(GLOW[kind], canvas.image.size, kind in COLD) if kind in GLOW else None,
    )


def _glow(box: tuple[int, int, int, int], size: tuple[int, int], cold: bool) -> Image.Image:
    """Return a light, almost white in the middle: warm, or cold like crystal."""
    canvas = Canvas(*size)
    canvas.pen.ellipse(box, (120, 222, 206, 255) if cold else (255, 196, 98, 255))
    x0, y0, x1, y1 = box
    canvas.pen.ellipse(
        (x0 + 3, y0 + 3, x1 - 3, y1 - 3), (222, 255, 246, 255) if cold else (255, 236, 176, 255)
    )
    return canvas.image


def shape(kind: str) -> tuple[str, ...]:
    """Return the rows of tiles of a thing or a decoration, as in `Kind.shape`."""
    if kind in KINDS:
        return KINDS[kind].shape
    decor = DECOR[kind]
    return (("#" if decor.blocks else ".") * decor.columns,) * decor.rows
