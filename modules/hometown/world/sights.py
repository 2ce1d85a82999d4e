"""Seeing on the way: whom and what residents pass while people walk, tick by tick."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from operator import attrgetter

from hometown.world.effects import PassedBy
from hometown.world.maze import Tile
from hometown.world.rows import Passed, Sighting
from hometown.world.scene import things_near
from hometown.world.state import State
from hometown.world.world import World

Cell = tuple[str, int, int]
"""Part of an arena, with its column and row: as many tiles wide and high as one can see, so that
who is in sight is in this cell or next to it.
"""

NEXT = tuple((right, down) for right in (-1, 0, 1) for down in (-1, 0, 1))
"""From a cell to itself and to those next to it."""


@dataclass(slots=True, eq=False)
class Onlooker:
    """A resident, where it is, and what it came by. `since` counts up with each arena that is
    entered.

    `things` are those it has passed, as they looked, and `people` whom it has seen, with the arena;
    `met` are those who have seen it, and whom it has seen: by name, as onlookers who held each
    other would outlast the step, until cycles are looked for.
    """

    who: str
    tile: Tile
    cell: Cell
    since: int
    asleep: bool
    people: dict[str, str] = field(default_factory=dict)
    things: dict[str, str] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)


class Cells:
    """Residents by the cell in which they are."""

    def __init__(self) -> None:
        self._people: dict[Cell, list[Onlooker]] = defaultdict(list)
        self._around: dict[Cell, list[list[Onlooker]]] = {}

    def add(self, onlooker: Onlooker) -> None:
        self._people[onlooker.cell].append(onlooker)

    def move(self, onlooker: Onlooker, left: Cell) -> None:
        self._people[left].remove(onlooker)
        self.add(onlooker)

    def around(self, cell: Cell) -> list[list[Onlooker]]:
        """Those in each of the cells to which one can see from a cell, whoever comes and goes."""
        if cell not in self._around:
            arena, column, row = cell
            self._around[cell] = [
                self._people[arena, column + right, row + down] for right, down in NEXT
            ]
        return self._around[cell]


class Sights:
    """What is seen in the walk of one step, which tells of arrivals, and of tiles entered, tick by
    tick.
    """

    def __init__(self, world: World, state: State, order: Sequence[str], vision_r: int) -> None:
        self.world, self.state, self.vision_r = world, state, vision_r
        self._entries = count()
        self._cells = Cells()
        self.onlookers = {who: self._onlooker(who) for who in order}
        self._shown: dict[str, str] = {}
        """What things look like that somebody has passed."""

    def _onlooker(self, who: str) -> Onlooker:
        tile = self.state.body(who).tile
        onlooker = Onlooker(
            who, tile, self._cell(tile), next(self._entries), self.state.asleep(who)
        )
        self._cells.add(onlooker)
        return onlooker

    def _cell(self, tile: Tile) -> Cell:
        return self.world.maze.arena_at(tile), tile[0] // self.vision_r, tile[1] // self.vision_r

    # what the walk tells ------------------------------------------------------------------

    def arrive(self, who: str) -> None:
        """Somebody is at the end of its way: it may lie down to sleep, and a thing may look
        different.
        """
        self.onlookers[who].asleep = self.state.asleep(who)
        self._shown.pop(self.state.action(who).address, None)

    def follow(self, entered: Sequence[tuple[str, Tile]]) -> None:
        """In a tick, these tiles are entered; then those look around who have entered them."""
        moving = [self.enter(who, tile) for who, tile in entered]
        for onlooker in moving:
            self._look_around(onlooker)

    def enter(self, who: str, tile: Tile) -> Onlooker:
        """One tile further, and perhaps into another cell."""
        onlooker, cell = self.onlookers[who], self._cell(tile)
        onlooker.tile, left = tile, onlooker.cell
        if cell != left:
            onlooker.cell = cell
            self._cells.move(onlooker, left)
            if cell[0] != left[0]:
                onlooker.since = next(self._entries)
        return onlooker

    # seeing -------------------------------------------------------------------------------

    def _look_around(self, onlooker: Onlooker) -> None:
        """Records whom and what somebody passes; those who are awake see it pass as well."""
        self._look_at_things(onlooker)
        who, people, arena = onlooker.who, onlooker.people, onlooker.cell[0]
        for other in self.near(onlooker):
            people.setdefault(other.who, arena)
            if not other.asleep:
                other.people.setdefault(who, arena)
            if who in other.people:
                onlooker.met.add(other.who)
                other.met.add(who)

    def _look_at_things(self, onlooker: Onlooker) -> None:
        shown, things = self._shown, onlooker.things
        for _, thing in things_near(self.world, onlooker.tile, self.vision_r):
            address = thing.address
            if address not in shown:
                shown[address] = self.state.shown(address)
            things[address] = shown[address]

    def near(self, onlooker: Onlooker) -> list[Onlooker]:
        """Others in sight that it has not met yet, in the order in which they have entered the
        arena: none is farther than the neighbouring cells.
        """
        (x, y), sight, met, near = onlooker.tile, self.vision_r, onlooker.met, list[Onlooker]()
        for cell in self._cells.around(onlooker.cell):
            for other in cell:
                if other.who in met:
                    continue
                column, row = other.tile
                if (
                    -sight <= column - x <= sight
                    and -sight <= row - y <= sight
                    and other is not onlooker
                ):
                    near.append(other)
        if len(near) > 1:
            near.sort(key=attrgetter("since"))
        return near

    # what comes of it ---------------------------------------------------------------------

    def passed(self) -> Iterator[PassedBy]:
        """Yield what each resident has passed that is out of sight by now, unless that is what it
        passed last.
        """
        for onlooker in self.onlookers.values():
            gone = tuple(
                self._sighting(other, arena)
                for other, arena in onlooker.people.items()
                if not self._in_sight(onlooker, self.onlookers[other])
            )
            things = tuple(
                sorted(
                    (thing, shown)
                    for thing, shown in onlooker.things.items()
                    if self.world.things[thing].arena != onlooker.cell[0]
                )
            )
            if Passed(gone, things) != self.state.passed(onlooker.who):
                yield PassedBy(onlooker.who, gone, things)

    def _in_sight(self, onlooker: Onlooker, other: Onlooker) -> bool:
        (x, y), (column, row), sight = onlooker.tile, other.tile, self.vision_r
        return (
            onlooker.cell[0] == other.cell[0]
            and -sight <= column - x <= sight
            and -sight <= row - y <= sight
        )

    def _sighting(self, seen: str, arena: str) -> Sighting:
        return Sighting(seen, self.state.action(seen).activity, arena)
