"""Wishes: read from the words of an inner voice, and followed until they have an outcome."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.due import EARLY_MINUTES, find_date, names_day
from hometown.agent.mind.meant import is_refraining, meant_part, seeks_anyone
from hometown.agent.mind.wishes import list_open_wishes, record_wish, say_about_wish
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.entry_origins import VOICE_ORIGIN
from hometown.agent.planning.known_rooms import find_named
from hometown.agent.planning.place_choice import is_place_named
from hometown.agent.planning.rest_of_day import present_entry
from hometown.clock import DAY, at_minute
from hometown.memory.schedule import Entry
from hometown.text import catalogue
from hometown.world.incidents import Told
from hometown.world.wish import Wish, WishEvent, WishStep
from hometown.world.world import World, sector_of

DAYS_UNTIL_FORGOTTEN = 2
"""Days after which an undated wish without an outcome counts as forgotten."""

LAPSE_PREDICATE, LAPSE_POIGNANCY = "lapse", 4
"""The predicate and the poignancy of the memory that nothing has come of a wish."""

EARLY = timedelta(hours=1)
"""Time by which a dated wish may be begun early."""


def parse_wish(world: World, who: str, text: str, memory: int, now: datetime) -> Wish:
    """Return the wish in the words of an inner voice: whom it concerns, where and when.

    Args:
        world: the world as it is now.
        who: the id of the resident.
        text: the words as the resident remembers them.
        memory: the number of that memory.
        now: the present time.
    """
    words = catalogue(world.lang, "wishes")
    start, end = _find_time(world, text, now)
    named = (
        arena
        for arena, place in world.arenas.items()
        if place.public and is_place_named(world, place.sector, text.casefold())
    )
    refrains = is_refraining(text, world.lang)
    meant = text if refrains else meant_part(text, world.lang)
    return Wish(
        memory,
        text,
        end or now + timedelta(days=DAYS_UNTIL_FORGOTTEN),
        tuple(other for other in find_named(world, (meant,)) if other != who),
        next(named, ""),
        start,
        bool(re.search(words["alone"], text, re.IGNORECASE)),
        refrains,
        (WishStep(now, "heard", memory=memory),),
    )


def _find_time(world: World, text: str, now: datetime) -> tuple[datetime | None, datetime | None]:
    """Return the time for which a text dates a wish, and the end of that day; None without a date.
    A time alone that is past is tomorrow's.
    """
    due = find_date(text, now, world.lang, is_meant=True)
    if due is None:
        return None, None
    minute = due.start + EARLY_MINUTES if due.is_timed else due.start
    is_over = due.is_timed and at_minute(due.day, due.end) <= now
    is_tomorrow = is_over and not names_day(text, now, world.lang)
    start = at_minute(due.day, minute) + timedelta(days=is_tomorrow)
    return start, at_minute(start.date(), DAY)


# the course --------------------------------------------------------------------------------


async def follow_wishes(mind: Mind) -> None:
    """Follow the resident's open wishes: record the outcome of those whose time is over or all of
    whose people have left, and the progress of the others unless the resident is asleep. What
    nothing has come of is remembered.
    """
    for wish in list_open_wishes(mind):
        if mind.now >= wish.until:
            await _give_up(mind, wish)
        elif wish.people and all(mind.state.is_away(who) for who in wish.people):
            why = say_about_wish(mind.world.lang, "gone", names=mind.words.names(wish.people))
            await _let_lapse(mind, wish, "overtaken", why)
        elif not mind.state.is_asleep(mind.who):
            _follow_plan(mind, wish)


def _follow_plan(mind: Mind, wish: Wish) -> None:
    """Record that a wish is begun, or, once it has left the plan again and concerns no other
    resident, that it is carried out. One dated for today that no plan holds is told to the resident
    once more.
    """
    entry = _find_entry(mind, wish)
    if entry is not None:
        if not wish.has("begun") and _is_doing(mind, entry, wish):
            record_wish(mind, wish, "begun", "rule:wish", entry.activity)
    elif wish.has("begun") and not wish.people:
        _conclude(mind, wish)
    elif (
        wish.start is not None
        and wish.start.date() == mind.now.date() > wish.steps[-1].when.date()
        and not wish.has("planned")
        and wish.memory in mind.state.memory(mind.who)
        and wish.memory not in mind.state.voices(mind.who)
    ):
        mind.do(Told(mind.who, wish.memory), "rule:wish")


def _find_entry(mind: Mind, wish: Wish) -> Entry | None:
    """Return the present entry of the plan if it is for a wish; None otherwise."""
    entry = present_entry(mind)
    return entry if entry is not None and is_entry_of_wish(entry, wish) else None


def _is_doing(mind: Mind, entry: Entry, wish: Wish) -> bool:
    """Return True if the present action is a part of an entry, at the place that the wish names."""
    action, tasks = mind.state.action(mind.who), mind.state.tasks(mind.who)
    begins = at_minute(mind.now.date(), entry.start)
    return (
        action.started is not None
        and action.started >= max(begins, wish.start - EARLY if wish.start else begins)
        and entry.start <= tasks.entry < entry.end
        and (not wish.address or sector_of(wish.address) == sector_of(mind.arena))
    )


def is_entry_of_wish(entry: Entry, wish: Wish) -> bool:
    """Return True if an entry was added to the plan to pursue a wish."""
    return entry.origin == f"{VOICE_ORIGIN}{wish.memory}"


def _conclude(mind: Mind, wish: Wish) -> None:
    """Record that a wish whose time is spent has been carried out; whether it has is a question for
    the resident if it was to find or speak to others.
    """
    if not _needs_others(mind, wish):
        _carry_out(mind, wish)
    elif wish.steps[-1].event == "begun":
        why = say_about_wish(mind.world.lang, "carried_out", doing=wish.steps[-1].why)
        record_wish(mind, wish, "left", "rule:wish", why)
        if wish.memory in mind.state.memory(mind.who):
            give_reason(mind, mind.state.memory(mind.who).concept(wish.memory), "rule:wish")


def _needs_others(mind: Mind, wish: Wish) -> bool:
    """Return True if a wish is to find others or to speak to them, which no time spent alone does."""
    lang = mind.world.lang
    meant = meant_part(wish.text, lang)
    is_to_speak = re.search(catalogue(lang, "wishes")["to_speak"], meant, re.IGNORECASE)
    return bool(wish.people or is_to_speak) or seeks_anyone(wish.text, lang)


def _carry_out(mind: Mind, wish: Wish) -> None:
    """Record that a wish has been carried out, with the latest memory of doing so."""
    begun = next(step for step in wish.steps if step.event == "begun")
    own = (
        memory.id
        for memory in mind.state.memory(mind.who).since(begun.when, ("event",))
        if memory.subject == mind.who
    )
    why = say_about_wish(mind.world.lang, "carried_out", doing=begun.why)
    record_wish(mind, wish, "done", "rule:wish", why, max(own, default=0))


async def _let_lapse(mind: Mind, wish: Wish, outcome: WishEvent, why: str) -> None:
    """Record that nothing has come of a wish, and remember it with the reason."""
    text = say_about_wish(mind.world.lang, "lapsed", text=wish.text, why=why)
    memory = NewMemory("thought", text, mind.who, LAPSE_PREDICATE, about=wish.people)
    (made,) = await mind.remember([memory], [LAPSE_POIGNANCY], "rule:wish")
    record_wish(mind, wish, outcome, "rule:wish", why, made.id)


async def _give_up(mind: Mind, wish: Wish) -> None:
    """Record the outcome of a wish whose time is over: done if the resident has refrained from the
    act, or begun it and needed no others for it; forgotten if they talked with those concerned
    about other matters; else, for want of others or time, overtaken if it was dated, and forgotten
    if not.
    """
    lang, names = mind.world.lang, mind.words.names(wish.people)
    if wish.is_refraining:
        record_wish(mind, wish, "done", "rule:wish", say_about_wish(lang, "refrained"))
    elif wish.has("begun") and not _needs_others(mind, wish):
        _carry_out(mind, wish)
    elif wish.has("talked"):
        why = say_about_wish(lang, "other_matters", names=names)
        await _let_lapse(mind, wish, "forgotten", why)
    elif wish.people or wish.has("begun"):
        why = say_about_wish(lang, "not_met" if wish.people else "nobody_found", names=names)
        await _let_lapse(mind, wish, "overtaken" if wish.start else "forgotten", why)
    else:
        left = next((step.why for step in wish.steps if step.event == "left" and step.why), "")
        doing = mind.state.action(mind.who).activity
        key = "hour_passed" if wish.start else "nothing_came"
        why = left or say_about_wish(lang, key, doing=doing)
        await _let_lapse(mind, wish, "overtaken" if wish.start else "forgotten", why)
