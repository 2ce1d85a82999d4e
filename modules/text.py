"""Texts in the user's language, kept in `data/text/<lang>/<name>.json`, and how alike two texts are."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import orjson

TEXTS = Path(__file__).resolve().parent.parent / "data" / "text"


@cache
def catalogue(lang: str, name: str) -> dict[str, str]:
    """All texts of one file, by key; their {fields} are filled by `str.format`."""
    texts: dict[str, str] = orjson.loads((TEXTS / lang / f"{name}.json").read_bytes())
    return texts


def overlap(one: str, other: str) -> float:
    """Jaccard overlap of character trigrams, 0–1; texts shorter than that are compared whole.

    >>> overlap("good morning", "good morning"), overlap("good morning", "see you")
    (1.0, 0.0)
    """
    grams = [{text[at : at + 3] for at in range(max(1, len(text) - 2))} for text in (one.casefold(), other.casefold())]
    return len(grams[0] & grams[1]) / len(grams[0] | grams[1])
