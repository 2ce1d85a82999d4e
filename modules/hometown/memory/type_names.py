"""The names of memory types in the user's language."""

from __future__ import annotations

from hometown.language import Lang
from hometown.memory.concept import MEMORY_TYPES
from hometown.text import catalogue

FILE = "memories"
"""The catalogue of the names: singular and plural where a language has both, as in "plan|plans"."""


def type_names(lang: Lang) -> dict[str, str]:
    """Return the singular of each memory type's name, by type."""
    return {kind: type_name(kind, lang) for kind in MEMORY_TYPES}


def type_name(kind: str, lang: Lang) -> str:
    """Return the singular of a memory type's name; the type itself if it has no name, as in a run
    with types of its own.
    """
    return counted_type_name(kind, 1, lang)


def counted_type_name(kind: str, count: int, lang: Lang) -> str:
    """Return a memory type's name as it follows or precedes a number of memories.

    >>> counted_type_name("plan", 1, "en"), counted_type_name("plan", 2, "en"), counted_type_name("plan", 2, "zh")
    ('plan', 'plans', '计划')
    """
    singular, _, plural = catalogue(lang, FILE).get(kind, kind).partition("|")
    return plural if plural and count != 1 else singular
