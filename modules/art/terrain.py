"""Ground, floors, walls and greenery: what a tile of the ground plan looks like among its neighbours."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from PIL import Image

from modules.art.canvas import INK, PALETTE, Canvas, colour

SIZE = 32
FLOORS = {"w": "wood", "c": "carpet", "b": "tile", "k": "cafe", "o": "office", "p": "wood", "n": "dark_wood", "q": "stone", "e": "rose", "l": "tile"}
OPEN = set(".:sf~gtT|rd=m")
"""Plan characters that lie outdoors."""


def tiles(column: int, row: int, plan: list[str]) -> dict[str, Image.Image]:
    """The pictures of one place of the plan, by layer."""
    kind = plan[row][column]
    found = {"ground": tile(_under(column, row, plan), column, row, plan)}
    if kind in FLOORS or (kind == "+" and not _gate(column, row, plan)):
        found["floor"] = tile(kind if kind in FLOORS else "+", column, row, plan)
    elif kind in "#|":
        found["walls"] = tile(kind, column, row, plan)
    elif kind in "Ttf":
        found["furniture"] = tile(kind, column, row, plan)
    if row + 1 < len(plan) and plan[row + 1][column] == "t":
        found["foreground"] = tile("treetop", column, row, plan)
    return found


def tile(kind: str, column: int, row: int, plan: list[str]) -> Image.Image:
    """One tile. Variants are chosen by place, from a stream of their own, so that they never change."""
    variant = Random(f"{column % 5},{row % 7},{kind}").randrange(4)
    canvas = Canvas(SIZE, SIZE)
    PAINTERS[kind](canvas, variant, column, row, plan)
    return canvas.image


def _at(column: int, row: int, plan: list[str]) -> str:
    return plan[row][column] if 0 <= row < len(plan) and 0 <= column < len(plan[0]) else "T"


def _gate(column: int, row: int, plan: list[str]) -> bool:
    """Whether a door is a gap in a fence."""
    return "|" in (_at(column - 1, row, plan), _at(column + 1, row, plan))


def _under(column: int, row: int, plan: list[str]) -> str:
    """The ground beneath a place: paths run on under gates, soil lies in gardens, grass everywhere else."""
    kind = plan[row][column]
    if kind in ":s~grd=m":
        return kind
    return ":" if kind == "+" else "."


def _speckle(canvas: Canvas, material: str, variant: int, count: int, shade: int = 2) -> None:
    stream = Random(f"{material}{variant}{shade}")
    canvas.dots([(stream.randrange(SIZE), stream.randrange(SIZE)) for _ in range(count)], material, shade)


def _grass(canvas: Canvas, variant: int, *_: object) -> None:
    canvas.fill(0, 0, 31, 31, "grass")
    _speckle(canvas, "grass", variant, 14, 0)
    stream = Random(f"tuft{variant}")
    for _tuft in range(variant + 1):
        x, y = stream.randrange(3, 28), stream.randrange(5, 29)
        for lean in (-2, 0, 2):
            canvas.line(x, y, x + lean, y - 3, "grass", 2)


def _edged(canvas: Canvas, material: str, column: int, row: int, plan: list[str], same: str, edge: int) -> None:
    """A surface with a darker rim where it ends."""
    canvas.fill(0, 0, 31, 31, material)
    sides = (((0, -1), (0, 0, 31, 1)), ((0, 1), (0, 30, 31, 31)), ((-1, 0), (0, 0, 1, 31)), ((1, 0), (30, 0, 31, 31)))
    for (right, down), box in sides:
        if _at(column + right, row + down, plan) not in same:
            canvas.fill(*box, material, edge)


def _path(canvas: Canvas, variant: int, column: int, row: int, plan: list[str]) -> None:
    _edged(canvas, "path", column, row, plan, ":s+r=", 2)
    _speckle(canvas, "path", variant, 12)
    _speckle(canvas, "path", variant, 10, 0)
    if variant == 3:
        canvas.oval(12, 14, 18, 18, "path", 0, outline=False)


def _paving(canvas: Canvas, variant: int, column: int, row: int, plan: list[str]) -> None:
    canvas.fill(0, 0, 31, 31, "stone")
    for y in (0, 16):
        canvas.line(0, y, 31, y, "stone", 2)
        shift = 8 if (y == 16) else 0
        for x in (shift, shift + 16):
            canvas.line(x, y, x, y + 15, "stone", 2)
            canvas.line(x + 1, y + 1, x + 14, y + 1, "stone", 0)
    if variant == 2:
        canvas.fill(2, 3, 13, 13, "path", 0)


def _water(canvas: Canvas, variant: int, column: int, row: int, plan: list[str]) -> None:
    canvas.fill(0, 0, 31, 31, "water")
    for n in range(2):
        x, y = (7 + 11 * variant + 13 * n) % 22, 8 + 12 * n + variant
        canvas.line(x, y, x + 7, y, "water", 0)
        canvas.line(x + 3, y + 2, x + 9, y + 2, "water", 2)
    for (right, down), box in {(0, -1): (0, 0, 31, 5), (0, 1): (0, 28, 31, 31), (-1, 0): (0, 0, 3, 31), (1, 0): (28, 0, 31, 31)}.items():
        if _at(column + right, row + down, plan) not in "~=":
            canvas.fill(*box, "soil", 0 if down < 0 else 1)
    if variant == 1:
        canvas.oval(12, 16, 21, 21, "leaf", 0)
        canvas.dots([(15, 17), (16, 17), (15, 16)], "rose", 0)


def _soil(canvas: Canvas, variant: int, *_: object) -> None:
    _grass(canvas, variant)
    canvas.shade(0, 0, 31, 31, 26)
    _speckle(canvas, "soil", variant, 10, 0)


def _planks(canvas: Canvas, material: str, variant: int) -> None:
    canvas.fill(0, 0, 31, 31, material)
    for y in (7, 15, 23, 31):
        canvas.line(0, y, 31, y, material, 2)
        x = (variant * 9 + y * 3) % 30
        canvas.line(x, y - 7, x, y, material, 2)
        canvas.line(x + 2, y - 6, x + 8, y - 6, material, 0)


def _deck(canvas: Canvas, variant: int, *_: object) -> None:
    _planks(canvas, "wood", variant)


def _floor(canvas: Canvas, variant: int, column: int, row: int, plan: list[str]) -> None:
    kind = plan[row][column]
    material = FLOORS[kind]
    if kind in "wpn":
        _planks(canvas, material, variant)
    else:
        canvas.fill(0, 0, 31, 31, material)
        if kind in "bk":
            for n in (0, 16):
                canvas.line(0, n, 31, n, material)
                canvas.line(n, 0, n, 31, material)
            if kind == "k":
                canvas.fill(1, 1, 15, 15, material, 0)
                canvas.fill(17, 17, 31, 31, material, 0)
        else:
            _speckle(canvas, material, variant, 18)
            _speckle(canvas, material, variant, 12, 0)
    if _at(column, row - 1, plan) == "#":
        canvas.shade(0, 0, 31, 3, 46)
    if _at(column - 1, row, plan) == "#":
        canvas.shade(0, 0, 2, 31, 30)


def _door(canvas: Canvas, variant: int, column: int, row: int, plan: list[str]) -> None:
    """A gap in a wall: a threshold, with a mat where it leads outdoors."""
    _planks(canvas, "dark_wood", variant)
    if _at(column - 1, row, plan) != "#":
        canvas.shade(0, 0, 31, 4, 70)
        return
    for x in (0, 29):
        canvas.fill(x, 0, x + 2, 31, "cap", 2)
    if any(_at(column + right, row + down, plan) in OPEN for right, down in ((0, 1), (0, -1))):
        canvas.block(6, 9, 25, 23, "red", 3)
        canvas.line(9, 12, 22, 12, "yellow", 1)
        canvas.line(9, 20, 22, 20, "yellow", 1)


def _wall(canvas: Canvas, variant: int, column: int, row: int, plan: list[str]) -> None:
    """The top of a wall, and its front where nothing stands before it."""
    canvas.fill(0, 0, 31, 31, "cap")
    for x, y in ((0, 0), (31, 0)):
        if _at(column + (1 if x else -1), row, plan) != "#":
            canvas.line(x, y, x, 31, "cap", 0 if not x else 2)
    if _at(column, row - 1, plan) != "#":
        canvas.line(0, 0, 31, 0, "cap", 0)
    below = _at(column, row + 1, plan)
    if below == "#":
        return
    canvas.fill(0, 10, 31, 31, "wall")
    canvas.line(0, 10, 31, 10, "cap", 2, 2)
    canvas.fill(0, 28, 31, 31, "wall", 2)
    outside = below in OPEN
    if below == "+":
        return
    if outside and (column * 7 + row) % 4 == 1:
        _window(canvas)
    elif not outside and (column * 5 + row) % 6 == 2:
        _picture(canvas, variant)


def _window(canvas: Canvas) -> None:
    canvas.block(7, 13, 24, 26, "white", 1)
    canvas.fill(9, 15, 22, 24, "water", 0)
    canvas.line(16, 15, 16, 24, "white", 1, 2)
    canvas.line(9, 20, 14, 15, "white", 0)
    canvas.fill(6, 26, 25, 27, "dark_wood")
    canvas.dots([(9, 25), (12, 25), (15, 25), (18, 25), (21, 25)], "red")


def _picture(canvas: Canvas, variant: int) -> None:
    canvas.block(9, 13, 22, 23, "dark_wood", 1)
    canvas.fill(11, 15, 20, 21, ("blue", "rose", "yellow", "teal")[variant], 0)
    canvas.line(11, 20, 15, 17, "green", 1, 2)
    canvas.line(15, 17, 20, 21, "green", 2, 2)


def _fence(canvas: Canvas, variant: int, column: int, row: int, plan: list[str]) -> None:
    beside = [_at(column + right, row, plan) in "|#+" for right in (-1, 1)]
    upright = [_at(column, row + down, plan) in "|#" for down in (-1, 1)]
    for y in (12, 20):
        if any(beside):
            canvas.block(0 if beside[0] else 13, y, 31 if beside[1] else 18, y + 3, "white", 0)
    if any(upright):
        canvas.block(14, 0 if upright[0] else 8, 17, 31 if upright[1] else 26, "white", 0)
    for x in (2, 12, 22) if any(beside) else (12,):
        canvas.block(x, 6, x + 6, 27, "white", 2)


def _hedge(canvas: Canvas, variant: int, *_: object) -> None:
    canvas.block(0, 3, 31, 31, "pine", 9)
    for x, y, radius in ((8, 11, 7), (22, 9, 8), (15, 20, 8)):
        canvas.disc(x, y, radius, "pine", 0 if radius == 7 else 1)
        canvas.disc(x - 1, y - 2, radius - 4, "leaf", 2)
    _speckle(canvas, "leaf", variant, 8, 0)


def _trunk(canvas: Canvas, variant: int, *_: object) -> None:
    canvas.shadow(3, 20, 28, 31)
    canvas.block(13, 0, 18, 28, "dark_wood", 1)
    _crown(canvas, variant, -16)


def _treetop(canvas: Canvas, variant: int, column: int, row: int, plan: list[str]) -> None:
    _crown(canvas, Random(f"{column % 5},{(row + 1) % 7},t").randrange(4), 16)


def _crown(canvas: Canvas, variant: int, shift: int) -> None:
    """The crown of a tree, its middle `shift` pixels below the tile's upper edge."""
    material = ("leaf", "green", "leaf", "rose")[variant]
    for x, y, radius in ((9, 8, 9), (22, 8, 9), (16, -1, 11), (16, 12, 9)):
        canvas.disc(x, y + shift, radius, material, 2, outline=True)
    for x, y, radius in ((9, 6, 7), (22, 6, 7), (16, -2, 9), (16, 10, 7)):
        canvas.disc(x, y + shift, radius, material, 1)
    for x, y in ((11, -5), (7, 4), (19, 2), (14, 7)):
        canvas.oval(x, y + shift, x + 5, y + 3 + shift, material, 0, outline=False)


def _wild_flowers(canvas: Canvas, variant: int, *_: object) -> None:
    material = ("rose", "yellow", "white", "purple")[variant]
    for x, y in ((7, 9), (20, 7), (13, 18), (25, 21), (5, 25)):
        canvas.line(x, y + 1, x, y + 5, "leaf")
        canvas.disc(x, y, 2, material, 1)
        canvas.dots([(x, y)], "yellow", 0)


def _blocked(canvas: Canvas, *_: object) -> None:
    canvas.pen.rectangle((0, 0, 31, 31), colour("d9634f", 90), INK)


PAINTERS: dict[str, Callable[..., None]] = {
    ".": _grass, ":": _path, "s": _paving, "r": _paving, "d": _deck, "=": _deck, "m": _soil,
    "~": _water, "g": _soil, "+": _door, "#": _wall, "|": _fence, "T": _hedge, "t": _trunk,
    "treetop": _treetop, "f": _wild_flowers, "blocked": _blocked, **dict.fromkeys(FLOORS, _floor),
}  # fmt: skip

assert set(FLOORS.values()) <= set(PALETTE)
