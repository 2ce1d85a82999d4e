"""Approaching others whom one has in mind: talking with them, looking for them, waiting for them.

Whoever is named in the present activity, the plan, an agreement for the present time or an open
intention is a reason for a decision as soon as they can be found: in the same room, or where they
are believed to be. No chance and no cooldown comes before it. Each reason is answered once in each
situation; what fails is remembered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from hometown.agent.acting.partners import describe_neighbour, may_start_conversation
from hometown.agent.acting.walking import walking_minutes
from hometown.agent.mind import Mind, NewMemory, concepts
from hometown.agent.mind.facing import recall_facing
from hometown.agent.mind.intent import GO_ON, Intent
from hometown.agent.perception.perceive import visited_in_vain
from hometown.agent.planning.known_rooms import MAX_PEOPLE, LikelyPlace, find_named, find_person
from hometown.agent.planning.rest_of_day import minutes_to_appointment, upcoming
from hometown.clock import at_minute
from hometown.frozen import frozen
from hometown.memory.action import Action
from hometown.memory.concept import INTENTION_PREDICATE, Concept
from hometown.prompt.approaches import (
    APPROACH,
    ApproachReply,
    ApproachVars,
    Choice,
    InMind,
    ReasonKind,
)
from hometown.world.approaches import (
    AnsweredReason,
    Approach,
    Approaches,
    ApproachesSet,
    ApproachKind,
)

LOOKING_MINUTES = 10
"""Minutes for which a resident looks for another at a place."""

WAIT_MINUTES = 30
"""Maximum number of minutes for which a resident waits for another."""

LOOKBACK_INTENTIONS = 40
"""Number of latest thoughts among which open intentions are looked for."""

INTENTION_POIGNANCY_MIN = 5
"""Poignancy from which an open intention is a reason to approach another."""

MAX_RECALLED = 6
"""Maximum number of memories recalled about the residents whom one has in mind."""

MAX_COMING_ENTRIES = 4
"""Number of coming schedule entries in the prompt."""

FAILED_PREDICATE = "miss"
"""The predicate of the memory of an approach that failed; its object is the other resident."""

FAILED_POIGNANCY = 4
"""Poignancy of that memory."""

HERE, BUSY = "here", "busy"
"""Situations in which the other is in the same room, free or in a conversation."""


@frozen
class Reason:
    """A reason to approach another resident.

    `since` is the time from which it exists: a conversation with the other after it has answered it.
    """

    other: str
    key: str
    kind: ReasonKind
    text: str
    when: datetime
    since: datetime


@frozen
class Chance:
    """A reason that calls for a decision now, with its open situations and what can be done.

    The situation is HERE or BUSY, or else there is one for each place where the other may be sought
    or awaited. `rooms` are those in which the other may be looked for, the likeliest first.
    """

    reason: Reason
    situations: tuple[str, ...]
    choices: tuple[Choice, ...]
    rooms: tuple[str, ...] = ()
    place: LikelyPlace | None = None

    @property
    def is_here(self) -> bool:
        """Return True if the other is in the same room."""
        return self.situations[0] in (HERE, BUSY)


# reasons -----------------------------------------------------------------------------------


def find_reasons(mind: Mind) -> Iterator[Reason]:
    """Yield the reasons to approach others, the most pressing first."""
    yield from _reasons_of_agreements(mind)
    yield from _reasons_of_plan(mind)
    yield from _reasons_of_memory(mind)


def _reasons_of_agreements(mind: Mind) -> Iterator[Reason]:
    """Yield the participants of an agreement for now, at its place."""
    for promise in mind.state.promises(mind.who).items:
        if promise.start <= mind.now < promise.end and promise.address == mind.arena:
            key = f"agreement {promise.talk} {promise.start:%H:%M}"
            what = promise.part_of(mind.who)
            for other in promise.people:
                if other != mind.who:
                    yield Reason(other, key, "agreement", what, promise.start, promise.start)


def _reasons_of_plan(mind: Mind) -> Iterator[Reason]:
    """Yield those whom the current task and the rest of the plan name."""
    schedule = mind.state.schedule(mind.who)
    current = schedule.at(mind.minute)
    task = mind.state.tasks(mind.who).due(mind.minute)
    today = schedule.date
    for entry in schedule.entries:
        if entry.end <= mind.minute or entry.kind != "activity":
            continue
        is_current = entry is current
        texts = [entry.activity]
        if is_current and task is not None:
            texts.insert(0, task.activity)
        for text in dict.fromkeys(texts):
            for other in _named_others(mind, text):
                since = at_minute(today, entry.start if is_current else 0)
                yield Reason(
                    other,
                    f"plan {entry.activity}",
                    "task" if is_current else "plan",
                    text,
                    at_minute(today, entry.start),
                    since,
                )


def _reasons_of_memory(mind: Mind) -> Iterator[Reason]:
    """Yield those towards whom the resident has open intentions."""
    for memory in mind.state.memory(mind.who).recent(("thought",), LOOKBACK_INTENTIONS):
        if (
            memory.predicate == INTENTION_PREDICATE
            and memory.poignancy >= INTENTION_POIGNANCY_MIN
            and memory.created.date() == mind.now.date()
        ):
            for other in _named_others(mind, memory.text):
                yield Reason(
                    other,
                    f"memory {memory.id}",
                    "memory",
                    memory.text,
                    memory.created,
                    memory.created,
                )


def _named_others(mind: Mind, text: str) -> list[str]:
    """Return the other residents whom a text names."""
    return [who for who in find_named(mind.world, (text,)) if who != mind.who]


# chances -----------------------------------------------------------------------------------


def find_chances(mind: Mind) -> list[Chance]:
    """Return the reasons that call for a decision now, one for each resident concerned."""
    if "bathroom" in mind.world.arenas[mind.arena].tags or not may_start_conversation(mind):
        return []
    found: dict[str, Chance] = {}
    for reason in find_reasons(mind):
        if len(found) < MAX_PEOPLE and reason.other not in found and not _is_met(mind, reason):
            chance = _find_chance(mind, reason)
            if chance is not None:
                found[reason.other] = chance
    return list(found.values())


def _is_met(mind: Mind, reason: Reason) -> bool:
    """Return True if the resident has talked with the other since the reason arose."""
    last = mind.state.relation(mind.who, reason.other).last
    return last is not None and last >= reason.since


def _find_chance(mind: Mind, reason: Reason) -> Chance | None:
    """Return what can be done for a reason; None if nothing can, or that is decided already."""
    if reason.other in mind.scene.residents[mind.arena]:
        return _find_chance_here(mind, reason)
    if reason.kind in ("task", "agreement") and not _is_seeking(mind):
        return _find_chance_elsewhere(mind, reason)
    return None


def _find_chance_here(mind: Mind, reason: Reason) -> Chance | None:
    """Return what can be done about a resident who is in the same room."""
    other = reason.other
    if mind.state.is_asleep(other):
        return None
    if mind.state.talking(other) is None:
        return Chance(reason, (HERE,), ("talk",)) if _is_open(mind, reason, HERE) else None
    can_wait = not _is_seeking(mind) and _is_open(mind, reason, _awaited(mind.arena))
    return Chance(reason, (BUSY,), ("wait",)) if can_wait and _is_open(mind, reason, BUSY) else None


def _find_chance_elsewhere(mind: Mind, reason: Reason) -> Chance | None:
    """Return what can be done about a resident who is not here."""
    person = find_person(mind, reason.other)
    if person is None:
        return None
    rooms = tuple(
        room
        for room in person.rooms
        if room != mind.arena
        and _is_open(mind, reason, _sought(room))
        and walking_minutes(mind, room) + LOOKING_MINUTES < minutes_to_appointment(mind)
    )
    awaited = (mind.arena,) if reason.kind == "agreement" or mind.arena in person.rooms else ()
    waits = tuple(_awaited(room) for room in awaited if _is_open(mind, reason, _awaited(room)))
    situations = (*map(_sought, rooms), *waits)
    choices: list[Choice] = []
    choices += ["go"] if rooms else []
    choices += ["wait"] if waits else []
    return Chance(reason, situations, tuple(choices), rooms, person) if situations else None


def _sought(room: str) -> str:
    """Return the situation in which the other may be sought in a room."""
    return f"at {room}"


def _awaited(room: str) -> str:
    """Return the situation in which the other may be awaited in a room."""
    return f"awaited at {room}"


def _is_open(mind: Mind, reason: Reason, situation: str) -> bool:
    """Return True if a reason has not been answered in a situation."""
    answered = mind.state.approaches(mind.who)
    return not answered.is_answered(reason.key, reason.other, situation)


def _is_seeking(mind: Mind) -> bool:
    """Return True if the resident is looking for another or waiting for them."""
    current = mind.state.approaches(mind.who).current
    return current is not None and current.seeks


# deciding ----------------------------------------------------------------------------------


async def approach(mind: Mind) -> Intent | None:
    """Ask what to do about those whom the resident has in mind and return the intent; None if there
    is nothing to decide.
    """
    chances = find_chances(mind)
    if not chances:
        return None
    if mind.freedom(APPROACH.kind) == "plain":
        return _approach_by_rule(mind, chances)
    reply, cause, asked = await _ask(mind, chances)
    return _carry_out(mind, chances[: len(asked.people)], reply, cause)


def _approach_by_rule(mind: Mind, chances: Sequence[Chance]) -> Intent | None:
    """Talk with the first one who is free: the smallest models answer alike for all residents."""
    free = [chance for chance in chances if "talk" in chance.choices]
    if not free:
        return None
    first = free[0]
    _decide(mind, free[:1], _begin(mind, first, "talk", mind.arena, ""), "rule:approach")
    return Intent(partner=first.reason.other, topic=first.reason.text, cause="rule:approach")


async def _ask(mind: Mind, chances: Sequence[Chance]) -> tuple[ApproachReply, str, ApproachVars]:
    """Ask the model what to do about those whom the resident has in mind."""
    others = [chance.reason.other for chance in chances]
    query = mind.words.say("recall_other", name=mind.me.name, other=mind.words.names(others))
    texts = [chance.reason.text for chance in chances]
    found = await recall_facing(mind, others, [query, *texts], MAX_RECALLED)
    recalled = dict.fromkeys((*concepts(found), *_failed_today(mind, others)))
    variables = ApproachVars(
        mind.situation,
        tuple(_as_in_mind(mind, chance) for chance in chances),
        tuple(sorted(recalled, key=lambda memory: memory.id)),
        upcoming(mind)[:MAX_COMING_ENTRIES],
        WAIT_MINUTES,
    )
    return await mind.ask_with_variables(APPROACH, variables, found)


def _failed_today(mind: Mind, others: Sequence[str]) -> Iterator[Concept]:
    """Yield the memories of today's failed approaches to others."""
    for memory in mind.state.memory(mind.who).since(at_minute(mind.now.date(), 0), ("event",)):
        if memory.predicate == FAILED_PREDICATE and memory.object in others:
            yield memory


