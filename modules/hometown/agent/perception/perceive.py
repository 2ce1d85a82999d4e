"""Perception: noticing events and rating their poignancy (Park et al. 2023, §4.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import partial
from itertools import chain, islice

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.perception.concern import failed_to_use, is_concerned, is_in_own_house
from hometown.agent.perception.surprise import find_surprising
from hometown.clock import hhmm, minute_of_day, minutes_between
from hometown.memory.concept import ENDED_PREDICATE, Concept
from hometown.memory.event import Event
from hometown.prompt.reactions import POIGNANCY, PoignancyVars
from hometown.prompt.reactions import RatedEvent as Rated
from hometown.world.befalling import course_of, happening_kind
from hometown.world.effects import Mapped, Missed
from hometown.world.happening_process import DAMAGE_KEY, find_closure, is_working_on
from hometown.world.incidents import EndedHappening, Happening, UnfoldingHappening
from hometown.world.maze import OUTDOORS
from hometown.world.rows import Sighting
from hometown.world.whereabouts import box_distance
from hometown.world.world import arena_of, sector_of

ROUTINE_POIGNANCY, ACQUAINTANCE_POIGNANCY, FRIEND_POIGNANCY = 1, 2, 3
"""Poignancy, by rule, of one's own routine and of things; of acquaintances; of friends."""

NOISE_LOOKBACK_EVENTS = 40
"""Latest remembered events among which a happening is looked for before its noise counts as new."""

REMINDER_MINUTES, REMINDER_LOOKBACK_EVENTS = 120, 200
"""Minutes after which an unusable thing of one's own is noticed again, and the number of latest
events in which the last time is looked for.
"""

UNCONCERNED_DISCOUNT = 2
"""Points by which the condition of a thing matters less to residents whom it does not concern."""

ENDED_LOOKBACK = timedelta(hours=6)
"""Time for which a resident who knows of a happening notices at its place that it is over."""

ENDED_POIGNANCY, PUT_RIGHT_POIGNANCY = 5, 7
"""Poignancy of the end of a happening, which needs no response, and of seeing residents put it right.
"""

SEEN_HELPING_POIGNANCY = 5
"""Poignancy of seeing residents work on a happening at most, which needs no response."""

CLOSED_DOOR_POIGNANCY = 4
"""Poignancy of a visit to a home at which nobody was in."""

ALARM_WEIGHT_MIN = 8
"""Weight from which a happening alarms all who see or hear it."""

FRIEND_CLOSENESS_MIN = 7
"""Closeness from which a resident is a friend."""


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
        (event for happening in mind.state.happenings if (event := _heard_event(mind, happening))),
    )


async def remember_events(mind: Mind, noticed: Sequence[Event]) -> list[Concept]:
    """Rate events, store them as memories and return these. Memories of happenings whose end is
    among the events are settled.
    """
    if not noticed:
        return []
    ratings, cause = await rate_events(mind, noticed)
    made = await mind.remember([_as_memory(event) for event in noticed], ratings, cause)
    _settle_ended(mind, made)
    return made


def _settle_ended(mind: Mind, made: Sequence[Concept]) -> None:
    """Settle the memories that a happening goes on whose end the resident has just perceived."""
    ended = {memory.subject for memory in made if memory.predicate == ENDED_PREDICATE}
    if ended:
        known = mind.state.memory(mind.who).since(mind.now - ENDED_LOOKBACK, ("event",))
        over = [each for each in known if each.subject in ended and each.predicate == each.text]
        mind.settle(over, "rule:put_right")


def _visible_events(mind: Mind) -> Iterator[Event]:
    """Yield the events around a resident, one by one, since few events of a crowd are remembered:
    their own act, a door that nobody opened, happenings and their end, things that are gone, then
    residents and things by distance.
    """
    radius = mind.settings.percept.vision_r
    yield resident_event(mind, mind.who)
    if house := visited_in_vain(mind):
        yield _closed_door_event(mind, house)
    yield from _happening_events(mind)
    yield from _ended_events(mind)
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


def _happening_events(mind: Mind) -> Iterator[Event]:
    """Yield happenings in the current arena or at a thing in sight, and those heard from elsewhere."""
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
            yield _seen_event(mind, happening)
        elif heard := _heard_event(mind, happening):
            yield heard


