"""Cloud Vale: two sects on their terraces below the peaks, a stream of mist between them, and a
market in the valley, for twelve people.
"""

from __future__ import annotations

from functools import cache
from random import Random

from hometown.authoring.art.furniture import shape
from hometown.authoring.art.plan import Placed, Plan, Room
from tools.towns.blueprint import At
from tools.towns.built import at_the_water, built
from tools.towns.cloudvale_houses import HOUSES
from tools.towns.land import Land, Point

SIZE = (78, 60)

ROCKS = [
    (0, 0, 78, 7), (0, 0, 2, 29), (0, 26, 36, 3), (34, 7, 3, 22), (43, 7, 3, 20), (43, 24, 35, 3), (75, 0, 3, 27), (0, 29, 1, 31), (77, 27, 1, 33),
    (0, 58, 42, 2), (48, 58, 30, 2),
]  # fmt: skip
STEPS = [(17, 26, 3, 3), (59, 24, 3, 3)]
PAVED = [(3, 16, 17, 3), (46, 15, 16, 3), (8, 44, 21, 7), (17, 20, 3, 6), (59, 18, 3, 6)]

PLACES = [
    Room("pine", "the Azure Pine Sect", "青松门", (4, 20, 12, 5)), Room("crane", "the White Crane Sect", "白鹤宗", (46, 19, 12, 4)),
    Room("market", "the market of Cloud Vale", "云谷集", (8, 44, 21, 8)), Room("spring", "the warm spring", "暖泉", (64, 29, 11, 8)),
    Room("bank", "the misty bank", "雾溪边", (46, 38, 9, 14)),
]  # fmt: skip
ARENAS = [
    Room("pine/garden", "herb garden", "药圃", (4, 20, 12, 5), "garden, outdoor"),
    Room("pine/court", "vein court", "灵脉院", (21, 21, 12, 4), "outdoor, quiet"),
    Room("crane/terrace", "rice terrace", "稻田", (46, 19, 12, 4), "garden, outdoor, field"),
    Room("crane/yard", "practice yard", "演武场", (63, 20, 11, 3), "outdoor, work"),
    Room(
        "market/street",
        "the market of Cloud Vale",
        "云谷集",
        (8, 44, 21, 8),
        "square, outdoor, market",
    ),
    Room("spring/pool", "the warm spring", "暖泉", (64, 29, 11, 8), "park, outdoor"),
    Room("bank/herbs", "the misty bank", "雾溪边", (46, 38, 9, 14), "park, outdoor, garden"),
]
THINGS = [
    Placed("pine/garden/upper", "herb_bed", (5, 20), "upper herb bed", "上药圃"),
    Placed("pine/garden/lower", "herb_bed", (5, 23), "lower herb bed", "下药圃"),
    Placed("pine/garden/ginseng", "herb_bed", (11, 20), "ginseng bed", "参圃"),
    Placed("pine/court/vein", "vein", (30, 22), "vein of the Azure Pine", "青松灵脉"),
    Placed("pine/court/mat", "mat", (22, 23), "first mat in the court", "院里第一个蒲团"),
    Placed("pine/court/mat_two", "mat", (25, 23), "second mat in the court", "院里第二个蒲团"),
    Placed("crane/terrace/upper", "paddy", (46, 19), "upper paddy", "上水田"), Placed("crane/terrace/lower", "paddy", (52, 21), "lower paddy", "下水田"),
    Placed("crane/terrace/granary", "grain_bin", (56, 19), "rice granary", "谷仓"),
    Placed("crane/yard/vein", "vein", (72, 21), "vein of the White Crane", "白鹤灵脉"),
    Placed("crane/yard/post", "practice_post", (64, 22), "practice post", "木人桩"),
    Placed("crane/yard/bell", "bell", (67, 21)), Placed("crane/yard/mat", "mat", (70, 22), "mat in the yard", "演武场蒲团"),
    Placed("market/street/well", "draw_well", (19, 46), "well of the market", "集市水井"), Placed("market/street/notice_board", "notice_board", (11, 45)),
    Placed("market/street/stall", "stall", (24, 46), "herb stall", "药草摊"), Placed("market/street/go_table", "chess_table", (12, 49), "go table", "棋桌"),
    Placed("market/street/old_plum", "old_plum", (21, 49), "the old plum tree"),
    Placed("market/street/bench", "bench", (16, 50), "bench by the plum", "梅树下的长椅"),
    Placed("spring/pool/pool", "hot_spring", (67, 31), "warm spring", "暖泉"),
    Placed("spring/pool/pavilion", "pavilion", (70, 34), "pavilion by the spring", "泉边凉亭"),
    Placed("bank/herbs/patch", "herb_bed", (48, 40), "wild herbs", "野药草"),
    Placed("bank/herbs/pond_side", "pond_side", (47, 47), "stepping stones", "溪边石头"),
    Placed("bank/herbs/bench", "bench", (51, 43), "bench by the stream", "溪边长椅"),
]  # fmt: skip
STREAM: list[Point] = [
    (40, 8),
    (39.5, 16),
    (40.2, 24),
    (39, 31),
    (36, 37),
    (40, 44),
    (45, 51),
    (44.5, 62),
]
LANES: list[tuple[float, list[Point]]] = [
    (2, [(18.5, 28), (18.5, 33), (16, 35), (6, 36), (5, 43), (9, 45)]), (2, [(60.5, 26), (60.5, 31), (56, 36), (44, 36), (33, 37), (24, 36), (19, 33)]),
    (2, [(29, 48), (34, 47.2), (37.5, 46), (52, 46), (57, 49.5), (61.5, 49.5)]), (2, [(30, 35), (30.5, 38), (30, 47)]), (2, [(60, 31), (64, 34), (66, 34)]),
    (2, [(54, 37), (54, 46)]),
    (2, [(20, 24.5), (22, 24)]), (2, [(23, 20), (21, 20), (20, 21)]), (2, [(63, 18), (62, 19), (63, 21)]), (2, [(56, 17), (56, 19)]),
]  # fmt: skip
GROVES: list[tuple[str, Point, Point, float]] = [
    ("i", (11, 8), (9, 1.5), 0.5), ("i", (30, 8), (3, 2), 0.5), ("i", (48, 8), (2, 3), 0.5), ("i", (72, 16), (2, 4), 0.5), ("i", (5, 31), (5, 2), 0.5),
    ("j", (70, 43), (6, 6), 0.9), ("j", (50, 33), (5, 2), 0.7), ("j", (34, 41), (2, 3), 0.6), ("h", (18, 54), (9, 2.5), 0.6), ("h", (33, 53), (4, 3), 0.6),
    ("i", (62, 55), (12, 2.5), 0.6), ("i", (4, 50), (3, 6), 0.5), ("h", (64, 39), (3, 2), 0.5), ("i", (73, 55), (3, 3), 0.6), ("j", (36, 55), (4, 2), 0.6),
    ("i", (48, 29), (4, 2), 0.5), ("h", (12, 33), (4, 1.5), 0.6), ("h", (49, 38), (1, 1), 0.5), ("j", (56, 54), (2, 2), 0.6),
    ("h", (63, 36), (5, 2), 0.35), ("i", (31, 23), (1, 1), 0.4), ("i", (69, 28), (5, 1.5), 0.5),
]  # fmt: skip
"""Groves of trees: kind, middle, reach, density."""

