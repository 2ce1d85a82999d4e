"""Entries of the plan left undone: those to be spent with other residents, or to say or hand
something to them, that end without them.
"""

from __future__ import annotations

import re

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.known_rooms import is_sighting
from hometown.clock import at_minute, hhmm
from hometown.memory.schedule import Entry
from hometown.text import catalogue
from hometown.world.resident_names import find_company

UNDONE_PREDICATE, UNDONE_POIGNANCY = "leave undone", 4
"""The predicate and the poignancy of the memory that something planned with others was not done."""


async def remember_undone(mind: Mind) -> None:
    """Remember, once, if the entry whose tasks were begun last has ended and the resident did not
    meet the company that it names, or did not speak to those to whom it was to say or hand
    something. It is a reason to reconsider the day.
    """
    entry = _find_ended(mind)
    others = _find_missed(mind, entry) if entry else ()
    if entry is None or not others:
        return
    text = mind.words.say(
        "undone",
        name=mind.me.name,
        others=mind.words.names(others),
        start=hhmm(entry.start),
        what=entry.activity,
    )
    begun = at_minute(mind.now.date(), entry.start)
    if any(memory.text == text for memory in mind.state.memory(mind.who).since(begun, ("event",))):
        return
    memory = NewMemory("event", text, mind.who, UNDONE_PREDICATE, others[0], about=tuple(others))
    (made,) = await mind.remember([memory], [UNDONE_POIGNANCY], "rule:schedule")
    give_reason(mind, made, "rule:schedule")


def _find_ended(mind: Mind) -> Entry | None:
    """Return the activity of today's plan whose tasks were begun last, if it has ended; None if it
    goes on now or later.
    """
    schedule, begun = mind.state.schedule(mind.who), mind.state.tasks(mind.who).entry
    if begun < 0 or schedule.date != mind.now.date():
        return None
    entry = schedule.at(begun)
    is_going_on = any(
        each.end > mind.minute and each.activity == entry.activity for each in schedule.entries
    )
    return None if is_going_on or entry.kind != "activity" else entry


def _find_missed(mind: Mind, entry: Entry) -> tuple[str, ...]:
    """Return the residents whom an entry needed, if none of them was met during it: talked with or,
    for the company that it names, seen.
    """
    begun = at_minute(mind.now.date(), entry.start)
    speech = catalogue(mind.world.lang, "outside")["speech"]
    gift = mind.words.texts["gift_words"]
    is_for_words = re.search(f"{gift}|{speech}", entry.activity, re.IGNORECASE) is not None
    others = (
        tuple(find_concerned(mind, entry.activity))
        if is_for_words
        else tuple(each for each in find_company(mind.world, entry.activity) if each != mind.who)
    )
    seen = list(mind.state.memory(mind.who).since(begun, ("event",)))

    def is_met(other: str) -> bool:
        is_seen = mind.is_here(other) or any(is_sighting(memory, other) for memory in seen)
        has_talked = mind.state.relation(mind.who, other).has_talked_since(begun)
        return has_talked or (is_seen and not is_for_words)

    return () if any(map(is_met, others)) else others