def _seen_event(mind: Mind, happening: Happening) -> Event:
    """Return a happening in sight as an event: a new one when it has grown. Damage matters less to
    residents whom it does not concern.
    """
    course = course_of(happening, mind.world.lang)
    place = mind.world.place_name(happening.address)
    is_grown = isinstance(happening, UnfoldingHappening) and happening.stage == "grown"
    key = "seen_growing" if is_grown else "seen_at"
    text = mind.words.say(key, place=place, text=happening.clause)
    is_others = course.key == DAMAGE_KEY and not is_in_own_house(mind, happening.address)
    weight = course.weight - UNCONCERNED_DISCOUNT if is_others else course.weight
    return Event(happening.address, text, "", mind.arena, text, unusual=True, weight=weight)


def _heard_event(mind: Mind, happening: Happening) -> Event | None:
    """Return a happening as it sounds from a distance, through walls; None out of its reach or if
    known.
    """
    if not _is_within_reach(mind, happening) or _knows_of(mind, happening):
        return None
    text = mind.words.say(
        "heard_from", place=mind.world.place_name(happening.address), text=happening.clause
    )
    return Event(
        happening.address,
        text,
        "",
        arena_of(happening.address),
        text,
        unusual=True,
        weight=max(course_of(happening, mind.world.lang).weight - 1, 1),
    )


def _ended_events(mind: Mind) -> Iterator[Event]:
    """Yield the end of happenings in the current arena: those that end now, and those that the
    resident knows of.
    """
    just = [
        each
        for each in mind.state.stopped_happenings
        if each.when == mind.now and arena_of(each.address) == mind.arena
    ]
    yield from (_seen_end(mind, each) for each in just if isinstance(each, EndedHappening))
    handled = {each.address for each in just if isinstance(each, EndedHappening)}
    known = mind.state.memory(mind.who).since(mind.now - ENDED_LOOKBACK, ("event",))
    for memory in known:
        if arena_of(memory.subject) != mind.arena or memory.subject in handled:
            continue
        if memory.predicate not in (memory.text, ENDED_PREDICATE) or memory.talk:
            continue
        if any(happening.clause in memory.text for happening in mind.state.happenings):
            continue
        handled.add(memory.subject)
        if memory.predicate != ENDED_PREDICATE:
            yield _ended_event(mind, memory)


def _seen_end(mind: Mind, ended: EndedHappening) -> Event:
    """Return the end of a happening, which the resident sees, with all who brought it about."""
    words, place = mind.words, mind.world.place_name(ended.address)
    over = ended.over or words.say("is_over", text=ended.text)
    start = hhmm(minute_of_day(ended.since))
    thanked = (*(words.name(who) for who in ended.by), *filter(None, (ended.helpers,)))
    if thanked:
        over = words.say("thanks_to", text=over, names=words.texts["and"].join(thanked))
    text = words.say("ended_account", over=over, place=place, start=start, text=ended.text)
    weight = PUT_RIGHT_POIGNANCY if thanked else ENDED_POIGNANCY
    return Event(ended.address, ENDED_PREDICATE, "", mind.arena, text, weight=weight)


def _ended_event(mind: Mind, memory: Concept) -> Event:
    """Return the end of a happening that a resident remembers, who was not there to see it end."""
    kind, words = happening_kind(memory.text, mind.world.lang), mind.words
    text = (
        words.say("seen_at", place=mind.world.place_name(memory.subject), text=kind.over)
        if kind and kind.over
        else words.say("is_over", text=memory.text)
    )
    return Event(memory.subject, ENDED_PREDICATE, "", mind.arena, text, weight=ENDED_POIGNANCY)


def is_known_closed(mind: Mind, arena: str) -> bool:
    """Return True if the things of an arena cannot be used because of a happening, and the resident
    is there or remembers it.
    """
    closure = find_closure(mind.state, arena)
    if not closure:
        return False
    recent = mind.state.memory(mind.who).recent(("event",), REMINDER_LOOKBACK_EVENTS)
    return arena == mind.arena or any(closure in memory.text for memory in recent)


def is_alarmed(mind: Mind) -> bool:
    """Return True while a grave happening, such as a fire, is in the same room or within earshot."""
    return is_amid_alarm(mind) or any(
        _is_within_reach(mind, happening) for happening in _grave_happenings(mind)
    )


def is_amid_alarm(mind: Mind) -> bool:
    """Return True while a grave happening, such as a fire, is in the same room."""
    return any(arena_of(happening.address) == mind.arena for happening in _grave_happenings(mind))


