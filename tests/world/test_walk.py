"""Who walks sees whoever is near, found by cells as by looking at everybody, and whoever repeats a
walk elsewhere finds the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from pathlib import Path
from random import Random

from hometown.game import Game
from hometown.memory.action import Action, ActionKind
from hometown.shards.package import owner_of
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.clones import crowd, populate
from hometown.world.effects import Arrived, Effect, Moved, PassedBy, Refused, TalkEnded
from hometown.world.incidents import Condition
from hometown.world.maze import Tile
from hometown.world.rows import Known, Talking
from hometown.world.scene import box_distance
from hometown.world.sights import Onlooker, Sights
from hometown.world.state import State
from hometown.world.walk import Walk
from tests.support.town import live, minitown

RESIDENTS, RADIUS, STRIDE, WALKS = 60, 4, 5, 20


def in_a_crowd(folder: Path, check: Callable[[Game], None]) -> None:
    """Lives one step of a town with many residents, then checks something."""
    town = minitown()
    live(folder, 1, world=populate(town, crowd(list(town.personas), RESIDENTS)), after_each=check)


def set_out(game: Game, chance: Random) -> list[Tile]:
    """Everybody is somewhere in one part of the town, whose tiles these are, and on its way to
    somewhere else there.
    """
    open_tiles = sorted(tile for tiles in game.world.open_tiles.values() for tile in tiles)
    here = chance.sample(open_tiles, 1)[0]
    crossing = [tile for tile in open_tiles if box_distance(tile, here) <= 3 * RADIUS]
    for who in game.world.personas:
        start, end = chance.choice(crossing), chance.choice(crossing)
        game.state.put(
            keys.BODY.of(who),
            replace(game.state.body(who), tile=start, path=game.world.maze.path(start, end)),
        )
    return crossing


# who is near ----------------------------------------------------------------------------------


def test_whoever_is_near_is_seen_in_the_order_of_entering_the_arena(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        set_out(game, Random(1))
        people = list(game.world.personas)
        sights, seen = Sights(game.world, game.state, people, RADIUS), 0
        for entered in Walk(game.world, game.state, people, game.state.clock.now, STRIDE).entered():
            for who, tile in entered:
                sights.enter(who, tile)
            for onlooker in sights.onlookers.values():
                assert [other.who for other in sights.near(onlooker)] == near(sights, onlooker)
                seen += len(near(sights, onlooker))
        assert seen > 500
        assert len({_arena(sights, onlooker.tile) for onlooker in sights.onlookers.values()}) > 1

    in_a_crowd(tmp_path, check)


def near(sights: Sights, onlooker: Onlooker) -> list[str]:
    """Those in sight, by looking at everybody."""
    arena = _arena(sights, onlooker.tile)
    others = (
        each
        for each in sights.onlookers.values()
        if each is not onlooker and _arena(sights, each.tile) == arena
    )
    return [
        each.who
        for each in sorted(others, key=lambda each: each.since)
        if box_distance(each.tile, onlooker.tile) <= RADIUS
    ]


def _arena(sights: Sights, tile: Tile) -> str:
    return sights.world.maze.arena_at(tile)


# the same walk elsewhere ----------------------------------------------------------------------


def test_a_walk_is_the_same_on_what_some_may_read(tmp_path: Path) -> None:
    """Where it is told who was refused what they came for; and these see there what they see here."""

    def check(game: Game) -> None:
        happened, sightings = Counter[type](), 0
        for number in range(WALKS):
            chance = Random(number)
            make_busy(game, chance, set_out(game, chance))
            people, town = list(game.world.personas), game.state.fork(game.state.vector)
            refused, effects, passed = walked(game, town, None, None)
            happened.update(map(type, effects))
            sightings += sum(len(each.people) for each in passed)
            for own in (people[:20], people[20:50], people[50:], people[:1]):
                there = seen_by_some(game.state, own)
                assert walked(game, there, refused, own) == (
                    refused,
                    effects,
                    [each for each in passed if each.who in own],
                )
                assert there.rows == seen_by_some(town, own).rows
        assert all(happened[kind] > 5 * WALKS for kind in (Moved, Arrived, Refused, TalkEnded))
        assert sightings > 100 * WALKS

    in_a_crowd(tmp_path, check)


def make_busy(game: Game, chance: Random, crossing: Sequence[Tile]) -> None:
    """Most are on their way to one of few things, of which some are out of order, and some of those
    know that; the others sleep, or are held up by a talk.
    """
    state, now = game.state, game.state.clock.now
    heart = crossing[0]
    things = sorted(
        game.world.things.values(),
        key=lambda thing: (box_distance(thing.tiles[0], heart), thing.address),
    )[:6]
    for at, thing in enumerate(things):
        state.put(keys.THING.of(thing.address), None)
        state.put(
            keys.CONDITION.of(thing.address),
            Condition(("broken", "wet", "unmade")[at]) if at < 3 else None,
        )
    for who in game.world.personas:
        body, thing = state.body(who), chance.choice(things)
        in_bed, asleep, known = (chance.random() < share for share in (0.5, 0.2, 0.5))
        kind: ActionKind = "sleep" if in_bed or asleep else "act"
        state.put(
            keys.BODY.of(who), replace(body, using="", refused="", path=() if asleep else body.path)
        )
        state.put(
            keys.ACTION.of(who),
            Action(
                kind,
                chance.choice(("reading", "resting")),
                thing.address,
                30,
                "",
                "in use",
                now if asleep else None,
            ),
        )
        state.put(
            keys.KNOWN.of(who, thing.arena),
            Known(((thing.address, state.condition(thing.address)),)) if known else None,
        )
        talks = Talking("1", "somebody", now + timedelta(seconds=chance.randrange(STRIDE * 75)))
        state.put(keys.TALKING.of(who), talks if chance.random() < 0.4 else None)


def walked(
    game: Game, town: State, refused: Mapping[str, str] | None, own: Collection[str] | None
) -> tuple[Mapping[str, str], list[Effect], list[PassedBy]]:
    """Who was refused what, all that happens, and what is seen, in one walk."""
    walk, effects = (
        Walk(game.world, town, list(game.world.personas), town.clock.now, STRIDE, refused),
        list[Effect](),
    )
    walk.sights = Sights(game.world, town, walk.order, RADIUS, own)
    for effect in chain(walk, *map(walk.end, walk.order)):
        apply(effect, town)
        effects.append(effect)
    return walk.refused, effects, list(walk.sights.passed())


def seen_by_some(state: State, own: Collection[str]) -> State:
    """As much of a town as its public rows tell, and those that are the own of some."""
    return State(
        {key: row for key, row in state.rows.items() if owner_of(key) in {"", *own}},
        {},
        state.vector,
    )
