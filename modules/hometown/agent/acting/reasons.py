"""Reasons to approach other residents.

Each resident who is named in the present activity, the plan, an agreement for the present time, a
wish or an open intention is a reason for a decision as soon as they can be found: in the same room,
or where they are believed to be. No chance and no cooldown comes before it. Each reason is answered
once in each situation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from hometown.agent.mind import Mind
from hometown.agent.mind.due import find_date
from hometown.agent.mind.meant import awaits_event
from hometown.agent.mind.wishes import find_wish, list_open_wishes
from hometown.agent.planning.concerned import find_anyone, find_concerned
from hometown.agent.planning.plan_settling import is_for_words
from hometown.agent.planning.planned_intentions import is_for_meeting_later, is_planned_for_later
from hometown.agent.planning.wish_pursuit import is_entry_of_wish
from hometown.clock import at_minute
from hometown.frozen import frozen
from hometown.memory.concept import INTENTION_PREDICATE, Concept
from hometown.prompt.approach_prompt import (
    ReasonKind,
)
from hometown.world.occasion import ON_TIME
from hometown.world.wish import Wish

LOOKBACK_INTENTIONS = 40
"""Number of latest thoughts among which open intentions are looked for."""

WISH_KEY = "wish "
"""Prefix of the key of a reason that is a wish; the number of its memory follows."""

MAX_WISH_CONVERSATIONS = 3
"""Number of conversations without a word of a wish after which it is no reason any more."""

PUT_OFF_FOR = timedelta(hours=1)
"""Time after which a resident decides again about an intention that they put off."""

UNDATED_FOR = timedelta(days=1)
"""Time for which an open intention without a date is a reason to approach another."""

FAILED_PREDICATE = "miss"
"""The predicate of the memory of an approach that failed; its object is the other resident."""

UNSAID_PREDICATE = "leave unsaid"
"""The predicate of the memory of a talk that was meant for no other reason and not held; its object
is the other resident.
"""

INTENTION_POIGNANCY_MIN = 5
"""Poignancy from which an open intention is a reason to approach another."""


HERE, BUSY = "here", "busy"
"""Situations in which the other is in the same room, free or in a conversation."""


@frozen
class Reason:
    """A reason to approach another resident.

    `since` is the time from which it exists: a conversation with the other after it has answered it.
    `is_timed` marks an intention for this hour, for which the other is looked for.
    """

    other: str
    key: str
    kind: ReasonKind
    text: str
    when: datetime
    since: datetime
    is_timed: bool = False


# reasons -----------------------------------------------------------------------------------


def find_reasons(mind: Mind) -> Iterator[Reason]:
    """Yield the reasons to approach others, the most pressing first: agreements, wishes, a task
    that is for words, intentions due, other intentions, a task in company, the rest of the plan,
    words left unsaid.
    """
    tasks = list(_reasons_of_task(mind))
    yield from _reasons_of_agreements(mind)
    yield from _reasons_of_wishes(mind)
    yield from (task for task in tasks if is_for_words(mind, task.text))
    yield from _reasons_of_memory(mind, is_due=True)
    yield from _reasons_of_memory(mind, is_due=False)
    yield from (task for task in tasks if not is_for_words(mind, task.text))
    yield from _reasons_of_plan(mind)
    yield from _reasons_of_unsaid(mind)


def _reasons_of_agreements(mind: Mind) -> Iterator[Reason]:
    """Yield a reason for each other participant of an agreement for now, if the resident is at its
    place; those who are not there have `ON_TIME` to come first.
    """
    for promise in mind.state.promises(mind.who).items:
        if promise.is_on(mind.now) and promise.address == mind.arena:
            key = f"agreement {promise.talk} {promise.start:%H:%M}"
            what, is_late = promise.part_of(mind.who), mind.now >= promise.start + ON_TIME
            for other in promise.people:
                if other != mind.who and (is_late or mind.is_here(other)):
                    yield Reason(other, key, "agreement", what, promise.start, promise.start)


def _reasons_of_wishes(mind: Mind) -> Iterator[Reason]:
    """Yield those whom the resident's open wishes concern, once the time for them has come.

    A conversation in which a wish did not come up makes a new reason of it, up to a number of times.
    What they have agreed to do together later today waits until then.
    """
    for wish in list_open_wishes(mind):
        talks = sum(step.event == "talked" for step in wish.steps)
        if not wish.is_due(mind.now) or talks >= MAX_WISH_CONVERSATIONS:
            continue
        since = max(step.when for step in wish.steps if step.event in ("heard", "talked"))
        key = f"{WISH_KEY}{wish.memory} {talks}"
        for other in wish.people or find_anyone(mind, wish.text):
            if is_for_meeting_later(mind, wish.text, other):
                continue
            yield Reason(other, key, "wish", wish.text, wish.hearing_time, since)


def find_wish_of(mind: Mind, reason: str) -> Wish | None:
    """Return the open wish that the key of a reason stands for; None for any other reason."""
    if not reason.startswith(WISH_KEY):
        return None
    return find_wish(mind, int(reason.removeprefix(WISH_KEY).split()[0]))


def is_planned_now(mind: Mind, reason: Reason) -> bool:
    """Return True if the present entry of the plan is for the wish that a reason stands for."""
    wish = find_wish_of(mind, reason.key)
    schedule = mind.state.schedule(mind.who)
    return wish is not None and is_entry_of_wish(schedule.at(mind.minute), wish)


def _reasons_of_task(mind: Mind) -> Iterator[Reason]:
    """Yield those whom the current task and the present activity name."""
    schedule = mind.state.schedule(mind.who)
    current = schedule.at(mind.minute)
    tasks = mind.state.tasks(mind.who)
    task = tasks.due(mind.minute) if current.start <= tasks.entry < current.end else None
    if current.kind == "activity":
        texts = [current.activity] if task is None else [task.activity, current.activity]
        begun = at_minute(schedule.date, current.start)
        for text in dict.fromkeys(texts):
            for other in find_concerned(mind, text) or find_anyone(mind, text):
                yield Reason(other, f"task {current.activity}", "task", text, begun, begun)


def _reasons_of_plan(mind: Mind) -> Iterator[Reason]:
    """Yield those whom the rest of the plan names."""
    schedule = mind.state.schedule(mind.who)
    for entry in schedule.entries:
        if entry.start > mind.minute and entry.kind == "activity":
            planned = at_minute(schedule.date, entry.start)
            for other in find_concerned(mind, entry.activity):
                key, since = f"plan {entry.activity}", at_minute(schedule.date, 0)
                yield Reason(other, key, "plan", entry.activity, planned, since)


def _reasons_of_memory(mind: Mind, *, is_due: bool) -> Iterator[Reason]:
    """Yield those towards whom the resident has open intentions that matter
    (`INTENTION_POIGNANCY_MIN`): those for this hour or day, or overdue today, if `is_due`, else
    those of a day at most that wait neither for a date nor for an event. Those that are planned
    for later today wait until then.

    A conversation that has not settled an intention makes a new reason of it, once.
    """
    recent = mind.state.memory(mind.who).recent(("thought",), LOOKBACK_INTENTIONS)
    for memory in mind.leave_out_settled(recent):
        if (
            memory.predicate != INTENTION_PREDICATE
            or memory.poignancy < INTENTION_POIGNANCY_MIN
            or memory.expires <= mind.now
            or is_planned_for_later(mind, memory)
        ):
            continue
        due = find_date(memory.text, memory.created, mind.world.lang, True)
        if due is None:
            is_new = mind.now - memory.created < UNDATED_FOR
            is_for_now = not is_due and is_new and not awaits_event(memory.text, mind.world.lang)
        else:
            is_for_now = is_due and due.day == mind.now.date() and due.start <= mind.minute
        if is_for_now:
            since = max(memory.created, at_minute(mind.now.date(), due.start if due else 0))
            key = f"{'due' if is_due else 'memory'} {memory.id}"
            for other in find_concerned(mind, memory.text):
                is_timed = due is not None and due.is_timed and due.holds_at(mind.now)
                is_just_said = due is None and _has_just_been_said_to(mind, memory, other)
                if is_just_said or is_for_meeting_later(mind, memory.text, other):
                    continue
                yield _raise_again(
                    mind,
                    Reason(other, key, "memory", memory.text, memory.created, since, is_timed),
                )


def _has_just_been_said_to(mind: Mind, intention: Concept, other: str) -> bool:
    """Return True if an intention has come of a conversation with another less than `PUT_OFF_FOR`
    ago: they know of it.
    """
    memories = mind.state.memory(mind.who)
    chats = (memories.find(number) for number in intention.evidence)
    is_known = any(chat and chat.type == "chat" and other in chat.about for chat in chats)
    return is_known and mind.now - intention.created < PUT_OFF_FOR


def _reasons_of_unsaid(mind: Mind) -> Iterator[Reason]:
    """Yield those with whom the resident has meant to talk today, and found no time or was left."""
    for memory in mind.state.memory(mind.who).since(at_minute(mind.now.date(), 0), ("event",)):
        if memory.predicate == UNSAID_PREDICATE:
            made, key = memory.created, f"unsaid {memory.object}"
            yield Reason(
                memory.object, key, "unsaid", mind.words.left_unsaid(memory.text), made, made
            )


def find_unsaid(mind: Mind, others: Collection[str], until: datetime) -> list[Concept]:
    """Return the memories of today, up to a time, of talks with others that did not come about."""
    today = mind.state.memory(mind.who).since(at_minute(until.date(), 0), ("event",))
    return [
        memory
        for memory in today
        if memory.predicate in (FAILED_PREDICATE, UNSAID_PREDICATE)
        and memory.object in others
        and memory.created <= until
    ]


def _raise_again(mind: Mind, reason: Reason) -> Reason:
    """Return a reason as a new one after a conversation with the other that has left it open, if it
    led to none before; else the reason as it is.
    """
    last = mind.state.relation(mind.who, reason.other).last
    is_summed_up = not any(question.talk for question in mind.state.questions(mind.who))
    if last is None or last < reason.since or not is_summed_up:
        return reason
    again = replace(reason, key=f"{reason.key} again", since=last + timedelta.resolution)
    return again if is_unanswered(mind, again, HERE) else reason


def is_unanswered(mind: Mind, reason: Reason, situation: str) -> bool:
    """Return True if a reason has not been answered in a situation. The answer about an intention or a
    wish towards a resident who is here is asked for again after an hour, once.
    """
    found = mind.state.approaches(mind.who).answers(reason.key, reason.other, situation)
    is_put_off = (
        reason.kind in ("memory", "wish", "unsaid") and situation == HERE and len(found) == 1
    )
    return not found or (is_put_off and mind.now - found[0].when >= PUT_OFF_FOR)
