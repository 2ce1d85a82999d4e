"""The effects that carry out a user's interventions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from hometown.language import Lang
from hometown.memory.action import Action
from hometown.memory.concept import Concept
from hometown.name import first_free
from hometown.text import catalogue, with_article
from hometown.world import keys
from hometown.world.befalling import begin_happening, usual_course
from hometown.world.effects import Began, Effect, Left, Refused, Remembered, TalkEnded
from hometown.world.furnish import like, put_down
from hometown.world.happening_process import find_same
from hometown.world.incidents import (
    ConditionSet,
    Course,
    HappeningBegan,
    ThingPlaced,
    ThingRemoved,
    Told,
    UnfoldingHappening,
)
from hometown.world.interventions import VOICE_PREDICATE, Intervention
from hometown.world.recipes import begin_action
from hometown.world.state import State
from hometown.world.visitors import walk_to
from hometown.world.world import World

ARRIVAL_MINUTES = 10
"""The game minutes that arriving in town takes."""

VOICE_POIGNANCY = 8
"""The poignancy of an inner voice, 1 to 10: above most of a day, whatever its text."""


def carry_out(
    world: World,
    state: State,
    intervention: Intervention,
    now: datetime,
    expire_days: int,
    course: Course | None = None,
) -> Iterator[Effect]:
    """Yield the effects of an intervention, of a `law`, a `learn`, and what visitors do but walk
    `Intervened` alone; apply each before taking the next. An event has the given `course`, or else
    the usual one of its kind.

    The text of the memory of a `tell` must have been embedded.
    """
    yield intervention.effect
    match intervention.kind:
        case "tell":
            yield from _tell(state, intervention, now, expire_days)
        case "set":
            yield from _set(world, state, intervention)
        case "event":
            yield begin_event(world, state, intervention, now, course)
        case "place":
            yield _place(world, state, intervention)
        case "remove":
            yield from _remove(world, state, intervention.target, now)
        case "leave":
            yield from leave_town(world, state, intervention.target, now)
        case "arrive":
            yield from _arrive(world, state, intervention.target)
        case "walk":
            yield from walk_to(
                world, state, intervention.target, intervention.text, intervention.memory
            )


def begin_event(
    world: World, state: State, event: Intervention, now: datetime, course: Course | None
) -> HappeningBegan:
    """Return the effect by which a happening begins, or goes on with another course."""
    course = course or usual_course(event.text, world.lang)
    begun = begin_happening(event.target, event.text, course, now)
    going_on = find_same(state, event.target, event.text)
    if not isinstance(going_on, UnfoldingHappening):
        return HappeningBegan(begun)
    until = going_on.since + timedelta(minutes=course.minutes)
    return HappeningBegan(replace(going_on, course=course, reach=course.reach, until=until))


def _tell(
    state: State, intervention: Intervention, now: datetime, expire_days: int
) -> Iterator[Effect]:
    """Yield the resident's memory of an inner voice, and that it waits to be considered."""
    who = intervention.target
    number = state.mind(who).memories + 1
    memory = Concept(
        number,
        "thought",
        intervention.remembered,
        who,
        VOICE_PREDICATE,
        "",
        "",
        VOICE_POIGNANCY,
        now,
        now + timedelta(days=expire_days),
    )
    yield Remembered(who, memory)
    yield Told(who, number)


def _set(world: World, state: State, intervention: Intervention) -> Iterator[Effect]:
    """Yield the effects that set the condition of a thing. If it becomes unusable, its users leave
    it and learn the reason.
    """
    address, text = intervention.target, intervention.text
    yield ConditionSet(address, text)
    if text and world.condition_kind(address, text).forbids:
        yield from _release(state, address, _say(world, "thing_is", address, state=text))


def _say(world: World, key: str, address: str, **fields: str) -> str:
    """Return the sentence `key` of the texts in `mind.json`, in the town's language, about the thing
    at an address, which is named with its article; `fields` fills its other placeholders.
    """
    texts = catalogue(world.lang, "mind")
    return texts[key].format(thing=with_article(world.name_of(address), texts["the"]), **fields)


def _release(state: State, address: str, reason: str) -> Iterator[Effect]:
    """Yield the effects by which all users of a thing leave it and learn the reason."""
    for user in state.thing(address).users:
        yield Left(user, address)
        yield Refused(user, address, reason)


def _place(world: World, state: State, intervention: Intervention) -> Effect:
    """Return the effect that places a thing on an open tile of the arena, under an address made
    from its name.
    """
    word = re.sub(r"\W+", "_", intervention.text.casefold()).strip("_")
    word = word if word.isidentifier() else f"thing_{word}".rstrip("_")
    address = first_free(f"{intervention.target}/{word}", world.things, "_")
    placed = {thing for thing in world.things if state.row(keys.PLACED.of(thing)) is not None}
    return ThingPlaced(
        address, put_down(world, address, intervention.text, like(world, intervention.text, placed))
    )


def _remove(world: World, state: State, address: str, now: datetime) -> Iterator[Effect]:
    """Yield the effects that remove a thing, none if it is gone already. Its users release it, and
    read the reason.
    """
    if address in world.gone:
        return
    yield from _release(state, address, _say(world, "gone", address))
    yield ThingRemoved(address, now)


def leave_town(world: World, state: State, who: str, now: datetime) -> Iterator[Effect]:
    """Yield the effects by which a resident leaves town, none if they are away: they release the
    thing in use, and end their conversation.
    """
    if state.is_away(who):
        return
    if using := state.body(who).using:
        yield Left(who, using)
    if state.talking(who):
        yield TalkEnded(who)
    yield Began(who, out_of_town(world.lang, world.personas[who].home, now), ())


def out_of_town(lang: Lang, home: str, now: datetime) -> Action:
    """Return the action of a resident who is out of town."""
    return Action("away", catalogue(lang, "mind")["out_of_town"], home, 1, "🧳", started=now)


def _arrive(world: World, state: State, who: str) -> Iterator[Effect]:
    """Yield the effects that return a resident to town, on the way home from where they left; none
    for one who is in town.
    """
    if state.is_away(who):
        home = Action(
            "act",
            catalogue(world.lang, "mind")["arriving"],
            world.personas[who].home,
            ARRIVAL_MINUTES,
            "🧳",
        )
        yield from begin_action(world, state, who, home)
