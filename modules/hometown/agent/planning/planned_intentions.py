"""Intentions that the rest of the day carries out already."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from hometown.agent.mind import Mind
from hometown.agent.mind.due import Due, find_date
from hometown.agent.planning.agreements import SAME_ACT_COVERAGE_MIN, is_same_act
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.entry_origins import REASON_ORIGIN, VOICE_ORIGIN
from hometown.agent.planning.known_rooms import find_named
from hometown.agent.planning.plan_acts import split_acts
from hometown.memory.concept import Concept
from hometown.memory.schedule import Entry
from hometown.text import coverage
from hometown.world.rows import Promise


def is_planned(mind: Mind, intention: Concept) -> bool:
    """Return True if the rest of the day carries out an intention: by an entry, or by an agreement
    to meet one of those whom it concerns at its hour.
    """
    promises, entries = mind.state.promises(mind.who).items, list_rest_of_day(mind)
    return _is_carried_out(mind, intention, promises, entries)


def is_planned_for_later(mind: Mind, intention: Concept) -> bool:
    """Return True if an agreement or the rest of the plan will carry out an intention."""
    promises, entries = mind.state.promises(mind.who).items, list_rest_of_day(mind)
    return _is_carried_out(
        mind,
        intention,
        [promise for promise in promises if promise.start > mind.now],
        [entry for entry in entries if entry.start > mind.minute],
    )


def is_for_meeting_later(mind: Mind, text: str, other: str) -> bool:
    """Return True if an intention towards another, in these words, is the resident's part in a
    meeting with them later today.
    """
    return any(
        promise.start > mind.now
        and promise.start.date() == mind.now.date()
        and other in promise.people
        and coverage(text, promise.part_of(mind.who)) >= SAME_ACT_COVERAGE_MIN
        for promise in mind.state.promises(mind.who).items
    )


def _is_carried_out(
    mind: Mind, intention: Concept, promises: Iterable[Promise], entries: Iterable[Entry]
) -> bool:
    """Return True if one of the entries carries out an intention, or was added for it, or one of the
    agreements is to meet one of those whom it concerns at its hour.
    """
    origins = f"{VOICE_ORIGIN}{intention.id}", f"{REASON_ORIGIN}{intention.id}"
    due, concerned = find_due_today(mind, intention), find_concerned(mind, intention.text)
    named = {*concerned, *find_named(mind.world, (intention.text,))} - {mind.who}
    is_agreed = due is not None and any(
        due.is_timed
        and promise.start.date() == due.day
        and due.holds_at(promise.start)
        and not named.isdisjoint(promise.people)
        for promise in promises
    )
    return is_agreed or any(
        entry.origin in origins
        or is_same_act(mind, entry.activity, intention.text, intention.about)
        or (concerned and _has_act_of(mind, entry, intention, concerned))
        for entry in entries
    )


def _has_act_of(mind: Mind, entry: Entry, intention: Concept, concerned: Collection[str]) -> bool:
    """Return True if an entry that concerns the residents of an intention has an act that its words
    contain, as "asking him to speak".
    """
    return set(concerned) <= set(find_concerned(mind, entry.activity)) and any(
        coverage(intention.text, act) >= SAME_ACT_COVERAGE_MIN
        for act in split_acts(mind, entry.activity)
    )


def find_due_today(mind: Mind, intention: Concept) -> Due | None:
    """Return the time of today for which an intention is dated, or today; None for no date or
    another day.
    """
    due = find_date(intention.text, intention.created, mind.world.lang, True)
    return due if due and due.day == mind.now.date() else None


def list_rest_of_day(mind: Mind) -> list[Entry]:
    """Return the entries that have not ended."""
    return [entry for entry in mind.state.schedule(mind.who).entries if entry.end > mind.minute]
