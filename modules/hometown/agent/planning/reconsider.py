"""Reconsidering the rest of the day after an inner voice has spoken."""

from __future__ import annotations

from hometown.agent.mind import Mind, concepts
from hometown.agent.planning.place_choice import meeting_places
from hometown.clock import DAY
from hometown.memory.schedule import Entry
from hometown.prompt.plans import clock_minutes
from hometown.prompt.second_thoughts import RECONSIDER, ReconsiderReply, ReconsiderVars
from hometown.world.effects import Reconsidered, Rescheduled

VOICE_ORIGIN, REACTION_ORIGIN = "voice:", "react:"
"""Prefix of the origin of entries that an inner voice, or a reaction to an event, put into the
schedule; the number of its memory follows.
"""


async def reconsider(mind: Mind) -> None:
    """Ask whether new inner voices change the rest of the day, and reschedule it if so."""
    ids = mind.state.voices(mind.who)
    if not ids:
        return
    memory = mind.state.memory(mind.who)
    voices = tuple(memory.concepts[number].text for number in ids if number in memory)
    if voices:
        found = await mind.recall(voices)
        home = mind.me.home
        places = (
            (home, mind.world.place_name(home)),
            *(place for place in meeting_places(mind, voices) if place[0] != home),
        )
        variables = ReconsiderVars(
            mind.situation, voices, _rest_of_day(mind), places, concepts(found)
        )
        reply, cause, asked = await mind.ask_with_variables(RECONSIDER, variables, found)
        if reply.activity:
            address = asked.places[reply.where - 1][0] if reply.where else ""
            schedule = mind.state.schedule(mind.who).splice(_entry(reply, address, ids[-1]))
            mind.do(Rescheduled(mind.who, schedule, f"{VOICE_ORIGIN}{ids[-1]}"), cause)
    mind.do(Reconsidered(mind.who), "rule:voice")


def _rest_of_day(mind: Mind) -> tuple[tuple[int, str], ...]:
    """Return the entries that have not ended, as (start in minutes, activity)."""
    return tuple(
        (entry.start, entry.activity)
        for entry in mind.state.schedule(mind.who).entries
        if entry.end > mind.minute
    )


def _entry(reply: ReconsiderReply, address: str, memory: int) -> Entry:
    """Return the entry that follows from a reply."""
    start = clock_minutes(reply.start)
    return Entry(
        start,
        min(start + reply.minutes, DAY),
        reply.activity,
        address=address,
        origin=f"{VOICE_ORIGIN}{memory}",
    )


def is_interrupting(entry: Entry) -> bool:
    """Return True if an entry ends the current action as it begins: an appointment, voice or
    reaction.
    """
    return entry.kind == "appointment" or entry.origin.startswith((VOICE_ORIGIN, REACTION_ORIGIN))
