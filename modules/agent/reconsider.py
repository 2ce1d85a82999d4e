"""Second thoughts: an inner voice has spoken, and the rest of the day is looked at anew."""

from __future__ import annotations

from modules.agent.places import meeting_places
from modules.agent.thinking import Thinking, concepts
from modules.clock import DAY
from modules.memory.schedule import Entry
from modules.prompt.planning import clock_minutes
from modules.prompt.reconsidering import RECONSIDER, ReconsiderReply, ReconsiderVars
from modules.world.effects import Reconsidered, Rescheduled

VOICE = "voice:"
"""How the origin of an entry begins that an inner voice put into the schedule; the number of its memory follows."""


async def reconsider(mind: Thinking) -> None:
    """Thinks over what an inner voice has said since the last time, and changes the rest of the day if need be."""
    ids = mind.state.voices(mind.who)
    if not ids:
        return
    memory = mind.state.memory(mind.who)
    voices = tuple(memory.concepts[one].text for one in ids if one in memory)
    if voices:
        found = await mind.recall(voices)
        home = mind.me.home
        places = ((home, mind.world.place_name(home)), *(place for place in meeting_places(mind, voices) if place[0] != home))
        reply, cause = await mind.ask(RECONSIDER, ReconsiderVars(mind.situation, voices, _rest_of_day(mind), places, concepts(found)), found)
        if reply.activity:
            schedule = mind.state.schedule(mind.who).splice(_entry(mind, reply, ids[-1]))
            mind.do(Rescheduled(mind.who, schedule, f"{VOICE}{ids[-1]}"), cause)
    mind.do(Reconsidered(mind.who), "rule:voice")


def _rest_of_day(mind: Thinking) -> tuple[tuple[int, str], ...]:
    return tuple((entry.start, entry.activity) for entry in mind.state.schedule(mind.who).entries if entry.end > mind.minute)


def _entry(mind: Thinking, reply: ReconsiderReply, memory: int) -> Entry:
    start = clock_minutes(reply.start)
    return Entry(start, min(start + reply.minutes, DAY), reply.activity, address=reply.where, origin=f"{VOICE}{memory}")


def interrupts(entry: Entry) -> bool:
    """Whether what is under way is left for an entry as soon as it begins: something agreed, or what an inner voice asks for."""
    return entry.kind == "appointment" or entry.origin.startswith(VOICE)
