"""Events that a resident knows of: what many gather for, at a day and an hour, as its own memories have it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from modules.clock import parse_hhmm
from modules.memory.concept import Concept
from modules.model.scripted import phrases
from modules.model.scripted.gossip import is_gathering, one_clause, split_source, topic_of
from modules.model.scripted.when import clock_of, day_of, find_when
from modules.world.world import Lang

MINUTES = 120
"""What an event takes, as far as nobody has said."""


@dataclass(frozen=True, slots=True)
class Event:
    """`clause` is what the resident remembers; `venue` the place named in it, "" if none; `start` a minute of the day."""

    clause: str
    topic: str
    venue: str
    start: int
    own: bool


def events_on(day: date, memories: Iterable[Concept], name: str, lang: Lang) -> list[Event]:
    """The events of a day among memories of somebody called `name`, each once; what it has agreed with others is left out."""
    found: dict[tuple[str, int], Event] = {}
    for event in _events(day, memories, name, lang):
        found.setdefault((event.topic, event.start), event)
    return list(found.values())


def _events(day: date, memories: Iterable[Concept], name: str, lang: Lang) -> Iterator[Event]:
    bank = phrases.bank(lang)
    for memory in memories:
        if memory.type == "chat" or (memory.type == "plan" and (memory.talk or memory.predicate == "plan")):
            continue
        clause = one_clause(split_source(memory.text, lang)[0], lang)
        when = find_when(clause, lang)
        if is_gathering(clause, bank) and day_of(when, memory.created.date(), lang) == day:
            venue = re.search(bank.words["venue"], clause)
            own = not (memory.talk or memory.evidence) and name in clause
            named = next((group.strip() for group in venue.groups() if group), "") if venue else ""
            yield Event(clause, topic_of(clause, bank), named, parse_hhmm(clock_of(when, lang)), own)
