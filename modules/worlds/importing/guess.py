"""What places are for, guessed from what they are called, in English and Chinese; the tables are in `data/importing`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson

from modules.art.kinds import KINDS
from modules.paths import DATA
from modules.world.world import Lang

TABLES = DATA / "importing"

UNKNOWN_THING = "bookshelf"
"""What a thing of unknown name is drawn as."""


@dataclass(frozen=True)
class RoomKind:
    """`floor` is a character of a ground plan (`modules/art/plan.py`)."""

    tags: str
    floor: str
    outdoor: bool = False


@cache
def table(name: str) -> dict[str, Any]:
    """One of the files in `data/importing`."""
    found: dict[str, Any] = orjson.loads((TABLES / f"{name}.json").read_bytes())
    return found


def mentions(text: str, words: Iterable[str]) -> bool:
    """Whether a text has one of the words; words of Latin letters count as whole ones.

    >>> mentions("bookshelf", ["shelf"]), mentions("store shelf", ["shelf"]), mentions("宿舍花园", ["花园"])
    (False, True, True)
    """
    text = text.lower()
    return any(re.search(rf"\b{re.escape(word)}\b", text) if word.isascii() else word in text for word in words)


def thing_kind(name: str) -> str:
    """The kind of a thing that is called so, a key of KINDS; "" if no word of the table is in it.

    >>> thing_kind("咖啡馆柜台后面"), thing_kind("cooking area"), thing_kind("flower bed"), thing_kind("orrery")
    ('counter', 'stove', 'flower_bed', '')
    """
    for row in table("places")["things"]:
        if mentions(name.replace("_", " "), [*row["en"], *row["zh"]]):
            return str(next(kind for kind in row["kinds"] if kind in KINDS))
    return ""


def room_kind(arena: str, sector: str) -> RoomKind:
    """The kind of a room by its name, or else by that of its building.

    >>> room_kind("主人房", "亚当的家").tags, room_kind("main", "Hobbs Cafe").tags, room_kind("attic", "tower").tags
    ('bedroom', 'cafe', '')
    """
    for name in (arena, sector):
        for row in table("places")["rooms"]:
            if mentions(name.replace("_", " "), [*row["en"], *row["zh"]]):
                return RoomKind(row["tags"], row["floor"], row.get("outdoor", False))
    return RoomKind("", "w")


def identifier(name: str, taken: Iterable[str]) -> str:
    """An id made of a name: small letters and underscores, other scripts as they are, with a number if it is taken.

    >>> identifier("Isabella Rodriguez's apartment", []), identifier("酒吧", ["酒吧"]), identifier("3D printer", [])
    ('isabella_rodriguez_apartment', '酒吧_2', 'n3d_printer')
    """
    stem = re.sub(r"[^\w]+", "_", re.sub(r"['’]s\b", "", name.lower())).strip("_") or "place"
    stem = stem if stem.isidentifier() else f"n{stem}"
    taken = set(taken)
    return next(one for one in (stem if number == 1 else f"{stem}_{number}" for number in range(1, len(taken) + 2)) if one not in taken)


def speaks(text: str) -> Lang:
    """The language that a text seems to be in."""
    return "zh" if re.search(r"[\u4e00-\u9fff]", text) else "en"
