"""The farmstead: three fields, a barn, a mill on its stream, a bakery, an orchard and a garden
around a green, for twelve people.
"""

from __future__ import annotations

from functools import cache
from random import Random

from hometown.authoring.art.furniture import shape
from hometown.authoring.art.plan import Placed, Plan, Room
from tools.towns.blueprint import At
from tools.towns.built import at_the_water, built
from tools.towns.farmstead_houses import HOUSES
from tools.towns.land import Land, Point

SIZE = (94, 62)

FIELDS: dict[str, tuple[str, tuple[int, int, int, int]]] = {
    "north": ("m", (4, 3, 25, 11)), "south": ("y", (4, 43, 19, 15)), "hill": ("m", (70, 2, 19, 8)),
}  # fmt: skip
GREEN = (45, 23, 14, 12)
ORCHARD = (26, 40, 9, 19)
BANK = (52, 2, 10, 14)

PLACES = [
    Room("fields", "the fields", "麦田", FIELDS["north"][1]), Room("fields", "the fields", "麦田", FIELDS["south"][1]),
    Room("fields", "the fields", "麦田", FIELDS["hill"][1]), Room("green", "the green", "草坪", GREEN), Room("orchard", "the orchard", "果园", ORCHARD),
    Room("stream", "the mill stream", "磨坊溪", BANK),
]  # fmt: skip
ARENAS = [
    Room("fields/north", "north field", "北田", FIELDS["north"][1], "outdoor, work, field"),
    Room("fields/south", "south field", "南田", FIELDS["south"][1], "outdoor, work, field"),
    Room("fields/hill", "hill field", "坡田", FIELDS["hill"][1], "outdoor, work, field"),
    Room("green/well", "the green", "草坪", GREEN, "square, outdoor, park"),
    Room("orchard/trees", "the orchard", "果园", ORCHARD, "garden, outdoor, park"),
    Room("stream/bank", "the mill pond", "水塘边", BANK, "park, outdoor"),
]
THINGS = [
    Placed("fields/north/furrows", "furrows", (14, 11), "furrows of the north field", "北田的田垄"),
    Placed("fields/south/furrows", "furrows", (10, 43), "furrows of the south field", "南田的田垄"),
    Placed("fields/hill/furrows", "furrows", (72, 8), "furrows of the hill field", "坡田的田垄"),
    Placed("green/well/well", "draw_well", (51, 26), "the well", "水井"),
    Placed("green/well/notice_board", "notice_board", (46, 24)),
    Placed("green/well/long_table", "trestle", (53, 30), "long table on the green", "草坪上的长桌"),
    Placed("green/well/linden", "camphor", (46, 29), "the old linden", "老椴树"),
    Placed("green/well/bench", "bench", (49, 32), "bench under the linden", "椴树下的长椅"),
    Placed("green/well/well_bench", "bench", (54, 24), "bench by the well", "井边的长椅"),
    Placed("orchard/trees/bench", "bench", (29, 43), "orchard bench", "果园的长椅"),
    Placed("orchard/trees/swing", "swing", (33, 50)),
    Placed("orchard/trees/ladder", "potting_bench", (26, 49), "grafting bench", "嫁接台"),
    Placed("stream/bank/pond_side", "pond_side", (54, 13), "bank of the mill pond", "磨坊塘的塘边"),
    Placed("stream/bank/bench", "bench", (53, 4), "bench by the stream", "溪边的长椅"),
]
STREAM: list[Point] = [
    (62, -1),
    (63, 5),
    (60, 10),
    (62, 16),
    (63.5, 22),
    (61.5, 30),
    (61, 37),
    (62.5, 44),
    (60.5, 52),
    (62, 63),
]
POND: tuple[Point, Point] = ((58.5, 10.5), (4.2, 3))
LANES: list[tuple[float, list[Point]]] = [
    (3, [(-1, 35), (12, 35.5), (26, 34.5), (40, 37), (52, 37.5), (62, 37.5), (76, 37), (95, 35)]),
    (2, [(30, 31), (31, 35)]), (2, [(34, 31), (35, 36)]), (2, [(15, 31), (15, 35)]), (2, [(40, 13), (43, 17), (44, 23), (44, 30), (43, 36)]),
    (2, [(40, 13), (34, 14.5), (22, 15), (10, 15), (2, 16)]), (2, [(67.5, 22), (67, 28), (66.5, 36)]),
    (2, [(67, 27), (72, 29.5), (86, 28), (86, 14), (80, 11)]),
    (2, [(40.5, 50), (40, 52), (36, 52), (35.6, 45), (36, 38)]), (2, [(24, 36), (23, 42), (23, 58)]),
    (2, [(70.5, 54), (70.5, 57), (65, 57.5), (65, 46), (65, 38)]),
    (2, [(80.5, 57), (70, 57.5)]), (2, [(52, 36), (52, 29), (50, 28)]), (2, [(44, 20), (50, 16), (55, 15)]),
]  # fmt: skip
"""Width and course of the lane and its paths."""

