"""Changes of occasions: one who gives it calls it off or moves it, another takes it over, also where
the host does not come, and its guests learn of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.perception.happening_events import is_known_closed, knew_closed
from hometown.agent.planning.agreements import (
    ask_which_to_keep,
    enter_promise,
    find_clashing,
    remove_promise,
)
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.looking_back import list_promises_for
from hometown.agent.planning.participation import settle_agreement, to_promise
from hometown.agent.planning.plan_clashes import CALLED_OFF_POIGNANCY, CALLED_OFF_PREDICATE
from hometown.clock import DAY
from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.memory.schedule import Entry, Schedule
from hometown.prompt.plans import clock_minutes
from hometown.prompt.second_thoughts import OccasionAnswer, ReconsiderReply, ReconsiderVars
from hometown.text import catalogue
from hometown.text_features import content_units
from hometown.world.attendance import mentions_occasion
from hometown.world.effects import Rescheduled
from hometown.world.happening_process import find_closure
from hometown.world.occasion import OCCASION_ORIGIN, ON_TIME, Occasion
from hometown.world.resident_names import names_of
from hometown.world.rows import Promise
from hometown.world.social import OccasionCalledOff, OccasionKnown, OccasionMoved

MOVED_PREDICATE, TAKEN_OVER_PREDICATE = "move", "take over"
"""The predicates of the memories that an occasion is moved, or has another host."""

MISSING_PREDICATE = "miss host"
"""The predicate of the memory that the host of a gathering is missing."""

CHANGED_POIGNANCY = 6
"""Poignancy of changing an occasion of one's own, and of learning that one is changed."""

MISSING_POIGNANCY = 8
"""Poignancy of waiting for a missing host, which is considered at once."""

_SAID: dict[OccasionAnswer, tuple[str, str]] = {
    "call off": (CALLED_OFF_PREDICATE, "own_off"),
    "move": (MOVED_PREDICATE, "own_moved"),
    "take over": (TAKEN_OVER_PREDICATE, "own_taken_over"),
}
"""The predicate and the text of the memory of changing an occasion, by what is done with it."""


# one's own ---------------------------------------------------------------------------------


@frozen
class MeantOccasion:
    """An occasion that a resident may change, its id, and the inner voice or event that is about it."""

    number: str
    occasion: Occasion
    reason: Concept


def find_meant_occasion(mind: Mind, voices: Sequence[Concept]) -> MeantOccasion | None:
    """Return the next occasion to come that the resident may change and that an inner voice names,
    by any word of its subject; None if there is none.
    """
    known = [
        (number, occasion)
        for number, occasion in mind.state.occasions
        if occasion.start > mind.now and list_occasion_changes(occasion, mind.who)
    ]
    meant = (
        MeantOccasion(number, occasion, voice)
        for number, occasion in sorted(known, key=lambda each: each[1].start)
        for voice in reversed(voices)
        if mentions_occasion(mind.world, occasion, voice.text)
        or _is_named(mind, occasion, voice.text)
    )
    return next(meant, None)


def find_hostless_occasion(mind: Mind, reasons: Sequence[Concept]) -> MeantOccasion | None:
    """Return the gathering whose host is missing, as one of the reasons says;
    None if there is none.
    """
    missing = {each.object: each for each in reasons if each.predicate == MISSING_PREDICATE}
    return next(
        (
            MeantOccasion(number, occasion, missing[occasion.what])
            for number, occasion in mind.state.occasions
            if occasion.what in missing and occasion.lacks_host(mind.now)
        ),
        None,
    )


def find_closed_occasion(mind: Mind, reasons: Sequence[Concept]) -> MeantOccasion | None:
    """Return the next occasion to come that the resident may move and whose place, as they know, cannot
    be used since they have agreed on it; None if there is none, or no reason to reconsider the day.
    """
    closed = (
        (number, occasion)
        for number, occasion in mind.state.occasions
        if occasion.start > mind.now
        and "move" in list_occasion_changes(occasion, mind.who)
        and is_known_closed(mind, occasion.address)
        and (guest := occasion.guest(mind.who)) is not None
        and not knew_closed(mind, occasion.address, guest.since)
    )
    first = min(closed, key=lambda each: each[1].start, default=None)
    return MeantOccasion(*first, reasons[-1]) if first and reasons else None


