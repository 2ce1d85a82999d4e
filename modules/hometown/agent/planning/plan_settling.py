"""Settling what is over: intentions and wishes, and the lines of the plan that are for them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from hometown.agent.mind import Mind
from hometown.agent.mind.meant import is_refraining
from hometown.agent.mind.open_intentions import is_intention
from hometown.agent.mind.wishes import find_wish, record_wish, say_about_wish
from hometown.agent.planning.entry_origins import REASON_ORIGIN, VOICE_ORIGIN, free_until
from hometown.agent.planning.plan_acts import drop_lines, is_of_line, split_acts
from hometown.memory.concept import Concept
from hometown.memory.schedule import Schedule, Tasks
from hometown.text import catalogue
from hometown.world.activities import themes_of
from hometown.world.effects import Rescheduled, TasksSet


def settle_memories(mind: Mind, memories: Iterable[Concept], cause: str) -> None:
    """Settle memories that are over, record the wishes among them as done, or as overtaken if
    nothing was ever done about them, and drop the entries that the intentions among them have put
    into the schedule; an intention to refrain has put none there.
    """
    over = tuple(memories)
    mind.settle(over, cause)
    for memory in over:
        if wish := find_wish(mind, memory.id):
            why = say_about_wish(mind.world.lang, "settled")
            record_wish(mind, wish, "done" if wish.is_pursued else "overtaken", cause, why)
    origins = {
        f"{prefix}{memory.id}"
        for memory in over
        if is_intention(memory) and not is_refraining(memory.text, mind.world.lang)
        for prefix in (VOICE_ORIGIN, REASON_ORIGIN)
    }
    entries = mind.state.schedule(mind.who).entries
    gone = [(entry.start, entry.activity) for entry in entries if entry.origin in origins]
    drop_entries(mind, gone, cause)


def drop_entries(mind: Mind, gone: Collection[tuple[int, str]], cause: str) -> None:
    """Drop lines of the plan that have not ended, or acts of them, given as (minute, words), that are
    done early or over; of the present one, those that were to say or hand over something.
    """
    schedule = mind.state.schedule(mind.who)
    left, _ = drop_lines(mind, schedule, gone)
    ended = _end_present(mind, left, gone)
    if ended != schedule:
        mind.do(Rescheduled(mind.who, ended, "rule:settled"), cause)
    if ended != left:  # its tasks end with it, also those begun in this step
        mind.do(TasksSet(mind.who, Tasks()), cause)


def _end_present(mind: Mind, schedule: Schedule, gone: Collection[tuple[int, str]]) -> Schedule:
    """Return the schedule without those acts of the present activity that are over and were to say or
    hand over something; with free time from now on if none is left of it.
    """
    if schedule.date != mind.now.date() or not schedule.entries:
        return schedule
    entry = schedule.at(mind.minute)
    acts = split_acts(mind, entry.activity)
    over = [act for act in acts if is_of_line(entry, act, gone) and is_for_words(mind, act)]
    left = [act for act in acts if act not in over]
    is_over = is_of_line(entry, entry.activity, gone) and is_for_words(mind, entry.activity)
    if entry.kind != "activity" or not (over or is_over):
        return schedule
    if is_over or not left:
        return free_until(mind, schedule, entry.end)
    return schedule.reword(entry, mind.words.texts["item_separator"].join(left))


def is_for_words(mind: Mind, activity: str) -> bool:
    """Return True if an activity is to say or hand over something, but no meal or drink."""
    if any(theme.key in ("eat", "drink") for theme in themes_of(activity, mind.world.lang)):
        return False
    speech = catalogue(mind.world.lang, "outside")["speech"]
    return bool(re.search(f"{mind.words.texts['gift_words']}|{speech}", activity, re.IGNORECASE))