def _as_in_mind(mind: Mind, chance: Chance) -> InMind:
    """Return a resident in the form in which the prompt lists them."""
    reason, place = chance.reason, chance.place
    known = describe_neighbour(mind, reason.other)
    room = chance.rooms[0] if chance.rooms else mind.arena
    sighted = place.sought.seen if place is not None and room == place.rooms[0] else None
    return InMind(
        known if chance.is_here else replace(known, doing=""),
        reason.kind,
        reason.text,
        reason.when,
        "free" if "talk" in chance.choices else "busy" if chance.is_here else "away",
        mind.world.place_name(room),
        sighted,
        0 if room == mind.arena else walking_minutes(mind, room),
        chance.choices,
    )


def _carry_out(mind: Mind, chances: Sequence[Chance], reply: ApproachReply, cause: str) -> Intent:
    """Record the decision and return the intent that carries it out."""
    if reply.choice is None:
        current = mind.state.approaches(mind.who).current
        _decide(mind, chances, replace(current, kind="over") if current else None, cause)
        return GO_ON
    choice, at = reply.choice
    chosen = chances[at]
    other = chosen.reason.other
    if choice == "talk":
        _decide(mind, chances, _begin(mind, chosen, "talk", mind.arena, ""), cause)
        return Intent(partner=other, topic=reply.topic or chosen.reason.text, cause=cause)
    name = mind.words.name(other)
    if choice == "go":
        room = chosen.rooms[0]
        activity = mind.words.say("looking_for", name=name)
        action = Action("act", activity, room, LOOKING_MINUTES, "🔎")
    else:
        room = mind.arena
        activity = mind.words.say("waiting_for_resident", name=name)
        minutes = min(WAIT_MINUTES, minutes_to_appointment(mind))
        action = Action("wait", activity, room, minutes, "⏳", started=mind.now)
    _decide(mind, chances, _begin(mind, chosen, choice, room, activity), cause)
    return Intent(action, cause=cause)


