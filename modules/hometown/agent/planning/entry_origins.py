"""Origins of the entries that are added to the plan of a day, and free time from now on."""

from __future__ import annotations

from hometown.agent.mind import Mind
from hometown.memory.schedule import Entry, Schedule

VOICE_ORIGIN, REACTION_ORIGIN, REASON_ORIGIN = "voice:", "react:", "reason:"
"""Prefix of the origin of entries that an inner voice, a reaction to an event, or a reason of the
resident's own put into the schedule; the number of its memory follows.
"""

LEFT_ORIGIN = "left"
"""The origin of free time after those have left with whom the resident was."""


def is_interrupting(entry: Entry) -> bool:
    """Return True if an entry ends the current action as it begins: an appointment, voice, reaction
    or reason, or the company having left.
    """
    return entry.kind == "appointment" or entry.origin.startswith(
        (VOICE_ORIGIN, REACTION_ORIGIN, REASON_ORIGIN, LEFT_ORIGIN)
    )


def free_until(mind: Mind, schedule: Schedule, end: int) -> Schedule:
    """Return a schedule with free time from now until `end`, in minutes since midnight."""
    free = Entry(mind.minute, end, mind.words.say("free_time"), origin=LEFT_ORIGIN)
    return schedule.splice(free)
