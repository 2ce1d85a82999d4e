"""Acting: from the task that is due to a place and a thing, and the reaction to who and what is
there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from hometown.agent.bedtime import go_to_bed
from hometown.agent.care import laid_low, sparing_itself, succour
from hometown.agent.habits import usual_emoji
from hometown.agent.intent import GO_ON, Intent
from hometown.agent.mind import Mind, concepts
from hometown.agent.occasions import to_greet
from hometown.agent.perceive import take_in
from hometown.agent.places import is_open, known_places, spots
from hometown.agent.plan import task_due
from hometown.agent.reconsider import interrupts
from hometown.agent.steps import at_leisure
from hometown.agent.upkeep import chore
from hometown.agent.urge import feels_like_talking
from hometown.agent.weather import kept_in
from hometown.agent.work import at_a_break, came_to_an_end, in_company, pressed, to_work, under_way
from hometown.clock import DAY, TICKS_PER_MINUTE, minute_of_day, minutes_between
from hometown.memory.action import Action
from hometown.memory.concept import Concept
from hometown.memory.event import Event
from hometown.memory.schedule import Entry, PlacedTask, Task
from hometown.memory.scoring import Scored
from hometown.prompt.doing import PLACE, PlaceVars
from hometown.prompt.noticing import REACT, WAIT, Neighbour, ReactVars
from hometown.world.recipes import stand_for

SET_OUT_WITHIN = 60
"""Minutes before an appointment from which the way to it is considered; no town takes longer to
cross.
"""

LONGEST_WAIT = 15
"""Minutes for which a resident on its own waits for a thing that is in use."""

RECALLED = 2
"""Memories that come to mind when somebody is met."""

_CALLED = {"voice": ("💡", "rule:voice"), "react": ("❗", "rule:react")}
"""The emoji of an entry that calls somewhere, and the rule by which it is followed, by the
beginning of its origin; of all others, appointments.
"""

PLAN_AHEAD = 2
"""Number of coming schedule entries shown in the prompt that decides on a reaction."""


async def decide(mind: Mind, noticed: Sequence[Event]) -> Intent:
    """What to do next: what the schedule says, unless somebody or something in sight is worth
    reacting to.

    Perceiving what is in sight and choosing what is next do not depend on each other, so their
    calls run concurrently.
    """
    if (first := laid_low(mind) or pressed(mind) or succour(mind)) is not None:
        await take_in(mind, noticed)
        return first
    if mind.state.schedule(mind.who).at(mind.minute).kind == "sleep":
        await take_in(mind, noticed)
        return go_to_bed(mind)
    reaction, routine = await mind.at_once(lambda branch: _react(branch, noticed), _by_schedule)
    if not reaction.partner:
        return reaction if reaction.action else routine
    return replace(reaction, second=routine)


async def _by_schedule(mind: Mind) -> Intent:
    """Continues the current action until it is over, then takes the task that is due."""
    action, body = mind.state.action(mind.who), mind.state.body(mind.who)
    entry = mind.state.schedule(mind.who).at(mind.minute)
    bound_elsewhere = interrupts(entry) and mind.state.tasks(mind.who).entry < entry.start
    due = _appointment_due(mind)
    if due and mind.arena != due.address:
        return _set_out(mind, due)
    if in_company(mind):
        return GO_ON
    called_elsewhere = bound_elsewhere or bool(entry.address)
    if not called_elsewhere and (errand := under_way(mind)):
        return errand
    if (
        action.kind != "sleep"
        and not body.refused
        and not action.over(mind.now)
        and not bound_elsewhere
        and not came_to_an_end(mind)
    ):
        return GO_ON
    if not called_elsewhere and (relief := at_a_break(mind)):
        return relief
    task = await task_due(mind)
    if entry.address and not (
        body.refused and (action.address, action.activity) == (entry.address, task.activity)
    ):
        emoji, rule = _CALLED.get(entry.origin.partition(":")[0], ("🤝", "rule:appointment"))
        return Intent(_action(mind, task, entry.address, emoji, ""), cause=rule)
    if resting := sparing_itself(mind, task):
        return Intent(_action(mind, *resting, "🤒", ""), cause="rule:ailing")
    if errand := to_work(mind, task):
        return errand
    if entry.kind == "activity" and not body.refused and (tidying := chore(mind, task)):
        return tidying
    place = task.address if isinstance(task, PlacedTask) else ""
    if (
        entry.kind == "activity"
        and not body.refused
        and mind.heart.stays_in(task.activity, place, mind.me.home, entry.origin == "plan")
    ):
        return Intent(
            _action(
                mind, replace(task, activity=mind.words.say("staying_in")), mind.me.home, "🏠", ""
            ),
            cause="rule:mood",
        )
    if (
        isinstance(task, PlacedTask)
        and not entry.address
        and (sheltering := kept_in(mind, task.activity, task.address))
    ):
        return Intent(
            _action(mind, replace(task, activity=sheltering), mind.me.home, "🏠", ""),
            cause="rule:weather",
        )
    if (
        isinstance(task, PlacedTask)
        and not body.refused
        and is_open(mind, task.address, task.activity)
    ):
        return Intent(_action(mind, task, task.address, task.emoji, ""), cause="rule:schedule")
    if mind.world.book:
        placed = at_leisure(mind, task, entry.activity, known_places(mind))
        return Intent(
            _action(mind, task, mind.arena if body.refused else placed.address, placed.emoji, ""),
            cause="rule:schedule",
        )
    return await _choose_place(mind, task, entry.activity, body.refused)


def _appointment_due(mind: Mind) -> Entry | None:
    """The next appointment, if leaving one step later would be too late for it."""
    coming = mind.state.schedule(mind.who).next_of("appointment", mind.minute + 1)
    if coming is None or not coming.address or coming.start - mind.minute > SET_OUT_WITHIN:
        return None
    return (
        coming
        if mind.minute + mind.moment.stride + _way(mind, coming.address) >= coming.start
        else None
    )


def _set_out(mind: Mind, coming: Entry) -> Intent:
    """Goes to where an appointment is, to be there when it begins."""
    task = Task(
        mind.minute,
        max(coming.start, mind.minute + 1),
        mind.words.say("in_time_for", what=coming.activity),
    )
    going = _action(mind, task, coming.address, "🚶", "")
    action = mind.state.action(mind.who)
    return (
        GO_ON
        if (action.address, action.activity) == (going.address, going.activity)
        else Intent(going, cause="rule:appointment")
    )


async def _choose_place(mind: Mind, task: Task, entry: str, refused: str) -> Intent:
    minutes = task.end - mind.minute
    emoji = usual_emoji(mind, task.activity, entry) if mind.near_habit else ()
    offered = spots(mind, task.activity, entry)
    variables = PlaceVars(
        mind.situation,
        task.activity,
        entry,
        minutes,
        mind.arena,
        offered,
        refused,
        emoji,
        brief=mind.near_habit,
    )
    reply, cause, asked = await mind.ask_by_number(PLACE, variables)
    return Intent(
        _action(mind, task, asked.spots[reply.place - 1].address, reply.emoji, reply.thing_state),
        cause=cause,
    )


def _action(mind: Mind, task: Task, address: str, emoji: str, thing_state: str) -> Action:
    """An action that ends when the task does: the walking time is subtracted from its duration."""
    minutes = task.end - mind.minute - _way(mind, address)
    state = thing_state or mind.words.say("in_use", name=mind.me.name)
    return Action(
        "act",
        task.activity,
        address,
        max(1, minutes),
        emoji,
        state if address in mind.world.things else "",
    )


def _way(mind: Mind, address: str) -> int:
    """Walking time to a place in minutes."""
    stand = stand_for(mind.world, mind.state, mind.who, address)
    return math.ceil(
        mind.world.maze.distance(mind.state.body(mind.who).tile, stand) / TICKS_PER_MINUTE
    )


# reacting ----------------------------------------------------------------------------------


async def _react(mind: Mind, events: Sequence[Event]) -> Intent:
    """Remember what is in sight; talk to somebody, wait for a thing that is in use, or go on with
    the routine.
    """
    noticed = await take_in(mind, events)
    people, inclined = partners(mind, noticed), mind.settings.thrift.reacts_with_reason
    if greeting := to_greet(mind, in_reach):
        guest, occasion = greeting
        return Intent(
            partner=guest.id,
            topic=mind.words.say("greeting", name=guest.name, what=occasion.what),
            cause="rule:greeting",
        )
    if inclined:
        people = tuple(person for person in people if feels_like_talking(mind, person))
    waiting_for, free_in = _thing_awaited(mind)
    if not people and not waiting_for:
        return GO_ON
    if not people and inclined:
        return (
            Intent(_wait(mind, waiting_for, free_in), cause="rule:wait")
            if free_in <= LONGEST_WAIT
            else GO_ON
        )
    if inclined and mind.freedom == "plain":
        return Intent(
            partner=people[0].id, cause="rule:urge"
        )  # so small a model says the same of everybody: whoever is nearest is spoken to
    found = await _recall_people(mind, people)
    variables = ReactVars(
        mind.situation,
        people,
        waiting_for,
        free_in,
        concepts(found),
        upcoming(mind)[:PLAN_AHEAD],
        inclined,
    )
    reply, cause, asked = await mind.ask_by_number(REACT, variables, found)
    if reply.partner is not None:
        return Intent(partner=asked.neighbours[reply.partner].id, topic=reply.topic, cause=cause)
    if reply.decision == WAIT:
        return Intent(_wait(mind, waiting_for, free_in), cause=cause)
    return GO_ON


async def _recall_people(mind: Mind, people: Sequence[Neighbour]) -> list[Scored]:
    names = mind.words.names(person.id for person in people)
    query = (
        mind.words.say("recall_other", name=mind.me.name, other=names)
        if people
        else mind.words.say("recall_plan", name=mind.me.name)
    )
    return await mind.recall([query], count=min(RECALLED, mind.settings.associate.retrieve_max))


def _thing_awaited(mind: Mind) -> tuple[str, int]:
    """The name of the thing that could not be claimed, and the estimated minutes until it is free."""
    body, address = mind.state.body(mind.who), mind.state.action(mind.who).address
    users = mind.state.thing(address).users
    if not body.refused or not users or mind.state.job(mind.who):
        return "", 0
    left = [_minutes_left(mind, user) for user in users]
    return mind.world.name_of(address), max(1, math.ceil(min(left)))


def _minutes_left(mind: Mind, user: str) -> float:
    action = mind.state.action(user)
    started = action.started or mind.now
    return minutes_between(mind.now, started + timedelta(minutes=action.minutes))


def _wait(mind: Mind, thing: str, minutes: int) -> Action:
    """Waiting on the spot, which begins at once."""
    minutes = min(max(minutes, 1), mind.state.schedule(mind.who).at(mind.minute).end - mind.minute)
    return Action(
        "wait",
        mind.words.say("waiting_for", thing=thing),
        mind.arena,
        minutes,
        "⏳",
        started=mind.now,
    )


def partners(mind: Mind, noticed: Sequence[Concept]) -> tuple[Neighbour, ...]:
    """Residents just noticed with whom a conversation could begin now."""
    if not may_open(mind):
        return ()
    subjects = {concept.subject for concept in noticed}
    near = [other for _, other in mind.scene.neighbours(mind.who, mind.settings.percept.vision_r)]
    return tuple(
        neighbour(mind, other) for other in near if other in subjects and may_speak_to(mind, other)
    )


def in_reach(mind: Mind) -> tuple[Neighbour, ...]:
    """All in sight with whom a conversation could begin now, nearest first."""
    near = (other for _, other in mind.scene.neighbours(mind.who, mind.settings.percept.vision_r))
    return (
        tuple(neighbour(mind, other) for other in near if may_speak_to(mind, other))
        if may_open(mind)
        else ()
    )


def may_open(mind: Mind) -> bool:
    """Whether the resident may start a conversation: not shortly before an appointment, nor on the
    way to one.
    """
    return minutes_to_appointment(mind) > mind.settings.chat.urgent_minutes


def minutes_to_appointment(mind: Mind) -> int:
    """Game minutes to the next appointment of today; a day if there is none; 0 on the way to one."""
    schedule, action = mind.state.schedule(mind.who), mind.state.action(mind.who)
    on_the_way = schedule.at(mind.minute).kind == "appointment" and action.started is None
    if on_the_way:
        return 0
    coming = schedule.next_of("appointment", mind.minute)
    return coming.start - mind.minute if coming else DAY


def may_speak_to(mind: Mind, other: str) -> bool:
    """Whether another may be spoken to: awake, in no conversation, and not within the cooldown
    after the last one.
    """
    state = mind.state
    if state.is_asleep(other) or state.talking(other) is not None:
        return False
    last = state.relation(mind.who, other).last
    return last is None or minutes_between(last, mind.now) >= mind.settings.chat.cooldown_minutes


def neighbour(mind: Mind, other: str) -> Neighbour:
    """Another resident, as far as this one knows it."""
    persona, relation = mind.world.personas[other], mind.state.relation(mind.who, other)
    known = mind.me.relation_to(other) or mind.world.acquaintance
    return Neighbour(
        id=other,
        name=persona.name,
        occupation=persona.occupation if known or relation.talks else "",
        doing=mind.state.action(other).activity,
        relation=known,
        closeness=mind.closeness(other),
        drift=mind.state.bond(mind.who, other).points,
        conversations=relation.talks,
        last_conversation=relation.last,
    )


def upcoming(mind: Mind) -> tuple[tuple[int, str], ...]:
    """The rest of the day after what is under way, as (minute of the day, activity)."""
    entries = mind.state.schedule(mind.who).entries
    return tuple((entry.start, entry.activity) for entry in entries if entry.start > mind.minute)


def free_stretches(mind: Mind) -> tuple[tuple[int, int], ...]:
    """Stretches of the rest of the day that hold neither sleep nor an appointment, in minutes."""
    entries = mind.state.schedule(mind.who).entries
    now = minute_of_day(mind.now)
    open_ones = [
        (max(entry.start, now), entry.end)
        for entry in entries
        if entry.kind == "activity" and entry.end > now
    ]
    merged: list[tuple[int, int]] = []
    for start, end in open_ones:
        if merged and merged[-1][1] == start:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return tuple(merged)
