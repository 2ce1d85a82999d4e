"""Names for the people of every district: no two alike, and one family name where a family lives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from hometown.authoring.districts.grid import Grid
from hometown.language import Lang
from hometown.text import catalogue

Residents = Mapping[str, Mapping[str, Any]]
"""The contents of the residents' files, by id."""

Called = dict[str, dict[Lang, str]]
"""The names of a district's residents in each language, by the id of the original resident."""


def family_of(name: str) -> str:
    """Return the last word of a name, which identifies a family.

    >>> family_of("Mei Lin"), family_of("阿福")
    ('Lin', '阿福')
    """
    return name.rpartition(" ")[2]


def surname(name: str) -> str:
    """Return the family name within a name of these lists.

    >>> surname("Ada Abbott"), surname("白安琪")
    ('Abbott', '白')
    """
    return family_of(name) if " " in name else name[:1]


def names_by_district(
    residents: Residents, grid: Grid, langs: tuple[Lang, ...]
) -> dict[int, Called]:
    """Return the names in each district, by its number. The first district keeps the original
    names.
    """
    own = {
        who: {lang: str(resident["name"][lang]) for lang in langs}
        for who, resident in residents.items()
    }
    called: dict[int, Called] = {1: own}
    for district in grid.districts[1:]:
        called[district.number] = {who: {} for who in residents}
    for lang in langs:
        pickers = _Pickers(lang, {name[lang] for name in own.values()})
        families = list(dict.fromkeys(family_of(name[langs[0]]) for name in own.values()))
        for district in grid.districts[1:]:
            for who, resident in residents.items():
                family = (district.number - 2) * len(families) + families.index(
                    family_of(own[who][langs[0]])
                )
                called[district.number][who][lang] = pickers.pick(
                    str(resident["pronouns"][lang][0]), family
                )
    return called


class _Pickers:
    """Takes names of one language from two lists, one after the other."""

    def __init__(self, lang: Lang, taken: set[str]) -> None:
        self.words = catalogue(lang, "clones")
        self.families = self.words["family"].split()
        self.taken = taken
        self.turns = {kind: count() for kind in ("given_she", "given_he")}

    def pick(self, pronoun: str, family: int) -> str:
        """Return an unused name in the family of that number."""
        kind = "given_she" if pronoun in ("she", "她") else "given_he"
        name = next(
            name
            for name in self._candidate_names(
                self.words[kind].split(), next(self.turns[kind]), family
            )
            if name not in self.taken
        )
        self.taken.add(name)
        return name

    def _candidate_names(self, given: list[str], first: int, family: int) -> Iterator[str]:
        """Yield names of a family, with given names from the one numbered `first` on; once all are
        used up, again with a number.
        """
        for step in count():
            turn, at = divmod(step, len(given))
            name = self.words["name"].format(
                given=given[(first + at) % len(given)],
                family=self.families[family % len(self.families)],
            )
            yield f"{name} {turn + 1}" if turn else name
