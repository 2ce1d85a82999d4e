"""Approaching others whom one has in mind: talking with them or joining their conversation, handing
something over, asking them along, looking for them, waiting for them, leaving a note.

A failed approach is remembered with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from hometown.agent.acting.chances import (
    LOOKING_MINUTES,
    NOTE_LEFT,
    UNTIL_ALONE,
    Chance,
    add_bystanders,
    awaited_at,
    find_failures,
    find_listeners,
    say_until_alone,
    sought_at,
)
from hometown.agent.acting.note_leaving import leave_note
from hometown.agent.acting.partners import describe_neighbour, may_speak_to
from hometown.agent.acting.reasons import (
    BUSY,
    FAILED_PREDICATE,
    HERE,
    UNSAID_PREDICATE,
    find_wish_of,
)
from hometown.agent.acting.walking import walking_minutes
from hometown.agent.mind import Mind, NewMemory, concepts
from hometown.agent.mind.facing import list_talked_with, recall_facing
from hometown.agent.mind.intent import GO_ON, Intent
from hometown.agent.mind.wishes import record_wish, say_about_wish
from hometown.agent.perception.perceive import visited_in_vain
from hometown.agent.planning.agreements import SAME_ACT_COVERAGE_MIN
from hometown.agent.planning.rest_of_day import minutes_to_appointment, upcoming
from hometown.memory.action import Action
from hometown.prompt.activity_form import in_third_person
from hometown.prompt.approach_prompt import (
    APPROACH,
    ApproachReply,
    ApproachVars,
    Choice,
    PersonInMind,
    ReasonKind,
)
from hometown.text import catalogue, coverage, overlap
from hometown.world.approaches import (
    AnsweredReason,
    Approach,
    Approaches,
    ApproachesSet,
    ApproachKind,
)
from hometown.world.incidents import FULL_STOPS

WAIT_MINUTES = 30
"""Maximum number of minutes for which a resident waits for another."""

MAX_RECALLED = 6
"""Maximum number of memories recalled about the residents whom one has in mind."""

MAX_COMING_ENTRIES = 4
"""Number of coming schedule entries in the prompt."""

FAILED_POIGNANCY = 4
"""Poignancy of the memory of a failed approach."""

PRESSING_KINDS: frozenset[ReasonKind] = frozenset({"agreement", "task", "wish"})
"""The kinds of reasons that stay open while the resident turns to another."""

MAX_FAILURES = 3
"""Number of failed approaches to one resident on a day after which a reason is not raised again."""

UNREASONED = ""
"""The key in place of a reason to approach another, where there is none."""

WISH_PHRASES: Mapping[Choice, str] = {"go": "looked_for", "wait": "waited", "note": "noted"}
"""The phrases that tell what was done for a wish, by choice."""

SEEKING: Mapping[Choice, tuple[ApproachKind, str]] = {
    "go": ("go", "looking_for"),
    "wait": ("wait", "waiting_for_resident"),
    "join": ("join", "joining"),
}
"""The choices that take a while: the kind of approach, and the phrase for its activity."""


async def approach(mind: Mind, chances: Sequence[Chance]) -> Intent | None:
    """Ask the model for the approach to those whom the resident has in mind, record it and return
    the intent; None if there is nothing to decide. A conversation that the resident waits to join
    comes first, and the smallest models are not asked: a rule decides.
    """
    if joining := _request_to_join(mind):
        return joining
    if not chances:
        return None
    if mind.freedom(APPROACH.kind) == "plain":
        return _approach_by_rule(mind, chances)
    open_to_all = add_bystanders(mind, chances)
    reply, cause, asked = await _ask(mind, open_to_all)
    return await _carry_out(mind, open_to_all[: len(asked.people)], reply, cause)


def _request_to_join(mind: Mind) -> Intent | None:
    """Return the request to talk with those whose conversation the resident waits to join, once it
    is over; None before, or if the resident waits for no conversation.
    """
    current = mind.state.approaches(mind.who).current
    if current is None or current.kind != "join" or not mind.is_here(current.other):
        return None
    if not may_speak_to(mind, current.other):
        return None
    return Intent(
        partner=current.other, topic=current.topic, cause="rule:approach", along=current.along
    )


def _approach_by_rule(mind: Mind, chances: Sequence[Chance]) -> Intent | None:
    """Return the request to talk with the first one who is free, and record it; None if all are
    busy or elsewhere. The smallest models would answer alike for all residents.
    """
    free = [chance for chance in chances if "talk" in chance.choices]
    if not free:
        return None
    reason = free[0].reason
    current = Approach("talk", reason.other, reason.key, mind.arena, "", mind.now)
    _decide(mind, free[:1], current, "rule:approach")
    return Intent(partner=reason.other, topic=reason.text, cause="rule:approach")


async def _ask(mind: Mind, chances: Sequence[Chance]) -> tuple[ApproachReply, str, ApproachVars]:
    """Ask the model for the approach to those whom the resident has in mind, with memories of them
    that are no reasons themselves, of failed approaches among these, and the coming entries of the
    schedule.
    """
    others = [chance.reason.other for chance in chances]
    query = mind.words.say("recall_other", name=mind.me.name, other=mind.words.names(others))
    texts = [chance.reason.text for chance in chances if chance.reason.text]
    found = await recall_facing(mind, others, [query, *texts], MAX_RECALLED)
    recalled = dict.fromkeys((*concepts(found), *find_failures(mind, others)))
    told = {memory for memory in recalled if memory.text in texts}  # as reasons
    variables = ApproachVars(
        mind.situation,
        tuple(_as_in_mind(mind, chance) for chance in chances),
        tuple(sorted(recalled.keys() - told, key=lambda memory: memory.id)),
        upcoming(mind)[:MAX_COMING_ENTRIES],
        WAIT_MINUTES,
        mind.words.names(_find_hearers(mind, chances)),
    )
    return await mind.ask_with_variables(APPROACH, variables, found)


def _as_in_mind(mind: Mind, chance: Chance) -> PersonInMind:
    """Return a resident in the form in which the prompt lists them."""
    reason, place = chance.reason, chance.place
    known = describe_neighbour(mind, reason.other)
    room = chance.rooms[0] if chance.rooms else mind.arena
    sighted = place.sought.seen if place is not None and room == place.rooms[0] else None
    return PersonInMind(
        known if chance.is_here else replace(known, doing=""),
        reason.kind,
        reason.text,
        reason.when,
        "free" if "talk" in chance.choices else "busy" if chance.is_here else "away",
        mind.world.place_name(room) if chance.rooms else "",
        sighted,
        0 if room == mind.arena else walking_minutes(mind, room),
        chance.choices,
        mind.words.names(() if "talk" in chance.choices else list_company(mind, reason.other)),
        chance.invitations,
        chance.gift,
    )


def _find_hearers(mind: Mind, chances: Iterable[Chance]) -> tuple[str, ...]:
    """Return those who would hear a conversation for which there is a reason now."""
    partners = (
        chance.reason.other
        for chance in chances
        if "talk" in chance.choices and chance.reason.kind != "near"
    )
    listeners = (find_listeners(mind, partner) for partner in partners)
    return tuple(dict.fromkeys(chain.from_iterable(listeners)))


def list_company(mind: Mind, other: str) -> tuple[str, ...]:
    """Return the others in the room with whom a resident, this one or another, is in conversation;
    none if that one is elsewhere or talks with nobody.
    """
    talking = mind.state.talking(other)
    if talking is None or not mind.is_here(other):
        return ()
    return tuple(
        who
        for who in mind.scene.residents[mind.arena]
        if who not in (other, mind.who)
        and (theirs := mind.state.talking(who)) is not None
        and theirs.talk == talking.talk
    )


async def _carry_out(
    mind: Mind, chances: Sequence[Chance], reply: ApproachReply, cause: str
) -> Intent:
    """Record a decision, for the wish behind it as well; leave a note if that is the choice. Return
    the intent that carries it out: one that declines all if there is no choice.
    """
    if reply.choice is None:
        current = mind.state.approaches(mind.who).current
        _decide(mind, chances, replace(current, kind="over") if current else None, cause)
        return Intent(declined=tuple(chance.reason.other for chance in chances))
    choice, at = reply.choice
    chosen = chances[at]
    topic = _name_invitation(chosen, reply.topic) if choice == "ask" else reply.topic
    topic = topic or chosen.reason.text
    if wish := find_wish_of(mind, chosen.reason.key):
        name, place = mind.words.name(chosen.reason.other), mind.arena
        place = chosen.rooms[0] if choice == "go" else place
        fields = {"name": name, "place": mind.world.place_name(place)}
        why = say_about_wish(mind.world.lang, WISH_PHRASES.get(choice, "spoke"), **fields)
        record_wish(mind, wish, "sought", cause, why)
    if choice == "note":
        await leave_note(mind, chosen.reason.other, chosen.mailbox, topic, cause)
        done = replace(chosen, situations=(*chosen.situations, NOTE_LEFT))
        _decide(mind, [done if chance is chosen else chance for chance in chances], None, cause)
        return GO_ON
    carry_out = _seek if choice in SEEKING else _speak_to
    current, intent = carry_out(mind, chosen, choice, topic)
    _decide(mind, chances, current, cause)
    return replace(intent, cause=cause)


def _name_invitation(chosen: Chance, topic: str) -> str:
    """Return that to which another is asked along: the topic in the resident's own words, or the
    invitation that it only points to.
    """
    nearest = max(chosen.invitations, key=lambda each: overlap(each, topic))
    return topic if topic and coverage(nearest, topic) < SAME_ACT_COVERAGE_MIN else nearest


def _speak_to(mind: Mind, chosen: Chance, choice: Choice, topic: str) -> tuple[Approach, Intent]:
    """Return the approach and the request to talk with another: about the topic, to hand over the
    gift that it names, or to ask them along to what it names.
    """
    other, gift = chosen.reason.other, topic if choice == "hand" else ""
    name = mind.words.name(other)
    if choice == "hand":
        topic = mind.words.say("giving", other=name, thing=topic)
    elif choice == "ask":
        topic = mind.words.say("asking_along", other=name, invitation=topic)
    current = Approach("talk", other, chosen.reason.key, mind.arena, "", mind.now, topic=topic)
    wish = find_wish_of(mind, chosen.reason.key)
    is_alone = wish is not None and wish.is_alone
    return current, Intent(partner=other, topic=topic, gift=gift, alone=is_alone)


def record_request(mind: Mind, other: str, topic: str, cause: str) -> None:
    """Record the decision to talk with another for no reason that is kept, unless another approach
    is under way; without a conversation, the resident remembers it and still means to.
    """
    made = mind.state.approaches(mind.who)
    if made.current is None:
        current = Approach("talk", other, UNREASONED, mind.arena, "", mind.now, topic=topic)
        mind.do(ApproachesSet(mind.who, replace(made, current=current)), cause)


def _seek(mind: Mind, chosen: Chance, choice: Choice, topic: str) -> tuple[Approach, Intent]:
    """Return the approach and the intent to look for another, to wait for them, or to stand by their
    conversation.
    """
    words, other = mind.words, chosen.reason.other
    room = chosen.rooms[0] if choice == "go" else mind.arena
    along = list_company(mind, other) if choice == "join" else ()
    names = words.names((other, *along))
    kind, phrase = SEEKING[choice]
    outside = ""
    if choice == "wait" and HERE in chosen.situations:
        phrase, outside = UNTIL_ALONE, catalogue(mind.world.lang, "outside")["waiting_seen"]
    activity = words.say(phrase, names=names)
    current = Approach(kind, other, chosen.reason.key, room, activity, mind.now, along, topic)
    if choice == "go":
        return current, Intent(Action("act", activity, room, LOOKING_MINUTES, "🔎"))
    minutes = min(WAIT_MINUTES, minutes_to_appointment(mind))
    action = Action("wait", activity, room, minutes, "⏳", started=mind.now)
    return current, Intent(action.seen_as(outside))


def _decide(mind: Mind, chances: Sequence[Chance], current: Approach | None, cause: str) -> None:
    """Store a decision: the approach under way, and the situations that it has answered. Looking
    for the other or waiting for them answers only that; meeting them is a new situation. To turn to
    one leaves pressing reasons to turn to others open. Answers of earlier days are dropped.
    """
    before = mind.state.approaches(mind.who).answered
    answered = [each for each in before if each.when.date() == mind.now.date()]
    for chance in chances:
        reason, situations = chance.reason, chance.situations
        is_other = current is not None and reason.other != current.other
        if reason.kind == "near":
            continue
        if is_other and reason.kind in PRESSING_KINDS and HERE in situations:
            continue
        if current and current.seeks and current.is_for(reason.key, reason.other):
            place = current.place
            situations = (sought_at(place) if current.kind == "go" else awaited_at(place),)
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
    """End the approach under way if it has succeeded or failed, and remember why it failed. Having
    failed, the resident may speak to the other once they are free, up to a number of times a day.
    """
    made = mind.state.approaches(mind.who)
    current = made.current
    if current is None or not _is_over(mind, current):
        return
    has_failed = current.kind != "over" and not _has_talked(mind, current)
    answered = made.answered
    if has_failed and len(list(find_failures(mind, (current.other,)))) < MAX_FAILURES:
        answered = tuple(
            each
            for each in answered
            if not (current.is_for(each.reason, each.other) and each.situation == HERE)
        )
    mind.do(ApproachesSet(mind.who, Approaches(None, answered)), "rule:approach")
    if has_failed:
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
        or (current.kind == "join" and not mind.is_here(current.other))
        or _has_come(mind, current)
    )


def _has_come(mind: Mind, current: Approach) -> bool:
    """Return True if the other, for whom the resident waits, has come; to wait until one who is here
    is alone is another matter.
    """
    is_until_alone = current.activity == say_until_alone(mind, current.other)
    return current.kind == "wait" and not is_until_alone and mind.is_here(current.other)


def _has_talked(mind: Mind, current: Approach) -> bool:
    """Return True if the resident has talked with the other since the approach began."""
    return mind.state.relation(mind.who, current.other).has_talked_since(current.since)


async def _remember_failure(mind: Mind, current: Approach) -> None:
    """Remember that an approach failed, with the reason, and record it for the wish behind it.
    Nothing is remembered of an unanswered door, which is an event of its own, nor if the other has
    been found and the approach only led to them.
    """
    other, action = current.other, mind.state.action(mind.who)
    is_to_speak = current.kind in ("talk", "join")
    talked_with = list_talked_with(mind, current.since)
    company = mind.words.names(talked_with or list_company(mind, other))
    is_kept_waiting = mind.is_here(other) and current.activity == say_until_alone(mind, other)
    if visited_in_vain(mind) or (mind.is_here(other) and not (is_to_speak or is_kept_waiting)):
        return
    key = "never_alone" if is_kept_waiting else _name_failure(mind, current, talked_with)
    words = mind.words
    text = words.say(
        key,
        name=mind.me.name,
        other=words.name(other),
        place=mind.world.place_name(current.place),
        doing=action.activity,
        company=company,
    )
    predicate = UNSAID_PREDICATE if current.reason == UNREASONED else FAILED_PREDICATE
    if topic := words.left_unsaid(current.topic).rstrip(FULL_STOPS):
        if re.search(words.texts["second_person"], topic, re.IGNORECASE):
            topic = words.say("quoted", text=topic)
        topic = in_third_person(topic, mind.me, mind.world.lang)
        text = words.say("still_means", text=text, topic=topic)
    memory = NewMemory("event", text, mind.who, predicate, other, current.place, about=(other,))
    (made,) = await mind.remember([memory], [FAILED_POIGNANCY], "rule:approach")
    if wish := find_wish_of(mind, current.reason):
        record_wish(mind, wish, "missed", "rule:approach", text, made.id)


def _name_failure(mind: Mind, current: Approach, talked_with: Sequence[str]) -> str:
    """Return the key of the phrase that says why an approach failed: the resident talked with others,
    has gone, or did something else; or the other was taken or not there, or there was no chance.
    """
    if current.kind not in ("talk", "join"):
        if mind.state.action(mind.who).activity != current.activity:
            return "prevented"
        return "not_found" if current.kind == "go" else "not_come"
    if talked_with:
        return "talked_first"
    if mind.arena != current.place:
        return "prevented"
    if not mind.is_here(current.other):
        return "left_before"
    return "taken" if list_company(mind, current.other) else "no_chance"


def has_just_ended(mind: Mind) -> bool:
    """Return True if an approach for a reason was under way before this step and is over."""
    before = mind.context.snapshot.approaches(mind.who).current
    is_over = mind.state.approaches(mind.who).current is None
    return before is not None and before.reason != UNREASONED and is_over
