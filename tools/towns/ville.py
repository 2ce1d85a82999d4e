"""The Ville: a village for twenty-five. A high street around Willow Square, a college, lanes of
homes, a park with a lake.
"""

from __future__ import annotations

from functools import cache
from random import Random

from hometown.authoring.art.kinds import KINDS
from hometown.authoring.art.plan import Placed, Plan, Room
from tools.towns.blueprint import At
from tools.towns.built import built
from tools.towns.land import Land, Point, ring
from tools.towns.ville_families import FAMILIES
from tools.towns.ville_flats import FLATS
from tools.towns.ville_public import PUBLIC
from tools.towns.ville_shared import SHARED
from tools.towns.ville_street import OUTDOOR_DECOR

SIZE = (140, 100)
HOMES = [*FAMILIES, *FLATS, *SHARED]
BUILDINGS = [*PUBLIC, *HOMES]

SQUARE = (60, 49, 25, 16)
PARK = (64, 67, 73, 30)
LAKE: tuple[Point, Point] = ((103.5, 83), (13, 6.6))
BAYS: list[tuple[Point, Point]] = [((96, 86), (7, 4.2)), ((110.5, 80), (6.5, 4.2))]
ISLAND: tuple[Point, Point] = ((100, 83.5), (2.6, 1.7))

PAVED = [
    (57, 44, 26, 3),
    (33, 49, 25, 2),
    (31, 43, 18, 3),
    (87, 49, 26, 3),
    (109, 17, 3, 6),
    (116, 17, 1, 6),
]
"""Paved rectangles before shops and gates, beside the streets."""

LAWNS = [(61, 50, 3, 4), (81, 50, 3, 3), (61, 60, 4, 4), (80, 60, 4, 4)]
"""Rectangles of grass and trees in the paving of the square."""

FIELDS = [(33, 27, 14, 4)]

YARDS = [
    ("T", (2, 2, 29, 16)), ("|", (30, 2, 21, 19)), ("T", (1, 29, 31, 16)), ("|", (3, 50, 20, 16)), ("T", (3, 71, 27, 13)),
    ("T", (46, 84, 19, 13)), ("T", (4, 84, 21, 14)), ("|", (90, 30, 19, 14)), ("T", (115, 49, 20, 14)), ("T", (51, 2, 38, 21)), ("T", (108, 25, 31, 20)),
]  # fmt: skip
"""Hedges and fences around homes: their mark, and the rectangle that they follow."""

STREETS: list[tuple[str, float, list[Point]]] = [
    ("r", 4, [(-1, 49), (14, 48), (36, 46.5), (60, 47), (84, 47), (104, 47.5), (124, 46.5), (140, 45.5)]),
    (":", 3, [(55, 46), (55, 36), (54.5, 29), (50, 25), (39, 22.5), (24, 22), (10, 24.5), (-1, 24)]),
    (":", 3, [(54, 27), (64, 24), (78, 23), (88, 25.5)]),
    ("s", 3, [(87.5, 46), (87.5, 36), (88.5, 28), (92, 25), (102, 25), (113.5, 25)]),
    ("s", 4, [(114, 25.5), (114, 18)]),
    (":", 2, [(113, 25), (124, 25), (134, 23), (141, 23)]),
    (":", 3, [(25, 47), (24.5, 55), (27, 64), (31.5, 71), (31.5, 78), (30, 83.5)]),
    (":", 2, [(30, 84), (20, 84), (10, 84.5), (2, 83)]),
    (":", 2, [(30, 84), (42, 83.5), (55, 83.5), (64, 82), (72, 83), (80, 87), (86, 88)]),
    (":", 2, [(73, 64), (76, 68), (82, 71), (89, 73)]),
    (":", 2, [(135, 46), (136, 56), (134, 66), (128, 71), (119, 74)]),
    (":", 2, ring(LAKE[0], (19, 11))),
    (":", 2, [(122, 84), (129, 84), (132, 80), (130, 75), (126, 71)]),
]  # fmt: skip
"""Plan character, width and course of each street and path."""

BROOK: list[Point] = [
    (-1, 67.5),
    (13, 69),
    (25, 66.8),
    (40, 67.8),
    (54, 67),
    (63, 70),
    (70, 75.5),
    (80, 79),
    (91, 82),
]

PLACES = [
    Room("plaza", "Willow Square", "柳树广场", SQUARE),
    Room("johnson_park", "Johnson Park", "强生公园", PARK),
]
OUTDOOR_ARENAS = [
    Room("plaza/square", "Willow Square", "柳树广场", SQUARE, "square, outdoor"),
    Room("johnson_park/grounds", "Johnson Park", "强生公园", PARK, "park, outdoor"),
]

