"""Changing the schedule of a day: the activities that lose their time or begin later are
remembered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.meant import seeks_anyone
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.entry_origins import REACTION_ORIGIN
from hometown.agent.planning.lost_rooms import is_known_lost
from hometown.agent.planning.plan_acts import split_acts, without_aims
from hometown.agent.planning.plan_settling import is_for_words
from hometown.clock import hhmm
from hometown.memory.concept import Concept
from hometown.memory.schedule import REMAINDER_MINUTES_MIN, CutEntry, Entry, Schedule
from hometown.text import coverage
from hometown.world.activities import themes_of
from hometown.world.effects import Rescheduled
from hometown.world.resident_names import drop_names

DISPLACED_POIGNANCY = 4
"""Poignancy of the memory that there is no time left for something planned, or that it begins
later.
"""


SAME_WORDS_COVERAGE_MIN = 0.3
"""Share of the character trigrams of an activity, without names, that occur in another one with the
same residents, from which it is the same in other words.
"""

LONE_ACT_COVERAGE_MIN = {"en": 0.75, "zh": 0.6}
"""Share of the character trigrams of an act that concerns nobody that occur in another one from which
it is the same in other words.
"""

WORD_MINUTES = 10
"""Minutes that it takes to say something to another resident, or to ask them."""

DISPLACED_PREDICATE = "displace"
"""The predicate of that memory."""


async def reschedule(
    mind: Mind,
    planned: Schedule,
    origin: str,
    instead: str,
    cause: str,
    replaced: Collection[Entry] = (),
    company: Collection[str] = (),
    known: Schedule | None = None,
) -> list[Concept]:
    """Set the schedule of the day, and remember the activities that lose their time or begin later.

    Args:
        mind: the mind of the resident.
        planned: the new schedule.
        origin: the origin of the change.
        instead: the act that takes their time.
        cause: the cause of the effects.
        replaced: entries that the new schedule carries out in other words.
        company: the residents with whom that act is done.
        known: the schedule that the resident knows, if it is not that of the state.

    Returns:
        The memories that are reasons to reconsider the day: of activities without time, and of
        those begun later that concern other residents.
    """
    schedule = mind.state.schedule(mind.who)
    if planned == schedule:
        return []
    schedule = known or schedule
    open_entries = (*_list_coming(mind, schedule), *_find_broken_off(mind, schedule, origin))
    coming = [
        each
        for each in open_entries
        if not (each in replaced or _is_kept(mind, each, instead, company))
    ]
    displaced = _find_displaced(mind, coming, schedule, planned)
    scraps = (each for each in _list_coming(mind, planned) if each.activity in displaced)
    planned = planned.without(*scraps, instead=mind.words.say("free_time"))
    mind.do(Rescheduled(mind.who, planned, origin), cause)
    left = [entry for entry in coming if entry.activity not in displaced]
    made = await _remember_lost(mind, displaced.values(), instead, company, cause)
    return [*made, *await _remember_postponed(mind, left, planned, instead, cause)]


def _is_kept(mind: Mind, entry: Entry, instead: str, company: Collection[str]) -> bool:
    """Return True if an activity is not lost to the one that takes its time: that is of its kind, or
    the same in other words, or it is known to be lost already.
    """
    return (
        is_taken_over(mind, entry.activity, instead, company)
        or is_eaten_otherwise(mind, entry.activity, instead)
        or is_known_lost(mind, entry)
    )


async def _remember_lost(
    mind: Mind, displaced: Iterable[Entry], instead: str, company: Collection[str], cause: str
) -> list[Concept]:
    """Remember the activities without time, and return the memories that are reasons to reconsider
    the day: not those of activities that concern only residents whom the new one concerns, too.
    """
    concerned = {*company, *find_concerned(mind, instead)} if company else ()
    agreed, lost = list[Entry](), list[Entry]()
    for entry in displaced:
        (agreed if _concerns_only(mind, entry.activity, concerned) else lost).append(entry)
    await _remember_agreed_otherwise(mind, agreed, instead, company, cause)
    return await remember_displaced(mind, lost, instead, cause)


def _find_displaced(
    mind: Mind, coming: Iterable[Entry], schedule: Schedule, planned: Schedule
) -> dict[str, Entry]:
    """Return the coming entries of a schedule for which the planned one leaves too little time, by
    activity; a word takes the shortest.
    """
    before, after = _minutes_left(mind, schedule), _minutes_left(mind, planned)

    def is_too_short(entry: Entry) -> bool:
        is_word = is_for_words(mind, entry.activity)
        return after[entry.activity] < (WORD_MINUTES if is_word else REMAINDER_MINUTES_MIN)

    return {
        entry.activity: entry
        for entry in coming
        if is_too_short(entry)
        and after[entry.activity] < min(before[entry.activity], entry.end - entry.start)
        and (before[entry.activity] >= REMAINDER_MINUTES_MIN or not isinstance(entry, CutEntry))
    }


def _list_coming(mind: Mind, schedule: Schedule) -> list[Entry]:
    """Return the activities of a schedule that are still to be done, without free time."""
    begun = mind.state.tasks(mind.who).entry
    return [
        entry
        for entry in schedule.entries
        if (entry.start > mind.minute or begun < entry.start < entry.end > mind.minute)
        and entry.kind == "activity"
        and entry.activity != mind.words.say("free_time")
    ]


def _find_broken_off(mind: Mind, schedule: Schedule, origin: str) -> Iterator[Entry]:
    """Yield the activity under way that the resident has planned or resolved to do, if a response to
    an event breaks it off before half of its time.
    """
    begun = mind.state.tasks(mind.who).entry
    for entry in schedule.entries:
        half = (entry.start + entry.end) // 2
        is_under_way = entry.start <= begun < entry.end and mind.minute < half
        is_meant = entry.kind == "activity" and entry.activity != mind.words.say("free_time")
        is_response = entry.origin.startswith(REACTION_ORIGIN)
        if origin.startswith(REACTION_ORIGIN) and is_under_way and is_meant and not is_response:
            yield entry


def _find_start(planned: Schedule, entry: Entry) -> int:
    """Return the minute at which what is left of an entry begins in a new schedule; 0 if nothing is
    left of it.
    """
    left = (
        each.start
        for each in planned.entries
        if each.activity == entry.activity and entry.start <= each.start < entry.end
    )
    return next(left, 0)


def _concerns_only(mind: Mind, activity: str, company: Collection[str]) -> bool:
    """Return True if an activity concerns others, all of whom are company of the act that takes its
    time: it can be done then, and is not lost.
    """
    concerned = set(find_concerned(mind, activity))
    return bool(concerned) and concerned <= set(company)


def is_taken_over(mind: Mind, activity: str, instead: str, company: Collection[str]) -> bool:
    """Return True if an activity is done by another one that is shared with some company: that is of
    its kind, or the same in other words.
    """
    return _is_of_one_kind(mind, activity, instead, company) or _is_done_by(
        mind, activity, instead, company
    )


def _is_of_one_kind(mind: Mind, activity: str, instead: str, company: Collection[str]) -> bool:
    """Return True if the one that takes an activity's time has all its themes, as supper with friends
    has those of supper alone, but not those of cooking it, and leaves out nobody whom it concerns.
    """
    themes, others = name_themes(mind, activity), name_themes(mind, instead)
    left_out = set(find_concerned(mind, activity)).difference(company)
    return bool(themes) and themes <= others and left_out <= set(find_concerned(mind, instead))


def is_eaten_otherwise(mind: Mind, activity: str, instead: str) -> bool:
    """Return True if an activity is to cook a meal for nobody else and to eat it, and another one is
    to eat one that is cooked already.
    """
    themes, others = name_themes(mind, activity), name_themes(mind, instead)
    is_meal = {"cook", "eat"} <= themes and not find_concerned(mind, activity)
    return is_meal and "eat" in others and "cook" not in others


def _is_done_by(mind: Mind, activity: str, instead: str, company: Collection[str]) -> bool:
    """Return True if an activity that concerns only the company of the one that takes its time is
    that one in other words, as "giving Mei her lesson" is for "explaining waves to Mei", or shares
    a theme with it, as "buying Mei a coffee" does with "having coffee and talking"; of one that
    concerns nobody, if it has most of the words of each act that is not to ask around.
    """
    lang = mind.world.lang
    if not find_concerned(mind, activity):
        acts = split_acts(mind, without_aims(mind, activity))
        acts = [act for act in acts if not seeks_anyone(act, lang)]
        return bool(acts) and all(
            coverage(instead, act) >= LONE_ACT_COVERAGE_MIN[lang] for act in acts
        )
    if not _concerns_only(mind, activity, company):
        return False
    if name_themes(mind, activity) & name_themes(mind, instead):
        return True
    return (
        coverage(*drop_names(mind.world, (activity, instead), company)) >= SAME_WORDS_COVERAGE_MIN
    )


def name_themes(mind: Mind, activity: str) -> set[str]:
    """Return the keys of an activity's themes; none for a notice, of what it announces."""
    if re.search(mind.words.texts["notices"], activity, re.IGNORECASE):
        return set()
    return {theme.key for theme in themes_of(activity, mind.world.lang)}


