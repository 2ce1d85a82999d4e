"""Reacting to events in sight: greeting guests, talking, or waiting for a thing in use."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import timedelta
from itertools import islice

from hometown.agent.acting.approach import approach, record_request
from hometown.agent.acting.chances import MAX_PEOPLE_IN_MIND, find_chances, find_listeners
from hometown.agent.acting.partners import (
    describe_neighbour,
    find_partners,
    find_partners_in_sight,
    may_speak_to,
)
from hometown.agent.acting.talk_urge import feels_like_talking
from hometown.agent.mind import Mind, concepts
from hometown.agent.mind.facing import recall_facing
from hometown.agent.mind.intent import GO_ON, MET_CAUSE, Intent
from hometown.agent.perception.perceive import remember_events
from hometown.agent.planning.at_occasions import (
    find_guest_to_greet,
    find_meeting,
    has_just_come,
)
from hometown.agent.planning.entry_tasks import find_refusal
from hometown.agent.planning.rest_of_day import upcoming
from hometown.clock import minutes_between
from hometown.memory.action import Action
from hometown.memory.event import Event
from hometown.memory.scoring import Scored
from hometown.prompt.reactions import REACT, WAIT, Neighbour, ReactVars

LONGEST_WAIT_MINUTES = 15
"""Minutes for which a resident waits for a thing in use without asking the model."""

MAX_RECALLED = 6
"""Maximum number of memories recalled about residents in sight."""

MAX_COMING_ENTRIES = 4
"""Number of coming schedule entries in the prompt `react`."""


async def react(mind: Mind, events: Sequence[Event]) -> Intent:
    """Remember events and return the reaction to them; GO_ON for none. Meetings and guests come
    first, then those whom the resident has in mind. With `thrift.reacts_with_reason`, rules select
    the residents to whom the resident feels like talking, and the model is asked only about those;
    short waits for a thing in use are decided by rule.
    """
    chances = find_chances(mind)  # before any wait: the schedule goes on meanwhile
    noticed = await remember_events(mind, events)
    opening = _open_meeting(mind) or _greet_guest(mind)
    if opening:
        return opening
    approaching = await approach(mind, chances)
    if approaching is not None:
        return approaching
    people = find_partners(mind, noticed)
    is_inclined = mind.settings.thrift.reacts_with_reason
    if is_inclined:
        people = tuple(person for person in people if feels_like_talking(mind, person))
    thing, free_in = _find_awaited_thing(mind)
    if not people and not thing:
        return GO_ON
    if is_inclined and not people:
        if free_in > LONGEST_WAIT_MINUTES:
            return GO_ON
        return Intent(_make_wait(mind, thing, free_in), cause="rule:wait")
    if is_inclined and mind.freedom(REACT.kind) == "plain":
        # The smallest models answer alike for all residents, so the nearest one is spoken to.
        return Intent(partner=people[0].id, cause="rule:urge")
    return await _ask_for_reaction(mind, people, thing, free_in)


def _open_meeting(mind: Mind) -> Intent | None:
    """Return the request to open an agreed meeting with its conversation; None if there is none to
    open.
    """
    meeting = find_meeting(mind)
    if meeting is None:
        return None
    free = [who for who in meeting[1] if may_speak_to(mind, who)]
    return Intent(partner=free[0], cause=MET_CAUSE) if free else None


def _greet_guest(mind: Mind) -> Intent | None:
    """Return the request of a host to talk to a guest, with a welcome for one who has just come; None
    if there is none.
    """
    greeting = find_guest_to_greet(mind, find_partners_in_sight)
    if greeting is None:
        return None
    guest, occasion = greeting
    is_welcome = has_just_come(mind, occasion, guest.id)
    topic = mind.words.say("greeting", name=guest.name) if is_welcome else ""
    return Intent(partner=guest.id, topic=topic, cause="rule:greeting")


async def _ask_for_reaction(
    mind: Mind, people: Sequence[Neighbour], thing: str, free_in: int
) -> Intent:
    """Ask whether to talk to one of `people`, or of the others in earshot, or to wait for a thing that
    is free in some minutes; return the intent, which declines all of them if it is neither.
    """
    found, near = await _recall_people(mind, people), _find_bystanders(mind, people)
    variables = ReactVars(
        mind.situation,
        (*people, *near),
        thing,
        free_in,
        concepts(found),
        upcoming(mind)[:MAX_COMING_ENTRIES],
        mind.settings.thrift.reacts_with_reason,
        len(near),
    )
    reply, cause, asked = await mind.ask_with_variables(REACT, variables, found)
    if reply.partner is not None:
        other = asked.neighbours[reply.partner].id
        record_request(mind, other, reply.topic, cause)
        return Intent(partner=other, topic=reply.topic, cause=cause)
    if reply.decision == WAIT:
        return Intent(_make_wait(mind, thing, free_in), cause=cause)
    return Intent(declined=tuple(person.id for person in asked.neighbours))


def _find_bystanders(mind: Mind, people: Sequence[Neighbour]) -> tuple[Neighbour, ...]:
    """Return the others in earshot who may be spoken to, for whom there is room beside `people`; none
    without these.
    """
    chosen = {person.id for person in people}
    near = (
        who
        for who in (find_listeners(mind, mind.who) if people else ())
        if who not in chosen and may_speak_to(mind, who)
    )
    room = max(MAX_PEOPLE_IN_MIND - len(chosen), 0)
    return tuple(describe_neighbour(mind, who) for who in islice(near, room))


async def _recall_people(mind: Mind, people: Sequence[Neighbour]) -> list[Scored]:
    """Return memories of residents in sight, or of the day's plan if there are none."""
    if not people:
        query = mind.words.say("recall_plan", name=mind.me.name)
        most = min(MAX_RECALLED, mind.settings.associate.retrieve_max)
        return await mind.recall([query], count=most)
    others = [person.id for person in people]
    query = mind.words.say("recall_other", name=mind.me.name, other=mind.words.names(others))
    return await recall_facing(mind, others, [query], MAX_RECALLED)


def _find_awaited_thing(mind: Mind) -> tuple[str, int]:
    """Return a thing that is in use by others, with its article, and the minutes until it is free;
    ("", 0) if the resident was not refused the use of a thing for what is due, nobody uses it, or they
    have a job under way.
    """
    address = mind.state.action(mind.who).address
    users = mind.state.thing(address).users
    if not find_refusal(mind) or not users or mind.state.job(mind.who):
        return "", 0
    left = [_minutes_left(mind, user) for user in users]
    return mind.words.thing(address), max(1, math.ceil(min(left)))


def _minutes_left(mind: Mind, user: str) -> float:
    """Return the minutes until a resident's action ends."""
    action = mind.state.action(user)
    started = action.started or mind.now
    return minutes_between(mind.now, started + timedelta(minutes=action.minutes))


def _make_wait(mind: Mind, thing: str, minutes: int) -> Action:
    """Return the action of waiting on the spot for a thing, which begins at once and ends with the
    schedule's entry at the latest.
    """
    minutes = min(max(minutes, 1), mind.state.schedule(mind.who).at(mind.minute).end - mind.minute)
    return Action(
        "wait",
        mind.words.say("waiting_for", thing=thing),
        mind.arena,
        minutes,
        "⏳",
        started=mind.now,
    )
