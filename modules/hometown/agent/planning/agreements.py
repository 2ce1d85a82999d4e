"""Agreements: entering them into promises and schedules, renewing them, removing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.displacing import (
    is_eaten_otherwise,
    is_taken_over,
    name_themes,
    reschedule,
)
from hometown.agent.planning.known_rooms import find_named
from hometown.agent.planning.participation import (
    find_gathering,
    is_for_meeting,
    is_one_meeting,
    match_to_occasion,
    record_occasion,
    settle_agreement,
    shorten_occasion,
    withdraw_from_occasion,
)
from hometown.agent.planning.plan_acts import drop_acts, list_aims, split_acts
from hometown.clock import DAY
from hometown.memory.concept import INTENTION_PREDICATE
from hometown.memory.schedule import REMAINDER_MINUTES_MIN, Entry, Schedule, planned_room
from hometown.prompt.clashes import CLASH, ClashVars
from hometown.text import contains_name, coverage, overlap
from hometown.world.effects import Promised, Rescheduled
from hometown.world.resident_names import drop_names
from hometown.world.rows import SAME_SUBJECT_OVERLAP_MIN, Promise, Promises, Resolution
from hometown.world.world import sector_of

ENTRY_OVERLAP_MIN, NAMED_ENTRY_OVERLAP_MIN = 0.4, 0.25
"""Overlap of character trigrams (Jaccard), without names, from which an entry of the plan is the
same act as an agreement or an intention, and from which it is if it names the other, too; two
agreements are of one subject from the second on.
"""

SAME_ACT_COVERAGE_MIN = 0.5
"""Share of the character trigrams of an act that occur in another, from which that contains it."""

MOVED_ENTRY_OVERLAP_MIN = 0.5
"""Overlap of character trigrams (Jaccard), without names, from which an agreement moves an entry of
the plan to another hour.
"""


REQUEST_POIGNANCY = 5
"""Poignancy of the intention to ask for another place, or to tell of one, enough to approach the
others about it.
"""


LEFT_OVER_MINUTES_MAX = 30
"""Maximum number of minutes of an entry outside the time of an agreement of its kind that takes all
of its place.
"""


SHORTEST_MEETING = timedelta(minutes=20)
"""The time that an agreement has at least, also where another one cuts it: two steps, so that none
falls between them.
"""


def as_entry(mind: Mind, promise: Promise) -> Entry:
    """Return the schedule entry of a resident's promise, which ends with its day at the latest."""
    start = promise.start.hour * 60 + promise.start.minute
    return Entry(
        start,
        min(start + promise.minutes, DAY),
        mind.words.own_act(mind.who, promise),
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

    Each becomes an occasion, or attendance at one that a participant knows of. It moves an earlier
    one of the same event for that time at another place, of which any others are to be told; of two
    others, the earlier one ends when the later one begins, if it has time then. A participant who
    has promised something else for the time of a promise is asked in the next step which of the
    two to keep.

    Args:
        promises: the promises, all of whose people are in `minds`.
        minds: the minds of all participants of the conversation.
        causes: the causes of the effects, by participant.
    """
    agreed: list[Promise] = []
    for given in promises:
        first = minds[given.people[0]]
        promise, occasion = match_to_occasion(first, given)
        promise = await _make_room(promise, minds, causes)
        record_occasion(first, promise, occasion, causes[first.who], agreed)
        for who in promise.people:
            if minds[who].me.is_visitor:  # their mind is a person, who keeps it or not
                continue
            clashing = find_clashing(minds[who], promise)
            if clashing:
                ask_which_to_keep(minds[who], clashing, promise, causes[who])
            else:
                await enter_promise(minds[who], promise, causes[who])
        agreed.append(promise)
    return agreed


async def _make_room(
    promise: Promise, minds: Mapping[str, Mind], causes: Mapping[str, str]
) -> Promise:
    """Return an agreement without the time of a later one that all its people hold. Of those that
    they held before for its time at another place, one of the same event is moved, and one that
    begins earlier ends when it begins.
    """
    first = minds[promise.people[0]]
    held = [each for who in promise.people for each in minds[who].state.promises(who).items]
    for kept in dict.fromkeys(held):
        if (
            not kept.is_at_once_with(promise)
            or kept.address == promise.address
            or kept.leaves_time_for(promise)
        ):
            continue
        if _is_same_event(first, kept, promise):
            await _move(kept, promise, minds, causes)
        elif not set(kept.people) <= set(promise.people):
            continue
        elif kept.start + SHORTEST_MEETING <= promise.start:
            for who in kept.people:
                _end_early(minds[who], kept, promise.start, causes[who])
        elif promise.start + SHORTEST_MEETING <= kept.start:
            promise = promise.until(kept.start)
    return promise


def _is_same_event(mind: Mind, kept: Promise, promise: Promise) -> bool:
    """Return True if an agreement moves another one's event: it has its subject and its people, or at
    least two of them; or, beginning at the same time, it is of its storyline, or has its subject and
    names the same resident.
    """
    likeness = _compare_acts(mind, kept.what, promise.what, promise.people)
    people = set(kept.people)
    if people <= set(promise.people) and likeness >= NAMED_ENTRY_OVERLAP_MIN:
        return True
    if find_gathering(mind, kept) is not None:  # its hosts alone move it
        return False
    if len(people.intersection(promise.people)) > 1:
        return likeness >= SAME_SUBJECT_OVERLAP_MIN
    texts = [" ".join((each.what, *each.parts)) for each in (kept, promise)]
    named = (set(find_named(mind.world, (each.what,))) for each in (kept, promise))
    return kept.start == promise.start and (
        any(all(map(story.is_mentioned_in, texts)) for story in mind.world.storylines)
        or (likeness >= SAME_SUBJECT_OVERLAP_MIN and bool(set.intersection(*named)))
    )


async def _move(
    kept: Promise, promise: Promise, minds: Mapping[str, Mind], causes: Mapping[str, str]
) -> None:
    """Remove an agreement, with the memory of it, for those who have agreed on another place for its
    event. The first of them has to tell its other people, who hold it until then.
    """
    left = tuple(who for who in kept.people if who not in promise.people)
    movers = [who for who in kept.people if who in promise.people]
    for who in movers:
        settle_agreement(minds[who], [kept.talk], kept.address, causes[who])
        remove_promise(minds[who], kept, causes[who])
        withdraw_from_occasion(minds[who], kept, who, causes[who], is_moved=bool(left))
    teller = minds[movers[0]]
    new = []
    for third in left:
        text = teller.words.has_to_tell(teller.who, third, promise)
        new.append(NewMemory("thought", text, teller.who, INTENTION_PREDICATE, about=(third,)))
    for memory in await teller.remember(new, [REQUEST_POIGNANCY] * len(new), causes[teller.who]):
        if promise.start.date() == teller.now.date():
            give_reason(teller, memory, causes[teller.who])


def _end_early(mind: Mind, promise: Promise, end: datetime, cause: str) -> None:
    """Let an agreement that a resident holds, and the occasion for it, end at a time before its end."""
    items = mind.state.promises(mind.who).items
    left = tuple(each.until(end) if each == promise else each for each in items)
    mind.do(Promised(mind.who, Promises(left)), cause)
    shorten_occasion(mind, promise, end, cause)


def find_clashing(mind: Mind, promise: Promise) -> tuple[Promise, ...]:
    """Return a resident's agreements for the time of a promise that are for another meeting and
    leave no time for it.
    """
    return tuple(
        kept
        for kept in mind.state.promises(mind.who).items
        if kept.is_at_once_with(promise)
        and not is_one_meeting(mind, kept, promise)
        and not kept.leaves_time_for(promise)
    )


async def enter_promise(mind: Mind, promise: Promise, cause: str) -> None:
    """Add a promise to a mind and, if it is for today, to the schedule, in place of the entries
    about it; the activities that it leaves no time for are remembered, and are reasons to
    reconsider the day. A promise for a meeting that they have agreed on already adds its people and
    what else they do there, or moves the meeting to other hours.
    """
    items = list(mind.state.promises(mind.who).items)
    before = next((item for item in items if is_one_meeting(mind, item, promise)), None)
    if before is not None:
        items.remove(before)
        if before.contains(promise) or not set(before.people) <= set(promise.people):
            promise = _join(mind, before, promise)
        else:
            settle_agreement(mind, [before.talk], before.address, cause)
    schedule = freed = known = mind.state.schedule(mind.who)
    is_for_today = promise.start.date() == schedule.date and promise != before
    if is_for_today:
        if before is not None:
            freed = _without_entries_of(mind, schedule, before)
        freed, aims = _drop_acts_of(mind, freed, promise)
        known = freed if before is None else _drop_acts_of(mind, schedule, promise)[0]
        promise = _with_aims(mind, promise, aims)
    mind.do(
        Promised(mind.who, Promises(tuple(sorted((*items, promise), key=lambda each: each.start)))),
        cause,
    )
    if not is_for_today:
        return
    origin = f"talk:{promise.talk}"
    if freed != schedule:
        mind.do(Rescheduled(mind.who, freed, origin), cause)
    entry = as_entry(mind, promise)
    planned = freed.splice(entry)
    for kept in items:
        if kept.is_at_once_with(promise) and _takes_precedence(kept, promise):
            planned = planned.splice(as_entry(mind, kept))
    for displaced in await reschedule(
        mind, planned, origin, entry.activity, cause, company=promise.people, known=known
    ):
        give_reason(mind, displaced, cause)


def _with_aims(mind: Mind, promise: Promise, aims: Iterable[str]) -> Promise:
    """Return an agreement with what the resident had in mind to do or to say by the entries of the
    plan that it stands in for, as their part in it.
    """
    own = promise.part_of(mind.who)
    new = [aim for aim in aims if coverage(own, aim) < SAME_ACT_COVERAGE_MIN]
    if not new:
        return promise
    return promise.with_part(mind.who, mind.words.texts["item_separator"].join((own, *new)))


def _join(mind: Mind, before: Promise, promise: Promise) -> Promise:
    """Return a meeting with the people of a later agreement within it, and with what each does by
    that, unless it is the same act. Hosts of a gathering do no more by an agreement that has no
    parts: its subject is their gathering.
    """
    joined, gathering = before.with_people(promise.people), find_gathering(mind, before)
    for who in promise.people:
        old, new = before.part_of(who), promise.part_of(who)
        hosts = gathering is not None and gathering.gives(who) and not promise.parts
        if who in before.people and not hosts and coverage(old, new) < SAME_ACT_COVERAGE_MIN:
            joined = joined.with_part(who, mind.words.texts["item_separator"].join((old, new)))
    return joined


def _takes_precedence(first: Promise, second: Promise) -> bool:
    """Return True if the first of two agreements has the time that they share: the shorter one at
    one place, the later one at two.
    """
    if first.address == second.address:
        return first.minutes < second.minutes
    return first.start > second.start


def _drop_acts_of(mind: Mind, schedule: Schedule, promise: Promise) -> tuple[Schedule, list[str]]:
    """Drop the coming acts of a plan that an agreement stands in for: acts at its time that are
    probably the same act or, if little else is left of their entry and none of its acts is that one,
    of its kind, and the cooking of a meal that is eaten out; acts at another hour that surely are the
    same; and other acts of such entries at its place or of its people alone, but for the cooking of
    a meal if there is time for it before.

    Returns:
        The schedule, and what the resident had in mind to do or to say along with such acts.
    """
    appointment, company = as_entry(mind, promise), set(promise.people)
    is_out = sector_of(promise.address) != sector_of(mind.me.home)

    def stands_for(entry: Entry, act: str) -> bool:
        if (shared := entry.minutes_shared(appointment)) > 0:
            acts = split_acts(mind, entry.activity)
            if any(_is_about(mind, each, promise) for each in (act, *acts)):
                return _is_about(mind, act, promise)
            is_most = entry.end - entry.start - shared <= LEFT_OVER_MINUTES_MAX
            return (is_most and is_taken_over(mind, act, appointment.activity, promise.people)) or (
                is_out and is_eaten_otherwise(mind, act, appointment.activity)
            )
        likeness = _compare_acts(mind, act, promise.part_of(mind.who), promise.people)
        return likeness >= MOVED_ENTRY_OVERLAP_MIN

    def goes_along(entry: Entry, act: str) -> bool:
        is_there = planned_room(entry) in ("", promise.address)
        is_for_company = set() < set(find_concerned(mind, act)) <= company
        has_time_before = appointment.start - entry.start >= REMAINDER_MINUTES_MIN
        return (
            entry.minutes_shared(appointment) > 0
            and not (has_time_before and "cook" in name_themes(mind, act))
            and (is_there or is_for_company)
            and any(stands_for(entry, each) for each in split_acts(mind, entry.activity))
        )

    left, dropped = drop_acts(
        mind, schedule, lambda entry, act: stands_for(entry, act) or goes_along(entry, act)
    )
    aims = list[str]()
    for entry in dropped:
        acts = split_acts(mind, entry.activity)
        along = [act for act in acts if goes_along(entry, act) and not stands_for(entry, act)]
        aims += dict.fromkeys((*list_aims(mind, entry.activity), *along))
    return left, aims


def _is_about(mind: Mind, activity: str, promise: Promise) -> bool:
    """Return True if an activity of the resident's own is their part in an agreement."""
    return is_same_act(mind, activity, promise.part_of(mind.who), promise.people)


def is_same_act(mind: Mind, activity: str, act: str, people: Iterable[str]) -> bool:
    """Return True if an activity of the resident's own is an act that concerns some residents."""
    names = [mind.words.name(who) for who in people if who != mind.who]
    is_named = any(contains_name(name, activity) for name in names)
    least = NAMED_ENTRY_OVERLAP_MIN if is_named else ENTRY_OVERLAP_MIN
    return _compare_acts(mind, activity, act, people) >= least


def _compare_acts(mind: Mind, one: str, other: str, people: Iterable[str]) -> float:
    """Return the overlap of two acts without the names of the resident and of some others."""
    return overlap(*drop_names(mind.world, (one, other), (mind.who, *people)))


def remove_promise(mind: Mind, promise: Promise, cause: str) -> None:
    """Remove a promise from a mind and from today's schedule."""
    items = mind.state.promises(mind.who).items
    kept = tuple(item for item in items if not is_part_of(item, promise))
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


def is_part_of(item: Promise, promise: Promise) -> bool:
    """Return True if two records are of the same agreement."""
    return item.is_same_meeting(promise) and not set(item.people).isdisjoint(promise.people)


def ask_which_to_keep(
    mind: Mind, clashing: Sequence[Promise], promise: Promise, cause: str
) -> None:
    """Defer the question which of several agreements for one time the resident keeps: the gathering
    of which they are the host, if one of them is.
    """
    hosted = (
        number
        for number, each in enumerate((*clashing, promise), start=1)
        if any(
            occasion.gathers
            and occasion.gives(mind.who)
            and occasion.at_once_with(each.start, each.end)
            and is_for_meeting(occasion, each)
            for _, occasion in mind.state.occasions
        )
    )
    variables = ClashVars(mind.situation, tuple(clashing), promise, next(hosted, 0))
    mind.defer_question(CLASH, variables, (), cause)
