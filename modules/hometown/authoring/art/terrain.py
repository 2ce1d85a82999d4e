"""Ground, floors, walls and greenery: the picture of each square of the ground plan, which depends
on the squares around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from PIL import Image

from hometown.authoring.art import cliffs, floors, greenery, ground, walls
from hometown.authoring.art.drawings import SIZE, cut_variant, index_combination, load_drawing
from hometown.authoring.art.floors import INDOORS
from hometown.authoring.art.walls import FACADES, Facade, Site

OPEN = set(".:srdmy=f~gtTaihjMz|")
"""Plan characters that lie outdoors."""
TREES = "taihj"
"""Plan characters that are trees."""
PAVED = "rs"
"""Plan characters that are laid with stones."""
BLOCKING = set("#|T~taihjM")
"""Plan characters that cannot be walked."""
LAWN = ".ftaihj"
"""Plan characters that are grass, or grow on it."""
WAYS = ":rsgm"
"""Ground that continues below walls and doors beside it."""
PLAIN = FACADES["plaster"]

STEPS_BESIDE = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Steps to the left, to the right, up and down."""
AROUND = tuple((right, down) for down in (-1, 0, 1) for right in (-1, 0, 1))
"""Steps to a place and its eight neighbours, row by row."""


Picture = tuple[str, Image.Image]
"""The name of a layer, and a picture to draw on it."""


@dataclass(frozen=True)
class GroundTile:
    """A place on the ground plan."""

    column: int
    row: int
    plan: Sequence[str]

    @property
    def mark(self) -> str:
        """The plan's character; that of a hedge beyond the plan."""
        inside = 0 <= self.row < len(self.plan) and 0 <= self.column < len(self.plan[0])
        return self.plan[self.row][self.column] if inside else "T"

    @property
    def marks_beside(self) -> list[str]:
        """The marks to the left, to the right, above and below."""
        return [self.step(*way).mark for way in STEPS_BESIDE]

    @property
    def is_wall(self) -> bool:
        return self.mark == "#"

    @property
    def is_outdoors(self) -> bool:
        return self.mark in OPEN

    @property
    def has_face(self) -> bool:
        """Return True if the face of a wall is visible here."""
        return self.is_wall and not self.step(0, 1).is_wall

    @property
    def is_gate(self) -> bool:
        """Return True if a door is a gap in a fence or a hedge."""
        return any(mark in "|T" for mark in self.marks_beside)

    @property
    def is_door_across(self) -> bool:
        """Return True if there is a door in a wall that runs across the page."""
        return self.mark == "+" and "#" in self.marks_beside[:2] and not self.is_gate

    def step(self, right: int, down: int = 0) -> GroundTile:
        """Return the place so many tiles to the right and below."""
        return GroundTile(self.column + right, self.row + down, self.plan)

    def halves(self, mark: str) -> tuple[bool, ...]:
        """Return which of the 18 half tiles about the place have a mark (see `texture.border`)."""
        return tuple(self.step(*way).mark == mark for way in AROUND for _ in (0, 1))

    def pick(self, seed: str, count: int) -> int:
        """Return a number below `count`, the same whenever the place is drawn."""
        return _pick(self.column, self.row, seed, count)


