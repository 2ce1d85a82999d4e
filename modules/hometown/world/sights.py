"""Perception while walking: the residents and things passed, tick by tick."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from operator import attrgetter

from hometown.world.effects import PassedBy
from hometown.world.maze import Tile
from hometown.world.outside import visible_act
from hometown.world.rows import Passed, Sighting
from hometown.world.state import State
from hometown.world.whereabouts import things_near
from hometown.world.world import World

Cell = tuple[str, int, int]
"""A square of an arena, with column and row. Its side is the radius of vision, so that everything
in sight is in this cell or an adjacent one.
"""

NEXT = tuple((right, down) for right in (-1, 0, 1) for down in (-1, 0, 1))
"""The offsets of a cell itself and its neighbours."""


@dataclass(slots=True, eq=False)
class Onlooker:
    """A resident's place and sights. `since` counts the arenas entered.

    `things` are those passed, with their state, and `people` the residents seen, with the arena.
    `met` are the names of the residents on either side of a sighting. Names avoid reference cycles.
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
    """Residents by cell."""

    def __init__(self) -> None:
        self._people: dict[Cell, list[Onlooker]] = defaultdict(list)
        self._around: dict[Cell, list[list[Onlooker]]] = {}

    def add(self, onlooker: Onlooker) -> None:
        """Add a resident to their cell."""
        self._people[onlooker.cell].append(onlooker)

    def move(self, onlooker: Onlooker, left: Cell) -> None:
        """Move a resident from the cell `left` to their present one."""
        self._people[left].remove(onlooker)
        self.add(onlooker)

    def around(self, cell: Cell) -> list[list[Onlooker]]:
        """Return the live lists of residents of all cells in sight of a cell."""
        if cell not in self._around:
            arena, column, row = cell
            self._around[cell] = [
                self._people[arena, column + right, row + down] for right, down in NEXT
            ]
        return self._around[cell]


class Sights:
    """The sights of a step's walk, fed with arrivals and entered tiles, tick by tick."""

    def __init__(self, world: World, state: State, order: Sequence[str], vision_r: int) -> None:
        self.world, self.state, self.vision_r = world, state, vision_r
        self._entries = count()
        self._cells = Cells()
        self.onlookers = {who: self._onlooker(who) for who in order}
        self._shown: dict[str, str] = {}
        """The states of things passed."""

    def _onlooker(self, who: str) -> Onlooker:
        """Return a resident as an onlooker where they are, added to the cells."""
        tile = self.state.body(who).tile
        onlooker = Onlooker(
            who, tile, self._cell(tile), next(self._entries), self.state.is_asleep(who)
        )
        self._cells.add(onlooker)
        return onlooker

    def _cell(self, tile: Tile) -> Cell:
        return self.world.maze.arena_at(tile), tile[0] // self.vision_r, tile[1] // self.vision_r

    # what the walk tells ------------------------------------------------------------------

    def arrive(self, who: str) -> None:
        """Record the end of a resident's walk: they may fall asleep, and a thing may change its
        state.
        """
        self.onlookers[who].asleep = self.state.is_asleep(who)
        self._shown.pop(self.state.action(who).address, None)

    def follow(self, entered: Sequence[tuple[str, Tile]]) -> None:
        """Process the tiles entered in a tick; the residents who entered them look around."""
        moving = [self.enter(who, tile) for who, tile in entered]
        for onlooker in moving:
            self._look_around(onlooker)

    def enter(self, who: str, tile: Tile) -> Onlooker:
        """Move a resident one tile further, possibly into another cell, and return them as an
        onlooker.
        """
        onlooker = self.onlookers[who]
        cell = self._cell(tile)
        left = onlooker.cell
        onlooker.tile = tile
        if cell != left:
            onlooker.cell = cell
            self._cells.move(onlooker, left)
            if cell[0] != left[0]:
                onlooker.since = next(self._entries)
        return onlooker

    # seeing -------------------------------------------------------------------------------

    def _look_around(self, onlooker: Onlooker) -> None:
        """Record the residents and things that a resident passes, on both sides for residents
        awake.
        """
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
        """Record the things near a resident with the state that they show."""
        shown, things = self._shown, onlooker.things
        for _, thing in things_near(self.world, onlooker.tile, self.vision_r):
            address = thing.address
            if address not in shown:
                shown[address] = self.state.visible_state(address)
            things[address] = shown[address]

    def near(self, onlooker: Onlooker) -> list[Onlooker]:
        """Return residents in sight whom this one has not met yet, in order of arrival in the
        arena.
        """
        x, y = onlooker.tile
        sight = self.vision_r
        met = onlooker.met
        near = list[Onlooker]()
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
        """Yield, for each resident, the residents passed who are out of sight by now and the things
        passed in arenas that the resident has left, unless they are the same as in the last step.
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
        """Return True if another resident is in the same arena and within the radius of vision."""
        x, y = onlooker.tile
        column, row = other.tile
        sight = self.vision_r
        return (
            onlooker.cell[0] == other.cell[0]
            and -sight <= column - x <= sight
            and -sight <= row - y <= sight
        )

    def _sighting(self, seen: str, arena: str) -> Sighting:
        """Return the sighting of a resident in an arena, with the act that others see there."""

        def is_here(who: str) -> bool:
            onlooker = self.onlookers.get(who)  # none for those out of town
            return onlooker is not None and onlooker.cell[0] == arena

        action, now = self.state.action(seen), self.state.clock.now
        return Sighting(seen, visible_act(self.world, seen, action, arena, now, is_here), arena)
