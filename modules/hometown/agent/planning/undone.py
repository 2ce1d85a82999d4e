"""Entries of the plan that have ended: those to be spent with other residents, or to say or hand
something to them, are left undone without them, and promised ones if they were never begun; any
other settles the intention behind it.
"""

from __future__ import annotations

from collections.abc import Sequence

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.due import find_date
from hometown.agent.mind.meant import seeks_anyone
from hometown.agent.mind.open_intentions import list_open_intentions
from hometown.agent.mind.wishes import find_wish
from hometown.agent.planning.agreements import is_same_act
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.entry_origins import LEFT_ORIGIN, REACTION_ORIGIN, REASON_ORIGIN
from hometown.agent.planning.known_rooms import is_sighting
from hometown.agent.planning.plan_settling import is_for_words, settle_memories
from hometown.clock import at_minute, hhmm
from hometown.memory.concept import Concept
from hometown.memory.schedule import CutEntry, Entry
from hometown.world.resident_names import find_company, name_kin

UNDONE_PREDICATE, UNDONE_POIGNANCY = "leave undone", 4
"""The predicate and the poignancy of the memory that something planned with others was not done."""


async def conclude_entry(mind: Mind) -> None:
    """Settle the intentions that the entry whose tasks were begun last has carried out, if it has
    ended. Remember instead, once, if the resident did not meet the company that it names, or did not
    speak to those to whom it was to say or hand something; that is a reason to reconsider the day,
    and so is a promised entry that has passed without being begun. They can still speak to those
    who are there, and meet those with whom they have an appointment.
    """
    for skipped in _list_skipped(mind):
        await _remember_undone(mind, skipped, _find_missed(mind, skipped))
    entry = _find_ended(mind)
    if entry is None:
        return
    others = _find_missed(mind, entry)
    is_unasked = seeks_anyone(entry.activity, mind.world.lang) and not _has_spoken(mind, entry)
    can_ask = is_unasked and not others and bool(mind.awake_company)
    if can_ask or any(map(mind.is_here, others)) or _has_appointment(mind, entry, others):
        return
    if others or is_unasked:
        await _remember_undone(mind, entry, others)
    else:
        settle_memories(mind, _list_carried_out(mind, entry), "rule:schedule")


async def _remember_undone(mind: Mind, entry: Entry, others: Sequence[str]) -> None:
    """Remember, once, that an entry was not begun, or has ended without the company that it needed."""
    text = mind.words.say(
        "undone" if others else "undone_alone",
        name=mind.me.name,
        others=mind.words.names(others),
        start=hhmm(entry.start),
        what=entry.activity,
    )
    begun = at_minute(mind.now.date(), entry.start)
    if any(memory.text == text for memory in mind.state.memory(mind.who).since(begun, ("event",))):
        return
    other = others[0] if others else ""
    memory = NewMemory("event", text, mind.who, UNDONE_PREDICATE, other, about=tuple(others))
    (made,) = await mind.remember([memory], [UNDONE_POIGNANCY], "rule:schedule")
    give_reason(mind, made, "rule:schedule")


def _list_carried_out(mind: Mind, entry: Entry) -> list[Concept]:
    """Return the open intentions, without wishes, that have put an entry into the plan or, if they
    are for its hour or undated and the resident has talked with all whom they concern, are its act.
    """
    if isinstance(entry, CutEntry) and 2 * (entry.end - entry.start) < (
        entry.planned_end - entry.planned_start
    ):
        return []
    begun, has_spoken = at_minute(mind.now.date(), entry.start), _has_spoken(mind, entry)

    def is_carried_out(intention: Concept) -> bool:
        if entry.origin == f"{REASON_ORIGIN}{intention.id}":
            return has_spoken or not seeks_anyone(intention.text, mind.world.lang)
        due = find_date(intention.text, intention.created, mind.world.lang, True)
        is_for_now = due is None or (due.day == begun.date() and due.start <= entry.end)
        return (
            is_for_now
            and intention.created <= begun
            and is_same_act(mind, entry.activity, intention.text, intention.about)
            and all(
                mind.state.relation(mind.who, other).has_talked_since(begun)
                for other in find_concerned(mind, intention.text)
            )
        )

    return [
        each
        for each in list_open_intentions(mind)
        if find_wish(mind, each.id) is None and is_carried_out(each)
    ]