def _begin(mind: Mind, chosen: Chance, kind: ApproachKind, place: str, activity: str) -> Approach:
    """Return the approach that begins now."""
    return Approach(kind, chosen.reason.other, chosen.reason.key, place, activity, mind.now)


def _decide(mind: Mind, chances: Sequence[Chance], current: Approach | None, cause: str) -> None:
    """Store a decision: the approach under way, and the situations that it has answered.

    Looking for the other or waiting for them answers only that; meeting them is a new situation.
    """
    before = mind.state.approaches(mind.who).answered
    answered = [each for each in before if each.when.date() == mind.now.date()]
    for chance in chances:
        reason, situations = chance.reason, chance.situations
        if current and current.seeks and current.is_for(reason.key, reason.other):
            place = current.place
            situations = (_sought(place) if current.kind == "go" else _awaited(place),)
            answered = [
                each
                for each in answered
                if not current.is_for(each.reason, each.other) or each.situation not in (HERE, BUSY)
            ]
        answered += (
            AnsweredReason(reason.key, reason.other, situation, mind.now)
            for situation in situations
        )
    mind.do(ApproachesSet(mind.who, Approaches(current, tuple(answered))), cause)


# the end -----------------------------------------------------------------------------------


async def conclude_approach(mind: Mind) -> None:
    """End the approach under way if it has succeeded or failed, and remember why it failed."""
    made = mind.state.approaches(mind.who)
    current = made.current
    if current is None or not _is_over(mind, current):
        return
    mind.do(ApproachesSet(mind.who, Approaches(None, made.answered)), "rule:approach")
    if current.kind != "over" and not _has_talked(mind, current):
        await _remember_failure(mind, current)


