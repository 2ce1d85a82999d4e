"""Find the events that a resident's memories announce: gatherings with a day and a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date

from hometown.clock import parse_hhmm
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.memory.concept import OVERHEARD_PREDICATE, Concept
from hometown.scripted import phrases
from hometown.scripted.clauses import is_gathering, one_clause, split_source, topic_of
from hometown.scripted.phrases import Bank
from hometown.scripted.when import clock_of, day_of, find_when
from hometown.scripted.words import sentences

MINUTES = 120
"""The assumed length of an event, in minutes."""


@frozen
class RememberedEvent:
    """An event as the resident remembers it: `clause` is its text, `venue` the place named there or
    "", `start` a minute of the day; `own` marks one of the resident's own.
    """

    clause: str
    topic: str
    venue: str
    start: int
    own: bool


def events_on(
    day: date, memories: Iterable[Concept], name: str, lang: Lang
) -> list[RememberedEvent]:
    """Return the events of a day from the memories of the resident called `name`, without
    duplicates; conversations, day plans and agreements with others announce none.
    """
    events: dict[tuple[str, int], RememberedEvent] = {}
    for event in _list_events(day, memories, name, lang):
        events.setdefault((event.topic, event.start), event)
    return list(events.values())


def _list_events(
    day: date, memories: Iterable[Concept], name: str, lang: Lang
) -> Iterator[RememberedEvent]:
    """Yield the events of a day that memories announce, with the place and time named there;
    conversations and the plans of a day announce none, and a line that was overheard does so in one
    of its sentences.
    """
    bank = phrases.bank(lang)
    for memory in memories:
        if memory.type == "chat" or (
            memory.type == "plan" and (memory.talk or memory.predicate == "plan")
        ):
            continue
        clause = (
            _find_announcement(memory.text, bank)
            if memory.predicate == OVERHEARD_PREDICATE
            else one_clause(split_source(memory.text, lang)[0], lang)
        )
        when = find_when(clause, lang)
        if is_gathering(clause, bank) and day_of(when, memory.created.date(), lang) == day:
            venue = re.search(bank.words["venue"], clause)
            own = not (memory.talk or memory.evidence) and name in clause
            named = next((group.strip() for group in venue.groups() if group), "") if venue else ""
            yield RememberedEvent(
                clause, topic_of(clause, bank), named, parse_hhmm(clock_of(when, lang)), own
            )


def _find_announcement(overheard: str, bank: Bank) -> str:
    """Return the first sentence of an overheard line that announces a gathering; "" for none."""
    line = overheard.partition("“")[2].removesuffix("”")
    clauses = (one_clause(sentence, bank.lang) for sentence in sentences(line, bank.lang))
    return next((clause for clause in clauses if is_gathering(clause, bank)), "")
