"""From an action to its effects: the one place where the intentions of residents meet the rules of
the town.

A refusal is an effect too; its owner reads the reason at its next step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from hometown.memory.action import Action
from hometown.rng import stream_seed
from hometown.world.effects import Began, Effect, Left
from hometown.world.incidents import ConditionSet
from hometown.world.maze import Tile
from hometown.world.scene import box_distance
from hometown.world.state import State
from hometown.world.world import World

AHEAD = timedelta(hours=1)
"""How long before an occasion people come to where it will be."""


def begin(world: World, state: State, who: str, action: Action) -> Iterator[Effect]:
    """Yield the effects by which a resident begins an action: it lets go of the thing that it used
    and sets out.
    """
    body = state.body(who)
    if body.using and body.using != action.address:
        yield Left(who, body.using)
        yield from _left_behind(world, state, who, body.using)
    stays = action.started is not None or state.body(who).using == action.address
    stand = body.tile if stays else stand_for(world, state, who, action.address)
    yield Began(who, action, () if stays else world.maze.path(body.tile, stand))


def _left_behind(world: World, state: State, who: str, address: str) -> Iterator[Effect]:
    """What use leaves half of the time: dishes on the table, a bed unmade. A thing that has a
    condition already keeps it.
    """
    done = state.action(who)
    may_leave = (
        done.started
        and not state.condition(address)
        and stream_seed(0, who, address, str(state.clock.step)) % 2
    )
    if may_leave and (left := world.left_by_use(address, done.activity)):
        yield ConditionSet(address, left.state)


def stand_for(world: World, state: State, who: str, address: str) -> Tile:
    """The tile from which somebody would use a thing, or on which it would stand in an arena."""
    return _nearest(world, state.body(who).tile, _stands(world, state, who, address))


def _stands(world: World, state: State, who: str, address: str) -> tuple[Tile, ...]:
    """Of a thing's stands the free ones, of which the nearest is taken. In an arena each resident
    has a spot of its own, so that people spread out; those who come together there for an occasion
    stand around one spot.
    """
    if address not in world.things:
        spots = world.open_tiles[address]
        return (
            _among_guests(spots, state, who, address)
            or spots[stream_seed(0, who, address) % len(spots)],
        )
    held = {state.body(user).tile for user in state.thing(address).users if user != who}
    stands = world.things[address].stands
    return tuple(stand for stand in stands if stand not in held) or tuple(stands)


def _nearest(world: World, tile: Tile, stands: Sequence[Tile]) -> Tile:
    if len(stands) == 1:
        return stands[0]
    return min(
        stands, key=lambda stand: (world.maze.distance(stand, tile), stand)
    )  # one way round is as long as the other


def _among_guests(spots: Sequence[Tile], state: State, who: str, address: str) -> Tile | None:
    """Where a guest of an occasion stands that is on here, or will be within the hour: on every
    other tile around one, in the order of the guests.
    """
    for number, occasion in state.occasions:
        if (
            occasion.address != address
            or not occasion.start - AHEAD <= state.clock.now < occasion.end
        ):
            continue
        guests = [guest.who for guest in occasion.guests]
        if who in guests:
            heart = spots[stream_seed(0, number, address) % len(spots)]
            around = sorted(
                (box_distance(spot, heart), spot)
                for spot in spots
                if (spot[0] - heart[0]) % 2 == (spot[1] - heart[1]) % 2 == 0
            )
            return around[guests.index(who) % len(around)][1]
    return None


def may_use(world: World, state: State, who: str, address: str) -> bool:
    """Whether a thing is there and has a place left for one more."""
    if address in world.gone:
        return False
    others = [user for user in state.thing(address).users if user != who]
    return len(others) < world.things[address].seats
