"""The word tables in `data/importing`, and their use on texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import orjson

from hometown.json_object import Json
from hometown.paths import DATA

TABLES = DATA / "importing"


@cache
def read_word_table(name: str) -> Json:
    """Return the content of one of the files in `data/importing`, read once."""
    content: Json = orjson.loads((TABLES / f"{name}.json").read_bytes())
    return content


@cache
def _simplified_characters() -> dict[int, int]:
    table = read_word_table("characters")
    return str.maketrans(table["traditional"], table["simplified"])


def simplify(text: str) -> str:
    """Return a text with the traditional characters that occur in words of the tables simplified.

    >>> simplify("睡覺"), simplify("睡觉")
    ('睡觉', '睡觉')
    """
    return text.translate(_simplified_characters())


def contains_word(text: str, words: Iterable[str]) -> bool:
    """Return True if a text contains one of the words; words of Latin letters must match whole
    words, and Chinese ones match in traditional characters, too.

    >>> contains_word("bookshelf", ["shelf"]), contains_word("store shelf", ["shelf"]), contains_word("宿舍花園", ["花园"])
    (False, True, True)
    """
    text = simplify(text.lower())
    return any(
        re.search(rf"\b{re.escape(word)}\b", text) if word.isascii() else word in text
        for word in words
    )