def list_occasion_changes(occasion: Occasion, who: str) -> tuple[OccasionAnswer, ...]:
    """Return the changes that a resident may make to an occasion: hosts, and both sides of a
    meeting of two, call it off or move it; a guest of a gathering takes it over.
    """
    guest = occasion.guest(who)
    if guest is None:
        return ()
    is_own = guest.part == "gives" or (not occasion.gathers and guest.part == "comes")
    return ("call off", "move") if is_own else ("take over",) if occasion.gathers else ()


def _is_named(mind: Mind, occasion: Occasion, text: str) -> bool:
    """Return True if a text has a content word of an occasion's subject that is no resident's name."""
    people = (name for who in mind.world.personas for name in names_of(mind.world, who))
    names = content_units(" ".join(people))
    return not (content_units(occasion.what) - names).isdisjoint(content_units(text))


async def change_occasion(
    mind: Mind, number: str, asked: ReconsiderVars, reply: ReconsiderReply, cause: str
) -> Concept | None:
    """Carry out what a resident decides about an occasion, in their own promises and plan as well,
    and return the memory of it; None if it stays as it is, or would be moved into the past.
    """
    occasion = mind.state.occasion(number)
    if occasion is None or reply.occasion == "keep":
        return None
    is_closed = is_known_closed(mind, occasion.address)
    closure = find_closure(mind.state, occasion.address) if is_closed else ""
    why = reply.because or closure or catalogue(mind.world.lang, "wishes")["on_second_thoughts"]
    if reply.occasion == "call off":
        mind.do(OccasionCalledOff(number, mind.who, why), cause)
    elif reply.occasion == "move":
        place = asked.places[reply.new_place - 1][0] if reply.new_place else occasion.address
        start = _find_new_start(occasion, reply.new_day, reply.new_start)
        if start <= mind.now or (start, place) == (occasion.start, occasion.address):
            return None
        mind.do(OccasionMoved(number, mind.who, place, start, why), cause)
    else:
        me = occasion.guest(mind.who)
        assert me is not None, "only those who know of an occasion are asked"
        mind.do(OccasionKnown(number, replace(me, part="gives")), cause)
    predicate, key = _SAID[reply.occasion]
    changed = mind.state.occasion(number) or occasion
    if reply.occasion == "take over":
        await enter_promise(mind, to_promise(changed), cause)
    else:
        await _follow_change(mind, number, changed, cause)
    (made,) = await _remember(mind, changed, predicate, key, cause)
    return made


def _find_new_start(occasion: Occasion, day: str, clock: str) -> datetime:
    """Return the start of an occasion on another day and at another time; its present ones for ""."""
    start = occasion.start
    if clock:
        minutes = min(clock_minutes(clock), DAY - 1)
        start = datetime.combine(start.date(), time()) + timedelta(minutes=minutes)
    return datetime.combine(date.fromisoformat(day), start.time()) if day else start


async def notice_missing_host(mind: Mind) -> None:
    """Remember that the host of the gathering where the resident waits is missing, as a pressing
    reason to reconsider the day. In each step, one of those who promised to come and are there.
    """
    for _, occasion in mind.state.occasions:
        if mind.arena != occasion.address or not occasion.lacks_host(mind.now):
            continue
        here = mind.scene.residents[mind.arena]
        waiting = [
            who for who in occasion.expected if who in here and not mind.state.is_asleep(who)
        ]
        turn = (mind.now - occasion.start - ON_TIME) // timedelta(minutes=mind.moment.stride)
        if waiting[turn : turn + 1] == [mind.who]:
            text = mind.words.say(
                "host_missing",
                hosts=mind.words.names(occasion.hosts),
                name=mind.me.name,
                what=occasion.what,
                place=mind.world.place_name(occasion.address),
            )
            memory = NewMemory(
                "event",
                text,
                mind.who,
                MISSING_PREDICATE,
                occasion.what,
                occasion.address,
                about=occasion.hosts,
            )
            (made,) = await mind.remember([memory], [MISSING_POIGNANCY], "rule:occasion")
            give_reason(mind, made, "rule:let_down")


# others' -----------------------------------------------------------------------------------


