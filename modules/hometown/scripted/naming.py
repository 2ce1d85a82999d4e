"""Forms of address: first names in conversation, full names in memories, kinship terms for
relatives.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from hometown.scripted.clauses import has_word
from hometown.scripted.phrases import Bank
from hometown.world.persona import Persona

COMPOUND_SURNAMES = frozenset(
    (
        "欧阳",
        "司马",
        "上官",
        "诸葛",
        "司徒",
        "慕容",
        "令狐",
        "夏侯",
        "皇甫",
        "公孙",
        "尉迟",
        "南宫",
        "东方",
        "独孤",
    )
)
"""Chinese surnames of two characters."""


def kin(relation: str, words: Bank) -> str:
    """Return the term of address for a relative ("Grandpa"), "" for other people; a relation's text
    begins with its kind.
    """
    return next(
        (
            str(called)
            for mark, called in words.words["kin"].items()
            if _begins(relation, mark, words)
        ),
        "",
    )


def names_relative(text: str, relation: str, words: Bank) -> bool:
    """Return True if a text names the relative that a relation describes ("my grandfather")."""
    return any(
        has_word(text.lower(), mark.split()[-1])
        for mark in words.words["kin"]
        if _begins(relation, mark, words)
    )


def is_family(relation: str, words: Bank) -> bool:
    """Return True if a relation begins by naming a relative, husband and wife included."""
    return any(
        _begins(relation, mark, words) for mark in (*words.words["kin"], *words.words["spouses"])
    )


def is_partner(relation: str, words: Bank) -> bool:
    """Return True if a relation begins by naming a husband or a wife."""
    return any(_begins(relation, mark, words) for mark in words.words["spouses"])


def _begins(relation: str, mark: str, words: Bank) -> bool:
    """Return True if the mark is near the beginning, and neither a possessive nor somebody else's
    ("his mother's student", "the daughter of the house").
    """
    found = _mark_end(relation, mark)
    return found is not None and found <= int(words.words["kin_within"])


@lru_cache(maxsize=1 << 14)
def _mark_end(relation: str, mark: str) -> int | None:
    """Return the position after a mark of the resident's own relative; None without one."""
    match = re.search(rf"(?<!the )(?<!['’]s )(?<!家)(?:{mark})(?!['’]s|的)", relation.lower())
    return match and match.end()


def address(me: Persona, name: str, occupation: str, closeness: int, words: Bank) -> str:
    """Return the form of address for a resident: a title if the bank has one for the occupation
    (张教授, in English said by students), but not from a resident of 30 or more to whom they are
    close (8 or more); else the first name, if that comes first, or the full one.
    """
    uses_titles = re.search(words.words["uses_titles"], me.occupation.lower())
    for mark, title in words.words["titles"].items():
        if uses_titles and mark in occupation.lower() and (closeness < 8 or me.age < 30):
            return str(title).format(surname=_surname(name, words))
    return first_name(name, words)


def _surname(name: str, words: Bank) -> str:
    """Return the surname in a name."""
    if words.lang == "zh":
        return name[:2] if name[:2] in COMPOUND_SURNAMES and len(name) > 2 else name[:1]
    first, *_, last = name.split() * 2
    return first if first in words.surnames_first else last


def first_name(name: str, words: Bank) -> str:
    """Return the first name if that comes first, else the full name."""
    return _first_name(name, words.surnames_first)


def _first_name(name: str, surnames_first: frozenset[str]) -> str:
    first, _, rest = name.partition(" ")
    return name if not rest or first in surnames_first else first


def short_names(names: Iterable[tuple[str, str]], words: Bank) -> Mapping[str, str]:
    """Return the first name by full name, for each (id, name) whose first name is unique."""
    return _short_names(tuple(names), words.surnames_first)


@lru_cache(maxsize=64)
def _short_names(
    names: tuple[tuple[str, str], ...], surnames_first: frozenset[str]
) -> Mapping[str, str]:
    firsts = {name: _first_name(name, surnames_first) for _, name in names}
    often = Counter(firsts.values())
    return {name: first for name, first in firsts.items() if first != name and often[first] == 1}


def casual(text: str, shorts: Mapping[str, str]) -> str:
    """Return a text with first names in place of full names.

    >>> casual("Sam Moore misses Jennifer Moore's pies", {"Sam Moore": "Sam", "Jennifer Moore": "Jennifer"})
    "Sam misses Jennifer's pies"
    """
    for name, first in shorts.items():
        text = text.replace(name, first)
    return text


def formal(text: str, shorts: Mapping[str, str]) -> str:
    """Return a text with full names in place of the short ones of `shorts`: the inverse of
    `casual`.

    >>> formal("Sam misses Jennifer's pies", {"Sam Moore": "Sam", "Jennifer Moore": "Jennifer"})
    "Sam Moore misses Jennifer Moore's pies"
    """
    for name, first in shorts.items():
        if first in text:  # saves most searches
            text = re.sub(
                rf"\b{re.escape(first)}\b(?!{re.escape(name[len(first) :])})",
                name.replace("\\", r"\\"),
                text,
            )
    return text
