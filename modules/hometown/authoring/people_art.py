"""Sprites and portraits for residents without any: a look derived from each id, and fitting the
pronouns.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hometown.authoring.art.people import look_for, portrait, sprites


def draw_people(folder: Path, residents: Mapping[str, Any]) -> None:
    """Write `sprites/<id>.png` and `portraits/<id>.png` into a world folder; `residents` are the
    contents of their files by id.
    """
    for kind in ("sprites", "portraits"):
        (folder / kind).mkdir(exist_ok=True)
    for who, given in residents.items():
        look = look_for(who, *next(iter(given["pronouns"].values()))[:1])
        sprites(look).save(folder / "sprites" / f"{who}.png", optimize=True)
        portrait(look).save(folder / "portraits" / f"{who}.png", optimize=True)
