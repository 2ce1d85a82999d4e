"""The texts that the author of a world, and those of Hometown, have written in two languages, side by
side.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

import orjson

from hometown.language import Lang
from hometown.paths import DATA
from hometown.text import catalogue, with_article
from hometown.world.load import load_world
from hometown.world.persona import Habit, Pastime, Persona
from hometown.world.world import World

FILES: tuple[tuple[str, frozenset[str]], ...] = (
    ("scripted/{lang}/planning.json", frozenset()),
    ("scripted/{lang}/doing.json", frozenset()),
    ("scripted/{lang}/talking_words.json", frozenset({"do"})),
    ("befalling/{lang}.json", frozenset({"means", "remedy", "state"})),
)
"""Files in the data folder with the names of activities, which stand in the same order in each
language: below these keys, or anywhere if there are none.
"""

SLOT = re.compile(r"\{\w+\}")
FILLED = "{}"
"""Slot of a text for another one, or for a name."""

LEAST_CHARACTERS: dict[Lang, int] = {"en": 4, "zh": 2}
"""Characters around the slot by which such a text is recognised, at least."""


@lru_cache(maxsize=8)
def pair_texts(world: World, lang: Lang) -> dict[str, str]:
    """Return the texts that a page shows in its own language, as nobody says them, each in a world's
    language with the same in another: the titles of storylines, occupations, interests, things,
    activities and their steps, and what sleepers, visitors and those who talk do. A text may have a
    slot, `FILLED`, for another. Residents keep their names.
    """
    other = load_world(world.folder, lang, from_run=True)
    titles = {story.id: story.title for story in other.storylines}
    pairs = _pair_phrases(world.lang, lang)
    pairs |= {story.title: titles.get(story.id, story.title) for story in world.storylines}
    pairs |= dict(_pair_things(world, other))
    for who, persona in other.personas.items():
        if who in world.personas:
            pairs |= _pair_persona(world.personas[who], persona)
    return pairs


def _pair_phrases(lang: Lang, other: Lang) -> dict[str, str]:
    """Return the texts of Hometown's own, with a slot at most."""
    own, same = (catalogue(each, "mind") for each in (lang, other))
    phrases = [(text, same[key]) for key, text in own.items() if key in same]
    for file, keys in FILES:
        one, another = (
            orjson.loads((DATA / file.format(lang=each)).read_bytes()) for each in (lang, other)
        )
        phrases += _pair_leaves(one, another, keys)
    return dict(reversed([*_prepare(phrases, LEAST_CHARACTERS[lang])]))


def _prepare(phrases: Iterable[tuple[str, str]], least: int) -> Iterator[tuple[str, str]]:
    """Yield the phrases without a slot, and those with one and enough text around it."""
    for own, same in phrases:
        slots = SLOT.findall(own)
        if "{" not in own:
            yield own, same
        elif len(slots) == 1 and SLOT.findall(same) == slots and len(SLOT.sub("", own)) >= least:
            yield SLOT.sub(FILLED, own), SLOT.sub(FILLED, same)


def _pair_leaves(own: object, same: object, keys: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the texts at the same places of two trees, below some keys."""
    if isinstance(own, dict) and isinstance(same, dict):
        for key in own.keys() & same.keys():
            yield from _pair_leaves(own[key], same[key], () if key in keys else keys)
    elif isinstance(own, list) and isinstance(same, list):
        for at, one in enumerate(own):
            if at < len(same) or (same and SLOT.search(str(one))):  # one of alternatives
                yield from _pair_leaves(one, same[min(at, len(same) - 1)], keys)
    elif isinstance(own, str) and isinstance(same, str) and not keys:
        yield own, same


def _pair_things(world: World, other: World) -> Iterator[tuple[str, str]]:
    """Yield the things as they are named in a sentence, and waiting for them, in two languages."""
    own, same = (catalogue(each.lang, "mind") for each in (world, other))
    for address in world.things.keys() & other.things.keys():
        one = with_article(world.things[address].name, own["the"])
        another = with_article(other.things[address].name, same["the"])
        yield one, another
        yield own["waiting_for"].format(thing=one), same["waiting_for"].format(thing=another)


def _pair_persona(own: Persona, other: Persona) -> dict[str, str]:
    """Return the texts of a resident in two languages."""
    return {
        own.occupation: other.occupation,
        **dict(zip(own.interests, other.interests, strict=False)),
        **dict(_pair_activities(own.habits, other.habits)),
        **dict(_pair_activities(own.pastimes, other.pastimes)),
    }


def _pair_activities(
    own: Sequence[Habit | Pastime], other: Sequence[Habit | Pastime]
) -> Iterator[tuple[str, str]]:
    """Yield activities and their steps in two languages."""
    for one, same in zip(own, other, strict=False):
        yield one.activity, same.activity
        yield from zip(one.tasks, same.tasks, strict=False)
