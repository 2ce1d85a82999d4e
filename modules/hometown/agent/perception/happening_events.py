"""Happenings as residents perceive them: seen, heard, grave enough to alarm, and over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from hometown.agent.mind import Mind
from hometown.agent.perception.concern import (
    REMINDER_LOOKBACK_EVENTS,
    UNCONCERNED_DISCOUNT,
    is_in_own_house,
)
from hometown.clock import hhmm, minute_of_day
from hometown.memory.concept import ENDED_PREDICATE, Concept
from hometown.memory.event import Event
from hometown.world.befalling import course_of, happening_kind
from hometown.world.happening_process import (
    DAMAGE_KEY,
    find_closure,
    find_described,
    is_described,
)
from hometown.world.incidents import EndedHappening, Happening, UnfoldingHappening
from hometown.world.maze import OUTDOORS
from hometown.world.whereabouts import box_distance
from hometown.world.world import arena_of

NOISE_LOOKBACK_EVENTS = 40
"""Latest remembered events among which a happening is looked for before its noise counts as new."""

ENDED_LOOKBACK = timedelta(hours=6)
"""Time for which a resident who knows of a happening notices at its place that it is over."""

ENDED_POIGNANCY, PUT_RIGHT_POIGNANCY = 5, 7
"""Poignancy of the end of a happening, which needs no response, and of seeing residents put it right.
"""

ALARM_WEIGHT_MIN = 8
"""Weight from which a happening alarms all who see or hear it."""


def settle_ended(mind: Mind, made: Sequence[Concept]) -> None:
    """Settle the memories that a happening goes on whose end the resident has just perceived."""
    ended = {memory.subject for memory in made if memory.predicate == ENDED_PREDICATE}
    if ended:
        known = mind.state.memory(mind.who).since(mind.now - ENDED_LOOKBACK, ("event",))
        over = [each for each in known if each.subject in ended and each.predicate == each.text]
        mind.settle(over, "rule:put_right")


def happening_events(mind: Mind) -> Iterator[Event]:
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
        elif heard := noise_event(mind, happening):
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


def noise_event(mind: Mind, happening: Happening) -> Event | None:
    """Return a happening as it sounds from a distance, through walls; None out of its reach or if
    known.
    """
    if not _is_within_reach(mind, happening) or _knows_of(mind, happening):
        return None
    text = mind.words.say(
        "heard_from", place=mind.world.place_name(happening.address), text=happening.sound
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


def ended_events(mind: Mind) -> Iterator[Event]:
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
        if find_described(mind.state, memory):
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
    return any(
        happening.clause in memory.text or is_described(happening, memory) for memory in recent
    )


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
