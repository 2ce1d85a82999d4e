"""Agreements: entering them into promises and schedules, clashes between them, calling them off."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from hometown.agent.inner_life.bonds import move_bond
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.participation import (
    AGREE_PREDICATE,
    AGREEMENT_POIGNANCY_MIN,
    match_to_occasion,
    record_occasion,
    settle_agreement,
    withdraw_from_occasion,
)
from hometown.agent.planning.plan_acts import drop_acts
from hometown.clock import DAY, hhmm
from hometown.frozen import frozen
from hometown.memory.concept import INTENTION_PREDICATE, Concept
from hometown.memory.schedule import REMAINDER_MINUTES_MIN, CutEntry, Entry, Schedule
from hometown.prompt.clashes import CLASH, ClashReply, ClashVars
from hometown.text import catalogue, contains_name, coverage, overlap
from hometown.world.activities import themes_of
from hometown.world.effects import Promised, Rescheduled
from hometown.world.resident_names import names_of
from hometown.world.rows import Promise, Promises, Resolution

ENTRY_OVERLAP_MIN, NAMED_ENTRY_OVERLAP_MIN = 0.4, 0.25
"""Overlap of character trigrams (Jaccard), without names, from which an entry of the plan is the
same act as an agreement or an intention, and from which it is if it names the other, too.
"""

SAME_ACT_COVERAGE_MIN = 0.5
"""Share of the character trigrams of an act that occur in another, from which that contains it."""

MOVED_ENTRY_OVERLAP_MIN = 0.5
"""Such an overlap from which an agreement moves an entry to another hour."""

CALLED_OFF_POIGNANCY, LET_DOWN_POIGNANCY = 5, 6
"""Poignancy of calling off an agreement, and of being let down."""

REQUEST_POIGNANCY = 5
"""Poignancy of the intention to ask for another place, enough to approach the others about it."""

DISPLACED_POIGNANCY = 4
"""Poignancy of the memory that there is no time left for something planned, or that it begins
later.
"""

DISPLACED_PREDICATE = "displace"
"""The predicate of that memory."""

CALLED_OFF_PREDICATE = "call off"
"""The predicate of the memory of an agreement called off; its subject is who called it off."""

WEEK = timedelta(weeks=1)
"""The time after which a weekly agreement is due again."""

MindOf = Callable[[str], Mind]


@frozen
class Decision:
    """A reply to the question which of two clashing agreements a resident keeps."""

    who: str
    reply: ClashReply
    cause: str
    asked: ClashVars


def as_entry(mind: Mind, promise: Promise) -> Entry:
    """Return the schedule entry of a resident's promise, which ends with its day at the latest."""
    start = promise.start.hour * 60 + promise.start.minute
    return Entry(
        start,
        min(start + promise.minutes, DAY),
        mind.words.own_part(mind.who, promise),
        "appointment",
        promise.address,
        promise.talk or "plan",
    )


def own_entry(mind: Mind, resolution: Promise) -> Entry:
    """Return the schedule entry of an act that a resident has resolved to do alone, from now on at
    the earliest.
    """
    planned = as_entry(mind, resolution)
    start = max(planned.start, mind.minute)
    entry = Entry(
        start,
        min(start + resolution.minutes, DAY),
        planned.activity,
        address=planned.address,
        origin=planned.origin,
    )
    return entry.seen_as(resolution.outside if isinstance(resolution, Resolution) else "")


# entering ----------------------------------------------------------------------------------


