"""How news travels: who came to know of a storyline, when, from whom, in which conversation, and who came of it.

The measures are those of Park et al. 2023, §7.1: the share of the town that knows of a storyline at the start and at
the end, attendance at its gathering, and the density of the network of acquaintances. Somebody counts as knowing only
by a memory of its own that holds one of the storyline's keywords, so that nothing is taken on a model's word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

import orjson

from modules.replay.diary import stays, steps_of
from modules.replay.frames import partner_of
from modules.replay.names import Names
from modules.replay.output import whole_file
from modules.replay.reader import Memory, RunReader, blocks
from modules.world.world import Gathering, Storyline

BLOCK = 200
"""Steps read at once."""


@dataclass(frozen=True, slots=True)
class Learning:
    """The first memory by which a resident knows of a storyline; `teller` is who told it in the talk, "" where nobody did."""

    memory: Memory
    teller: str = ""


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody's time at a gathering, in game minutes."""

    who: str
    minutes: int


class Topic(Protocol):
    """Something that a memory may be about, such as a storyline."""

    def told_in(self, text: str) -> bool: ...


def knowers(run: RunReader, story: Topic, last: int) -> list[Learning]:
    """Who knows of a topic after step `last`, in the order in which they came to know."""
    found: dict[str, Learning] = {}
    for first, end in blocks(0, last, BLOCK):
        for memory in run.memories(first, end):
            if memory.who not in found and story.told_in(memory.concept.text):
                talk = run.talk(memory.concept.talk) if memory.concept.talk else None
                found[memory.who] = Learning(memory, partner_of(talk, memory.who) if talk else "")
    return list(found.values())


def visits(run: RunReader, gathering: Gathering, last: int) -> list[Visit]:
    """Who was at a gathering's place while it lasted; the longest first."""
    day = gathering.start.date()
    if run.moment(last) <= gathering.start or day < run.manifest.start.date():
        return []
    first, end = steps_of(run, day, last)
    talks = run.talks(first, end)
    found = []
    for who in run.residents:
        there = (stay for stay in stays(run, who, day, last, talks) if stay.address == gathering.place)
        spent = sum((max(timedelta(), min(stay.end, gathering.end) - max(stay.start, gathering.start)) for stay in there), timedelta())
        if spent:
            found.append(Visit(who, round(spent.total_seconds() / 60)))
    return sorted(found, key=lambda one: (-one.minutes, one.who))


def density(pairs: int, people: int) -> float:
    """Share of all pairs of `people` who know each other: 2|E| ÷ (|V|(|V| − 1)) (Park et al. 2023, §7.1.2)."""
    return 2 * pairs / (people * (people - 1)) if people > 1 else 0.0


def authored_pairs(run: RunReader, names: Names) -> set[frozenset[str]]:
    """Pairs of residents who know each other at the start, by what their authors wrote."""
    return {
        frozenset((who, other))
        for who in run.residents
        if (persona := names.persona(who))
        for other in persona.relations or {}
        if other in run.residents and who in ((names.persona(other) or persona).relations or {})
    }


def acquaintances(run: RunReader, names: Names, last: int) -> tuple[int, int]:
    """Pairs of residents who know each other at the start, and after step `last`, when they have met."""
    authored = authored_pairs(run, names)
    met = {frozenset((talk.opener, talk.partner)) for first, end in blocks(1, last, BLOCK) for talk in run.talks(first, end)}
    return len(authored), len(authored | met)


def write_spread(run: RunReader, names: Names, path: Path, last: int) -> None:
    """Writes `spread.json` for steps 1 to `last`; docs/formats.md describes it."""
    people = len(run.residents)
    before, after = acquaintances(run, names, last)
    stories = names.world.storylines if names.world else ()
    told = {
        "run": run.manifest.name,
        "residents": people,
        "until": run.moment(last).isoformat(),
        "network": {"start": round(density(before, people), 3), "end": round(density(after, people), 3)},
        "storylines": [_story(run, names, story, last) for story in stories],
    }
    with whole_file(path) as file:
        file.write(orjson.dumps(told, option=orjson.OPT_INDENT_2) + b"\n")


def _story(run: RunReader, names: Names, story: Storyline, last: int) -> dict[str, Any]:
    learnt = knowers(run, story, last)
    known_at_start = [one for one in learnt if one.memory.step == 0]
    told: dict[str, Any] = {
        "id": story.id,
        "title": story.title,
        "keywords": list(story.keywords),
        "share": {"start": _share(known_at_start, run), "end": _share(learnt, run)},
        "learned": [_learning(one, names) for one in learnt],
    }
    if story.gathering:
        came = visits(run, story.gathering, last)
        there = {one.who for one in came}
        told["gathering"] = {
            "place": story.gathering.place,
            "start": story.gathering.start.isoformat(),
            "end": story.gathering.end.isoformat(),
            "came": [{"who": one.who, "name": names.person(one.who), "minutes": one.minutes} for one in came],
            "knew_but_stayed_away": [one.memory.who for one in learnt if one.memory.who not in there],
        }
    return told


def _learning(one: Learning, names: Names) -> dict[str, Any]:
    concept = one.memory.concept
    told: dict[str, Any] = {"who": one.memory.who, "name": names.person(one.memory.who), "time": concept.created.isoformat(), "step": one.memory.step}
    if concept.talk:
        told |= {"from": one.teller, "conversation": concept.talk}
    return told | {"memory": concept.id, "text": concept.text}


def _share(learnt: Sequence[Learning], run: RunReader) -> float:
    return round(len(learnt) / len(run.residents), 3)
