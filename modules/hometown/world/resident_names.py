"""The names by which texts mention residents, and the company that an activity names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from hometown.language import Lang
from hometown.text import catalogue
from hometown.world.world import World

IsHere = Callable[[str], bool]
"""Returns True for the id of a resident who is present."""


@lru_cache(maxsize=4096)
def given_name(name: str) -> str:
    """Return the name by which a resident is addressed."""
    first, *others = name.replace("·", " ").split(" ")
    return name[1:] if len(name) == 3 and not others else first


@lru_cache(maxsize=8)
def resident_names(world: World) -> Mapping[str, str]:
    """Return the ids of residents by their whole names and by unique given names."""
    given = Counter(given_name(persona.name) for persona in world.personas.values())
    return {
        name: who
        for who, persona in world.personas.items()
        for name in (persona.name, given_name(persona.name))
        if name == persona.name or given[name] == 1
    }


def drop_absent_company(world: World, activity: str, is_here: IsHere) -> str:
    """Return an activity without the company, as in "with Lin", of residents who are absent."""

    def keep_present(found: re.Match[str]) -> str:
        present = [name for name, who in _list_named(world, found) if is_here(who)]
        between = catalogue(world.lang, "outside")["company_between"]
        return f"{found['lead']}{between.join(present)}{found['tail']}" if present else ""

    return _company_pattern(world).sub(keep_present, activity).strip()


def drop_mentions(world: World, activity: str, is_here: IsHere, absent: Sequence[str]) -> str:
    """Return an activity without absent residents as company or as those for whom it is done.

    Args:
        world: the world.
        activity: the words of the activity.
        is_here: tells whether a resident is present.
        absent: all names and terms of kinship of those who are absent.
    """
    text = drop_absent_company(world, activity, is_here)
    if not absent:
        return text
    anyone = f"(?:{'|'.join(map(re.escape, sorted(absent, key=len, reverse=True)))})"
    words = catalogue(world.lang, "outside")
    for pattern in (words["company"], words["beneficiary"]):
        text = re.sub(pattern.replace("NAME", anyone), "", text)
    return text.strip()


def find_kin(relation: str, lang: Lang) -> str:
    """Return the term of kinship with which the words for a relation begin; "" for none.

    >>> find_kin("her grandfather, who worries too much", "en"), find_kin("爷爷，操心太多", "zh")
    ('grandfather', '爷爷')
    >>> find_kin("his mother's student", "en"), find_kin("the grocer's wife", "en")
    ('', '')
    """
    found = re.match(catalogue(lang, "outside")["kin"], relation)
    return found["kin"] if found else ""


def find_absent_company(world: World, activity: str, is_here: IsHere) -> tuple[str, ...]:
    """Return the ids of residents who are absent although an activity names them as company."""
    named = (
        who
        for found in _company_pattern(world).finditer(activity)
        for _, who in _list_named(world, found)
    )
    return tuple(dict.fromkeys(who for who in named if not is_here(who)))


def _list_named(world: World, found: re.Match[str]) -> Iterator[tuple[str, str]]:
    """Yield the names in a mention of company, each with the resident's id."""
    names = resident_names(world)
    for name in re.findall(_any_name(world), found["names"]):
        yield name, names[name]


@lru_cache(maxsize=8)
def _company_pattern(world: World) -> re.Pattern[str]:
    pattern = catalogue(world.lang, "outside")["company"]
    return re.compile(pattern.replace("NAME", _any_name(world)))


@lru_cache(maxsize=8)
def _any_name(world: World) -> str:
    """Return a pattern for the name of any resident; longer names come first."""
    longest_first = sorted(resident_names(world), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, longest_first))})"
