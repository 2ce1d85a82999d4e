"""Walking: tick by tick, residents in step order within a tick."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from operator import attrgetter

from hometown.clock import TICK_SECONDS, TICKS_PER_MINUTE
from hometown.text import catalogue
from hometown.world.effects import Arrived, Effect, Moved, PassedBy, Refused, TalkEnded
from hometown.world.maze import Tile
from hometown.world.recipes import may_use
from hometown.world.rows import Passed, Sighting
from hometown.world.scene import things_near
from hometown.world.state import State
from hometown.world.world import World

Cell = tuple[str, int, int]
"""Part of an arena, with its column and row: as many tiles wide and high as one can see, so that who is in sight is in this cell or next to it."""

AROUND = tuple((right, down) for right in (-1, 0, 1) for down in (-1, 0, 1))
"""From a cell to itself and to those next to it."""


@dataclass(slots=True, eq=False)
class Walker:
    """A resident's way within one step: where it is, what is left, the next tile last, and what it came by. `since` counts up with each arena that is entered.

    `talks` is until when a conversation holds it up. `things` are those it has passed, as they looked, and `people` whom it has seen, with the arena; `met`
    are those who have seen it, and whom it has seen: by name, as walkers who held each other would outlast the step, until cycles are looked for.
    """

    who: str
    tile: Tile
    path: list[Tile]
    cell: Cell
    since: int
    talks: datetime | None
    asleep: bool
    entered: list[Tile] = field(default_factory=list)
    first_tick: int = 0
    people: dict[str, str] = field(default_factory=dict)
    things: dict[str, str] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)

    def step(self, tick: int) -> Tile:
        if not self.entered:
            self.first_tick = tick
        self.tile = tile = self.path.pop()
        self.entered.append(tile)
        return tile

    def moved(self) -> Iterator[Effect]:
        """The stretch walked since this was last asked, as one effect."""
        if self.entered:
            yield Moved(self.who, self.first_tick, tuple(self.entered))
            self.entered = []


class Walk:
    """The walk of one step. Iterate it, and apply each effect before taking the next."""

    def __init__(self, world: World, state: State, order: Sequence[str], now: datetime, stride: int, vision_r: int) -> None:
        self.world, self.state, self.order, self.now, self.vision_r = world, state, order, now, vision_r
        self.ticks = stride * TICKS_PER_MINUTE
        self.cells: dict[Cell, list[Walker]] = defaultdict(list)
        self.around: dict[Cell, list[list[Walker]]] = {}
        """The cells to which one can see from a cell."""
        self.entries = count()
        self.walkers = {who: self._walker(who) for who in order}
        self.shown: dict[str, str] = {}
        """What things look like that somebody has passed."""
        self.texts = catalogue(world.lang, "mind")

    def __iter__(self) -> Iterator[Effect]:
        restless = [walker for walker in self.walkers.values() if self._has_something_to_do(walker)]
        for tick in range(self.ticks):
            moment = self.now + timedelta(seconds=tick * TICK_SECONDS)
            moving: list[Walker] = []
            for walker in restless:
                if walker.talks:
                    if walker.talks > moment:
                        continue
                    walker.talks = None
                    yield TalkEnded(walker.who)
                if walker.path:
                    self._step(walker, tick)
                    moving.append(walker)
                if not walker.path:
                    yield from self._stand(walker, moment + timedelta(seconds=TICK_SECONDS) if walker in moving[-1:] else moment)
            for walker in moving:
                self._look_around(walker)
            restless = [walker for walker in restless if walker.path or self._has_something_to_do(walker)]
            if not restless:
                break
        for walker in self.walkers.values():
            yield from self._end_of_step(walker)

    def _walker(self, who: str) -> Walker:
        body, talking = self.state.body(who), self.state.talking(who)
        cell, until = self._cell(body.tile), talking.until if talking else None
        walker = Walker(who, body.tile, [*reversed(body.path)], cell, next(self.entries), until, self.state.asleep(who))
        self.cells[walker.cell].append(walker)
        return walker

    def _cell(self, tile: Tile) -> Cell:
        return self.world.maze.arena_at(tile), tile[0] // self.vision_r, tile[1] // self.vision_r

    def _has_something_to_do(self, walker: Walker) -> bool:
        """Whether it talks, walks, or has yet to begin where it stands; whoever was refused has no way left to go."""
        if walker.talks or walker.path:
            return True
        return self.state.action(walker.who).started is None and not self.state.body(walker.who).refused

    def _step(self, walker: Walker, tick: int) -> None:
        """One tile further, and perhaps into another cell."""
        left, cell = walker.cell, self._cell(walker.step(tick))
        if cell != left:
            walker.cell = cell
            self.cells[left].remove(walker)
            self.cells[cell].append(walker)
            if cell[0] != left[0]:
                walker.since = next(self.entries)

    def _stand(self, walker: Walker, moment: datetime) -> Iterator[Effect]:
        """At the end of its way: it has arrived, unless it was there already."""
        if self.state.action(walker.who).started is None:
            yield from walker.moved()
            yield self._arrive(walker.who, moment)
            walker.asleep = self.state.asleep(walker.who)

    def _arrive(self, who: str, moment: datetime) -> Effect:
        """Arrival: a thing is claimed, unless it cannot be used."""
        address = self.state.action(who).address
        if address not in self.world.things:
            return Arrived(who, moment, address, thing=False)
        obstacle = self._obstacle(who, address)
        self.shown.pop(address, None)
        return Refused(who, address, obstacle) if obstacle else Arrived(who, moment, address, thing=True)

    def _obstacle(self, who: str, address: str) -> str:
        """Why a thing cannot be used, or should not be by somebody who did not know its state; "" if it can. Who puts it right may."""
        thing = self.world.things[address]
        if address in self.world.gone:
            return self.texts["gone"].format(thing=thing.name)
        if not may_use(self.world, self.state, who, address):
            users = [self.world.name_of(user) for user in self.state.thing(address).users]
            return self.texts["in_use_by"].format(name=self.texts["and"].join(users), thing=thing.name)
        condition = self.state.condition(address)
        kind = self.world.condition_kind(address, condition) if condition else None
        if kind is None or kind.dull or kind.rights(self.state.action(who).activity):
            return ""
        if kind.forbids or dict(self.state.known(who, thing.arena).things).get(address) != condition:
            return self.texts["thing_is"].format(thing=thing.name, state=condition)
        return ""

    # seeing on the way --------------------------------------------------------------------

    def _look_around(self, walker: Walker) -> None:
        """Records whom and what a walker passes; those who are awake see it pass as well."""
        shown, things = self.shown, walker.things
        for _, thing in things_near(self.world, walker.tile, self.vision_r):
            address = thing.address
            if address not in shown:
                shown[address] = self.state.shown(address)
            things[address] = shown[address]
        who, people, arena = walker.who, walker.people, walker.cell[0]
        for other in self._near(walker):
            people.setdefault(other.who, arena)
            if not other.asleep:
                other.people.setdefault(who, arena)
            if who in other.people:
                walker.met.add(other.who)
                other.met.add(who)

    def _near(self, walker: Walker) -> list[Walker]:
        """Others in sight that it has not met yet, in the order in which they have entered the arena: none is farther than the neighbouring cells."""
        (x, y), sight, met, near = walker.tile, self.vision_r, walker.met, list[Walker]()
        for cell in self.around.get(walker.cell) or self._around(walker.cell):
            for other in cell:
                if other.who in met:
                    continue
                column, row = other.tile
                if -sight <= column - x <= sight and -sight <= row - y <= sight and other is not walker:
                    near.append(other)
        if len(near) > 1:
            near.sort(key=attrgetter("since"))
        return near

    def _around(self, cell: Cell) -> list[list[Walker]]:
        arena, column, row = cell
        self.around[cell] = [self.cells[arena, column + right, row + down] for right, down in AROUND]
        return self.around[cell]

    def _end_of_step(self, walker: Walker) -> Iterator[Effect]:
        """What is left to write: the stretch still under way, and what was passed and is out of sight by now."""
        yield from walker.moved()
        gone = tuple(self._sighting(other, arena) for other, arena in walker.people.items() if not self._in_sight(walker, self.walkers[other]))
        things = tuple(sorted((thing, shown) for thing, shown in walker.things.items() if self.world.things[thing].arena != walker.cell[0]))
        if Passed(gone, things) != self.state.passed(walker.who):
            yield PassedBy(walker.who, gone, things)

    def _in_sight(self, walker: Walker, other: Walker) -> bool:
        (x, y), (column, row), sight = walker.tile, other.tile, self.vision_r
        return walker.cell[0] == other.cell[0] and -sight <= column - x <= sight and -sight <= row - y <= sight

    def _sighting(self, seen: str, arena: str) -> Sighting:
        return Sighting(seen, self.state.action(seen).activity, arena)
