"""Happenings as residents perceive them: seen, heard, and grave enough to alarm."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from hometown.agent.mind import Mind
from hometown.agent.perception.concern import (
    REMINDER_LOOKBACK_EVENTS,
    UNCONCERNED_DISCOUNT,
    is_in_own_house,
)
from hometown.memory.concept import Concept
from hometown.memory.event import Event
from hometown.world.befalling import course_of
from hometown.world.happening_process import (
    DAMAGE_KEY,
    find_closure,
    is_described,
)
from hometown.world.incidents import Happening, UnfoldingHappening
from hometown.world.maze import OUTDOORS
from hometown.world.whereabouts import is_near_arena, is_near_tile
from hometown.world.world import arena_of

NOISE_LOOKBACK_EVENTS = 40
"""Latest remembered events among which a happening is looked for before its noise counts as new."""

ALARM_WEIGHT_MIN = 8
"""Weight from which a happening alarms all who see or hear it."""


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
    text = mind.words.locate(happening.clause, place)
    text = mind.words.say("seen_growing", text=text) if is_grown else text
    is_others = course.key == DAMAGE_KEY and not is_in_own_house(mind, happening.address)
    weight = max(course.weight - UNCONCERNED_DISCOUNT, 1) if is_others else course.weight
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


def is_known_closed(mind: Mind, arena: str) -> bool:
    """Return True if the things of an arena cannot be used because of a happening, and the resident
    is there or remembers it.
    """
    is_closed_here = arena == mind.arena and bool(find_closure(mind.state, arena))
    return is_closed_here or any(_list_closure_memories(mind, arena))


def knew_closed(mind: Mind, arena: str, moment: datetime) -> bool:
    """Return True if the resident knew at a time that the things of an arena cannot be used, because
    of a happening that still closes it.
    """
    return any(memory.created <= moment for memory in _list_closure_memories(mind, arena))


def _list_closure_memories(mind: Mind, arena: str) -> Iterator[Concept]:
    """Yield the latest memories that tell of the closure of an arena; none if it is open."""
    if closure := find_closure(mind.state, arena):
        recent = mind.state.memory(mind.who).recent(("event",), REMINDER_LOOKBACK_EVENTS)
        yield from (memory for memory in recent if closure in memory.text)


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
    if not happening.reach:
        return False
    world, address, reach = mind.world, happening.address, happening.reach
    if mind.arena == OUTDOORS:
        return is_near_tile(world, address, mind.state.body(mind.who).tile, reach)
    return is_near_arena(world, address, mind.arena, reach)
