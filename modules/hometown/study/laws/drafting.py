"""Draft a law with a model from a user's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

import orjson

from hometown.agent.mind import Mind
from hometown.errors import BadInput
from hometown.model.routing import public_name
from hometown.prompt.law_drafts import LAW, BookChange, BookEntry, LawVars
from hometown.society.work_phrasing import WorkPhrases
from hometown.study.interview import Interviewer
from hometown.study.laws.proposal import Proposal, propose_law, read_present_town, require_rules
from hometown.text import N_
from hometown.world.book.amend import PARTS, dump_entry, section
from hometown.world.resolve import one_line
from hometown.world.world import World, sector_of

MAX_DRAFTS = 3
"""Maximum number of drafts requested until one is without faults."""

MAX_LISTED_PEOPLE = 25
"""Maximum number of people up to which a prompt lists all; of more, only those whom the words
name.
"""


@dataclass(frozen=True)
class Draft:
    """A proposal, and the moment from which it is to hold; None for at once."""

    proposal: Proposal
    begins: datetime | None


async def draft_law(interviewer: Interviewer, words: str) -> Draft:
    """Return the first draft without faults, or else the last.

    Raises:
        BadInput: The words are no text, or the model sees no law in them.
    """
    world, state = read_present_town(interviewer.run, interviewer.founded)
    require_rules(world)
    words = one_line(words)
    entries = tuple(entries_of(world, words))

    async def ask(mind: Mind, faults: str) -> tuple[str, int] | None:
        reply, _ = await mind.ask(LAW, LawVars(mind.situation, words, entries, faults))
        return (
            (orjson.dumps(build_patch(reply.changes)).decode(), reply.begins)
            if reply.changes
            else None
        )

    drafts = await repeat_drafting(interviewer, world, ask)
    if not drafts:
        text = N_(
            "{model} sees nothing in {words!r} that could be a law here: say which thing, goods or work it is about"
        )
        raise BadInput(text, model=public_name(interviewer.model.name), words=words[:80])
    proposal, days = drafts[-1]
    return Draft(
        proposal,
        datetime.combine(state.clock.now.date() + timedelta(days=days), time()) if days else None,
    )


async def repeat_drafting(
    interviewer: Interviewer,
    world: World,
    ask: Callable[[Mind, str], Awaitable[tuple[str, int] | None]],
) -> list[tuple[Proposal, int]]:
    """Return a model's drafts as (proposal, days until it holds), repeated up to `MAX_DRAFTS` times
    until one is without faults or `ask` returns None; `ask` receives the faults of the one before.
    """
    asked = Counter[str]()
    drafts: list[tuple[Proposal, int]] = []
    while len(drafts) < MAX_DRAFTS and not (drafts and not drafts[-1][0].faults):
        mind = interviewer.mind(
            next(who for who in world.personas if who not in world.latecomers), None, asked
        )
        drafted = await ask(mind, "; ".join(drafts[-1][0].faults) if drafts else "")
        if drafted is None:
            break
        drafts.append((propose_law(interviewer.run, interviewer.founded, drafted[0]), drafted[1]))
    return drafts


def build_patch(changes: list[BookChange]) -> dict[str, Any]:
    """Return the patch of a model's changes; a value that is no JSON is a text."""
    patch: dict[str, Any] = {}
    for change in changes:
        name, _, entry = change.entry.partition("/")
        into, keys = patch.setdefault(name, {}), [entry, *filter(None, change.key.split("."))]
        for key in keys[:-1]:
            into = into[key] if isinstance(into.get(key), dict) else into.setdefault(key, {})
        into[keys[-1]] = _value(change.value)
    return patch


def _value(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def entries_of(world: World, words: str) -> list[BookEntry]:
    """Return all entries of a town's book; if it has more than `MAX_LISTED_PEOPLE` people, only
    those whom the words name.
    """
    assert world.book is not None
    found = []
    for name in PARTS:
        for key, part in section(world.book, name).items():
            names = _names(world, name, key)
            if (
                name != "people"
                or len(world.personas) <= MAX_LISTED_PEOPLE
                or any(each in words for each in names)
            ):
                found.append(
                    BookEntry(f"{name}/{key}", names, orjson.dumps(dump_entry(part)).decode())
                )
    return found


def _names(world: World, name: str, key: str) -> tuple[str, ...]:
    """Return the words by which people name the subject of an entry."""
    assert world.book is not None
    if name == "fixtures":
        return (world.name_of(key), world.name_of(sector_of(key)))
    if name == "people":
        return (world.name_of(key), world.name_of(key).split()[0])
    if name == "houses":
        return (world.place_name(world.book.start.houses[key].home),)
    if name == "recipes":
        part = world.book.entries[key]
        return (*part.says[world.lang], WorkPhrases(world).entry(part))
    return (section(world.book, name)[key].model_dump()["name"][world.lang],)
