"""Perception: what a resident notices, and how much it matters to it (Park et al. 2023, §4.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice

from hometown.agent.concern import came_for, concerned
from hometown.agent.mind import Mind, NewMemory
from hometown.clock import minutes_between
from hometown.memory.concept import Concept
from hometown.memory.event import Event
from hometown.prompt.noticing import POIGNANCY, PoignancyVars
from hometown.prompt.noticing import Happening as Rated
from hometown.world.befalling import happening_kind
from hometown.world.effects import Mapped, Missed
from hometown.world.incidents import Happening
from hometown.world.rows import Sighting
from hometown.world.scene import box_distance
from hometown.world.world import arena_of

ROUTINE, COMPANY, DEAR_COMPANY = 1, 2, 3
"""Poignancy, by rule, of one's own routine and of things; of what people one knows are seen doing;
and of what those do who are dear to one.
"""

KNOWN = 40
"""Latest events among which one is looked for of which only the noise can be heard."""

NAGS_AFTER, NAGGED = 120, 200
"""Minutes after which what still cannot be used comes to mind again on sight, and the latest events
among which it is looked for.
"""

ELSEWHERE = 2
"""How much less a thing's condition matters to whom it does not concern."""

DEAR = 7
"""Closeness from which on somebody is dear."""


def notice(mind: Mind) -> list[Event]:
    """New events in sight and passed on the way, nearest first. Places seen are added to the
    resident's map.
    """
    noticed = _new_to(
        mind, islice(chain(_in_sight(mind), _on_the_way(mind)), mind.settings.percept.att_bandwidth)
    )
    _learn_places(mind)
    return noticed


def rousing(mind: Mind) -> list[Event]:
    """What is loud enough to wake a sleeper, unless it has heard it before."""
    return _new_to(
        mind,
        (event for happening in mind.state.happenings if (event := _heard_event(mind, happening))),
    )


async def take_in(mind: Mind, noticed: Sequence[Event]) -> list[Concept]:
    """Memories of what was noticed, rated."""
    if not noticed:
        return []
    ratings, cause = await rate_events(mind, noticed)
    return await mind.remember([_as_memory(event) for event in noticed], ratings, cause)


def _in_sight(mind: Mind) -> Iterator[Event]:
    """What is going on around a resident, itself first, then nearest first; generated one by one,
    since few events of a crowd are remembered.
    """
    radius = mind.settings.percept.vision_r
    yield resident_event(mind, mind.who)
    yield from _happenings(mind)
    yield from (_gone_event(mind, address) for address in _missing(mind))
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


def resident_event(mind: Mind, other: str) -> Event:
    """What somebody in sight is doing."""
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
    return Event(
        other,
        action.activity,
        action.address,
        address,
        words.does(other, action.activity),
        action.emoji,
    )


def _happenings(mind: Mind) -> Iterator[Event]:
    """Events in the current arena, or at a thing of it in sight; and those that are heard from
    elsewhere.
    """
    near: set[str] | None = None
    for happening in mind.state.happenings:
        if arena_of(happening.address) == mind.arena:
            near = near or {
                mind.arena,
                *(
                    thing.address
                    for _, thing in mind.scene.things(mind.who, mind.settings.percept.vision_r)
                ),
            }
        if near and happening.address in near:
            kind, place = (
                happening_kind(happening.text, mind.world.lang),
                mind.world.place_name(happening.address),
            )
            text = mind.words.say("seen_at", place=place, text=_bare(happening))
            yield Event(
                happening.address,
                text,
                "",
                mind.arena,
                text,
                unusual=True,
                weight=kind.weight if kind else 0,
            )
        elif heard := _heard_event(mind, happening):
            yield heard


def _heard_event(mind: Mind, happening: Happening) -> Event | None:
    """An event as it sounds from elsewhere, walls or not; None if it is too far away."""
    kind = happening_kind(happening.text, mind.world.lang)
    if (
        kind is None
        or not happening.reach
        or _distance(mind, happening.address) > happening.reach
        or _knows(mind, happening)
    ):
        return None
    text = mind.words.say(
        "heard_from", place=mind.world.place_name(happening.address), text=_bare(happening)
    )
    return Event(
        happening.address,
        text,
        "",
        arena_of(happening.address),
        text,
        unusual=True,
        weight=kind.weight - 1,
    )


def _bare(happening: Happening) -> str:
    """What happens, to be told within another sentence."""
    return happening.text.rstrip(" .!。！")


def _knows(mind: Mind, happening: Happening) -> bool:
    """Whether the resident has seen it or heard of it already, so that its noise is no news."""
    recent = mind.state.memory(mind.who).recent(("event",), KNOWN)
    return any(_bare(happening) in memory.text for memory in recent)


