"""The purposes of places, guessed from their names in English and Chinese; the tables are in
`data/importing`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from hometown.authoring.word_tables import contains_word, read_word_table
from hometown.language import Lang
from hometown.name import first_free
from hometown.text import N_

LANGUAGES: dict[Lang, str] = {"en": N_("English"), "zh": N_("Chinese")}
"""The names of the languages of texts."""

UNKNOWN_THING = "bookshelf"
"""Kind that represents a thing of unknown name."""


@dataclass(frozen=True)
class RoomKind:
    """`floor` is a character of a ground plan (`modules/hometown/authoring/art/plan.py`)."""

    tags: str
    floor: str
    outdoor: bool = False


def room_kind(arena: str, sector: str) -> RoomKind:
    """Return the kind of a room by its name, or else by that of its building.

    >>> room_kind("主人房", "亚当的家").tags, room_kind("main", "Hobbs Cafe").tags, room_kind("attic", "tower").tags
    ('bedroom', 'cafe', '')
    """
    for name in (arena, sector):
        for row in read_word_table("places")["rooms"]:
            if contains_word(name.replace("_", " "), [*row["en"], *row["zh"]]):
                return RoomKind(row["tags"], row["floor"], row.get("outdoor", False))
    return RoomKind("", "w")


def identifier(name: str, taken: Iterable[str]) -> str:
    """Return an id made of a name: small letters and underscores, other scripts as they are, with a
    number if it is taken.

    >>> identifier("Isabella Rodriguez's apartment", []), identifier("酒吧", ["酒吧"]), identifier("3D printer", [])
    ('isabella_rodriguez_apartment', '酒吧_2', 'n3d_printer')
    """
    stem = re.sub(r"[^\w]+", "_", re.sub(r"['’]s\b", "", name.lower())).strip("_") or "place"
    stem = stem if stem.isidentifier() else f"n{stem}"
    return first_free(stem, taken, "_")


def speaks(text: str) -> Lang:
    """Return the language that a text seems to be in, whose names may be in the other.

    >>> speaks("Ada is fond of 茶."), speaks("Isabella Rodriguez是咖啡馆的老板。")
    ('en', 'zh')
    """
    chinese, latin = (
        len(re.findall(letters, text)) for letters in (r"[\u4e00-\u9fff]", "[A-Za-z]")
    )
    return "zh" if chinese and 4 * chinese >= latin else "en"


def main_language(texts: Iterable[str]) -> Lang | None:
    """Return the language that most texts seem to be in; None without any."""
    counts = Counter(speaks(text) for text in texts if text.strip())
    return counts.most_common(1)[0][0] if counts else None
