"""The texts that the author of a world has written in two languages, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from hometown.language import Lang
from hometown.text import catalogue
from hometown.world.load import load_world
from hometown.world.persona import Habit, Pastime, Persona
from hometown.world.world import World


@lru_cache(maxsize=8)
def pair_texts(world: World, lang: Lang) -> dict[str, str]:
    """Return the titles of storylines, occupations, activities and their steps in a world's
    language, each with the same in another, and what sleepers and those who talk do: what a page
    shows in its own language, as nobody says it. Residents keep their names.
    """
    other = load_world(world.folder, lang, from_run=True)
    titles = {story.id: story.title for story in other.storylines}
    pairs = {story.title: titles.get(story.id, story.title) for story in world.storylines}
    for who, persona in other.personas.items():
        if who in world.personas:
            pairs |= _pair_persona(world.personas[who], persona)
    own, same = (catalogue(each, "mind") for each in (world.lang, lang))
    pairs[own["sleeping"]] = same["sleeping"]
    for name in (persona.name for persona in world.personas.values()):
        pairs[own["talking_with"].format(other=name)] = same["talking_with"].format(other=name)
    return pairs


def _pair_persona(own: Persona, other: Persona) -> dict[str, str]:
    """Return the texts of a resident in two languages."""
    return {
        own.occupation: other.occupation,
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
