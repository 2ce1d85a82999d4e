"""Acts that a resident has resolved to do alone: entering them into the schedule, beside the
agreements for their time.
"""

from __future__ import annotations

from dataclasses import replace

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.planning.agreements import (
    REQUEST_POIGNANCY,
    as_entry,
    ask_which_to_keep,
    find_clashing,
    is_same_act,
    own_entry,
)
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.plan_settling import is_for_words
from hometown.memory.concept import INTENTION_PREDICATE
from hometown.memory.schedule import Schedule
from hometown.world.effects import Promised
from hometown.world.rows import WORD_MINUTES_MAX, Promise, Promises

BRIEF_PARTS = 6
"""Parts of a meeting of which a brief act takes one at most."""


async def enter_resolution(
    mind: Mind, resolution: Promise, schedule: Schedule, cause: str
) -> Schedule:
    """Return the schedule with an act that a resident has resolved to do alone, from now on. An
    agreement with others on the same act, or with those whom the act concerns, stands for that
    time; if they would rather do it elsewhere, that is an intention to tell the others. Another
    act is done at the meeting if that has time for it; if not, what is only to be said to them
    becomes the resident's part in it. Any other agreement for that time raises the
    question which of the two to keep, and the schedule stays, unless the act is brief: a word on the
    way makes nobody break an agreement.
    """
    agreed = [
        each for each in mind.state.promises(mind.who).items if each.is_at_once_with(resolution)
    ]
    same = next(
        (
            each
            for each in agreed
            if is_same_act(mind, resolution.what, each.part_of(mind.who), each.people)
        ),
        None,
    )
    concerned = set(find_concerned(mind, resolution.what))
    with_them = next((each for each in agreed if not concerned.isdisjoint(each.people)), None)
    clashing = find_clashing(mind, resolution)
    if meeting := same or with_them:
        if resolution.address not in ("", meeting.address):
            await _intend_to_move(mind, meeting, resolution, cause)
            return schedule
        if same is not None:
            return schedule
        resolution = replace(resolution, address=meeting.address)
        has_time = meeting.leaves_time_for(resolution)
        is_word = is_for_words(mind, resolution.what) and concerned <= set(meeting.people)
        if is_word and not has_time:
            return _add_to_part(mind, meeting, resolution.what, schedule, cause)
        clashing = () if has_time else (meeting,)
    if not all(_is_brief(resolution, each) for each in clashing):
        ask_which_to_keep(mind, clashing, resolution, cause)
        return schedule
    return schedule.splice(own_entry(mind, resolution))


def _is_brief(resolution: Promise, meeting: Promise) -> bool:
    """Return True if an act takes so little of the time of a meeting that both are done."""
    minutes = resolution.minutes
    return minutes <= WORD_MINUTES_MAX and BRIEF_PARTS * minutes <= meeting.minutes


def _add_to_part(
    mind: Mind, meeting: Promise, what: str, schedule: Schedule, cause: str
) -> Schedule:
    """Add what the resident has resolved to say or to hand over at a meeting to their part in it;
    return the schedule with that.
    """
    own = mind.words.texts["item_separator"].join((meeting.part_of(mind.who), what))
    new = meeting.with_part(mind.who, own)
    items = mind.state.promises(mind.who).items
    held = tuple(new if each == meeting else each for each in items)
    mind.do(Promised(mind.who, Promises(held)), cause)
    return schedule.reword(as_entry(mind, meeting), as_entry(mind, new).activity)


async def _intend_to_move(mind: Mind, agreed: Promise, wanted: Promise, cause: str) -> None:
    """Remember, as an intention to tell the others, that the resident would rather meet elsewhere."""
    words, others = mind.words, tuple(who for who in agreed.people if who != mind.who)
    if not others:  # a host whose guests are yet to come
        return
    text = words.say(
        "rather_elsewhere",
        name=mind.me.name,
        others=words.names(others),
        what=agreed.part_of(mind.who),
        place=mind.world.place_name(agreed.address),
        wanted=mind.world.place_name(wanted.address),
    )
    memory = NewMemory(
        "thought", text, mind.who, INTENTION_PREDICATE, others[0], wanted.address, about=others
    )
    await mind.remember([memory], [REQUEST_POIGNANCY], cause)