def _distance(mind: Mind, address: str) -> int:
    """Tiles to a thing or an arena as the crow flies."""
    world, here = mind.world, mind.state.body(mind.who).tile
    tiles = world.things[address].tiles if address in world.things else world.open_tiles[address]
    return min(box_distance(here, tile) for tile in tiles)


def _missing(mind: Mind) -> tuple[str, ...]:
    """Things that the resident knows in the current arena and that are gone."""
    if not mind.world.gone:
        return ()
    return tuple(
        address
        for address, _ in mind.state.known_things(mind.who, mind.arena).things
        if address in mind.world.gone
    )


def _gone_event(mind: Mind, address: str) -> Event:
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
    """A thing seen for the first time, or in a new state that nobody in sight explains;
    `known_things` are the states in which things were seen last.
    """
    known = known_things.get(address)
    condition, used = mind.scene.look_of(address)
    if condition:
        minded = condition != known or came_for(mind, address) or _nags(mind, address, condition)
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


def _nags(mind: Mind, address: str, condition: str) -> bool:
    """Whether a thing of the resident's own cannot be used, and it has not thought of that for
    hours.
    """
    if not mind.world.condition_kind(address, condition).forbids or not concerned(mind, address):
        return False
    recent = mind.state.memory(mind.who).recent(("event",), NAGGED)
    return not any(
        memory.subject == address and minutes_between(memory.created, mind.now) < NAGS_AFTER
        for memory in recent
    )


def _condition_event(mind: Mind, address: str, condition: str) -> Event:
    """A lasting state of a thing: it matters less to whom the thing does not concern."""
    kind, thing = mind.world.condition_kind(address, condition), mind.world.things[address]
    weight = (
        kind.weight if kind.dull or concerned(mind, address) else max(kind.weight - ELSEWHERE, 0)
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


def _on_the_way(mind: Mind) -> Iterator[Event]:
    """Who was passed, and things in a state that they were not known to be in."""
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
    words = mind.words
    describe = words.say("passing", name=words.name(sighting.other), activity=sighting.activity)
    return Event(sighting.other, sighting.activity, "", sighting.address, describe)


def _new_to(mind: Mind, events: Iterable[Event]) -> list[Event]:
    """The novelty filter: drops events that are among the latest remembered, and repeats."""
    known = {
        concept.triple
        for concept in mind.state.memory(mind.who).recent(
            ("event",), mind.settings.associate.retention
        )
    }
    new: dict[tuple[str, str, str], Event] = {}
    for event in events:
        if event.triple not in known:
            new.setdefault(event.triple, event)
    return list(new.values())


def _learn_places(mind: Mind) -> None:
    """Brings the tree of known places up to date with what is in sight and what was passed."""
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
    if missing := _missing(mind):
        mind.do(Missed(mind.who, mind.arena, missing), "rule:sight")


async def rate_events(mind: Mind, events: Sequence[Event]) -> tuple[list[int], str]:
    """Poignancy of each event: by rule where that knows it, in one call for all others."""
    by_rule = mind.settings.thrift.sights_by_rule
    asked = [
        event
        for event in events
        if not event.weight and (event.unusual or not (event.idle or by_rule))
    ]
    if not asked:
        return [event.weight or _routine(mind, event) for event in events], "rule:routine"
    ratings, cause = await rate(
        mind, [Rated(event.describe, "event", _residents(mind, event)) for event in asked]
    )
    given = iter(ratings)
    return [
        next(given) if event in asked else event.weight or _routine(mind, event) for event in events
    ], cause


def _routine(mind: Mind, event: Event) -> int:
    """How much the sight of something usual matters: by who is seen."""
    if event.idle or event.subject == mind.who or event.subject not in mind.world.personas:
        return ROUTINE
    known = mind.me.relation_to(event.subject) or mind.state.relation(mind.who, event.subject).talks
    return DEAR_COMPANY if mind.closeness(event.subject) >= DEAR else COMPANY if known else ROUTINE


async def rate(mind: Mind, happenings: Sequence[Rated]) -> tuple[list[int], str]:
    """Poignancy of each happening on the world's scale, 1–10, in one call."""
    variables = PoignancyVars(mind.situation, tuple(happenings), mind.world.rubric)
    mind.context.caller.begin_embedding([happening.text for happening in happenings])
    reply, cause = await mind.ask(POIGNANCY, variables)
    return reply.ratings, cause


def _residents(mind: Mind, event: Event) -> tuple[str, ...]:
    return tuple(
        resident
        for resident in (event.subject, event.object)
        if resident in mind.world.personas and resident != mind.who
    )


def _as_memory(event: Event) -> NewMemory:
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
