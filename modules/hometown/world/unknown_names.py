"""Names in the words of an inner voice that no resident bears, such as misspelt ones.

A name in quotation marks is not looked at. The words that stand before and after names are in
`data/inner_voice/<lang>.json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache

import orjson

from hometown.paths import DATA
from hometown.text import contains_name
from hometown.world.inner_voice import QUOTED
from hometown.world.inner_voice_zh import HAN
from hometown.world.resident_names import given_name, resident_names
from hometown.world.world import World

MAX_NEAREST = 3
"""Maximum number of similar names that are named."""

SIMILAR, ALIKE = 0.5, 0.75
"""Similarity (Ratcliff–Obershelp) from which a name is named as a near one, and from which a word is
taken for a misspelt name wherever it stands.
"""


def find_unknown_name(text: str, world: World) -> str:
    """Return the first name in a text that nobody in town bears; "" if there is none.

    >>> from hometown.world.load import load_world
    >>> find_unknown_name("Tell Mary how you feel", load_world("ville", "en"))
    'Mary'
    >>> find_unknown_name("Read your poem to Beatrice Langley", load_world("ville", "en"))
    'Beatrice Langley'
    >>> find_unknown_name("跟小梅说你支持她", load_world("minitown", "zh"))
    '小梅'
    >>> find_unknown_name("给桥头修鞋的老吴头送枝玫瑰", load_world("minitown", "zh"))
    '老吴头'
    """
    plain = QUOTED.sub('"', text)
    found = _chinese_names(plain, world) if HAN.search(plain) else _english_names(plain, world)
    return next(found, "")


def find_nearest_names(name: str, world: World) -> list[str]:
    """Return up to `MAX_NEAREST` names of residents that are similar to a name, the nearest first."""
    folded = {each.casefold(): who for each, who in _own_names(world).items()}
    close = get_close_matches(name.casefold(), folded, n=2 * MAX_NEAREST, cutoff=SIMILAR)
    people = dict.fromkeys(folded[each] for each in close)
    return [world.personas[who].name for who in people][:MAX_NEAREST]


def _own_names(world: World) -> dict[str, str]:
    """Return the ids of residents by whole and by given names."""
    people = world.personas.items()
    given = {given_name(persona.name): who for who, persona in people}
    return given | {persona.name: who for who, persona in people}


def _english_names(text: str, world: World) -> Iterator[str]:
    """Yield capitalised words that nobody and nothing in town is called: those that have a title or
    stand where a person is addressed, two of them after a preposition, and others that are almost
    the name of a resident.
    """
    words, known = _patterns("en"), _known_words(world)
    for found in re.finditer(words["named"], text):
        parts = found["name"].split()
        unknown = [part for part in parts if part.casefold() not in known]
        if len(unknown) < len(parts):
            continue
        before = text[: found.start("name")]
        is_addressed = re.search(words["addressing"], before, re.IGNORECASE)
        is_full = len(parts) > 1 and re.search(words["towards"], before)
        if found["title"] or is_addressed or is_full or _is_almost_known(parts[0], world):
            yield found["name"]


def _is_almost_known(word: str, world: World) -> bool:
    names = [name.casefold() for name in _own_names(world)]
    return bool(get_close_matches(word.casefold(), names, n=1, cutoff=ALIKE))


@lru_cache(maxsize=8)
def _known_words(world: World) -> frozenset[str]:
    """Return the words, in lower case, of the names of places, things, storylines and residents,
    and of the residents' texts.
    """
    texts = [
        *(arena.name for arena in world.arenas.values()),
        *(sector.name for sector in world.sectors.values()),
        *(thing.name for thing in world.things.values()),
        *(story.title for story in world.storylines),
    ]
    for persona in world.personas.values():
        texts += [persona.name, persona.learned, persona.currently]
        texts += [*(persona.relations or {}).values()]
        texts += [seed.text for seed in persona.seeds]
    return frozenset(word.casefold() for text in texts for word in re.findall(r"[\w’'-]+", text))


def _chinese_names(text: str, world: World) -> Iterator[str]:
    """Yield what stands where a person is addressed and differs by one character from the name of a
    resident, or is a familiar name such as 小王 that nobody bears, and any surname with a title,
    such as 周馆长, that is no resident's.
    """
    words = _patterns("zh")
    names, own_names = list(resident_names(world)), list(_own_names(world))
    lengths = sorted({len(name) for name in own_names if HAN.match(name)}, reverse=True)
    for found in re.finditer(words["addressing"], text):
        rest = text[found.end() :]
        if any(rest.startswith(name) for name in names):
            continue
        for length in lengths:
            part = rest[:length]
            is_sure = length > 2 or re.fullmatch(words["telling"], found[0])
            is_name = is_sure or re.match(words["after_name"], rest[length:])
            if len(part) == length > 1 and is_name and _differs_by_one(part, own_names):
                yield part
        familiar = re.match(words["familiar"], rest)
        if familiar and not any(contains_name(familiar[0], name) for name in names):
            yield familiar[0]
    surnames = {persona.name[0] for persona in world.personas.values()}
    for titled in re.finditer(words["titled"], text):
        if (titled["familiar"] or titled["surname"]) not in surnames:
            yield titled[0]


def _differs_by_one(part: str, names: list[str]) -> bool:
    """Return True if a text differs from a name by one character."""
    return any(
        len(name) == len(part) and sum(a != b for a, b in zip(name, part, strict=True)) == 1
        for name in names
    )


@lru_cache(maxsize=2)
def _patterns(lang: str) -> dict[str, str]:
    patterns: dict[str, str] = orjson.loads((DATA / "inner_voice" / f"{lang}.json").read_bytes())
    return patterns
