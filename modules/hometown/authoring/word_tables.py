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


def contains_word(text: str, words: Iterable[str]) -> bool:
    """Return True if a text contains one of the words; words of Latin letters must match whole
    words.

    >>> contains_word("bookshelf", ["shelf"]), contains_word("store shelf", ["shelf"]), contains_word("宿舍花园", ["花园"])
    (False, True, True)
    """
    text = text.lower()
    return any(
        re.search(rf"\b{re.escape(word)}\b", text) if word.isascii() else word in text
        for word in words
    )
