"""What the user may do to a town: requests, and the effects that carry them out.

A request is plain data. It waits in the run's inbox until the step that it is for, and becomes effects there, so that
resume, verify and fork know of it as of anything else that happens.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Literal

from modules.errors import BadRun
from modules.memory.concept import Concept
from modules.streams import stream_seed
from modules.text import catalogue
from modules.world.effects import (
    ConditionSet,
    Effect,
    HappeningBegan,
    HappeningsEnded,
    Intervened,
    Left,
    Refused,
    Remembered,
    ThingPlaced,
    ThingRemoved,
    Told,
)
from modules.world.furnish import like
from modules.world.rows import Happening, Placed
from modules.world.state import State
from modules.world.world import World

Kind = Literal["tell", "set", "event", "place", "remove"]
KINDS: tuple[Kind, ...] = ("tell", "set", "event", "place", "remove")

VOICE_POIGNANCY = 8
"""What an inner voice says matters more than most of a day, whatever it is."""

EVENT_MINUTES = 30
"""Game minutes for which an event can be perceived."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """Something that the user wants to happen.

    tell    `target` is a resident, `text` what its inner voice says
    set     `target` is a thing, `text` what is the matter with it, "" for nothing any more
    event   `target` is an arena or a thing, `text` what happens there
    place   `target` is an arena, `text` the name of the thing
    remove  `target` is a thing

    It is carried out in step `step`, or in the first one after that; 0 is the next. `number` is its place in the inbox.
    """

    kind: Kind
    target: str
    text: str = ""
    step: int = 0
    number: int = 0


def refuse_unfit(world: World, request: Intervention) -> None:
    """Raises BadRun for a request about what the town does not have: somebody has written it into the inbox by hand."""
    people, rooms, things = world.personas, world.arenas, world.things
    targets: dict[Kind, tuple[Container[str], ...]] = {"tell": (people,), "place": (rooms,), "event": (rooms, things), "set": (things,), "remove": (things,)}
    if not any(request.target in known for known in targets[request.kind]):
        raise BadRun(
            "request {number} in the inbox is for {target!r}, which {world} does not have: remove its line there",
            number=request.number, target=request.target, world=world.id,
        )  # fmt: skip


def carry_out(world: World, state: State, request: Intervention, now: datetime, expire_days: int) -> Iterator[Effect]:
    """Effects of a request; apply each before taking the next. The text of a `tell` must have been embedded."""
    yield Intervened(request.number, request.kind, request.target, request.text)
    match request.kind:
        case "tell":
            yield from _tell(state, request, now, expire_days)
        case "set":
            yield ConditionSet(request.target, request.text)
        case "event":
            yield HappeningBegan(Happening(request.target, request.text, now + timedelta(minutes=EVENT_MINUTES)))
        case "place":
            yield _place(world, state, request)
        case "remove":
            yield from _remove(world, state, request.target, now)


def ended(state: State, now: datetime) -> Iterator[Effect]:
    """Events whose time is over."""
    if any(one.until <= now for one in state.happenings):
        yield HappeningsEnded(now)


def _tell(state: State, request: Intervention, now: datetime, expire_days: int) -> Iterator[Effect]:
    who, number = request.target, state.mind(request.target).memories + 1
    memory = Concept(number, "thought", request.text, who, "inner voice", "", "", VOICE_POIGNANCY, now, now + timedelta(days=expire_days))
    yield Remembered(who, memory)
    yield Told(who, number)


def _place(world: World, state: State, request: Intervention) -> Effect:
    """On an open tile of the arena, under an address made of its name."""
    word = re.sub(r"\W+", "_", request.text.casefold()).strip("_")
    word = word if word.isidentifier() else f"thing_{word}".rstrip("_")
    names = (f"{request.target}/{word}{f'_{number}' if number > 1 else ''}" for number in count(1))
    address = next(one for one in names if one not in world.things)
    tiles = world.open_tiles[request.target]
    placed = {one for one in world.things if state.row(f"placed/{one}") is not None}
    return ThingPlaced(address, Placed(request.text, tiles[stream_seed(0, address) % len(tiles)], like(world, request.text, placed)))


def _remove(world: World, state: State, address: str, now: datetime) -> Iterator[Effect]:
    """Whoever uses it lets go, and reads why."""
    if address in world.gone:
        return
    reason = catalogue(world.lang, "mind")["gone"].format(thing=world.name_of(address))
    for user in state.thing(address).users:
        yield Left(user, address)
        yield Refused(user, address, reason)
    yield ThingRemoved(address, now)
