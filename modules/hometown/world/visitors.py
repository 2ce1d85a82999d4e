"""Visitors: residents whose mind is a person. They enter by the road, walk where that person sends
them, and make no calls of a model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

import orjson

from hometown.errors import BadInput
from hometown.language import Lang
from hometown.memory.action import Action
from hometown.name import compose, first_free, lookalike_key, name_fault
from hometown.text import catalogue
from hometown.world.effects import Began, Effect, Mapped, Refused
from hometown.world.incidents import LawChanged, MovedIn
from hometown.world.interventions import Intervention
from hometown.world.maze import Tile
from hometown.world.moving_in import ID, SECTION
from hometown.world.recipes import begin_action
from hometown.world.state import State
from hometown.world.visits import is_open_to_visitors
from hometown.world.world import OUTDOORS, World

MET_PREDICATE = "meet a visitor"
"""The predicate of the memory of the first conversation with a visitor."""

STROLL_MINUTES = 60
"""The game minutes that an action of a visitor lasts."""

PRONOUNS: dict[Lang, list[str]] = {"en": ["they", "them", "their"], "zh": ["TA"]}


def request_visit(
    world: World, name: str, look: Mapping[str, object] | None = None
) -> Intervention:
    """Return the request by which a visitor of this name enters the town, with a look if one is
    given; one who has been there comes back as they were.

    Raises BadInput for an impossible name and that of a resident.
    """
    name = compose(name.strip())
    if fault := name_fault(name):
        raise BadInput([fault])
    same = [
        who for who, name_there in world.names if lookalike_key(name_there) == lookalike_key(name)
    ]
    if not same:
        who = _free_id(world, name)
        return Intervention("visit", who, _describe(name, world.lang, look or {}))
    if not world.is_visitor(same[0]):
        raise BadInput("{name!r} is the name of a resident: take another", name=name)
    return Intervention("visit", same[0])


def _free_id(world: World, name: str) -> str:
    """Return an id for a visitor that nothing in the world has."""
    word = f"visitor_{name.casefold().replace(' ', '_')}"
    return first_free(
        word if ID.fullmatch(word) else "visitor", {*world.personas, *world.sectors}, "_"
    )


def _describe(name: str, lang: Lang, look: Mapping[str, object]) -> str:
    """Return a visitor's file in JSON, in the form of a resident's; they live outdoors."""
    texts = catalogue(lang, "mind")
    about = texts["visitor_about"]
    person = {
        "name": {lang: name},
        "age": 30,
        "occupation": {lang: texts["visitor"]},
        "pronouns": {lang: PRONOUNS[lang]},
        "innate": {lang: about},
        "learned": {lang: about},
        "lifestyle": {lang: about},
        "currently": {lang: about},
        "daily_plan": {lang: texts["visiting"]},
        "wake": "07:00",
        "bed": "22:00",
        "home": OUTDOORS,
        "sleeps": "",
        "interests": {lang: []},
        "visitor": True,
        "habits": [
            {
                "start": "07:00",
                "end": "22:00",
                "activity": {lang: texts["visiting"]},
                "place": OUTDOORS,
            }
        ],
    } | ({"look": dict(look)} if look else {})
    return orjson.dumps(person, option=orjson.OPT_SORT_KEYS).decode()


def enter_town(world: World, who: str, person: str, now: datetime) -> Iterator[Effect]:
    """Yield the effects by which a new visitor, whose file is given in JSON, enters by the road."""
    yield LawChanged(((f"{SECTION}/{who}", person),))
    yield MovedIn(
        who,
        find_entrance(world),
        catalogue(world.lang, "mind")["visitor_about"],
        _stroll(world, OUTDOORS, now),
    )
    yield Mapped(who, OUTDOORS, tuple((thing, "") for thing in world.arenas[OUTDOORS].things))


def come_back(world: World, state: State, who: str) -> Iterator[Effect]:
    """Yield the effects by which a visitor who has left comes back; none for one who is in town."""
    if state.is_away(who):
        yield Began(who, _stroll(world, OUTDOORS, state.clock.now), ())


def walk_to(world: World, state: State, who: str, arena: str, tile: str = "") -> Iterator[Effect]:
    """Yield the effects by which a visitor sets out for an arena, or the refusal of one that is
    unknown or whose door nobody opens; none for a visitor who has left or is in a conversation.
    They go to an open tile of the arena, given as "column,row", or else to a spot of their own.
    """
    if state.is_away(who) or state.talking(who):
        return
    if arena not in world.arenas or not is_open_to_visitors(world, state, arena):
        reason = catalogue(world.lang, "mind")["nobody_opens"].format(place=world.name_of(arena))
        yield Refused(who, arena, reason)
        return
    stroll = _stroll(world, arena)
    if goal := _find_tile(world, arena, tile):
        yield Began(who, stroll, world.maze.path(state.body(who).tile, goal))
    else:
        yield from begin_action(world, state, who, stroll)


def write_tile(tile: Tile) -> str:
    """Return a tile as "column,row"."""
    column, row = tile
    return f"{column},{row}"


def _find_tile(world: World, arena: str, tile: str) -> Tile | None:
    """Return the open tile of an arena that is written so; None if there is none."""
    open_tiles = world.open_tiles[arena] if tile else ()
    return next((each for each in open_tiles if write_tile(each) == tile), None)


def _stroll(world: World, arena: str, started: datetime | None = None) -> Action:
    """Return the action of a visitor in an arena, or on the way there if it has not started."""
    text = catalogue(world.lang, "mind")["visiting"]
    return Action("act", text, arena, STROLL_MINUTES, "🚶", started=started)


def find_entrance(world: World) -> Tile:
    """Return the tile by which visitors enter: the open one outdoors that is nearest to the edge of
    the map.
    """
    width, height = world.maze.size

    def to_edge(tile: Tile) -> int:
        x, y = tile
        return min(x, y, width - 1 - x, height - 1 - y)

    return min(world.open_tiles[OUTDOORS], key=lambda tile: (to_edge(tile), tile))