def tiles(
    column: int, row: int, plan: Sequence[str], facade: Facade = PLAIN, hung: bool = False
) -> list[Picture]:
    """Return the pictures of one place of the plan, each with its layer, the lower ones first; no
    window where something is `hung`.
    """
    spot = GroundTile(column, row, plan)
    kind = spot.mark
    around = tuple(half for way in AROUND for half in _find_ground_halves(spot.step(*way)))
    pictures: list[Picture] = [("ground", ground.draw_ground(column, row, around))]
    if kind in LAWN:
        pictures += _draw_lawn(spot)
    if kind in PAVED:
        pictures += _draw_patches(spot, PAVED)
    pictures += [("floor", picture) for picture in _draw_floor(spot)]
    if kind == "#":
        pictures += _draw_wall(spot, facade, hung)
    elif kind == "+" and not spot.is_gate:
        pictures += _draw_door(spot, facade)
    elif kind == "|":
        fence = index_combination(*(mark in "|#+" for mark in spot.marks_beside))
        pictures.append(("walls", cut_variant("walls/fence", fence)))
    elif kind == "f":
        colour = _pick(column // 2, row // 2, "flowers", 6)
        pictures.append(("furniture", greenery.flowers(colour, spot.pick("deep", 3))))
    if not spot.is_wall and spot.step(0, -1).has_face:
        above = [spot.step(side, -1) for side in (-1, 1)]
        ends = [not (wall.is_wall or wall.is_door_across) for wall in above]
        pictures.append(("floor", walls.shade_below(*ends)))
    return pictures + _draw_hedge(spot) + _draw_rock(spot)


def blocked_tile() -> Image.Image:
    """Return the tile that marks blocked places; the page never draws its layer."""
    return load_drawing("walls/blocked")


def draw_tree(column: int, row: int, plan: Sequence[str]) -> Image.Image:
    """Return a tree, three tiles wide and three high, of the kind given in the plan; a small one
    where its crown would hide a house.
    """
    spot = GroundTile(column, row, plan)
    if spot.mark in greenery.PLANTED:
        return greenery.draw_planted_tree(spot.mark, spot.pick("apple", 6))
    behind = [spot.step(right, -down) for right in (-1, 0, 1) for down in (0, 1, 2)]
    is_free = all(near.mark in OPEN - set("tT") for near in behind if near != spot)
    return greenery.tree(spot.pick("tree", 24), is_free)


def window_at(column: int, row: int, plan: Sequence[str]) -> bool:
    """Return True if a wall has a window here: on outer walls that run across, every third tile,
    not at corners and doors.
    """
    spot = GroundTile(column, row, plan)
    return (
        column % 3 == 1
        and spot.step(0, -1).is_outdoors != spot.step(0, 1).is_outdoors
        and all(spot.step(right).has_face for right in (-1, 0, 1))
    )


@lru_cache(maxsize=1 << 16)
def _pick(column: int, row: int, seed: str, count: int) -> int:
    """Return a number below `count` drawn for a place and a seed, always the same."""
    return Random(f"{column},{row},{seed}").randrange(count)


def _find_ground_halves(spot: GroundTile) -> tuple[str, str]:
    """Return the ground in the left and the right half of a place: below a wall, the adjacent
    ground; elsewhere mostly grass.
    """
    kind = "~" if spot.mark == "=" else spot.mark
    left, right, up, down = spot.marks_beside
    if kind == "+":
        kind = next((mark for mark in (left, right, down, up) if mark in WAYS), ":")
    if kind in ground.LAID:
        return kind, kind
    if kind != "#":
        return ".", "."
    other = next((mark for mark in (down, up) if mark in WAYS), ".")
    first, second = (
        "." if mark in ".ftT" else mark if mark in WAYS else other for mark in (left, right)
    )
    return first, second


def _draw_lawn(spot: GroundTile) -> list[Picture]:
    """Return the patches of a lawn, and on some tiles scattered details."""
    pictures = _draw_patches(spot, LAWN)
    number = spot.pick("strewn", 70)
    if number < 10 and spot.mark == "." and "#" not in spot.marks_beside[2:]:
        pictures.append(("floor", greenery.draw_lawn_details(number)))
    return pictures


def _draw_patches(spot: GroundTile, kinds: str) -> list[Picture]:
    """Return lighter and darker patches of ground of these kinds, which hide the repetition of its
    texture.
    """
    pictures: list[Picture] = []
    for sunny in (True, False):
        corners = tuple(
            _is_patchy(spot.step(right, down), sunny, kinds) for down in (0, 1) for right in (0, 1)
        )
        if any(corners):
            patch = greenery.patch(corners, spot.column, spot.row, sunny, kinds == PAVED)
            pictures.append(("floor", patch))
    return pictures


def _is_patchy(spot: GroundTile, sunny: bool, kinds: str) -> bool:
    """Return True if a corner is inside a patch, from hills about four tiles wide; patches end at
    ground of other kinds.
    """
    if any(spot.step(right, down).mark not in kinds for right in (-1, 0) for down in (-1, 0)):
        return False
    pitch, seed = 4, f"patch{sunny}"
    x, right = divmod(spot.column, pitch)
    y, down = divmod(spot.row, pitch)
    upper, lower = (
        _pick(x, y + n, seed, 100) * (pitch - right) + _pick(x + 1, y + n, seed, 100) * right
        for n in (0, 1)
    )
    return upper * (pitch - down) + lower * down > 58 * pitch * pitch


def _draw_floor(spot: GroundTile) -> list[Image.Image]:
    """Return the floor of a place; beside a wall that runs down the page, that of the rooms at its
    two sides.
    """
    kind = spot.mark
    if kind in floors.FLOORS:
        floor = floors.draw_floor(kind, spot.column, spot.row)
        edges = (mark in OPEN - {kind} for mark in spot.marks_beside)
        return [floor] if kind in INDOORS else [floor, floors.rim(*edges)]
    if kind not in "#+":
        return []
    whole = Image.new("RGBA", (SIZE, SIZE))
    left, right, up, down = spot.marks_beside
    for beside, x in ((left, 0), (right, SIZE // 2)):
        if kind == "+" and beside == "#":
            beside = up if up in INDOORS else down
        if beside in INDOORS:
            floor = floors.draw_floor(beside, spot.column, spot.row)
            whole.paste(floor.crop((x, 0, x + SIZE // 2, SIZE)), (x, 0))
    return [whole]


def _draw_wall(spot: GroundTile, facade: Facade, hung: bool) -> list[Picture]:
    """Return a wall with its window, and its shadow to the right, as the walls and the ground
    beside it demand; no window where something is `hung`.
    """
    sides, below = [spot.step(side) for side in (-1, 1)], spot.step(0, 1)
    left, right = (side.is_wall or side.is_door_across for side in sides)
    down = below.is_wall
    site = Site(
        left,
        right,
        down,
        filled=tuple(down and side.is_wall and side.step(0, 1).is_wall for side in sides),
        outside=tuple((side.step(0, 1) if down else below).is_outdoors for side in sides),
        window=not hung and window_at(spot.column, spot.row, spot.plan),
        above=spot.step(0, -1).is_wall,
    )
    wall = walls.wall(site, facade, spot.pick("box", 2) == 0)
    return [*([] if right else [("floor", walls.shade_beside())]), ("walls", wall)]


def _draw_door(spot: GroundTile, facade: Facade) -> list[Picture]:
    """Return a door: of a wall across the page its threshold and its lintel, of a wall down the
    page a sill.
    """
    if not spot.is_door_across:
        return [("walls", walls.threshold())]
    below, lintel = walls.doorway(facade, any(mark in OPEN for mark in spot.marks_beside[2:]))
    return [("walls", below), ("foreground", lintel)]


def _draw_hedge(spot: GroundTile) -> list[Picture]:
    """Return the part of a hedge, or of its shadow, on a tile; none within a wall or away from
    hedges.
    """
    around = spot.halves("T")
    if spot.is_wall or not any(around):
        return []
    return [("walls", greenery.hedge(spot.column % 4, spot.row % 4, around))]


def _draw_rock(spot: GroundTile) -> list[Picture]:
    """Return the part of a rock, or of its shadow, on a tile; none within a wall or away from
    rocks.
    """
    around = spot.halves("M")
    if spot.is_wall or not any(around):
        return []
    below = next(
        (down for down in range(cliffs.FACE) if spot.step(0, down + 1).mark != "M"), cliffs.FACE
    )
    return [("walls", cliffs.draw_cliff(spot.column % 4, spot.row % 4, around, below))]
