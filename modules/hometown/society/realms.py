"""Realms: the named stages of a skill. Practice leads up to the next realm, and a breakthrough into
it.
"""

from __future__ import annotations

from collections.abc import Iterator

from hometown.society.society_view import SocietyView
from hometown.world.book.book import Book, Recipe
from hometown.world.book.parts import RealmPart


def ladder_of(book: Book, skill: str) -> list[tuple[str, RealmPart]]:
    """Return the realms of a skill, with their ids, the lowest first; none for most skills."""
    realms = [each for each in book.realms.items() if each[1].skill == skill]
    return sorted(realms, key=lambda each: (each[1].least, each[0]))


def realm_at(book: Book, skill: str, level: int) -> tuple[str, RealmPart] | None:
    """Return the realm of a level of a skill, with its id; None below the lowest."""
    reached = [each for each in ladder_of(book, skill) if each[1].least <= level]
    return reached[-1] if reached else None


def next_realm(book: Book, skill: str, level: int) -> RealmPart | None:
    """Return the realm above a level of a skill; None in the highest, or for a skill without any."""
    return next((realm for _, realm in ladder_of(book, skill) if realm.least > level), None)


def realm_ahead(society: SocietyView, who: str, recipe: Recipe) -> RealmPart | None:
    """Return the realm into which a recipe leads a resident; None if it is no breakthrough."""
    level = society.state.skill(who, recipe.skill)
    return next_realm(society.book, recipe.skill, level) if recipe.part.breaks else None


def grown_level(book: Book, recipe: Recipe, skill: str, level: int, more: int) -> int:
    """Return a skill's level after a recipe: practice stays below the next realm, into which a
    breakthrough leads.
    """
    above = next_realm(book, skill, level)
    if above is None:
        return level + more
    breaks = recipe.part.breaks and recipe.skill == skill
    return max(level + more, above.least) if breaks else min(level + more, above.least - 1)


def describe_realms(society: SocietyView, who: str, lang: str) -> Iterator[tuple[str, int, str]]:
    """Yield a resident's realms: the name, and the next one's least level and name; 0 and "" for the
    highest.
    """
    for skill in sorted({realm.skill for realm in society.book.realms.values()}):
        level = society.state.skill(who, skill)
        if here := realm_at(society.book, skill, level):
            above = next_realm(society.book, skill, level)
            yield (
                here[1].name[lang],
                above.least if above else 0,
                above.name[lang] if above else "",
            )