FENCES = [("|", (2, 41, 23, 19)), ("T", (1, 1, 30, 14)), ("|", (68, 1, 22, 10))]
GROVES: list[tuple[Point, Point, float]] = [
    ((2, 22), (2, 8), 0.6), ((88, 20), (3, 7), 0.5), ((55, 20), (3, 2), 0.35), ((47, 5), (3, 5), 0.5), ((91, 36), (3, 4), 0.5), ((90, 20), (3, 9), 0.4),
    ((31, 60), (12, 2), 0.5),
    ((49, 58), (8, 3), 0.6), ((76, 59), (8, 2), 0.5), ((8, 39), (6, 2), 0.4), ((78, 32.5), (8, 2), 0.35), ((56, 5), (3, 4), 0.25), ((59, 56), (1.5, 4), 0.4),
]  # fmt: skip
"""Groves of trees: middle, reach, density."""

DECOR: list[tuple[str, At]] = [
    ("water_wheel", (61, 18)), ("cart", (50, 13)), ("haystack", (51, 9)), ("haystack", (30, 9)), ("scarecrow", (20, 7)), ("scarecrow", (80, 5)),
    ("sheaves", (6, 12)), ("sheaves", (8, 12)), ("hens", (21, 32)), ("hens", (38, 33)), ("cow", (10, 32)), ("sheep", (76, 12)), ("sheep", (79, 13)),
    ("sheep", (74, 14)), ("sheep", (83, 12)), ("cow", (47, 19)), ("woodpile", (33, 32)), ("churn", (17, 31)), ("cat", (58, 40)), ("sacks", (69, 22)),
    ("grain_sack", (65, 22)),
    ("crate", (42, 51)), ("flower_pots", (39, 50)), ("flower_pots", (42, 50)), ("signpost", (64, 35)), ("signpost", (42, 39)), ("lamp", (45, 35)),
    ("lamp", (58, 35)), ("lamp", (36, 39)),
    ("lamp", (26, 33)), ("lamp", (66, 39)), ("lamp", (12, 37)), ("lantern", (52, 31)), ("lantern", (58, 31)), ("bunting", (50, 27)), ("apples", (27, 53)),
    ("apples", (32, 45)), ("sunflowers", (84, 53)), ("pumpkins", (84, 50)), ("flower_pots", (13, 30)), ("flower_pots", (69, 54)), ("barrel", (46, 13)),
    ("hay", (49, 11)), ("hay", (31, 12)), ("ducks", (57, 10)), ("ducks", (59, 11)), ("ducks", (61, 45)), ("sheaves", (69, 29)), ("boat", (58, 9)),
    ("log", (55, 7)), ("stump", (30, 40)), ("barrel", (53, 26)), ("washing_line", (31, 19)), ("hens", (36, 20)), ("currants", (29, 17)),
    ("currants", (30, 16)), ("a_board", (43, 40)), ("post_market", (68, 58)), ("cat", (31, 22)),
]  # fmt: skip


def _land() -> Land:
    land = Land(*SIZE, Random("farmstead"))
    land.brook(STREAM, 3)
    land.blob(*POND, "~")
    for mark, rect in FIELDS.values():
        land.fill(rect, mark)
    for building in HOUSES:
        land.build(building)
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
    _green(land)
    return land


def _green(land: Land) -> None:
    """Plant hedges, fences, the orchard, trees and flowers, after buildings and lanes."""
    for mark, rect in FENCES:
        land.outline(rect, mark)
    for column in range(ORCHARD[0] + 1, ORCHARD[0] + ORCHARD[2], 3):
        for row in range(ORCHARD[1] + 2, ORCHARD[1] + ORCHARD[3], 3):
            if land.free((column, row), 0) and (column, row) not in land.kept:
                land.marks[column, row] = "a"
    land.edge("t", 4)
    for middle, reach, density in GROVES:
        land.plant("t", middle, reach, density, 2)
    for _ in range(70):
        land.plant(
            "t", (land.stream.uniform(2, 92), land.stream.uniform(2, 60)), (1.6, 1.2), 0.4, 2
        )
    for _ in range(90):
        land.plant(
            "f",
            (land.stream.uniform(1, 93), land.stream.uniform(1, 61)),
            (2.4, 1.7),
            1.0,
            margin=land.stream.choice((0, 1)),
        )
    for at in [
        at
        for at, mark in land.marks.items()
        if mark in ".f" and (at[0] in (0, SIZE[0] - 1) or at[1] in (0, SIZE[1] - 1))
    ]:
        land.marks[at] = "T"
    land.close((48, 37), ".f:rs=+gmydwcbkopnqel")


def _decor(land: Land) -> list[tuple[str, At]]:
    """Return the decorations: in the houses as planned, outdoors, and along the water."""
    decor = [item for building in HOUSES for item in building.decor()]
    decor += at_the_water(land, 0.35, 0.05)
    free = [
        at
        for at, mark in sorted(land.marks.items())
        if mark == "." and land.free(at, 2) and 3 < at[0] < SIZE[0] - 3 and 3 < at[1] < SIZE[1] - 3
    ]
    for kind, count in (("bush", 18), ("rock", 8)):
        decor += [(kind, at) for at in land.stream.sample(free, count)]
    return DECOR + decor


FACADES = {
    "farm": "thatch",
    "barn": "barn",
    "mill": "fieldstone",
    "bakery": "brick",
    "garden": "timber",
}


@cache
def plan() -> Plan:
    """Return the farmstead as it is drawn."""
    land = _land()
    return built("farmstead", land, HOUSES, (PLACES, ARENAS, THINGS), _decor(land), FACADES)
