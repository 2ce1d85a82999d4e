"""The Ville: a village for twenty-five. A high street around Willow Square, a college, lanes of homes, a park with a lake."""

from __future__ import annotations

from random import Random

from modules.art.kinds import KINDS
from modules.art.people import Look
from modules.art.plan import Placed, Plan, Room
from tools.towns.land import Land, Point, ring
from tools.towns.ville_homes import HOMES
from tools.towns.ville_public import PUBLIC

SIZE = (140, 100)
BUILDINGS = [*PUBLIC, *HOMES]

SQUARE = (60, 49, 25, 16)
PARK = (64, 67, 73, 30)
LAKE: tuple[Point, Point] = ((103.5, 83), (14.5, 7))

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
    (":", 2, ring(LAKE[0], (LAKE[1][0] + 4.2, LAKE[1][1] + 3.8))),
    (":", 2, [(122, 84), (129, 84), (132, 80), (130, 75), (126, 71)]),
]  # fmt: skip
"""Plan character, width and course of each street and path."""

BROOK: list[Point] = [(-1, 67.5), (13, 69), (25, 66.8), (40, 67.8), (54, 67), (63, 70), (70, 75.5), (80, 79), (91, 82)]

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
    Placed("johnson_park/grounds/pond_side", "pond_side", (99, 75), "lake side", "湖边"),
    Placed("johnson_park/grounds/lakeside_bench", "bench", (106, 74), "bench by the lake", "湖边的长椅"),
    Placed("johnson_park/grounds/shady_bench", "bench", (73, 91), "shady bench", "树荫下的长椅"),
    Placed("johnson_park/grounds/gate_bench", "bench", (79, 68), "bench by the gate", "门口的长椅"),
    Placed("johnson_park/grounds/chess_table", "chess_table", (86, 70)),
    Placed("johnson_park/grounds/pavilion", "pavilion", (102, 69)),
    Placed("johnson_park/grounds/flower_bed", "flower_bed", (93, 70)),
    Placed("johnson_park/grounds/bars", "bars", (126, 87)),
    Placed("johnson_park/grounds/old_oak", "camphor", (72, 88), "the old oak", "老橡树"),
    Placed("johnson_park/grounds/bandstand", "stage", (125, 74), "bandstand", "音乐台"),
]

GROVES: list[tuple[Point, Point, float]] = [
    ((6, 4), (10, 6), 0.5), ((30, 3), (4, 8), 0.5), ((50.5, 8), (3, 10), 0.5), ((89, 6), (3, 12), 0.5), ((137, 12), (3, 12), 0.6), ((18, 28), (14, 3), 0.4),
    ((3, 58), (3, 8), 0.5), ((28, 57), (3, 6), 0.4), ((16, 66), (12, 3), 0.4), ((45, 65), (10, 2), 0.4), ((44, 69.5), (12, 1.5), 0.4), ((3, 92), (4, 8), 0.5),
    ((25, 95), (4, 4), 0.5), ((46, 96), (5, 4), 0.5), ((70, 90), (8, 7), 0.35), ((82, 95), (10, 4), 0.5), ((103, 97), (16, 3), 0.5), ((132, 93), (7, 5), 0.5),
    ((136, 72), (4, 8), 0.5), ((112, 68), (8, 3), 0.4), ((73, 79), (5, 4), 0.3), ((100, 30), (8, 3), 0.4), ((84, 34), (3, 7), 0.4), ((108, 34), (2, 8), 0.3),
    ((138, 33), (3, 10), 0.5), ((136, 60), (4, 6), 0.4), ((115, 58), (3, 6), 0.4), ((66, 28), (12, 3), 0.35), ((42, 29), (12, 4), 0.35),
    ((64, 90), (3, 7), 0.4),     ((32, 76), (6, 8), 0.25), ((60, 76), (3, 5), 0.35), ((126, 66), (8, 4), 0.3),
]  # fmt: skip
"""Where trees stand together: middle, reach, density."""


def _land() -> Land:
    land = Land(*SIZE, Random("the ville"))
    land.brook(BROOK, 2)
    land.blob(*LAKE, "~")
    land.fill(*SQUARE, "s")
    for building in BUILDINGS:
        land.build(building)
    for mark, width, course in STREETS:
        land.road(course, width, mark)
    for building in BUILDINGS:
        for at, mark in sorted(building.ground().items()):
            below = (at[0], at[1] + 1), (at[0] - 1, at[1]), (at[0] + 1, at[1]), (at[0], at[1] - 1)
            if mark == "+" and any(land.marks.get(one) == "." and one not in building.ground() for one in below):
                land.doorstep(at)
    _green(land)
    return land


def _green(land: Land) -> None:
    """Trees and flowers, after all that people have made."""
    for thing in OUTDOOR_THINGS:
        shape = KINDS[thing.kind].shape
        land.keep(((thing.at[0] + right, thing.at[1] + down) for right in range(len(shape[0])) for down in range(len(shape))), 2)
    for middle, reach, density in GROVES:
        land.plant("t", middle, reach, density, 2)
    land.plant("t", (70, 50), (90, 70), 0.03, 3)
    for _ in range(60):
        middle = (land.stream.uniform(2, 138), land.stream.uniform(2, 98))
        land.plant("f", middle, (2.5, 2), 0.6)
    for at, mark in list(land.marks.items()):
        if mark == "." and not (1 <= at[0] < SIZE[0] - 1 and 1 <= at[1] < SIZE[1] - 1):
            land.marks[at] = "T"
    land.close((72, 63), ".f:rs=+gm")


def _decor() -> list[tuple[str, tuple[int, int]]]:
    return [one for building in BUILDINGS for one in building.decor()]


def _plan() -> Plan:
    land = _land()
    sectors = sorted([*PLACES, *(building.sector for building in BUILDINGS)], key=lambda one: one.address)
    arenas = sorted([*OUTDOOR_ARENAS, *(room for building in BUILDINGS for room in building.arenas())], key=lambda one: one.address)
    things = sorted([*OUTDOOR_THINGS, *(thing for building in BUILDINGS for thing in building.placed())], key=lambda one: one.address)
    return Plan("ville", land.rows(), sectors, arenas, things, _decor())


LOOKS: dict[str, Look] = {}

PLAN = _plan()