def _find_ended(mind: Mind) -> Entry | None:
    """Return the activity of today's plan whose tasks were begun last, if it has ended; None if it
    goes on now or later.
    """
    schedule, begun = mind.state.schedule(mind.who), mind.state.tasks(mind.who).entry
    if begun < 0 or schedule.date != mind.now.date():
        return None
    entry = schedule.at(begun)
    is_going_on = any(
        each.end > mind.minute and each.activity == entry.activity for each in schedule.entries
    )
    return None if is_going_on or entry.kind != "activity" else entry


def is_promised(mind: Mind, entry: Entry) -> bool:
    """Return True if an activity was put into the plan by a conversation, an inner voice or a reason
    of the resident's own, or concerns others.
    """
    is_added = entry.origin != "plan" and not entry.origin.startswith(
        (REACTION_ORIGIN, LEFT_ORIGIN)
    )
    return entry.kind == "activity" and (is_added or bool(find_concerned(mind, entry.activity)))


def _list_skipped(mind: Mind) -> list[Entry]:
    """Return the promised activities that have passed since the tasks of the last entry were begun,
    without having been begun, unless the resident has met one of those whom they needed.
    """
    schedule, begun = mind.state.schedule(mind.who), mind.state.tasks(mind.who).entry
    if begun < 0 or schedule.date != mind.now.date():
        return []
    return [
        entry
        for entry in schedule.entries
        if begun < entry.start
        and entry.end <= mind.minute
        and is_promised(mind, entry)
        and not any(
            each.end > mind.minute and each.activity == entry.activity for each in schedule.entries
        )
        and (_find_missed(mind, entry) or not find_concerned(mind, entry.activity))
    ]


def _has_spoken(mind: Mind, entry: Entry) -> bool:
    """Return True if the resident has talked with another since an entry began."""
    begun = at_minute(mind.now.date(), entry.start)
    return any(
        mind.state.relation(mind.who, other).has_talked_since(begun)
        for other in mind.world.personas
        if other != mind.who
    )


def _has_appointment(mind: Mind, entry: Entry, others: Sequence[str]) -> bool:
    """Return True if the resident meets one of the others by an agreement of today that is not over
    when an entry begins.
    """
    begun = at_minute(mind.now.date(), entry.start)
    return any(
        each.end > begun
        and each.start.date() == mind.now.date()
        and not set(others).isdisjoint(each.people)
        for each in mind.state.promises(mind.who).items
    )


def _list_company(mind: Mind, entry: Entry) -> tuple[str, ...]:
    """Return the residents whom an entry names as company, by name or as the resident's relatives."""
    return find_company(mind.world, name_kin(mind.world, mind.who, entry.activity))


def _find_missed(mind: Mind, entry: Entry) -> tuple[str, ...]:
    """Return the residents whom an entry needed, if none of them was met during it: talked with or,
    for the company that it names, seen.
    """
    begun = at_minute(mind.now.date(), entry.start)
    is_response = entry.origin.startswith(REACTION_ORIGIN)  # who saves another need not talk
    has_words = not is_response and is_for_words(mind, entry.activity)
    others = (
        tuple(find_concerned(mind, entry.activity))
        if has_words
        else tuple(each for each in _list_company(mind, entry) if each != mind.who)
    )
    seen = list(mind.state.memory(mind.who).since(begun, ("event",)))

    def is_met(other: str) -> bool:
        is_seen = mind.is_here(other) or any(is_sighting(memory, other) for memory in seen)
        has_talked = mind.state.relation(mind.who, other).has_talked_since(begun)
        return has_talked or (is_seen and not has_words)

    return () if any(map(is_met, others)) else others
