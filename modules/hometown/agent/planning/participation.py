"""Knowing of occasions: learning of them, agreeing on them, joining and leaving them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from hometown.agent.mind import Mind
from hometown.clock import minutes_between
from hometown.memory.concept import INTENTION_PREDICATE, MemoryType
from hometown.prompt.conversation_summary import CONVERSATION_SUMMARY
from hometown.text import overlap
from hometown.world.attendance import mentions_occasion
from hometown.world.occasion import Guest, Occasion, Part
from hometown.world.rows import SAME_SUBJECT_OVERLAP_MIN, Promise
from hometown.world.social import OccasionCalledOff, OccasionDeclined, OccasionKnown, OccasionSet
from hometown.world.work import workplace
from hometown.world.world import sector_of

AGREE_PREDICATE = "agree"
"""The predicate of the memory of an agreement."""

AGREEMENT_POIGNANCY_MIN = 4
"""Minimum poignancy of an agreement; a more important conversation raises it."""

SETTLED_MEMORIES: dict[MemoryType, str] = {"plan": AGREE_PREDICATE, "thought": INTENTION_PREDICATE}
"""Predicates of the memories that are settled with an agreement, by their type."""

LOOKBACK_MEMORIES = 60
"""Number of latest memories searched for those of an occasion."""


def learn_of_occasion(mind: Mind, text: str, teller: str, cause: str) -> None:
    """Make the resident know of the occasions that news is about.

    News from a host is an invitation.
    """
    for number, occasion in mind.state.occasions:
        if occasion.guest(mind.who) is None and mentions_occasion(mind.world, occasion, text):
            part: Part = "asked" if occasion.gives(teller) else "told"
            mind.do(OccasionKnown(number, Guest(mind.who, mind.now, teller, part)), cause)


def match_to_occasion(mind: Mind, promise: Promise) -> tuple[Promise, str]:
    """Match an agreement to an occasion of the same day that one of its participants knows of.

    An occasion matches whose hours overlap the agreement's, and which is at the same place, or is
    the gathering of a storyline and has the agreement's subject. If the
    model that summarised the conversation keeps to habits (`Mind.is_near_habit`), so does one of
    the same subject elsewhere, and one that the agreement's text is about at any place and hour.
    Other models are taken at their word: they may move the meeting, or mean another hour or place
    that they name, as for carrying chairs before a party.

    Returns:
        The agreement with the occasion's place, and the occasion's id. The agreement keeps its
        start if the two overlap, and takes the occasion's otherwise; it is shortened to the
        occasion's end if they do not overlap or the occasion is a storyline's. The unchanged
        agreement and "" if none matches.
    """
    for number, occasion in mind.state.occasions:
        known = (
            any(occasion.guest(who) for who in promise.people)
            and occasion.start.date() == promise.start.date()
        )
        at_once = occasion.at_once_with(promise.start, promise.end)
        is_joined = at_once and _is_joined_by(occasion, promise)
        there = at_once and is_for_meeting(occasion, promise)
        if at_once and occasion.story:  # its hosts alone move it
            there = there or is_joined or mentions_occasion(mind.world, occasion, promise.what)
        meant = mind.is_near_habit(CONVERSATION_SUMMARY.kind) and (
            is_joined or mentions_occasion(mind.world, occasion, promise.what)
        )
        if known and (there or meant):
            start, minutes = promise.start if at_once else occasion.start, promise.minutes
            if occasion.story or not at_once:
                minutes = min(minutes, round(minutes_between(start, occasion.end)))
            return replace(promise, address=occasion.address, start=start, minutes=minutes), number
    return promise, ""


def find_place_of_occasion(mind: Mind, promise: Promise) -> str:
    """Return the place of an occasion that one of an agreement's people knows of, and that begins
    with it and has its subject; "" if there is none.
    """
    return next(
        (
            occasion.address
            for _, occasion in mind.state.occasions
            if any(occasion.guest(who) for who in promise.people)
            and occasion.at_once_with(promise.start, promise.end)
            and (
                _is_joined_by(occasion, promise)
                or mentions_occasion(mind.world, occasion, promise.what)
            )
        ),
        "",
    )


def is_for_meeting(occasion: Occasion, promise: Promise) -> bool:
    """Return True if an agreement is for an occasion at its place and time, not for a meeting of
    other residents within it.
    """
    return promise.address == occasion.address and (
        bool(occasion.story) or promise.is_same_meeting(to_promise(occasion))
    )


def find_gathering(mind: Mind, promise: Promise) -> Occasion | None:
    """Return the gathering of a storyline at whose place and time an agreement is; None if there is
    none.
    """
    return next(
        (
            occasion
            for _, occasion in mind.state.occasions
            if occasion.story
            and occasion.address == promise.address
            and occasion.at_once_with(promise.start, promise.end)
        ),
        None,
    )


def is_one_meeting(mind: Mind, kept: Promise, promise: Promise) -> bool:
    """Return True if two agreements are for one meeting, or both for one gathering of a storyline
    and do not leave time for each other.
    """
    if kept.is_same_meeting(promise):
        return True
    gathering = find_gathering(mind, promise)
    at_one = gathering is not None and gathering == find_gathering(mind, kept)
    return at_one and not kept.leaves_time_for(promise)


def to_promise(occasion: Occasion) -> Promise:
    """Return an occasion in the form of an agreement of all who are expected."""
    return Promise(
        occasion.what, occasion.expected, occasion.address, occasion.start, occasion.minutes, ""
    )


def _is_joined_by(occasion: Occasion, promise: Promise) -> bool:
    """Return True if an agreement has the subject of an occasion to which others have agreed, too."""
    return (
        not set(occasion.expected) <= set(promise.people)
        and overlap(occasion.what, promise.what) >= SAME_SUBJECT_OVERLAP_MIN
    )


def withdraw_from_occasion(
    mind: Mind, promise: Promise, who: str, cause: str, is_moved: bool = False
) -> None:
    """Remove a resident from the occasion of a promise, which ends if fewer than two are left to
    meet, unless it `is_moved` and those have yet to be told.
    """
    for number, occasion in mind.state.occasions:
        if (
            occasion.address != promise.address
            or who not in occasion.expected
            or not occasion.at_once_with(promise.start, promise.end)
            or not is_for_meeting(occasion, promise)
        ):
            continue
        mind.do(OccasionDeclined(number, who), cause)
        if not (occasion.story or is_moved) and len(occasion.without(who).expected) < 2:
            mind.do(OccasionCalledOff(number, who), cause)


def shorten_occasion(mind: Mind, promise: Promise, end: datetime, cause: str) -> None:
    """Let the meeting for a promise end at a time before its end, if it has no other guests."""
    for number, occasion in mind.state.occasions:
        if (
            not occasion.story
            and set(occasion.expected) <= set(promise.people)
            and is_for_meeting(occasion, promise)
            and occasion.end > end
        ):
            minutes = to_promise(occasion).until(end).minutes
            mind.do(OccasionSet(number, replace(occasion, minutes=minutes)), cause)


def record_occasion(
    mind: Mind, promise: Promise, number: str, cause: str, beside: Sequence[Promise] = ()
) -> None:
    """Record an agreement: as a new occasion, whose hosts are those who live or work there, or as
    attendance at the existing one called `number`, whose hours it may move. `beside` are the
    agreements of the same conversation that were recorded before it.
    """
    here = sector_of(promise.address)
    if number:
        knew = next(
            (
                who
                for who in promise.people
                if (known := mind.state.occasion(number)) and known.guest(who)
            ),
            "",
        )
        for who in promise.people:
            mind.do(
                OccasionKnown(number, Guest(who, mind.now, "" if who == knew else knew, "comes")),
                cause,
            )
        _move_hours(mind, number, promise, cause)
        return
    homes = {
        who: (persona.home, workplace(persona.habits, persona.home))
        for who, persona in mind.world.personas.items()
        if who in promise.people
    }
    givers = [
        who
        for who, places in homes.items()
        if any(place and sector_of(place) == here for place in places)
    ]
    guests = tuple(
        Guest(who, mind.now, part="gives" if who in givers else "comes") for who in promise.people
    )
    mind.do(
        OccasionSet(
            _new_number(mind, promise, beside),
            Occasion(promise.what, promise.address, promise.start, promise.minutes, guests),
        ),
        cause,
    )


def _new_number(mind: Mind, promise: Promise, beside: Sequence[Promise]) -> str:
    """Return the id of a new occasion: its conversation, day and hour; with the month and the place
    if another occasion has that id, of an earlier month or of an agreement `beside` it.
    """
    number = f"{promise.talk} {promise.start:%d-%H:%M}"
    held = mind.state.occasion(number)
    is_another = held is not None and (held.address, held.start) != (promise.address, promise.start)
    if not is_another and all(
        (each.talk, each.start) != (promise.talk, promise.start) or each.address == promise.address
        for each in beside
    ):
        return number
    return f"{number} {promise.start:%Y-%m} {promise.address.replace('/', ':')}"


def _move_hours(mind: Mind, number: str, promise: Promise, cause: str) -> None:
    """Move a meeting to the hours that all its guests have agreed on later."""
    occasion = mind.state.occasion(number)
    if (
        occasion is not None
        and not occasion.story
        and set(occasion.expected) <= set(promise.people)
        and not to_promise(occasion).contains(promise)
    ):
        moved = replace(occasion, start=promise.start, minutes=promise.minutes)
        mind.do(OccasionSet(number, moved), cause)


def settle_agreement(mind: Mind, talks: Collection[str], address: str, cause: str) -> None:
    """Settle the memories of having agreed, in some conversations, to meet at a place, and of having
    to agree on another place.
    """
    stream = mind.state.memory(mind.who)
    mind.settle(
        [
            memory
            for kind, predicate in SETTLED_MEMORIES.items()
            for memory in stream.recent((kind,), LOOKBACK_MEMORIES)
            if memory.predicate == predicate and memory.talk in talks and memory.address == address
        ],
        cause,
    )
