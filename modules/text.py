"""Texts in the user's language, kept in `data/text/<lang>/<name>.json`."""

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
