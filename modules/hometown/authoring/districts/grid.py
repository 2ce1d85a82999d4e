"""The arrangement of a town's districts in a grid."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hometown.errors import BadInput
from hometown.language import Lang
from hometown.text import catalogue
from hometown.world.maze import Tile
from hometown.world.tiled.cells import LARGEST


@dataclass(frozen=True)
class District:
    """A district, numbered from 1; `at` is its column and row in the grid. Ids and addresses within
    it begin with its `prefix`.
    """

    number: int
    at: Tile
    prefix: str
    names: dict[Lang, str]


@dataclass(frozen=True)
class Grid:
    """Districts of one size in rows; the last row may be shorter."""

    columns: int
    districts: tuple[District, ...]

    @property
    def rows(self) -> int:
        return -(-len(self.districts) // self.columns)

    def at(self, column: int, row: int) -> District | None:
        """Return the district in a column and row, None where there is none."""
        number = row * self.columns + column
        return (
            self.districts[number]
            if 0 <= column < self.columns and 0 <= number < len(self.districts)
            else None
        )

    def borders(self) -> Iterator[tuple[District, District]]:
        """Yield each two districts that share a border: the left one first, or the upper one."""
        for one in self.districts:
            for right, down in ((1, 0), (0, 1)):
                other = self.at(one.at[0] + right, one.at[1] + down)
                if other:
                    yield one, other


def grid(count: int, size: Tile, langs: Sequence[Lang]) -> Grid:
    """Return so many districts of `size` tiles, in as square a shape as possible and without gaps
    if that can be.

    Raises BadInput where there would be too few, or too many for the largest map.
    """
    most = (LARGEST // size[0]) * (LARGEST // size[1])
    if not 2 <= count <= most:
        raise BadInput(
            "{count} districts of {width} × {height} tiles are not possible: there can be 2 to {most}, as a map has at most {largest} tiles a side",
            count=count,
            width=size[0],
            height=size[1],
            most=most,
            largest=LARGEST,
        )
    columns = min(
        _list_column_numbers(count, size),
        key=lambda columns: (_rate_shape(count, columns, size), -columns),
    )
    digits = len(str(count))
    return Grid(
        columns,
        tuple(
            District(
                number,
                ((number - 1) % columns, (number - 1) // columns),
                f"d{number:0{digits}}_",
                {lang: name(number, lang) for lang in langs},
            )
            for number in range(1, count + 1)
        ),
    )


def name(number: int, lang: Lang) -> str:
    """Return the name of a district, numbered from 1; after the last name the first is used again,
    with a number.

    >>> name(2, "en"), name(50, "en")
    ('Mill Hill', 'Mill Hill 2')
    """
    words = catalogue(lang, "districts")
    names = words["names"].split(", ")
    turn, at = divmod(number - 1, len(names))
    return words["again"].format(name=names[at], turn=turn + 1) if turn else names[at]


def _list_column_numbers(count: int, size: Tile) -> Iterator[int]:
    """Yield the numbers of columns with which `count` districts fit on the largest map."""
    for columns in range(1, LARGEST // size[0] + 1):
        if math.ceil(count / columns) * size[1] <= LARGEST and columns <= count:
            yield columns


def _rate_shape(count: int, columns: int, size: Tile) -> float:
    """Return how far a shape is from square, and how much of it would be empty; the less the
    better.

    The longer side is divided by the shorter one, so that a shape and the same one turned by 90°
    tie on every machine.
    """
    rows = math.ceil(count / columns)
    shorter, longer = sorted((columns * size[0], rows * size[1]))
    return math.log(longer / shorter) + 3 * (columns * rows / count - 1)
