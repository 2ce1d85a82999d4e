"""Walking: tick by tick, with residents in step order within a tick."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from hometown.clock import TICK_SECONDS, TICKS_PER_MINUTE
from hometown.frozen import frozen
from hometown.text import catalogue, with_article
from hometown.world.effects import Arrived, Effect, Moved, Refused, TalkEnded
from hometown.world.happening_process import find_closure
from hometown.world.maze import Tile
from hometown.world.recipes import may_use
from hometown.world.sights import Sights
from hometown.world.state import State
from hometown.world.visits import find_closed_door
from hometown.world.world import World, sector_of

TICK = timedelta(seconds=TICK_SECONDS)


@frozen
class Walker:
    """A resident's walk within a step: they enter one tile of `path` a tick, from the tick
    `sets_out` on. If they talk, their conversation ends in that tick. If `closed`, the path ends
    at a door that nobody opens.
    """

    who: str
    talks: bool
    sets_out: int
    path: tuple[Tile, ...]
    closed: bool = False

    @property
    def arrives(self) -> int:
        """The tick of arrival."""
        return self.sets_out + max(len(self.path) - 1, 0)

    def stretch(self, ticks: int) -> Iterator[Effect]:
        """Yield the effect of the tiles entered before the tick `ticks`, unless there are none."""
        if tiles := self.path[: max(ticks - self.sets_out, 0)]:
            yield Moved(self.who, self.sets_out, tiles)


def walk_step(
    world: World, state: State, order: Sequence[str], now: datetime, stride: int, vision_r: int
) -> Iterator[Effect]:
    """Yield the effects of moving residents towards their actions, tick by tick, with what they use
    and pass. Apply each before taking the next.

    Args:
        order: The residents in town, in the order in which they move.
        stride: The minutes of the step.
        vision_r: The tiles that residents see in each direction.
    """
    walk = Walk(world, state, order, now, stride)
    walk.sights = sights = Sights(world, state, order, vision_r)
    yield from walk
    passed = {effect.who: effect for effect in sights.passed()}
    for who in order:
        yield from walk.end(who)
        if who in passed:
            yield passed[who]


class Walk:
    """The walk of one step. Iterate it, and apply each effect before taking the next; then call
    `end` for each resident.
    """

    def __init__(
        self, world: World, state: State, order: Sequence[str], now: datetime, stride: int
    ) -> None:
        self.world, self.state, self.order, self.now = world, state, order, now
        self.ticks = stride * TICKS_PER_MINUTE
        self.walkers = {walker.who: walker for walker in self._walkers()}
        self.sights: Sights | None = None
        """Receives arrivals and entered tiles."""
        self.texts = catalogue(world.lang, "mind")

    def _walkers(self) -> Iterator[Walker]:
        """Yield the residents who talk, walk, or have yet to begin their action where they are.
        Those who were refused there are left out.
        """
        for who in self.order:
            body, talking = self.state.body(who), self.state.talking(who)
            if (
                talking
                or body.path
                or (self.state.action(who).started is None and not body.refused)
            ):
                held_up = -((self.now - talking.until) // TICK) if talking else 0
                door = find_closed_door(self.world, self.state, who, body.path)
                yield Walker(
                    who, talking is not None, max(held_up, 0), body.path[:door], door is not None
                )

    def __iter__(self) -> Iterator[Effect]:
        """Yield the ends of conversations and the arrivals, tick by tick; tell `sights` of the
        tiles entered.
        """
        due: dict[int, list[Walker]] = defaultdict(list)
        for walker in self.walkers.values():
            for tick in {walker.sets_out, walker.arrives}:
                due[tick].append(walker)
        entered = self.entered_tiles() if self.sights else []
        for tick in range(self.ticks):
            for walker in due[tick]:
                if walker.talks and tick == walker.sets_out:
                    yield TalkEnded(walker.who)
                if tick == walker.arrives:
                    yield from self._end_path(walker)
            if self.sights:
                self.sights.follow(entered[tick])

    def entered_tiles(self) -> list[list[tuple[str, Tile]]]:
        """Return, for each tick, the residents who enter a tile in it, each with the tile."""
        entered: list[list[tuple[str, Tile]]] = [[] for _ in range(self.ticks)]
        for walker in self.walkers.values():
            for tick, tile in zip(range(walker.sets_out, self.ticks), walker.path, strict=False):
                entered[tick].append((walker.who, tile))
        return entered

    def end(self, who: str) -> Iterator[Effect]:
        """Yield the move over the tiles that a resident enters in this step, if they have not
        arrived in it; nothing if they have arrived or do not walk.
        """
        if self.state.body(who).path:
            yield from self.walkers[who].stretch(self.ticks)

    def _end_path(self, walker: Walker) -> Iterator[Effect]:
        """Yield the last tiles of a path and the arrival, or the refusal at a closed door, unless
        the resident has begun their action; tell `sights` of it.
        """
        if self.state.action(walker.who).started is None:
            yield from walker.stretch(self.ticks)
            moment = self.now + (walker.arrives + bool(walker.path)) * TICK
            if walker.closed:
                yield self._refuse_visitor(walker.who)
            else:
                yield self._arrive(walker.who, moment)
            if self.sights:
                self.sights.arrive(walker.who)

    def _arrive(self, who: str, moment: datetime) -> Effect:
        """Return a resident's arrival at the place of their action, which claims a thing there, or
        the refusal if an obstacle keeps them from using the thing.
        """
        address = self.state.action(who).address
        if address not in self.world.things:
            return Arrived(who, moment, address, thing=False)
        if obstacle := self._obstacle(who, address):
            return Refused(who, address, obstacle)
        return Arrived(who, moment, address, thing=True)

    def _refuse_visitor(self, who: str) -> Effect:
        """Return the refusal of a visitor at a door that nobody opens."""
        address = self.state.action(who).address
        house = self.world.sectors[sector_of(address)].name
        return Refused(who, address, self.texts["nobody_in"].format(place=house))

    def _obstacle(self, who: str, address: str) -> str:
        """Return the reason, in the town's language, why a resident cannot use a thing: it is gone,
        in use, or in a condition that forbids use or that they did not know of. "" for none; a dull
        condition, and one that their activity remedies, is no obstacle.
        """
        thing = self.world.things[address]
        name = with_article(thing.name, self.texts["the"])
        if address in self.world.gone:
            return self.texts["gone"].format(thing=name)
        if text := find_closure(self.state, thing.arena):
            return self.texts["closed"].format(text=text)
        if not may_use(self.world, self.state, who, address):
            users = [self.world.name_of(user) for user in self.state.thing(address).users]
            return self.texts["in_use_by"].format(name=self.texts["and"].join(users), thing=name)
        condition = self.state.condition(address)
        kind = self.world.condition_kind(address, condition) if condition else None
        if kind is None or kind.dull or kind.rights(self.state.action(who).activity):
            return ""
        if (
            kind.forbids
            or dict(self.state.known_things(who, thing.arena).things).get(address) != condition
        ):
            return self.texts["thing_is"].format(thing=name, state=condition)
        return ""