def _grave_happenings(mind: Mind) -> Iterator[Happening]:
    """Yield the happenings that alarm all who see or hear them."""
    for happening in mind.state.happenings:
        if course_of(happening, mind.world.lang).weight >= ALARM_WEIGHT_MIN:
            yield happening


def _knows_of(mind: Mind, happening: Happening) -> bool:
    """Return True if the resident remembers a happening, so that its noise is no news."""
    recent = mind.state.memory(mind.who).recent(("event",), NOISE_LOOKBACK_EVENTS)
    return any(happening.clause in memory.text for memory in recent)


def _is_within_reach(mind: Mind, happening: Happening) -> bool:
    """Return True if a happening is heard where the resident is, through walls.

    All in a room or a park hear it at once if its nearest part is within reach; in the streets,
    each resident's own distance counts.
    """
    world, address = mind.world, happening.address
    if not happening.reach:
        return False
    tiles = world.things[address].tiles if address in world.things else world.open_tiles[address]
    here = (
        (mind.state.body(mind.who).tile,)
        if mind.arena == OUTDOORS
        else world.open_tiles[mind.arena]
    )
    return any(box_distance(one, tile) <= happening.reach for tile in tiles for one in here)


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
            or _is_reminder_due(mind, address, condition)
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


def _is_reminder_due(mind: Mind, address: str, condition: str) -> bool:
    """Return True if a thing of one's own is unusable and has not been noticed for
    `REMINDER_MINUTES`.
    """
    if not mind.world.condition_kind(address, condition).forbids or not is_concerned(mind, address):
        return False
    recent = mind.state.memory(mind.who).recent(("event",), REMINDER_LOOKBACK_EVENTS)
    return not any(
        memory.subject == address and minutes_between(memory.created, mind.now) < REMINDER_MINUTES
        for memory in recent
    )


def _condition_event(mind: Mind, address: str, condition: str) -> Event:
    """Return the lasting condition of a thing as an event, weighted by whether it concerns the
    resident.
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
    filter).
    """
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


async def rate_events(mind: Mind, events: Sequence[Event]) -> tuple[list[int], str]:
    """Return the poignancy of each event, and the cause of the ratings.

    Rules rate usual sights and events of a known weight; one model call rates all others, the few
    surprising acts of residents among them.
    """
    by_rule = mind.settings.thrift.sights_by_rule
    surprising = await find_surprising(mind, events) if by_rule else []
    asked = [
        event
        for event in events
        if event in surprising
        or (not event.weight and (event.unusual or not (event.idle or by_rule)))
    ]
    if not asked:
        return [event.weight or _rate_by_rule(mind, event) for event in events], "rule:routine"
    ratings, cause = await rate(
        mind, [Rated(event.describe, "event", _other_residents(mind, event)) for event in asked]
    )
    given = iter(ratings)
    return [
        next(given) if event in asked else event.weight or _rate_by_rule(mind, event)
        for event in events
    ], cause


def _rate_by_rule(mind: Mind, event: Event) -> int:
    """Return the poignancy of a usual sight: by the resident's acquaintance with the one who is
    seen, and the least for oneself, things and idle residents.
    """
    if event.idle or event.subject == mind.who or event.subject not in mind.world.personas:
        return ROUTINE_POIGNANCY
    known = mind.me.relation_to(event.subject) or mind.state.relation(mind.who, event.subject).talks
    return (
        FRIEND_POIGNANCY
        if mind.closeness(event.subject) >= FRIEND_CLOSENESS_MIN
        else ACQUAINTANCE_POIGNANCY
        if known
        else ROUTINE_POIGNANCY
    )


async def rate(mind: Mind, happenings: Sequence[Rated]) -> tuple[list[int], str]:
    """Return the poignancy of each happening on the world's scale, 1 to 10, and the call that rated
    them.
    """
    variables = PoignancyVars(mind.situation, tuple(happenings), mind.world.rubric)
    mind.context.caller.begin_embedding([happening.text for happening in happenings])
    reply, cause = await mind.ask(POIGNANCY, variables)
    return reply.ratings, cause


def _other_residents(mind: Mind, event: Event) -> tuple[str, ...]:
    """Return the other residents in an event."""
    return tuple(
        resident
        for resident in (event.subject, event.object)
        if resident in mind.world.personas and resident != mind.who
    )


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