async def enter_agreements(
    promises: Sequence[Promise], minds: Mapping[str, Mind], causes: Mapping[str, str]
) -> list[Promise]:
    """Enter promises for all participants and return them as entered.

    Each becomes an occasion, or attendance at one that a participant knows of. It replaces an
    earlier one between the same residents for that time at another place. A participant who has
    promised something else for then is asked in the next step which of the two to keep.

    Args:
        promises: the promises, all of whose people are in `minds`.
        minds: the minds of all participants of the conversation.
        causes: the causes of the effects, by participant.
    """
    agreed = []
    for given in promises:
        first = minds[given.people[0]]
        promise, occasion = match_to_occasion(first, given)
        _replace_earlier(promise, minds, causes)
        record_occasion(first, promise, occasion, causes[first.who])
        for who in promise.people:
            clashing = find_clashing(minds[who], promise)
            if clashing:
                ask_which_to_keep(minds[who], clashing, promise, causes[who])
            else:
                await enter_promise(minds[who], promise, causes[who])
        agreed.append(promise)
    return agreed


def _replace_earlier(
    promise: Promise, minds: Mapping[str, Mind], causes: Mapping[str, str]
) -> None:
    """Remove earlier agreements, and the memories of them, for the time of a new one at another
    place, all of whose people take part in the new one.
    """
    for who in promise.people:
        for kept in minds[who].state.promises(who).items:
            if (
                set(kept.people) <= set(promise.people)
                and kept.is_at_once_with(promise)
                and kept.address != promise.address
            ):
                for other in kept.people:
                    settle_agreement(minds[other], [kept.talk], kept.address, causes[other])
                    remove_promise(minds[other], kept, causes[other])
                    withdraw_from_occasion(minds[other], kept, other, causes[other])


def find_clashing(mind: Mind, promise: Promise) -> tuple[Promise, ...]:
    """Return a resident's agreements for the time of a promise that are for another meeting and
    leave no time for it.
    """
    return tuple(
        kept
        for kept in mind.state.promises(mind.who).items
        if kept.is_at_once_with(promise)
        and not kept.is_same_meeting(promise)
        and not kept.leaves_time_for(promise)
    )


async def enter_promise(mind: Mind, promise: Promise, cause: str) -> None:
    """Add a promise to a mind and, if it is for today, to the schedule, in place of the entries
    about it; the activities that it leaves no time for are remembered, and are reasons to
    reconsider the day. A promise for a meeting that they have agreed on already adds its people and
    what else they do there, or moves the meeting to other hours.
    """
    items = list(mind.state.promises(mind.who).items)
    before = next((item for item in items if item.is_same_meeting(promise)), None)
    if before is not None:
        items.remove(before)
        if before.contains(promise) or not set(before.people) <= set(promise.people):
            promise = _join(mind, before, promise)
        else:
            settle_agreement(mind, [before.talk], before.address, cause)
    mind.do(
        Promised(mind.who, Promises(tuple(sorted((*items, promise), key=lambda each: each.start)))),
        cause,
    )
    schedule = mind.state.schedule(mind.who)
    if promise.start.date() != schedule.date or promise == before:
        return
    if before is not None:
        schedule = _without_entries_of(mind, schedule, before)
    freed, about = _drop_acts_of(mind, schedule, promise)
    planned = freed.splice(as_entry(mind, promise))
    for kept in items:
        if kept.is_at_once_with(promise) and _takes_precedence(kept, promise):
            planned = planned.splice(as_entry(mind, kept))
    origin = f"talk:{promise.talk}"
    for displaced in await reschedule(
        mind, planned, origin, promise.part_of(mind.who), cause, about
    ):
        give_reason(mind, displaced, cause)


async def renew_weekly(mind: Mind, over: Iterable[Promise], cause: str) -> None:
    """Agree anew, for the next time to come, on those agreements that are over and that the words
    of their participants call weekly; the new ones are remembered like any agreement.
    """
    pattern = catalogue(mind.world.lang, "dates")["weekly"]
    for promise in over:
        if not re.search(pattern, " ".join((promise.what, *promise.parts)), re.IGNORECASE):
            continue
        weeks = (mind.now - promise.start) // WEEK + 1
        given = replace(promise, start=promise.start + weeks * WEEK)
        again, number = match_to_occasion(mind, given)
        record_occasion(mind, again, number, cause)
        if clashing := find_clashing(mind, again):
            ask_which_to_keep(mind, clashing, again, cause)
        else:
            await enter_promise(mind, again, cause)
        others = tuple(who for who in again.people if who != mind.who)
        text = mind.words.agreement(mind.who, again)
        memory = NewMemory(
            "plan",
            text,
            mind.who,
            AGREE_PREDICATE,
            others[0],
            again.address,
            talk=again.talk,
            about=others,
        )
        await mind.remember([memory], [AGREEMENT_POIGNANCY_MIN], cause)


