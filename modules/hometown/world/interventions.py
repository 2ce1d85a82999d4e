"""Interventions: a user's changes of a town, and the effects that carry them out.

An intervention is plain data. It waits in the run's inbox until its step and then becomes effects,
so that resume, verify and fork treat it like any other event.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from hometown.errors import BadRun
from hometown.frozen import frozen
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
    Intervened,
    ThingPlaced,
    ThingRemoved,
    Told,
    UnfoldingHappening,
)
from hometown.world.recipes import begin_action
from hometown.world.state import State
from hometown.world.world import World

Kind = Literal["tell", "set", "event", "place", "remove", "leave", "arrive", "law", "learn"]
WORDED: tuple[Kind, ...] = ("tell", "set", "event", "place", "remove", "leave", "arrive")
"""The kinds with one line of text; a `law` is a patch, and lessons come from a file."""

WORDLESS: frozenset[Kind] = frozenset({"remove", "leave", "arrive"})
"""The kinds without a text."""

ARRIVAL_MINUTES = 10
"""The game minutes that arriving in town takes."""

VOICE_PREDICATE = "inner voice"
"""The predicate of the memory of an inner voice."""

VOICE_POIGNANCY = 8
"""The poignancy of an inner voice, 1 to 10: above most of a day, whatever its text."""


LATE_START_TOLERANCE = timedelta(minutes=1)
"""Time by which work may end early and still be complete, since the way to it may delay its start.
"""


@frozen
class Intervention:
    """A user's request.

        tell    `target` is a resident, `text` the words of the inner voice, and `memory` the memory of
                them, by default `text`
        set     `target` is a thing, `text` its state, "" for its usual one
        event   `target` is an arena or a thing, `text` the event, and `memory` the changes of its
                course in JSON; for an event that goes on, of its present course
        place   `target` is an arena, `text` the name of the thing
        remove  `target` is a thing
        leave   `target` is a resident, who leaves town
        arrive  `target` is a resident who has left town, and returns to that place
        law     `text` is a patch in JSON of the society's rules or of the residents, `memory` the
                announcement, "" for none; there is no target
        learn   `target` is a resident, `text` the passages in JSON by their numbers, and `memory` the
                name of their file

    It takes effect in step `step`, or in the first one after that; 0 is the next. `number` is its
    place in the inbox.
    """

    kind: Kind
    target: str
    text: str = ""
    step: int = 0
    number: int = 0
    memory: str = ""

    @property
    def remembered(self) -> str:
        """The text of the memory that a `tell` creates: `memory`, or else `text`."""
        return self.memory or self.text


def summarize(request: Intervention | Intervened) -> str:
    """Return the text of an intervention in a few words: of what is learnt, the name of the file."""
    return request.memory if request.kind == "learn" else request.text


def refuse_unknown_target(world: World, intervention: Intervention) -> None:
    """Raise BadRun for an intervention with an unknown target, as after manual edits of the inbox."""
    people, rooms, things = world.personas, world.arenas, world.things
    targets: dict[Kind, tuple[Container[str], ...]] = {
        "tell": (people,),
        "place": (rooms,),
        "event": (rooms, things),
        "set": (things,),
        "remove": (things,),
    }
    targets |= {"leave": (people,), "arrive": (people,), "law": (("",),), "learn": (people,)}
    if not any(intervention.target in known for known in targets[intervention.kind]):
        raise BadRun(
            "intervention {number} in the inbox is for {target!r}, which {world} does not have: remove its line",
            number=intervention.number, target=intervention.target, world=world.id,
        )  # fmt: skip


def carry_out(
    world: World,
    state: State,
    intervention: Intervention,
    now: datetime,
    expire_days: int,
    course: Course | None = None,
) -> Iterator[Effect]:
    """Yield the effects of an intervention, of a `law` or a `learn` `Intervened` alone; apply each
    before taking the next. An event has the given `course`, or else the usual one of its kind.

    The text of the memory of a `tell` must have been embedded.
    """
    yield Intervened(
        intervention.number,
        intervention.kind,
        intervention.target,
        intervention.text,
        intervention.memory,
    )
    match intervention.kind:
        case "tell":
            yield from _tell(state, intervention, now, expire_days)
        case "set":
            yield from _set(world, state, intervention)
        case "event":
            yield HappeningBegan(_begin(world, state, intervention, now, course))
        case "place":
            yield _place(world, state, intervention)
        case "remove":
            yield from _remove(world, state, intervention.target, now)
        case "leave":
            yield from _leave(world, state, intervention.target, now)
        case "arrive":
            yield from _arrive(world, state, intervention.target)


def _begin(
    world: World, state: State, event: Intervention, now: datetime, course: Course | None
) -> UnfoldingHappening:
    """Return a happening that begins, or one that goes on with another course."""
    course = course or usual_course(event.text, world.lang)
    begun = begin_happening(event.target, event.text, course, now)
    going_on = find_same(state, event.target, event.text)
    if not isinstance(going_on, UnfoldingHappening):
        return begun
    until = going_on.since + timedelta(minutes=course.minutes)
    return replace(going_on, course=course, reach=course.reach, until=until)


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
    """Yield the effects that set a condition. Users of a thing that becomes unusable release it,
    and read the reason.
    """
    address, text = intervention.target, intervention.text
    yield ConditionSet(address, text)
    if text and world.condition_kind(address, text).forbids:
        yield from _release(state, address, _say(world, "thing_is", address, state=text))


def _say(world: World, key: str, address: str, **fields: str) -> str:
    """Return a sentence about a thing, named with its article."""
    texts = catalogue(world.lang, "mind")
    return texts[key].format(thing=with_article(world.name_of(address), texts["the"]), **fields)


def _release(state: State, address: str, reason: str) -> Iterator[Effect]:
    """Yield the effects by which all users of a thing leave it and read the reason."""
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


def _leave(world: World, state: State, who: str, now: datetime) -> Iterator[Effect]:
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
