"""Faces for residents who bring none: a look for each, told from the id."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from pathlib import Path
from random import Random

from modules.art import people
from modules.art.people import Look

STYLES: tuple[people.Style, ...] = ("short", "neat", "bob", "bun", "plait", "thin")
HAIR, TOPS, LEGS = (
    ("dark", "dark_wood", "wood", "metal", "soil"),
    ("blue", "green", "yellow", "teal", "rose", "dark"),
    ("dark", "grey", "blue", "soil"),
)


def look_for(who: str) -> Look:
    """The look of a resident, the same for the same id."""
    stream = Random(zlib.crc32(who.encode()))
    return Look(stream.choice(STYLES), stream.choice(HAIR), stream.choice(TOPS), stream.choice(LEGS), "white")


def draw_people(folder: Path, ids: Iterable[str]) -> None:
    """Writes `sprites/<id>.png` and `portraits/<id>.png` into a world folder."""
    for kind in ("sprites", "portraits"):
        (folder / kind).mkdir(exist_ok=True)
    for who in ids:
        look = look_for(who)
        people.sprites(look).save(folder / "sprites" / f"{who}.png", optimize=True)
        people.portrait(look).save(folder / "portraits" / f"{who}.png", optimize=True)