def _join(mind: Mind, before: Promise, promise: Promise) -> Promise:
    """Return a meeting with the people of a later agreement within it, and with what each does by
    that, unless it is the same act.
    """
    joined = before.with_people(promise.people)
    for who in promise.people:
        old, new = before.part_of(who), promise.part_of(who)
        if who in before.people and coverage(old, new) < SAME_ACT_COVERAGE_MIN:
            joined = joined.with_part(who, mind.words.texts["item_separator"].join((old, new)))
    return joined


async def reschedule(
    mind: Mind,
    planned: Schedule,
    origin: str,
    instead: str,
    cause: str,
    replaced: Collection[Entry] = (),
) -> list[Concept]:
    """Set the schedule of the day, and remember the activities not begun that it has no time for,
    and those that it begins later.

    Args:
        mind: the mind of the resident.
        planned: the new schedule.
        origin: the origin of the change.
        instead: the act that takes their time.
        cause: the cause of the effects.
        replaced: entries that the new schedule carries out in other words.

    Returns:
        The memories that are reasons to reconsider the day: of activities without time, and of
        those begun later that concern other residents.
    """
    schedule = mind.state.schedule(mind.who)
    if planned == schedule:
        return []
    mind.do(Rescheduled(mind.who, planned, origin), cause)
    begun = mind.state.tasks(mind.who).entry
    before, after = _minutes_left(mind, schedule), _minutes_left(mind, planned)
    coming = [
        entry
        for entry in schedule.entries
        if (entry.start > mind.minute or begun < entry.start < entry.end > mind.minute)
        and entry.kind == "activity"
        and entry.activity != mind.words.say("free_time")
        and entry not in replaced
        and not _is_of_one_kind(mind, entry.activity, instead)
    ]
    displaced = {
        entry.activity: entry
        for entry in coming
        if after[entry.activity] < REMAINDER_MINUTES_MIN
        and after[entry.activity] < min(before[entry.activity], entry.end - entry.start)
        and (before[entry.activity] >= REMAINDER_MINUTES_MIN or not isinstance(entry, CutEntry))
    }
    postponed = [
        (entry, later)
        for entry in coming
        if entry.activity not in displaced
        and (later := _find_start(planned, entry)) - entry.start >= REMAINDER_MINUTES_MIN
    ]
    made = await _remember_displaced(mind, displaced.values(), instead, cause)
    return [*made, *await _remember_postponed(mind, postponed, instead, cause)]


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


def _takes_precedence(first: Promise, second: Promise) -> bool:
    """Return True if the first of two agreements has the time that they share: the shorter one at
    one place, the later one at two.
    """
    if first.address == second.address:
        return first.minutes < second.minutes
    return first.start > second.start


def _is_of_one_kind(mind: Mind, activity: str, instead: str) -> bool:
    """Return True if an activity and the one that takes its time have a theme in common, such as
    supper alone and supper with friends, and it concerns nobody whom the other leaves out.
    """
    themes, others = (
        {theme.key for theme in themes_of(text, mind.world.lang)} for text in (activity, instead)
    )
    concerned = set(find_concerned(mind, activity))
    return bool(themes & others) and concerned <= set(find_concerned(mind, instead))


def _minutes_left(mind: Mind, schedule: Schedule) -> Counter[str]:
    """Return the minutes that a schedule has for each coming activity."""
    minutes: Counter[str] = Counter()
    for entry in schedule.entries:
        if entry.kind == "activity" and entry.end > mind.minute:
            minutes[entry.activity] += entry.end - max(entry.start, mind.minute)
    return minutes


