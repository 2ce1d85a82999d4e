"""Acting: from the task that is due to a place and a thing, and the reaction to who and what is there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from modules.agent.intent import GO_ON, Intent
from modules.agent.perceive import take_in
from modules.agent.places import spots
from modules.agent.plan import task_due
from modules.agent.reconsider import interrupts
from modules.agent.thinking import Thinking, concepts
from modules.clock import DAY, TICKS_PER_MINUTE, minute_of_day, minutes_between
from modules.memory.action import Action
from modules.memory.associate import Scored
from modules.memory.concept import Concept
from modules.memory.event import Event
from modules.memory.schedule import Entry, Task
from modules.prompt.noticing import REACT, Neighbour, ReactVars
from modules.prompt.planning import PLACE, PlaceVars
from modules.world.recipes import nearest_stand

SET_OUT_WITHIN = 60
"""Minutes before an appointment from which on the way to it is thought of; no town is wider."""

PLAN_AHEAD = 4
"""Entries of the schedule that whoever decides on a reaction has in view."""


async def decide(mind: Thinking, noticed: Sequence[Event]) -> Intent:
    """What to do next: what the schedule says, unless somebody or something in sight is worth reacting to.

    Taking in what is in sight and choosing what is next do not depend on each other, so both are thought of at once.
    """
    if mind.state.schedule(mind.who).at(mind.minute).kind == "sleep":
        await take_in(mind, noticed)
        return _go_to_sleep(mind)
    reaction, routine = await mind.at_once(lambda one: _react(one, noticed), _by_schedule)
    if not reaction.partner:
        return reaction if reaction.action else routine
    return replace(reaction, second=routine)


def _go_to_sleep(mind: Thinking) -> Intent:
    goes_to_bed = mind.state.action(mind.who).kind == "sleep"
    refused = goes_to_bed and bool(mind.state.body(mind.who).refused)
    if goes_to_bed and not refused:
        return GO_ON
    minutes = mind.state.schedule(mind.who).at(mind.minute).end - mind.minute
    where = mind.me.home if refused else mind.me.sleeps
    action = Action("sleep", mind.words.say("sleeping"), where, minutes, "😴", mind.words.say("in_use", name=mind.me.name))
    return Intent(action, cause="rule:bedtime")


async def _by_schedule(mind: Thinking) -> Intent:
    """Goes on with the action at hand until it is over, then takes the task that is due."""
    action, body = mind.state.action(mind.who), mind.state.body(mind.who)
    entry = mind.state.schedule(mind.who).at(mind.minute)
    bound_elsewhere = interrupts(entry) and mind.state.tasks(mind.who).entry < entry.start
    due = _appointment_due(mind)
    if due and mind.arena != due.address:
        return _set_out(mind, due)
    if action.kind != "sleep" and not body.refused and not action.over(mind.now) and not bound_elsewhere:
        return GO_ON
    task = await task_due(mind)
    if entry.address and not body.refused:
        emoji, rule = ("🤝", "rule:appointment") if entry.kind == "appointment" else ("💡", "rule:voice")
        return Intent(_action(mind, task, entry.address, emoji, ""), cause=rule)
    return await _choose_place(mind, task, entry.activity, body.refused)


def _appointment_due(mind: Thinking) -> Entry | None:
    """The next appointment, if whoever thinks of it at the next step only would be late for it."""
    coming = mind.state.schedule(mind.who).next_of("appointment", mind.minute + 1)
    if coming is None or not coming.address or coming.start - mind.minute > SET_OUT_WITHIN:
        return None
    return coming if mind.minute + mind.moment.stride + _way(mind, coming.address) >= coming.start else None


def _set_out(mind: Thinking, coming: Entry) -> Intent:
    """Goes to where an appointment is, to be there when it begins."""
    task = Task(mind.minute, max(coming.start, mind.minute + 1), mind.words.say("in_time_for", what=coming.activity))
    going = _action(mind, task, coming.address, "🚶", "")
    action = mind.state.action(mind.who)
    return GO_ON if (action.address, action.activity) == (going.address, going.activity) else Intent(going, cause="rule:appointment")


async def _choose_place(mind: Thinking, task: Task, entry: str, refused: str) -> Intent:
    minutes = task.end - mind.minute
    variables = PlaceVars(mind.situation, task.activity, entry, minutes, mind.arena, spots(mind, task.activity, entry), refused)
    reply, cause = await mind.ask(PLACE, variables)
    return Intent(_action(mind, task, reply.address, reply.emoji, reply.thing_state), cause=cause)


def _action(mind: Thinking, task: Task, address: str, emoji: str, thing_state: str) -> Action:
    """An action that ends when the task does: what the way takes is taken off its duration."""
    minutes = task.end - mind.minute - _way(mind, address)
    state = thing_state or mind.words.say("in_use", name=mind.me.name)
    return Action("act", task.activity, address, max(1, minutes), emoji, state if address in mind.world.things else "")


def _way(mind: Thinking, address: str) -> int:
    """Minutes that it takes to walk to a place."""
    _, steps = nearest_stand(mind.world, mind.state, mind.who, mind.state.body(mind.who).tile, address)
    return math.ceil(steps / TICKS_PER_MINUTE)


# reacting ----------------------------------------------------------------------------------


async def _react(mind: Thinking, events: Sequence[Event]) -> Intent:
    """Remember what is in sight; talk to somebody, wait for a thing that is in use, or go on with the routine."""
    noticed = await take_in(mind, events)
    people = partners(mind, noticed)
    waiting_for, free_in = _thing_awaited(mind)
    if not people and not waiting_for:
        return GO_ON
    found = await _recall_people(mind, people)
    variables = ReactVars(mind.situation, people, waiting_for, free_in, concepts(found), upcoming(mind)[:PLAN_AHEAD])
    reply, cause = await mind.ask(REACT, variables, found)
    if reply.decision == "talk":
        return Intent(partner=reply.whom, topic=reply.topic, cause=cause)
    if reply.decision == "wait":
        return Intent(_wait(mind, waiting_for, free_in), cause=cause)
    return GO_ON


async def _recall_people(mind: Thinking, people: Sequence[Neighbour]) -> list[Scored]:
    names = mind.words.names(one.id for one in people)
    query = mind.words.say("recall_other", name=mind.me.name, other=names) if people else mind.words.say("recall_plan", name=mind.me.name)
    return await mind.recall([query])


def _thing_awaited(mind: Thinking) -> tuple[str, int]:
    """The name of the thing whose claim failed, and the minutes until it is free as far as one can see."""
    body, address = mind.state.body(mind.who), mind.state.action(mind.who).address
    users = mind.state.thing(address).users
    if not body.refused or not users:
        return "", 0
    left = [_minutes_left(mind, user) for user in users]
    return mind.world.name_of(address), max(1, math.ceil(min(left)))


def _minutes_left(mind: Thinking, user: str) -> float:
    action = mind.state.action(user)
    started = action.started or mind.now
    return minutes_between(mind.now, started + timedelta(minutes=action.minutes))


def _wait(mind: Thinking, thing: str, minutes: int) -> Action:
    """Waiting where one stands, which begins at once."""
    minutes = min(max(minutes, 1), mind.state.schedule(mind.who).at(mind.minute).end - mind.minute)
    return Action("wait", mind.words.say("waiting_for", thing=thing), mind.arena, minutes, "⏳", started=mind.now)


def partners(mind: Thinking, noticed: Sequence[Concept]) -> tuple[Neighbour, ...]:
    """Those just noticed in sight to whom one could talk now."""
    if not may_open(mind):
        return ()
    subjects = {concept.subject for concept in noticed}
    near = [other for _, other in mind.scene.neighbours(mind.who, mind.settings.percept.vision_r)]
    return tuple(neighbour(mind, other) for other in near if other in subjects and may_talk(mind, other))


def may_open(mind: Thinking) -> bool:
    """Nobody on the way to something urgent starts a talk."""
    return minutes_to_appointment(mind) > mind.settings.chat.urgent_minutes


def minutes_to_appointment(mind: Thinking) -> int:
    """Game minutes to the next appointment of today; a day if there is none; 0 on the way to one."""
    schedule, action = mind.state.schedule(mind.who), mind.state.action(mind.who)
    on_the_way = schedule.at(mind.minute).kind == "appointment" and action.started is None
    if on_the_way:
        return 0
    coming = schedule.next_of("appointment", mind.minute)
    return coming.start - mind.minute if coming else DAY


def may_talk(mind: Thinking, other: str) -> bool:
    """Not to a sleeper, not to somebody in a talk, and not to whom one has just talked."""
    state = mind.state
    if state.asleep(other) or state.talking(other) is not None:
        return False
    last = state.relation(mind.who, other).last
    return last is None or minutes_between(last, mind.now) >= mind.settings.chat.cooldown_minutes


def neighbour(mind: Thinking, other: str) -> Neighbour:
    """Another as the resident knows it."""
    persona, relation = mind.world.personas[other], mind.state.relation(mind.who, other)
    known = mind.me.relation_to(other) or mind.world.acquaintance
    return Neighbour(
        id=other,
        name=persona.name,
        occupation=persona.occupation if known or relation.talks else "",
        doing=mind.state.action(other).activity,
        relation=known,
        closeness=relation.closeness((mind.me.closeness or {}).get(other, 0)),
        talks=relation.talks,
        last_talk=relation.last,
    )


def upcoming(mind: Thinking) -> tuple[tuple[int, str], ...]:
    """The rest of the day after what is under way, as (minute of the day, activity)."""
    entries = mind.state.schedule(mind.who).entries
    return tuple((entry.start, entry.activity) for entry in entries if entry.start > mind.minute)


def free_stretches(mind: Thinking) -> tuple[tuple[int, int], ...]:
    """Stretches of the rest of the day that hold neither sleep nor an appointment, in minutes."""
    entries = mind.state.schedule(mind.who).entries
    now = minute_of_day(mind.now)
    open_ones = [(max(entry.start, now), entry.end) for entry in entries if entry.kind == "activity" and entry.end > now]
    merged: list[tuple[int, int]] = []
    for start, end in open_ones:
        if merged and merged[-1][1] == start:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return tuple(merged)