DECOR: list[tuple[str, At]] = [
    ("peak_far", (0, 4)), ("peak_far", (9, 4)), ("peak_far", (17, 4)), ("peak_far", (26, 4)), ("peak_far", (43, 4)), ("peak_far", (52, 4)),
    ("peak_far", (62, 4)),
    ("peak_far", (71, 4)), ("peak", (5, 6)), ("peak_wide", (11, 6)), ("peak", (20, 6)), ("peak_wide", (28, 6)), ("peak", (48, 6)), ("peak_wide", (55, 6)),
    ("peak", (66, 6)), ("mist", (12, 5)), ("mist", (28, 6)), ("mist", (44, 6)), ("waterfall", (38, 4)), ("mist", (35, 7)), ("mist", (36, 13)),
    ("mist", (33, 24)), ("mist", (3, 5)), ("mist", (22, 6)), ("mist", (52, 5)), ("mist", (66, 6)), ("mist", (30, 38)), ("mist", (42, 53)),
    ("gate", (15, 29)), ("gate", (57, 27)), ("pagoda", (50, 52)), ("crane", (66, 19)), ("crane", (73, 19)), ("crane", (51, 23)),
    ("stone_lantern", (16, 25)), ("stone_lantern", (20, 25)), ("stone_lantern", (58, 23)), ("stone_lantern", (62, 23)), ("stone_lantern", (8, 43)),
    ("lantern", (13, 44)), ("lantern", (27, 44)), ("lantern", (10, 51)), ("lantern", (27, 51)), ("lanterns", (12, 47)), ("lanterns", (22, 48)),
    ("scholar_rock", (73, 31)), ("scholar_rock", (33, 44)), ("stall_cloth", (26, 49)), ("sacks", (27, 46)), ("stone_lantern", (65, 31)), ("koi", (39, 43)),
    ("koi", (39, 32)), ("boat", (43, 49)), ("ducks", (37, 40)), ("stone_lantern", (56, 42)), ("barrel", (66, 48)), ("stone_lantern", (32, 47)),
]  # fmt: skip