async def _remember_displaced(
    mind: Mind, entries: Iterable[Entry], instead: str, cause: str
) -> list[Concept]:
    """Store and return memories of the activities for which another one leaves no time."""
    name, memories = mind.me.name, []
    for entry in entries:
        what, start = entry.activity, hhmm(entry.start)
        text = mind.words.say("displaced", name=name, what=what, start=start, instead=instead)
        memories.append(NewMemory("event", text, mind.who, DISPLACED_PREDICATE))
    return await mind.remember(memories, [DISPLACED_POIGNANCY] * len(memories), cause)


async def _remember_postponed(
    mind: Mind, entries: Iterable[tuple[Entry, int]], instead: str, cause: str
) -> list[Concept]:
    """Store memories of the activities that begin later, each with the minute, because of another
    one. Return those of activities that concern other residents.
    """
    memories, shared = [], []
    for entry, later in entries:
        text = mind.words.say(
            "postponed",
            name=mind.me.name,
            what=entry.activity,
            start=hhmm(entry.start),
            later=hhmm(later),
            instead=instead,
        )
        memories.append(NewMemory("event", text, mind.who, DISPLACED_PREDICATE))
        shared.append(bool(find_concerned(mind, entry.activity)))
    made = await mind.remember(memories, [DISPLACED_POIGNANCY] * len(memories), cause)
    return [memory for memory, is_shared in zip(made, shared, strict=True) if is_shared]


def _drop_acts_of(
    mind: Mind, schedule: Schedule, promise: Promise
) -> tuple[Schedule, list[Entry]]:
    """Drop the coming acts of a plan that an agreement stands in for: those for its time that are
    its act, and those at another hour that surely are.

    Returns:
        The schedule, and the entries that have lost acts.
    """
    appointment = as_entry(mind, promise)

    def stands_for(entry: Entry, act: str) -> bool:
        if entry.start < appointment.end and appointment.start < entry.end:
            return _is_about(mind, act, promise)
        words = (act, promise.part_of(mind.who))
        return overlap(*_without_names(mind, words, promise.people)) >= MOVED_ENTRY_OVERLAP_MIN

    return drop_acts(mind, schedule, stands_for)


def _is_about(mind: Mind, activity: str, promise: Promise) -> bool:
    """Return True if an activity of the resident's own is their part in an agreement."""
    return is_same_act(mind, activity, promise.part_of(mind.who), promise.people)


def is_same_act(mind: Mind, activity: str, act: str, people: Iterable[str]) -> bool:
    """Return True if an activity of the resident's own is an act that concerns some residents."""
    names = [mind.words.name(who) for who in people if who != mind.who]
    is_named = any(contains_name(name, activity) for name in names)
    least = NAMED_ENTRY_OVERLAP_MIN if is_named else ENTRY_OVERLAP_MIN
    return overlap(*_without_names(mind, (activity, act), people)) >= least


def _without_names(mind: Mind, texts: Iterable[str], people: Iterable[str]) -> list[str]:
    """Return texts without the names of residents."""
    names = [name for who in (mind.who, *people) for name in names_of(mind.world, who)]
    pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return [re.sub(pattern, "", text) for text in texts]


def remove_promise(mind: Mind, promise: Promise, cause: str) -> None:
    """Remove a promise from a mind and from today's schedule."""
    items = mind.state.promises(mind.who).items
    kept = tuple(item for item in items if not _is_part_of(item, promise))
    if kept == items:
        return
    mind.do(Promised(mind.who, Promises(kept)), cause)
    schedule = shorter = mind.state.schedule(mind.who)
    if promise.start.date() != schedule.date:
        return
    for item in items:
        if item not in kept:
            shorter = _without_entries_of(mind, shorter, item)
    if shorter != schedule:
        mind.do(Rescheduled(mind.who, shorter, f"talk:{promise.talk}"), cause)


