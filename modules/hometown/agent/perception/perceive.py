"""Perception: noticing events and remembering them (Park et al. 2023, §4.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.perception.concern import (
    UNCONCERNED_DISCOUNT,
    failed_to_use,
    is_concerned,
    is_reminder_due,
)
from hometown.agent.perception.happening_ends import ended_events, settle_ended
from hometown.agent.perception.happening_events import happening_events, noise_event
from hometown.agent.perception.poignancy import rate_events
from hometown.memory.concept import ENDED_PREDICATE, Concept
from hometown.memory.event import Event
from hometown.world.befalling import course_of
from hometown.world.effects import Mapped, Missed
from hometown.world.happening_process import is_working_on
from hometown.world.rows import Sighting
from hometown.world.world import arena_of, sector_of

SEEN_HELPING_POIGNANCY = 5
"""Poignancy of seeing residents work on a happening at most, which needs no response."""

CLOSED_DOOR_POIGNANCY = 4
"""Poignancy of a visit to a home at which nobody was in."""


def notice(mind: Mind) -> list[Event]:
    """Return new events in sight and on the way, and update the resident's map.

    At most `percept.att_bandwidth` events are considered: one's own act, happenings and what is
    gone, then residents and things by distance, then those passed.
    """
    noticed = _drop_known(
        mind,
        islice(
            chain(_visible_events(mind), _passed_events(mind)), mind.settings.percept.att_bandwidth
        ),
    )
    _learn_places(mind)
    return noticed


def notice_while_asleep(mind: Mind) -> list[Event]:
    """Return new events that are loud enough to wake a sleeper."""
    return _drop_known(
        mind,
        (event for happening in mind.state.happenings if (event := noise_event(mind, happening))),
    )


async def remember_events(mind: Mind, noticed: Sequence[Event]) -> list[Concept]:
    """Rate events, store them as memories and return these. Memories of happenings whose end is
    among the events are settled.
    """
    if not noticed:
        return []
    ratings, cause = await rate_events(mind, noticed)
    made = await mind.remember([_as_memory(event) for event in noticed], ratings, cause)
    settle_ended(mind, made)
    return made


def _visible_events(mind: Mind) -> Iterator[Event]:
    """Yield the events around a resident, one by one, since few events of a crowd are remembered:
    their own act, a door that nobody opened, happenings and their end, things that are gone, then
    residents and things by distance.
    """
    radius = mind.settings.percept.vision_r
    yield resident_event(mind, mind.who)
    if house := visited_in_vain(mind):
        yield _closed_door_event(mind, house)
    yield from happening_events(mind)
    yield from ended_events(mind)
    yield from (_gone_event(mind, address) for address in _missing_things(mind))
    thing_event = partial(_thing_event, dict(mind.state.known_things(mind.who, mind.arena).things))
    seen: list[tuple[int, str, Callable[[Mind, str], Event | None]]] = [
        (*near, resident_event) for near in mind.scene.neighbours(mind.who, radius)
    ]
    seen += (
        (distance, thing.address, thing_event)
        for distance, thing in mind.scene.things(mind.who, radius)
    )
    for _, subject, event_of in sorted(seen, key=lambda one: one[:2]):
        event = event_of(mind, subject)
        if event is not None:
            yield event


def visited_in_vain(mind: Mind) -> str:
    """Return the house at whose door a visit has just ended; "" for none."""
    house = sector_of(mind.state.action(mind.who).address)
    refused = mind.state.body(mind.who).refused
    reason = mind.words.say("nobody_in", place=mind.words.name(house)) if refused else ""
    return house if refused and refused == reason else ""


def _closed_door_event(mind: Mind, house: str) -> Event:
    """Return the end of a visit at a door that nobody opened as an event."""
    text = mind.words.say(
        "called_in_vain", name=mind.words.name(mind.who), place=mind.words.name(house)
    )
    return Event(house, text, "", mind.arena, text, weight=CLOSED_DOOR_POIGNANCY)


def resident_event(mind: Mind, other: str) -> Event:
    """Return the current act of a resident as an event: a conversation, sleep, or the action; of
    others as it looks, of the resident's own with the company that is missing.
    """
    state, words = mind.state, mind.words
    address = mind.arena
    talking = state.talking(other)
    if talking is not None:
        describe = words.say("talks", name=words.name(other), other=words.name(talking.partner))
        return Event(
            other,
            words.say("talking_with", other=words.name(talking.partner)),
            talking.partner,
            address,
            describe,
        )
    if state.is_asleep(other):
        return Event(
            other,
            words.say("sleeping"),
            "",
            address,
            words.say("asleep", name=words.name(other)),
            idle=True,
        )
    action = state.action(other)
    weight = _weigh_measure(mind, other)
    if other != mind.who:
        act = mind.see_act(other)
        return Event(
            other,
            act,
            action.address,
            address,
            words.does(other, act),
            action.emoji,
            weight=weight,
        )
    describe = words.does(other, action.activity)
    if missing := mind.missing_company:
        describe = words.say("without_company", text=describe, names=words.names(missing))
    return Event(
        other, action.activity, action.address, address, describe, action.emoji, weight=weight
    )


def _weigh_measure(mind: Mind, who: str) -> int:
    """Return the importance of a resident's work on a happening: to themselves nearly that of the
    happening, to others that of news; 0 for any other act.
    """
    happening = next(
        (
            each
            for each in mind.state.happenings
            if is_working_on(mind.world, mind.state, who, each)
        ),
        None,
    )
    if happening is None:
        return 0
    weight = course_of(happening, mind.world.lang).weight - 1
    return weight if who == mind.who else min(weight, SEEN_HELPING_POIGNANCY)


def _missing_things(mind: Mind) -> tuple[str, ...]:
    """Return things of the current arena that the resident knows and that have been removed."""
    if not mind.world.gone:
        return ()
    return tuple(
        address
        for address, _ in mind.state.known_things(mind.who, mind.arena).things
        if address in mind.world.gone
    )


def _gone_event(mind: Mind, address: str) -> Event:
    """Return the absence of a known thing as an event."""
    words = mind.words
    return Event(
        address,
        words.say("is_gone"),
        "",
        mind.arena,
        words.say("gone", thing=words.name(address)),
        unusual=True,
    )


def _thing_event(known_things: Mapping[str, str], mind: Mind, address: str) -> Event | None:
    """Return the state of a thing as an event; None if it is nothing new.

    A lasting condition is reported when it differs from the last one seen, when it kept the
    resident from using the thing, or as a reminder. Any other state is reported, of a thing that
    nobody uses, when the thing is new or its state has changed, unless it is idle again.
    `known_things` maps things to the states last seen.
    """
    known = known_things.get(address)
    condition, used = mind.scene.look_of(address)
    if condition:
        minded = (
            condition != known
            or failed_to_use(mind, address)
            or is_reminder_due(mind, address, condition)
        )
        return _condition_event(mind, address, condition) if minded else None
    if used.users or used.state == known or (known is not None and not used.state):
        return None
    thing = mind.world.things[address]
    shown = used.state or thing.idle
    return Event(
        address,
        shown,
        "",
        thing.arena,
        mind.words.say("thing_is", thing=thing.name, state=shown),
        idle=not used.state,
    )


def _condition_event(mind: Mind, address: str, condition: str) -> Event:
    """Return the lasting condition of a thing as an event. One that is not dull weighs
    `UNCONCERNED_DISCOUNT` less where it does not concern the resident.
    """
    kind, thing = mind.world.condition_kind(address, condition), mind.world.things[address]
    weight = (
        kind.weight
        if kind.dull or is_concerned(mind, address)
        else max(kind.weight - UNCONCERNED_DISCOUNT, 0)
    )
    describe = mind.words.say("thing_is", thing=mind.words.spot(address), state=condition)
    return Event(
        address,
        condition,
        "",
        thing.arena,
        describe,
        idle=kind.dull,
        unusual=not kind.dull,
        weight=weight,
    )


def _passed_events(mind: Mind) -> Iterator[Event]:
    """Yield residents passed on the way, and things whose condition has changed since they were
    last seen.
    """
    passed = mind.state.passed(mind.who)
    yield from (_sighting_event(mind, sighting) for sighting in passed.people)
    for address, shown in passed.things:
        if (
            shown
            and shown == mind.state.condition(address)
            and dict(mind.state.known_things(mind.who, arena_of(address)).things).get(address)
            != shown
        ):
            yield _condition_event(mind, address, shown)


def _sighting_event(mind: Mind, sighting: Sighting) -> Event:
    """Return a resident seen in passing as an event."""
    words = mind.words
    describe = words.say("passing", name=words.name(sighting.other), activity=sighting.activity)
    return Event(sighting.other, sighting.activity, "", sighting.address, describe)


def _drop_known(mind: Mind, events: Iterable[Event]) -> list[Event]:
    """Return events without duplicates and without those among the latest memories (novelty
    filter). The ends of happenings, which may have one place, are all new.
    """
    seen = {
        concept.triple
        for concept in mind.state.memory(mind.who).recent(
            ("event",), mind.settings.associate.retention
        )
    }
    new = []
    for event in events:
        if event.triple not in seen or event.predicate == ENDED_PREDICATE:
            seen.add(event.triple)
            new.append(event)
    return new


def _learn_places(mind: Mind) -> None:
    """Update the resident's map with arenas and things seen from here and on the way, and without
    known things that are gone.
    """
    seen: dict[str, dict[str, str]] = {mind.arena: {}}
    for address, shown in mind.state.passed(mind.who).things:
        seen.setdefault(arena_of(address), {})[address] = shown
    for _, thing in mind.scene.things(mind.who, mind.settings.percept.vision_r):
        seen[mind.arena][thing.address] = mind.scene.visible_state(thing.address)
    for arena, things in seen.items():
        known = dict(mind.state.known_things(mind.who, arena).things)
        if arena not in mind.state.places(mind.who).arenas or any(
            known.get(thing) != shown for thing, shown in things.items()
        ):
            mind.do(Mapped(mind.who, arena, tuple(sorted(things.items()))), "rule:sight")
    if missing := _missing_things(mind):
        mind.do(Missed(mind.who, mind.arena, missing), "rule:sight")


def _as_memory(event: Event) -> NewMemory:
    """Return an event as a new memory, about the residents among its subject and object."""
    about = tuple(
        address for address in (event.subject, event.object) if address and "/" not in address
    )
    return NewMemory(
        "event",
        event.describe,
        event.subject,
        event.predicate,
        event.object,
        event.address,
        about=about,
    )