def _is_over(mind: Mind, current: Approach) -> bool:
    """Return True if an approach has led to a conversation, or cannot do so any more."""
    action = mind.state.action(mind.who)
    return (
        current.kind in ("talk", "over")
        or _has_talked(mind, current)
        or action.activity != current.activity
        or bool(mind.state.body(mind.who).refused)
        or action.over(mind.now)
    )


def _has_talked(mind: Mind, current: Approach) -> bool:
    """Return True if the resident has talked with the other since the approach began."""
    last = mind.state.relation(mind.who, current.other).last
    return last is not None and last >= current.since


async def _remember_failure(mind: Mind, current: Approach) -> None:
    """Remember that an approach failed, with the reason.

    A door that nobody opened is remembered as an event of its own, and of those who are there after
    all, the decision about them is.
    """
    other, action = current.other, mind.state.action(mind.who)
    is_here = other in mind.scene.residents[mind.arena]
    if visited_in_vain(mind) or (is_here and current.kind != "talk"):
        return
    if current.kind == "talk":
        key = "no_time"
    elif action.activity != current.activity:
        key = "prevented"
    else:
        key = "not_found" if current.kind == "go" else "not_come"
    words = mind.words
    text = words.say(
        key,
        name=mind.me.name,
        other=words.name(other),
        place=mind.world.place_name(current.place),
        doing=action.activity,
    )
    memory = NewMemory(
        "event", text, mind.who, FAILED_PREDICATE, other, current.place, about=(other,)
    )
    await mind.remember([memory], [FAILED_POIGNANCY], "rule:approach")


def has_just_ended(mind: Mind) -> bool:
    """Return True if an approach was under way before this step and is over."""
    return (
        mind.context.snapshot.approaches(mind.who).current is not None
        and mind.state.approaches(mind.who).current is None
    )