def _without_entries_of(mind: Mind, schedule: Schedule, promise: Promise) -> Schedule:
    """Return the schedule with free time in place of the appointment for a promise."""
    gone = as_entry(mind, promise)
    return schedule.without(
        *(
            entry
            for entry in schedule.entries
            if (entry.kind, entry.address) == (gone.kind, gone.address)
            and entry.activity in (gone.activity, promise.part_of(mind.who))
            and gone.start <= entry.start < gone.end
        ),
        instead=mind.words.say("free_time"),
    )


def _is_part_of(item: Promise, promise: Promise) -> bool:
    """Return True if two records are of the same agreement."""
    return item.is_same_meeting(promise) and not set(item.people).isdisjoint(promise.people)


# clashes -----------------------------------------------------------------------------------


async def enter_resolution(
    mind: Mind, resolution: Promise, schedule: Schedule, cause: str
) -> Schedule:
    """Return the schedule with an act that a resident has resolved to do alone, from now on. An
    agreement with others on the same act, or with those whom the act concerns, stands for that
    time; if they would rather do it elsewhere, that is an intention to tell the others, and another
    act is done at the meeting if that has time for it. Any other agreement for that time raises the
    question which of the two to keep, and the schedule stays.
    """
    agreed = [
        each for each in mind.state.promises(mind.who).items if each.is_at_once_with(resolution)
    ]
    same = next((each for each in agreed if _is_about(mind, resolution.what, each)), None)
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
        clashing = () if meeting.leaves_time_for(resolution) else (meeting,)
    if clashing:
        ask_which_to_keep(mind, clashing, resolution, cause)
        return schedule
    return schedule.splice(own_entry(mind, resolution))


async def _intend_to_move(mind: Mind, agreed: Promise, wanted: Promise, cause: str) -> None:
    """Remember, as an intention to tell the others, that the resident would rather meet elsewhere."""
    words, others = mind.words, tuple(who for who in agreed.people if who != mind.who)
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


def ask_which_to_keep(
    mind: Mind, clashing: Sequence[Promise], promise: Promise, cause: str
) -> None:
    """Defer the question which of several agreements for one time the resident keeps."""
    variables = ClashVars(mind.situation, tuple(clashing), promise)
    mind.defer_question(CLASH, variables, (), cause)


async def settle_clashes(
    decisions: Sequence[Decision], mind_of: MindOf
) -> list[tuple[str, Concept]]:
    """Carry out the decisions about clashing agreements. A resident who does not keep the new one
    calls it off; one who keeps it calls off the earlier ones instead, and enters the new one as a
    promise or, if it is theirs alone, in the schedule. A new agreement that the others no longer
    hold is dropped.

    Returns:
        Those who were let down, each with the memory of it.
    """
    let_down: list[tuple[str, Concept]] = []
    for decision in decisions:
        mind = mind_of(decision.who)
        new = decision.asked.new
        held = mind.state.promises(decision.who).items
        earlier = [
            item for item in held if any(_is_part_of(item, old) for old in decision.asked.kept)
        ]
        current = _find_current(new, mind, mind_of)
        if current is None:
            continue
        is_own = new.people == (decision.who,)
        if earlier and not decision.reply.keeps_new(decision.asked):
            if is_own:
                given_up, instead = own_entry(mind, new), earlier[0].part_of(decision.who)
                await _remember_displaced(mind, [given_up], instead, decision.cause)
                continue
            let_down += await call_off(current, decision, mind_of, instead=earlier[0])
            continue
        for promise in earlier:
            let_down += await call_off(promise, decision, mind_of, instead=current)
        if is_own:
            schedule = mind.state.schedule(decision.who).splice(own_entry(mind, new))
            await reschedule(mind, schedule, new.talk, new.what, decision.cause)
        else:
            await enter_promise(mind, current, decision.cause)
    return let_down


