"""Turn actions into effects: the rules of the town for residents' intentions.

A refusal is an effect, too; the resident reads the reason in the next step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from hometown.memory.action import Action
from hometown.rng import stream_seed
from hometown.world.effects import Began, Effect, Left
from hometown.world.incidents import ConditionSet
from hometown.world.maze import Tile
from hometown.world.state import State
from hometown.world.whereabouts import box_distance
from hometown.world.world import World

AHEAD = timedelta(hours=1)
"""The time by which guests arrive early at an occasion."""


def begin_action(world: World, state: State, who: str, action: Action) -> Iterator[Effect]:
    """Yield the effects that begin an action: another thing in use is released, perhaps in another
    condition, and the resident sets out.
    """
    body = state.body(who)
    if body.using and body.using != action.address:
        yield Left(who, body.using)
        yield from _left_behind(world, state, who, body.using)
    stays = action.started is not None or state.body(who).using == action.address
    stand = body.tile if stays else stand_for(world, state, who, action.address)
    yield Began(who, action, () if stays else world.maze.path(body.tile, stand))


def _left_behind(world: World, state: State, who: str, address: str) -> Iterator[Effect]:
    """Yield the condition that use causes half of the time, such as an unmade bed; existing ones
    stay.
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
    """Return the tile from which a resident would use a thing, or on which they would stand in an
    arena.
    """
    return _nearest(world, state.body(who).tile, _stands(world, state, who, address))


def _stands(world: World, state: State, who: str, address: str) -> tuple[Tile, ...]:
    """Return the candidate tiles: a thing's free stands, or a resident's own spot in an arena, to
    spread residents out. Guests of an occasion stand around one spot.
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
    # One way round is as long as the other.
    return min(stands, key=lambda stand: (world.maze.distance(stand, tile), stand))


def _among_guests(spots: Sequence[Tile], state: State, who: str, address: str) -> Tile | None:
    """Return a guest's tile at an occasion now or within `AHEAD`: every other tile around one, in
    order; None if the resident is no guest of one at the address.
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
    """Return True if a thing exists and has a place for a resident that no other holds."""
    if address in world.gone:
        return False
    others = [user for user in state.thing(address).users if user != who]
    return len(others) < world.things[address].seats
