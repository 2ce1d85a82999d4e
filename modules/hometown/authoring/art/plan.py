"""The plan of a town before it is drawn: the ground, the rooms, and the things in them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from hometown.json_object import Json

PLAN = "plan"
"""The property of a map that holds the ground, the decorations and the facades of its plan."""


@dataclass(frozen=True)
class Room:
    """A sector or an arena: address, English and Chinese name, rectangle (column, row, width,
    height), tags.
    """

    address: str
    en: str
    zh: str
    rect: tuple[int, int, int, int]
    tags: str = ""
    public: bool = True


@dataclass(frozen=True)
class Placed:
    """A thing at (column, row); other names than its kind's where given."""

    address: str
    kind: str
    at: tuple[int, int]
    en: str = ""
    zh: str = ""


@dataclass(frozen=True)
class Plan:
    """A whole town.

    `ground` has a row of characters per row of tiles. Walls: `#` wall, `|` fence, `+` door or gate.
    Green: `.` grass, `f` wild flowers, `t` tree, `T` hedge, `a` apple tree, `g` garden lawn, `m`
    tilled field, `y` field of wheat, `i` ink pine, `h` plum tree, `j` bamboo, `M` rock, `~` water.
    Ways: `:` path, `r` cobbled road, `s` paving, `d` wooden deck, `=` bridge, `z` steps. Floors:
    `w` planks, `n` dark planks, `p` parquet, `c` carpet, `e` red carpet, `b` bathroom tiles, `k`
    kitchen tiles, `l` pale tiles, `q` stone flags, `o` office.

    `decor` has no use for residents: (kind, (column, row)), with a kind of
    `kinds.load_decorations`.
    `facades` gives the style of a sector's building, a name of `walls.FACADES`; without it the
    style follows from the tags of its rooms.
    """

    name: str
    ground: list[str]
    sectors: list[Room]
    arenas: list[Room]
    things: list[Placed]
    decor: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    facades: dict[str, str] = field(default_factory=dict)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return len(self.ground[0]), len(self.ground)

    def as_property(self) -> Json:
        """Return the property of a map that holds what its layers of objects do not."""
        kept = {"ground": self.ground, "decor": self.decor, "facades": self.facades}
        return {"name": PLAN, "type": "string", "value": json.dumps(kept, ensure_ascii=False)}
