"""A blank world: grass within a hedge, without places and residents, to be drawn in the editor."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import orjson

from hometown.authoring.art import tilemap
from hometown.authoring.art.plan import Plan
from hometown.authoring.folder import new_world_folder
from hometown.authoring.starter import STARTER, TILESET, in_langs, write_json
from hometown.errors import BadWorld
from hometown.language import Lang

LIMITS = (20, 120)
"""The smallest and the largest number of tiles of a side."""

ACQUAINTANCE = {"en": "a neighbour", "zh": "邻居"}
"""The relation between residents for whom no other is given."""


def make_blank_world(name: str, langs: Sequence[Lang], size: tuple[int, int], root: Path) -> Path:
    """Write a blank world of so many columns and rows, and return its folder.

    Raises BadWorld for another size than `LIMITS` allows, or as `new_world_folder` does; then
    nothing is written.
    """
    low, high = LIMITS
    if not all(low <= side <= high for side in size):
        raise BadWorld(
            "a blank map has {low} to {high} tiles each way, and not {columns} × {rows}",
            low=low,
            high=high,
            columns=size[0],
            rows=size[1],
        )
    width, height = size
    edge, row = "T" * width, f"T{'.' * (width - 2)}T"
    plan = Plan("town", [edge, *[row] * (height - 2), edge], [], [], [])
    with new_world_folder(root, name) as folder:
        text, sheet = tilemap.build(plan, TILESET)
        (folder / "map.tmj").write_text(text, "utf-8")
        sheet.save(folder / TILESET, optimize=True)
        given = orjson.loads((STARTER / "world.json").read_bytes()) | {"acquaintance": ACQUAINTANCE}
        del given["storylines"]
        own = {"name": dict.fromkeys(langs, name), "langs": list(langs)}
        write_json(folder / "world.json", in_langs(given, langs) | own)
    return root / name