async def learn_of_changes(mind: Mind) -> None:
    """Take notice of the occasions that were called off or moved: change promises and plan, and
    remember it as a reason to reconsider the day. Those who have agreed on that themselves, and so
    hold no promise any more, know it already.
    """
    for number, occasion in (*mind.state.called_off, *mind.state.occasions):
        guest = occasion.guest(mind.who)
        if guest is None or not guest.unaware:
            continue
        mind.do(OccasionKnown(number, replace(guest, unaware=False)), "rule:occasion")
        had_plans = await _follow_change(mind, number, occasion, "rule:occasion")
        if had_plans or guest.part in ("told", "asked"):
            is_off = occasion.fate == "called off"
            predicate = CALLED_OFF_PREDICATE if is_off else MOVED_PREDICATE
            key = "occasion_off" if is_off else "occasion_moved"
            for memory in await _remember(mind, occasion, predicate, key, "rule:occasion"):
                give_reason(mind, memory, "rule:let_down")


async def _follow_change(mind: Mind, number: str, occasion: Occasion, cause: str) -> bool:
    """Remove an occasion that is called off from the resident's promises and plan, or move it there,
    and settle what they remember of it as it was.

    Returns:
        True if they had promised or planned anything for it.
    """
    was = occasion.as_announced
    held = list_promises_for(mind, was)
    settle_agreement(mind, [promise.talk for promise in held], was.address, cause)
    if story := mind.world.storyline(occasion.story):
        known = mind.state.memory(mind.who).concepts.values()
        mind.settle([each for each in known if story.is_mentioned_in(each.text)], cause)
    for promise in held:
        remove_promise(mind, promise, cause)
    entries = _list_entries(mind, number, was)
    left = mind.state.schedule(mind.who).without(*entries, instead=mind.words.say("free_time"))
    if occasion.fate == "moved":
        left = _enter_again(left, entries, occasion, mind)
    if left != mind.state.schedule(mind.who):
        mind.do(Rescheduled(mind.who, left, cause), cause)
    if occasion.fate == "moved":
        for promise in held:
            await _promise_again(mind, promise, occasion, cause)
    return bool(held or entries)


def _list_entries(mind: Mind, number: str, was: Occasion) -> list[Entry]:
    """Return the entries to come of the plan that are for an occasion or about it, on its day."""
    schedule = mind.state.schedule(mind.who)
    return [
        entry
        for entry in schedule.entries
        if schedule.date == was.start.date()
        and entry.start > mind.minute
        and (
            entry.origin == f"{OCCASION_ORIGIN}{number}"
            or mentions_occasion(mind.world, was, entry.activity)
        )
    ]


def _enter_again(
    schedule: Schedule, entries: Sequence[Entry], occasion: Occasion, mind: Mind
) -> Schedule:
    """Return a schedule with the entries for a moved occasion at its new place and hour, if that is
    on the same day, each as long before or after its start as it was.
    """
    later = occasion.start - occasion.as_announced.start
    minutes = round(later / timedelta(minutes=1))
    for entry in entries:
        start, end = entry.start + minutes, min(entry.end + minutes, DAY)
        if entry.kind == "appointment" and mind.minute < start < end:
            place = occasion.address
            schedule = schedule.splice(replace(entry, start=start, end=end, address=place))
    return schedule


async def _promise_again(mind: Mind, promise: Promise, occasion: Occasion, cause: str) -> None:
    """Promise to come to a moved occasion, or ask which to keep if there is another promise for its
    new time.
    """
    later = occasion.start - occasion.as_announced.start
    again = replace(promise, address=occasion.address, start=promise.start + later)
    if clashing := find_clashing(mind, again):
        ask_which_to_keep(mind, clashing, again, cause)
    else:
        await enter_promise(mind, again, cause)


async def _remember(
    mind: Mind, occasion: Occasion, predicate: str, key: str, cause: str
) -> list[Concept]:
    """Store and return the memory that an occasion is changed, with its reason."""
    was, place_name = occasion.as_announced, mind.world.place_name
    text = mind.words.say(
        key,
        name=mind.me.name,
        what=occasion.what,
        when=mind.words.when(occasion.start),
        place=place_name(occasion.address),
        old_when=mind.words.when(was.start),
        old_place=place_name(was.address),
    )
    if occasion.why:
        text += mind.words.say("because", why=occasion.why)
    others = tuple(who for who in occasion.expected if who != mind.who)
    memory = NewMemory(
        "event", text, mind.who, predicate, occasion.what, occasion.address, about=others
    )
    rating = CHANGED_POIGNANCY if occasion.gathers else CALLED_OFF_POIGNANCY
    return await mind.remember([memory], [rating], cause)
