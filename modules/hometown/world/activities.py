"""The themes of an activity, recognised by its words, from which suitable places follow.

The themes lie in `data/activities/<lang>.json`, the same in each language apart from the words.
"""

from __future__ import annotations

from functools import lru_cache

import orjson

from hometown.frozen import frozen
from hometown.language import Lang
from hometown.paths import DATA
from hometown.text import word_pattern

DUTIES = frozenset(("serve", "code", "teach", "science", "study", "volunteer", "clean", "work"))
"""Keys of the themes of activities that are duties."""


@frozen
class Theme:
    """A theme of an activity, recognised by words (regular expressions). `tags` are those of
    suitable places, best first.
    """

    key: str
    words: tuple[str, ...]
    tags: tuple[str, ...]
    emoji: tuple[str, ...]


@lru_cache(maxsize=2)
def themes(lang: Lang) -> tuple[Theme, ...]:
    """Return all themes in a language, read once."""
    rows = orjson.loads((DATA / "activities" / f"{lang}.json").read_bytes())
    return tuple(
        Theme(row["key"], tuple(row["words"]), tuple(row["tags"]), tuple(row["emoji"]))
        for row in rows
    )


@lru_cache(maxsize=4096)
def themes_of(activity: str, lang: Lang) -> tuple[Theme, ...]:
    """Return the themes that a text names, in order of mention.

    >>> [theme.key for theme in themes_of("reading the newspaper over a coffee", "en")]
    ['read', 'drink']
    """
    text = activity.lower()
    matches = [
        (match.start(), at)
        for at, theme in enumerate(themes(lang))
        if (match := word_pattern(theme.words).search(text))
    ]
    return tuple(themes(lang)[at] for _, at in sorted(matches))