def _land() -> Land:
    land = Land(*SIZE, Random("cloud vale"))
    land.brook(STREAM, 3)
    for rect in ROCKS:
        land.fill(rect, "M")
    for house in HOUSES:
        land.build(house)
    for rect in STEPS:
        land.fill(rect, "z", over="M")
    for rect in PAVED:
        land.fill(rect, "s")
    for width, course in LANES:
        land.road(course, width, ":")
    land.square_bridges()
    for kind, (column, row) in [*((thing.kind, thing.at) for thing in THINGS), *DECOR]:
        lines = shape(kind)
        land.keep(
            (
                (column + right, row + down)
                for right in range(len(lines[0]))
                for down in range(len(lines))
            ),
            1,
        )
    for mark, middle, reach, density in GROVES:
        land.plant(mark, middle, reach, density, 2)
    for _ in range(40):
        land.plant(
            "f",
            (land.stream.uniform(1, 77), land.stream.uniform(8, 59)),
            (2.4, 1.7),
            0.9,
            margin=land.stream.choice((0, 1)),
        )
    land.close((18, 47), ".f:rs=+zgmydwcbkopnqel")
    return land


def _decor(land: Land) -> list[tuple[str, At]]:
    """Return the decorations: in the houses as planned, outdoors, and along the water."""
    decor = [item for house in HOUSES for item in house.decor()]
    decor += at_the_water(land, 0.4, 0.08, 31)
    free = [
        at
        for at, mark in sorted(land.marks.items())
        if mark == "." and land.free(at, 2) and 2 < at[0] < SIZE[0] - 3 and at[1] < SIZE[1] - 3
    ]
    for kind, count in (("bush", 8), ("rock", 10)):
        decor += [(kind, at) for at in land.stream.sample(free, count)]
    return DECOR + decor


FACADES = {"pine": "sect", "crane": "sect", "inn": "sect", "cave": "stone", "hut": "thatch"}


@cache
def plan() -> Plan:
    """Return the vale as it is drawn."""
    land = _land()
    return built("cloudvale", land, HOUSES, (PLACES, ARENAS, THINGS), _decor(land), FACADES, "ink")
