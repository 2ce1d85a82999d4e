"""Ground, floors, walls and greenery: the pictures of a place on the ground plan, given its
neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
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
PLAIN = FACADES["plaster"]

Picture = tuple[str, Image.Image]
"""The name of a layer, and a picture to draw on it."""


def tiles(
    column: int, row: int, plan: Sequence[str], facade: Facade = PLAIN, hung: bool = False
) -> list[Picture]:
    """Return the pictures of one place of the plan, each with its layer, the lower ones first; no
    window where something is `hung`.
    """
    kind = plan[row][column]
    pictures: list[Picture] = [
        ("ground", ground.draw_ground(column, row, _around(column, row, plan)))
    ]
    if kind in LAWN:
        pictures += _lawn(column, row, plan)
    if kind in PAVED:
        pictures += _patches(column, row, plan, PAVED)
    pictures += [("floor", picture) for picture in _floor(column, row, plan)]
    if kind == "#":
        pictures += _wall(column, row, plan, facade, hung)
    elif kind == "+" and not _gate(column, row, plan):
        pictures += _door(column, row, plan, facade)
    elif kind == "|":
        pictures.append(("walls", _fence(column, row, plan)))
    elif kind == "f":
        pictures.append(
            (
                "furniture",
                greenery.flowers(
                    _pick(column // 2, row // 2, "flowers", 6), _pick(column, row, "deep", 3)
                ),
            )
        )
    if not _wall_at(column, row, plan) and _face(column, row - 1, plan):
        ends = [
            not (_wall_at(column + side, row - 1, plan) or _across(column + side, row - 1, plan))
            for side in (-1, 1)
        ]
        pictures.append(("floor", walls.shade_below(*ends)))
    return pictures + _hedge(column, row, plan) + _rock(column, row, plan)


def blocked_tile() -> Image.Image:
    """Return the tile that marks blocked places; the page never draws its layer."""
    return load_drawing("walls/blocked")


def draw_tree(column: int, row: int, plan: Sequence[str]) -> Image.Image:
    """Return a tree, three tiles wide and three high, of the kind given in the plan; a small one
    where its crown would hide a house.
    """
    if plan[row][column] in greenery.PLANTED:
        return greenery.draw_planted_tree(plan[row][column], _pick(column, row, "apple", 6))
    above = [_at(column + right, row - down, plan) for right in (-1, 0, 1) for down in (1, 2)]
    beside = [_at(column + right, row, plan) for right in (-1, 1)]
    return greenery.tree(
        _pick(column, row, "tree", 24), all(mark in OPEN - set("tT") for mark in [*above, *beside])
    )


def window_at(column: int, row: int, plan: Sequence[str]) -> bool:
    """Return whether a wall has a window here: on outer walls that run across, every third tile,
    not at corners and doors.
    """
    sides = [_at(column + right, row, plan) == "#" for right in (-1, 0, 1)]
    outer = {_outdoors(column, row - 1, plan), _outdoors(column, row + 1, plan)}
    ends = [_at(column + right, row + 1, plan) == "#" for right in (-1, 0, 1)]
    return (
        all(sides)
        and outer == {True, False}
        and not any(ends)
        and column % 3 == 1
        and _face(column, row, plan)
    )


def _at(column: int, row: int, plan: Sequence[str]) -> str:
    return plan[row][column] if 0 <= row < len(plan) and 0 <= column < len(plan[0]) else "T"


@lru_cache(maxsize=1 << 16)
def _pick(column: int, row: int, seed: str, count: int) -> int:
    return Random(f"{column},{row},{seed}").randrange(count)


def _gate(column: int, row: int, plan: Sequence[str]) -> bool:
    """Return whether a door is a gap in a fence or a hedge."""
    return any(
        _at(column + right, row + down, plan) in "|T"
        for right, down in ((-1, 0), (1, 0), (0, -1), (0, 1))
    )


def _across(column: int, row: int, plan: Sequence[str]) -> bool:
    """Return whether a place is a door in a wall that runs across the page."""
    return (
        _at(column, row, plan) == "+"
        and "#" in (_at(column - 1, row, plan), _at(column + 1, row, plan))
        and not _gate(column, row, plan)
    )


def _wall_at(column: int, row: int, plan: Sequence[str]) -> bool:
    return _at(column, row, plan) == "#"


def _outdoors(column: int, row: int, plan: Sequence[str]) -> bool:
    return _at(column, row, plan) in OPEN


def _face(column: int, row: int, plan: Sequence[str]) -> bool:
    """Return whether the face of a wall is visible here."""
    return _wall_at(column, row, plan) and not _wall_at(column, row + 1, plan)


def _around(column: int, row: int, plan: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        half
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        for half in _halves(column + right, row + down, plan)
    )


def _halves(column: int, row: int, plan: Sequence[str]) -> tuple[str, str]:
    """Return the ground in the left and the right half of a place: below a wall, the adjacent
    ground; elsewhere mostly grass.
    """
    kind = _at(column, row, plan)
    if kind == "=":
        return "~", "~"
    if kind == "+":
        near = [
            _at(column + right, row + down, plan)
            for right, down in ((-1, 0), (1, 0), (0, 1), (0, -1))
        ]
        kind = next((mark for mark in near if mark in ":rsgm"), ":")
    if kind in ground.LAID:
        return kind, kind
    if kind != "#":
        return ".", "."
    near = [
        _at(column + right, row + down, plan) for right, down in ((-1, 0), (1, 0), (0, 1), (0, -1))
    ]
    laid = [mark if mark in ":rsgm" else "" for mark in near]
    other = laid[2] or laid[3] or "."
    return laid[0] or other if near[0] not in ".ftT" else ".", laid[1] or other if near[
        1
    ] not in ".ftT" else "."


def _lawn(column: int, row: int, plan: Sequence[str]) -> list[Picture]:
    """Patches and scattered details."""
    pictures = _patches(column, row, plan, LAWN)
    number = _pick(column, row, "strewn", 70)
    if (
        number < 10
        and plan[row][column] == "."
        and "#" not in (_at(column, row - 1, plan), _at(column, row + 1, plan))
    ):
        pictures.append(("floor", greenery.draw_lawn_details(number)))
    return pictures


def _patches(column: int, row: int, plan: Sequence[str], kinds: str) -> list[Picture]:
    """Return lighter and darker patches of ground of these kinds, which hide the repetition of its
    texture.
    """
    pictures: list[Picture] = []
    for sunny in (True, False):
        corners = tuple(
            _patchy(column + right, row + down, plan, sunny, kinds)
            for down in (0, 1)
            for right in (0, 1)
        )
        if any(corners):
            pictures.append(
                (
                    "floor",
                    greenery.patch(
                        (corners[0], corners[1], corners[2], corners[3]),
                        column,
                        row,
                        sunny,
                        kinds == PAVED,
                    ),
                )
            )
    return pictures


def _patchy(column: int, row: int, plan: Sequence[str], sunny: bool, kinds: str) -> bool:
    """Return whether a corner is inside a patch, from hills about four tiles wide; patches end at
    ground of other kinds.
    """
    if any(
        _at(column + right, row + down, plan) not in kinds for right in (-1, 0) for down in (-1, 0)
    ):
        return False
    pitch, seed = 4, f"patch{sunny}"
    x, right = divmod(column, pitch)
    y, down = divmod(row, pitch)
    upper, lower = (
        _pick(x, y + n, seed, 100) * (pitch - right) + _pick(x + 1, y + n, seed, 100) * right
        for n in (0, 1)
    )
    return upper * (pitch - down) + lower * down > 58 * pitch * pitch


def _floor(column: int, row: int, plan: Sequence[str]) -> list[Image.Image]:
    """Return the floor of a place; beside a wall that runs down the page, that of the rooms at its
    two sides.
    """
    kind = plan[row][column]
    if kind in floors.FLOORS:
        edges = tuple(
            _at(column + right, row + down, plan) in OPEN - {kind}
            for right, down in ((-1, 0), (1, 0), (0, -1), (0, 1))
        )
        return [
            floors.draw_floor(kind, column, row),
            *([floors.rim(*edges)] if kind not in INDOORS else []),
        ]
    if kind not in "#+":
        return []
    whole = Image.new("RGBA", (SIZE, SIZE))
    for right, x in ((-1, 0), (1, SIZE // 2)):
        beside = _at(column + right, row, plan)
        if kind == "+" and beside == "#":
            beside = next(
                (
                    mark
                    for mark in (_at(column, row - 1, plan), _at(column, row + 1, plan))
                    if mark in INDOORS
                ),
                "",
            )
        if beside in INDOORS:
            whole.paste(
                floors.draw_floor(beside, column, row).crop((x, 0, x + SIZE // 2, SIZE)), (x, 0)
            )
    return [whole]


def _fence(column: int, row: int, plan: Sequence[str]) -> Image.Image:
    """Return a tile of fence, connected with its neighbours."""
    left, right, up, down = (
        _at(column + right, row + down, plan) in "|#+"
        for right, down in ((-1, 0), (1, 0), (0, -1), (0, 1))
    )
    return cut_variant("walls/fence", index_combination(left, right, up, down))


def _wall(column: int, row: int, plan: Sequence[str], facade: Facade, hung: bool) -> list[Picture]:
    left, right = (
        _wall_at(column + side, row, plan) or _across(column + side, row, plan) for side in (-1, 1)
    )
    down = _wall_at(column, row + 1, plan)
    corners = tuple(
        down and _wall_at(column + side, row, plan) and _wall_at(column + side, row + 1, plan)
        for side in (-1, 1)
    )
    outside = tuple(
        _at(column + side if down else column, row + 1, plan) in OPEN for side in (-1, 1)
    )
    site = Site(
        left,
        right,
        down,
        (corners[0], corners[1]),
        (outside[0], outside[1]),
        not hung and window_at(column, row, plan),
        _wall_at(column, row - 1, plan),
    )
    pictures: list[Picture] = []
    if not right:
        pictures.append(("floor", walls.shade_beside()))
    return [*pictures, ("walls", walls.wall(site, facade, _pick(column, row, "box", 2) == 0))]


def _door(column: int, row: int, plan: Sequence[str], facade: Facade) -> list[Picture]:
    if not _across(column, row, plan):
        return [("walls", walls.threshold())]
    below, lintel = walls.doorway(
        facade, _outdoors(column, row + 1, plan) or _outdoors(column, row - 1, plan)
    )
    return [("walls", below), ("foreground", lintel)]


def _hedge(column: int, row: int, plan: Sequence[str]) -> list[Picture]:
    """Return the part of a hedge, or of its shadow, on a tile."""
    around = tuple(
        _at(column + right, row + down, plan) == "T"
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        for _ in (0, 1)
    )
    return (
        [("walls", greenery.hedge(column % 4, row % 4, around))]
        if any(around) and not _wall_at(column, row, plan)
        else []
    )


def _rock(column: int, row: int, plan: Sequence[str]) -> list[Picture]:
    """Return the part of a rock, or of its shadow, on a tile."""
    around = tuple(
        _at(column + right, row + down, plan) == "M"
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        for _ in (0, 1)
    )
    if not any(around) or _wall_at(column, row, plan):
        return []
    below = next(
        down
        for down in range(cliffs.FACE + 1)
        if down == cliffs.FACE or _at(column, row + down + 1, plan) != "M"
    )
    return [("walls", cliffs.draw_cliff(column % 4, row % 4, around, below))]
