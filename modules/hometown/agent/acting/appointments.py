"""The departure for appointments, and the work that residents finish before."""

from __future__ import annotations

from hometown.agent.acting.walking import walking_minutes
from hometown.agent.mind import Mind
from hometown.agent.planning.entry_origins import is_interrupting
from hometown.agent.working.society_plugin import society_in
from hometown.memory.schedule import Entry

SET_OUT_MINUTES_MAX = 60
"""Minutes, beside those of a step, before which no appointment is considered; no way is longer."""

FINISHING_MINUTES = 5
"""Minutes of work that are worth finishing although they make a resident late for an appointment."""


def find_due_appointment(mind: Mind) -> Entry | None:
    """Return the next appointment if leaving one step later would be too late for it; None if there
    is none, it has no place, or it is a way to be gone together, on which nobody sets out before.
    """
    coming = mind.state.schedule(mind.who).next_of("appointment", mind.minute + 1)
    next_step = mind.minute + mind.moment.stride
    if (
        coming is None
        or not coming.address
        or mind.words.is_arrival(coming.activity, coming.address)
        or coming.start - next_step > SET_OUT_MINUTES_MAX
        or next_step + walking_minutes(mind, coming.address) < coming.start
    ):
        return None
    return coming


def is_finishing_work(mind: Mind, entry: Entry, coming: Entry | None) -> bool:
    """Return True if the work under way ends in time for an appointment that is due, or so soon that
    nobody would leave it: a meal is not put away half eaten.
    """
    called = coming or entry
    if called.kind != "appointment" or not called.address or is_interrupting(entry):
        return False
    leaves = called.start - walking_minutes(mind, called.address)
    return society_in(mind.world).ends_work_by(mind, max(mind.minute, leaves) + FINISHING_MINUTES)
