"""The names of memory types in the user's language."""

from __future__ import annotations

from hometown.language import Lang
from hometown.memory.concept import MEMORY_TYPES
from hometown.text import catalogue

FILE = "memories"
"""The catalogue of the names: singular and plural where a language has both, as in "plan|plans"."""


def type_names(lang: Lang) -> dict[str, str]:
    """Return the singular of each memory type's name."""
    return {kind: type_name(kind, lang) for kind in MEMORY_TYPES}


def type_name(kind: str, lang: Lang) -> str:
    """Return the singular of a memory type's name; the type itself if it has no name, as in a run
    with types of its own.
    """
    return catalogue(lang, FILE).get(kind, kind).partition("|")[0]