OUTDOOR_THINGS = [
    Placed("plaza/square/fountain", "fountain", (71, 56)),
    Placed("plaza/square/notice_board", "notice_board", (65, 52)),
    Placed("plaza/square/north_bench", "bench", (71, 52), "northern bench", "北边的长椅"),
    Placed("plaza/square/south_bench", "bench", (66, 60), "southern bench", "南边的长椅"),
    Placed("plaza/square/stage", "stage", (75, 61)),
    Placed("plaza/square/flower_stall", "stall", (79, 54), "flower stall", "花摊"),
    Placed("johnson_park/grounds/lawn", "lawn", (126, 78)),
    Placed("johnson_park/grounds/pond_side", "pond_side", (99, 76), "lake side", "湖边"),
    Placed(
        "johnson_park/grounds/lakeside_bench", "bench", (106, 74), "bench by the lake", "湖边的长椅"
    ),
    Placed("johnson_park/grounds/shady_bench", "bench", (73, 91), "shady bench", "树荫下的长椅"),
    Placed("johnson_park/grounds/gate_bench", "bench", (79, 68), "bench by the gate", "门口的长椅"),
    Placed("johnson_park/grounds/chess_table", "chess_table", (86, 70)),
    Placed("johnson_park/grounds/pavilion", "pavilion", (102, 69)),
    Placed("johnson_park/grounds/flower_bed", "flower_bed", (93, 70)),
    Placed("johnson_park/grounds/bars", "bars", (126, 87)),
    Placed("johnson_park/grounds/old_oak", "camphor", (72, 88), "the old oak", "老橡树"),
    Placed("johnson_park/grounds/bandstand", "bandstand", (125, 74)),
]

GROVES: list[tuple[Point, Point, float]] = [
    ((18, 28), (13, 2.5), 0.6), ((27.5, 57), (3, 5), 0.4), ((16, 65.5), (10, 2), 0.5), ((45, 65), (10, 2), 0.6), ((44, 69.5), (12, 1.5), 0.3),
    ((26, 94), (4, 5), 0.6), ((46, 97), (4, 3), 0.6), ((69, 90), (7, 7), 0.5), ((82, 95), (9, 4), 0.7), ((103, 97), (14, 2.5), 0.7),
    ((131, 92), (8, 6), 0.7), ((135, 72), (4, 7), 0.6), ((112, 68), (6, 3), 0.6), ((75, 78), (4, 4), 0.5), ((100, 29), (7, 3), 0.5), ((84.5, 34), (2, 6), 0.5),
    ((137, 55), (4, 8), 0.6), ((66, 27), (5, 2), 0.5), ((77, 27), (4, 2), 0.5), ((51, 29), (2.5, 4), 0.5), ((64, 90), (4, 6), 0.6), ((62, 75), (3, 6), 0.5),
    ((91, 12), (2.5, 9), 0.6), ((115, 90), (5, 3), 0.4), ((90, 92), (5, 3), 0.5), ((112, 73), (3, 2), 0.4), ((127, 66), (5, 3), 0.4), ((95, 67), (5, 2), 0.4),
    ((32, 76), (1.5, 5), 0.4), ((85, 58), (1.8, 5), 0.5), ((31, 56), (1.8, 5), 0.4), ((6, 28), (5, 3), 0.6), ((84, 76), (4, 3), 0.35), ((120, 97), (8, 3), 0.6),
]  # fmt: skip
"""Groves of trees: middle, reach, density."""


def _land() -> Land:
    land = Land(*SIZE, Random("the ville"))
    land.brook(BROOK, 2)
    lake = set().union(*(land.blob(middle, reach, "~") for middle, reach in (LAKE, *BAYS)))
    land.marks |= dict.fromkeys(sorted(land.within(*ISLAND) & lake), ".")
    land.fill(SQUARE, "s")
    for rect in LAWNS:
        land.fill(rect, ".", over="s")
    for rect in FIELDS:
        land.fill(rect, "m")
    for building in BUILDINGS:
        land.build(building)
    for mark, width, course in STREETS:
        land.road(course, width, mark)
    for rect in PAVED:
        land.fill(rect, "s")
    for building in BUILDINGS:
        for at, mark in sorted(building.ground().items()):
            below = (at[0], at[1] + 1), (at[0] - 1, at[1]), (at[0] + 1, at[1]), (at[0], at[1] - 1)
            if mark == "+" and any(
                land.marks.get(tile) == "." and tile not in building.ground() for tile in below
            ):
                land.doorstep(at)
    _green(land)
    return land