def _find_current(promise: Promise, mind: Mind, mind_of: MindOf) -> Promise | None:
    """Return an agreement as the others still hold it, or None if only the resident does; what they
    have promised alone stands.

    A participant who has yet to decide on a clash of their own holds it as well.
    """
    others = [
        who
        for who in promise.people
        if who == mind.who
        or any(_is_part_of(item, promise) for item in mind_of(who).state.promises(who).items)
        or _is_asked_about(mind_of(who), promise)
    ]
    current = promise
    for who in set(promise.people) - set(others):
        current = current.without(who)
    return current if len(current.people) > 1 or promise.people == (mind.who,) else None


def _is_asked_about(mind: Mind, promise: Promise) -> bool:
    """Return True if the resident is an expected guest who has not called the agreement off."""
    return any(
        mind.who in occasion.expected
        for _, occasion in mind.state.occasions
        if occasion.address == promise.address and occasion.at_once_with(promise.start, promise.end)
    )


async def call_off(
    promise: Promise, decision: Decision, mind_of: MindOf, instead: Promise
) -> list[tuple[str, Concept]]:
    """Call off a resident's part in an agreement: all participants remember it, and the others'
    bonds to the resident suffer. An agreement of two is over with it; a larger one goes on among
    the others. One for which all have come is not called off: the resident leaves, and nobody is
    let down.

    Returns:
        The others, each with the memory of it.
    """
    who, cause = decision.who, decision.cause
    others = [other for other in promise.people if other != who]
    mind = mind_of(who)
    remove_promise(mind, promise, cause)
    if _have_met(mind, promise):
        return []
    withdraw_from_occasion(mind, promise, who, cause)
    left = promise.without(who)
    for other in others:
        theirs = mind_of(other)
        if len(left.people) > 1:
            _leave_out(theirs, promise, who, cause)
        else:
            remove_promise(theirs, promise, cause)
    for other in others:
        move_bond(mind_of(other), who, "let_down", cause)
    made = [
        (one, await _remember_called_off(mind_of(one), promise, decision, instead))
        for one in (who, *others)
    ]
    return made[1:]


def _have_met(mind: Mind, promise: Promise) -> bool:
    """Return True if all participants of an agreement have come."""
    return any(
        occasion.address == promise.address
        and occasion.at_once_with(promise.start, promise.end)
        and occasion.came.issuperset(promise.people)
        for _, occasion in mind.state.occasions
    )


def _leave_out(mind: Mind, promise: Promise, who: str, cause: str) -> None:
    """Remove one participant from an agreement that the others keep."""
    items = mind.state.promises(mind.who).items
    kept = tuple(item.without(who) if _is_part_of(item, promise) else item for item in items)
    if kept != items:
        mind.do(Promised(mind.who, Promises(kept)), cause)


async def _remember_called_off(
    mind: Mind, promise: Promise, decision: Decision, instead: Promise
) -> Concept:
    """Store and return the memory that an agreement was called off, with the reason given. The
    memory of having made it is settled for the one who called it off, and for both if there were
    two.
    """
    words, who, cause, say = mind.words, decision.who, decision.cause, decision.reply.say
    others = tuple(other for other in promise.people if other != who)
    fields: dict[str, Any] = {
        "name": words.name(who),
        "others": words.names(others),
        "what": promise.part_of(mind.who),
        "when": words.when(promise.start),
        "place": mind.world.place_name(promise.address),
        "instead": instead.part_of(who),
        "line": say,
    }
    text = words.say("called_off" if say else "called_off_silently", **fields)
    memory = NewMemory(
        "event",
        text,
        who,
        CALLED_OFF_PREDICATE,
        others[0] if others else "",
        promise.address,
        talk=promise.talk,
        about=tuple(person for person in promise.people if person != mind.who),
    )
    rating = CALLED_OFF_POIGNANCY if mind.who == who else LET_DOWN_POIGNANCY
    (made,) = await mind.remember([memory], [rating], cause)
    if mind.who == who or len(promise.people) == 2:
        settle_agreement(mind, [promise.talk], promise.address, cause)
    return made