def _minutes_left(mind: Mind, schedule: Schedule) -> Counter[str]:
    """Return the minutes that a schedule has for each coming activity."""
    minutes: Counter[str] = Counter()
    for entry in schedule.entries:
        if entry.kind == "activity" and entry.end > mind.minute:
            minutes[entry.activity] += entry.end - max(entry.start, mind.minute)
    return minutes


def _find_planned_start(entry: Entry) -> int:
    """Return the minute for which an entry was planned before others cut it."""
    return entry.planned_start if isinstance(entry, CutEntry) else entry.start


async def remember_displaced(
    mind: Mind, entries: Iterable[Entry], instead: str, cause: str
) -> list[Concept]:
    """Store and return memories of the activities for which another one leaves no time."""
    texts = [
        mind.words.say(
            "displaced",
            name=mind.me.name,
            what=entry.activity,
            start=hhmm(_find_planned_start(entry)),
            instead=instead,
        )
        for entry in entries
    ]
    return await _remember(mind, texts, cause)


async def _remember_agreed_otherwise(
    mind: Mind, entries: Iterable[Entry], instead: str, company: Collection[str], cause: str
) -> None:
    """Store memories of the activities in place of which something else was agreed on with those
    whom they concern.
    """
    others = mind.words.names(who for who in company if who != mind.who)
    texts = [
        mind.words.say(
            "agreed_otherwise",
            name=mind.me.name,
            others=others,
            what=entry.activity,
            start=hhmm(_find_planned_start(entry)),
            instead=instead,
        )
        for entry in entries
    ]
    await _remember(mind, texts, cause)


async def _remember_postponed(
    mind: Mind, entries: Iterable[Entry], planned: Schedule, instead: str, cause: str
) -> list[Concept]:
    """Store memories of the activities that begin later in a new schedule because of another one.
    Return those of activities that concern other residents.
    """
    later = [(entry, _find_start(planned, entry)) for entry in entries]
    postponed = [each for each in later if each[1] - each[0].start >= REMAINDER_MINUTES_MIN]
    texts = [
        mind.words.say(
            "postponed",
            name=mind.me.name,
            what=entry.activity,
            start=hhmm(entry.start),
            later=hhmm(start),
            instead=instead,
        )
        for entry, start in postponed
    ]
    made = await _remember(mind, texts, cause)
    return [
        memory
        for memory, (entry, _) in zip(made, postponed, strict=True)
        if find_concerned(mind, entry.activity)
    ]


async def _remember(mind: Mind, texts: Sequence[str], cause: str) -> list[Concept]:
    """Store and return memories of activities that lose their time or begin later."""
    memories = [NewMemory("event", text, mind.who, DISPLACED_PREDICATE) for text in texts]
    return await mind.remember(memories, [DISPLACED_POIGNANCY] * len(memories), cause)