def _green(land: Land) -> None:
    """Plant hedges, trees and flowers, after buildings and streets."""
    for thing in OUTDOOR_THINGS:
        shape = KINDS[thing.kind].shape
        land.keep(
            (
                (thing.at[0] + right, thing.at[1] + down)
                for right in range(len(shape[0]))
                for down in range(len(shape))
            ),
            2,
        )
    for mark, rect in YARDS:
        land.outline(rect, mark)
    land.edge("t", 7)
    for column, row in (
        (62, 51),
        (82, 51),
        (62, 61),
        (64, 63),
        (81, 62),
        (83, 60),
        (99, 83),
        (101, 83),
        (100, 84),
    ):
        land.marks[column, row] = "t"
    for middle, reach, density in GROVES:
        land.plant("t", middle, reach, density, 2)
    for _ in range(130):
        radius = land.stream.uniform(1, 3)
        land.plant(
            "t",
            (land.stream.uniform(2, 138), land.stream.uniform(2, 98)),
            (radius, radius * 0.7),
            0.55,
            2,
        )
    for _ in range(150):
        land.plant(
            "f",
            (land.stream.uniform(2, 138), land.stream.uniform(2, 98)),
            (2.2, 1.6),
            1.1,
            margin=land.stream.choice((0, 1)),
        )
    for column, row, width, height in LAWNS:
        land.plant("f", (column + width / 2, row + height / 2), (width, height), 0.8, margin=0)
    for column, row in [
        at
        for at, mark in land.marks.items()
        if mark in ".f" and (at[0] in (0, SIZE[0] - 1) or at[1] in (0, SIZE[1] - 1))
    ]:
        land.marks[column, row] = "T"
    land.close((72, 63), ".f:rs=+gmdwcbkopnqel")


def _decor(land: Land) -> list[tuple[str, At]]:
    """Return the decorations: in the houses as planned, and along the streets and the water."""
    decor = [item for building in BUILDINGS for item in building.decor()]
    decor += [("lamp", at) for at in _beside_street(land)] + _at_doors(land)
    shore = [
        at
        for at, mark in sorted(land.marks.items())
        if mark == "~" and land.marks.get((at[0], at[1] + 1)) == "."
    ]
    decor += [("reeds", at) for at in shore if land.stream.random() < 0.3]
    decor += [
        ("lily", at)
        for at, mark in sorted(land.marks.items())
        if mark == "~" and land.inside(at, "~") and land.stream.random() < 0.06
    ]
    free = [
        at
        for at, mark in sorted(land.marks.items())
        if mark == "."
        and land.free(at, 2)
        and 4 < at[0] < SIZE[0] - 4
        and 4 < at[1] < SIZE[1] - 4
        and at not in {place for _, place in OUTDOOR_DECOR}
    ]
    for kind, count in (("bush", 60), ("rock", 18), ("stump", 8)):
        decor += [(kind, at) for at in land.stream.sample(free, count)]
    return OUTDOOR_DECOR + decor


def _beside_street(land: Land) -> list[At]:
    """Return places for street lamps: on the northern kerb of the high street, every ten tiles or
    so.
    """
    kerbs = [
        (column, next(row for row in range(40, 60) if land.marks[column, row] == "r") - 1)
        for column in range(5, SIZE[0], 11)
    ]
    return [at for at in kerbs if all(land.marks[at[0], at[1] - up] in ".s" for up in (0, 1, 2))]


def _at_doors(land: Land) -> list[tuple[str, At]]:
    """Return a letter box and a pot of flowers at each home's front door."""
    doors = [
        at
        for home in HOMES
        for at, mark in home.ground().items()
        if mark == "+"
        and land.marks[at[0], at[1] + 1] == ":"
        and land.marks[at[0] - 1, at[1]] == "#"
    ]
    wanted = [("flower_pots", (column - 1, row + 1)) for column, row in doors] + [
        ("mailbox", (column + 1, row + 2)) for column, row in doors
    ]
    return [(kind, at) for kind, at in wanted if land.marks[at] in ".f"]


@cache
def plan() -> Plan:
    """Return the town as it is drawn; to plant its greenery takes seconds."""
    land = _land()
    return built("ville", land, BUILDINGS, (PLACES, OUTDOOR_ARENAS, OUTDOOR_THINGS), _decor(land))
