"""Sprites and portraits for residents without any: a look derived from each id."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hometown.authoring.art.people import look_for, portrait, sprites


def draw_people(folder: Path, ids: Iterable[str]) -> None:
    """Writes `sprites/<id>.png` and `portraits/<id>.png` into a world folder."""
    for kind in ("sprites", "portraits"):
        (folder / kind).mkdir(exist_ok=True)
    for who in ids:
        look = look_for(who)
        sprites(look).save(folder / "sprites" / f"{who}.png", optimize=True)
        portrait(look).save(folder / "portraits" / f"{who}.png", optimize=True)
