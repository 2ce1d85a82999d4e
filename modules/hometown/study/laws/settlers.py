"""Draft a new resident with a model from a user's words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from hometown.agent.mind import Mind
from hometown.errors import BadInput
from hometown.model.routing import public_name
from hometown.name import first_free
from hometown.prompt.newcomers import PRONOUNS, SETTLER, Home, SettlerReply, SettlerVars
from hometown.study.interview import Interviewer
from hometown.study.laws.drafting import Draft, repeat_drafting
from hometown.study.laws.proposal import read_present_town
from hometown.text import N_
from hometown.world.moving_in import beds, moving_in_patch
from hometown.world.resolve import one_line
from hometown.world.world import World, arena_of

MAX_LISTED_ROOMS = 40
"""Maximum number of rooms and places in a prompt; those that the words name come first."""


async def draft_settler(interviewer: Interviewer, words: str) -> Draft:
    """Return the first valid draft of a new resident, or else the last.

    Raises:
        BadInput: The words are no text, or the model sees no person in them.
    """
    world, _ = read_present_town(interviewer.run, interviewer.founded)
    words = one_line(words)
    homes, places = (
        homes_of(world, words),
        _rank_by_mention(
            {at: () for at, arena in world.arenas.items() if arena.public}, world, words
        ),
    )
    rooms = tuple(Home(world.place_name(at), people) for at, people in homes.items())
    names = tuple(persona.name for persona in world.personas.values())

    async def ask(mind: Mind, faults: str) -> tuple[str, int] | None:
        reply, _ = await mind.ask(
            SETTLER,
            SettlerVars(
                mind.situation, words, rooms, tuple(map(world.place_name, places)), names, faults
            ),
        )
        return (_patch(world, reply, list(homes), places), 0) if reply.name else None

    drafts = await repeat_drafting(interviewer, world, ask)
    if not drafts:
        text = N_(
            "{model} sees nobody in {words!r} who could move in here: begin with a name, then say what the person does, and with whom it lives"
        )
        raise BadInput(text, model=public_name(interviewer.model.name), words=words[:80])
    return Draft(drafts[-1][0], None)


def homes_of(world: World, words: str) -> dict[str, tuple[str, ...]]:
    """Return the residents who sleep in each room with beds, of at most `MAX_LISTED_ROOMS` rooms,
    first those that the words name.
    """
    sleepers: dict[str, list[str]] = {
        arena_of(bed): [] for bed in beds(world) if bed not in world.gone
    }
    for persona in world.personas.values():
        sleepers.setdefault(arena_of(persona.sleeps), []).append(persona.name)
    return {at: tuple(sleepers[at]) for at in _rank_by_mention(sleepers, world, words)}


def _rank_by_mention(arenas: Mapping[str, Sequence[str]], world: World, words: str) -> list[str]:
    """Return up to `MAX_LISTED_ROOMS` arenas for a prompt: first those that the words name, by
    their own names or given names of people there.
    """
    said = {
        at
        for at, people in arenas.items()
        if any(
            name in words
            for name in (world.place_name(at), *(person.split()[0] for person in people))
        )
    }
    return sorted(arenas, key=lambda at: at not in said)[:MAX_LISTED_ROOMS]


def _patch(world: World, reply: SettlerReply, homes: list[str], places: list[str]) -> str:
    who, home, lang = id_of(world, reply.name), homes[reply.home - 1], world.lang
    habits = [
        {
            "start": habit.start,
            "end": habit.end,
            "activity": {lang: habit.activity},
            "place": places[habit.place - 1] if habit.place else home,
        }
        for habit in reply.habits
    ]
    texts = {
        field: {lang: getattr(reply, field)}
        for field in ("name", "occupation", "innate", "learned", "lifestyle", "currently")
    }
    person: dict[str, Any] = texts | {
        "age": reply.age,
        "pronouns": {lang: PRONOUNS[lang][reply.pronoun]},
        "daily_plan": {lang: ", ".join(habit.activity for habit in reply.habits)},
        "wake": reply.wake,
        "bed": reply.bed,
        "home": home,
        "sleeps": f"{home}/bed_{who}",
        "interests": {lang: reply.interests or [reply.occupation]},
        "habits": habits,
    }
    return moving_in_patch(who, orjson.dumps(person).decode())


def id_of(world: World, name: str) -> str:
    """Return an unused id of ASCII letters and digits, made of a name, or "resident" if it has
    none; a taken one gets a number.

    >>> from hometown.world.load import load_world
    >>> id_of(load_world("minitown", "en"), "Zoë O'Hara"), id_of(load_world("minitown", "zh"), "王芳")
    ('zoe_o_hara', 'resident')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    stem = re.sub(r"^[^a-z]+|_+$", "", re.sub(r"[^a-z0-9]+", "_", plain)) or "resident"
    return first_free(stem, [*world.personas, *world.sectors], "_")
