"""A visit to a run that another process simulates: what the visitor does goes into the run's inbox,
and what they see and hear is read from the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Literal

from hometown.errors import BadInput
from hometown.frozen import frozen
from hometown.storage.live_speech import live_speech_file, read_live_speech
from hometown.storage.restore import restore_rows
from hometown.storage.row_conversion import CONVERSATION, conversation_of
from hometown.storage.run import RunFile
from hometown.world.conversation import Line
from hometown.world.furnish import furnish_world
from hometown.world.interventions import Intervention, Kind
from hometown.world.maze import Tile
from hometown.world.resolve import NameIndex, one_line
from hometown.world.state import State
from hometown.world.visitors import request_visit, write_tile
from hometown.world.whereabouts import Whereabouts, box_distance
from hometown.world.world import World

NEAR_TILES = 3
"""Tiles between a place that a visitor chooses and the open tile to which they go, at most."""


@frozen
class PersonNearby:
    """A resident in the same arena as a visitor, with their act; `busy` while they sleep or talk."""

    who: str
    name: str
    doing: str
    busy: bool


@frozen
class VisitorView:
    """The view of a visitor: the game time, their arena, those who are there, and the public arenas
    elsewhere. `refused` is the reason why their last act failed, "" for none.
    """

    now: datetime
    place: str
    near: tuple[PersonNearby, ...]
    places: tuple[str, ...]
    refused: str
    is_away: bool


class TownVisit:
    """The part of a visitor called `name` in a run. `founded` is its world as it began, and `look` the
    look of one who has not been there before.

    Raises BadInput for an impossible name and that of a resident.
    """

    def __init__(
        self, run: RunFile, founded: World, name: str, look: Mapping[str, object] | None = None
    ) -> None:
        self._run, self._founded = run, founded
        self._request = request_visit(self.world, name, look)
        self.who = self._request.target

    @property
    def world(self) -> World:
        """The town's present world."""
        return furnish_world(self._founded, self._run.furniture(self._run.last.step))

    def enter(self) -> int:
        """Enter the town, and return the number of the intervention."""
        return self._ask(self._request)

    def walk(self, place: str) -> int:
        """Set out for a place by its name or address. Raises BadInput for an unknown one."""
        return self._ask(Intervention("walk", self.who, self._resolve("place", place)))

    def walk_to_tile(self, tile: Tile) -> int:
        """Set out for a tile of the map, or for an open one near it. Raises BadInput if there is
        none.
        """
        near = (
            (box_distance(tile, each), each, arena)
            for arena, tiles in self.world.open_tiles.items()
            for each in tiles
        )
        away, goal, arena = min(near)
        if away > NEAR_TILES:
            raise BadInput(
                "nobody can stand near {tile}: choose a road, a meadow or a room",
                tile=write_tile(tile),
            )
        return self._ask(Intervention("walk", self.who, arena, memory=write_tile(goal)))

    def say(self, other: str, words: str, *, ends: bool = False) -> int:
        """Say words to a resident by name or id, "" to end the conversation, as after the answer to
        these if it `ends` with them. Raises BadInput for an unknown name and for too many words.
        """
        said = self._address("say", other, words)
        return self._ask(said, replace(said, text="")) if ends else self._ask(said)

    def give(self, other: str, thing: str) -> int:
        """Hand something over to a resident. Raises BadInput as `say` does."""
        return self._ask(self._address("give", other, thing))

    def leave(self) -> int:
        """Leave the town."""
        return self._ask(Intervention("leave", self.who))

    def resolve_resident(self, name: str) -> str:
        """Return the id of a resident. Raises BadInput for an unknown name."""
        return self._resolve("tell", name)

    def knows(self, name: str) -> bool:
        """Return True if this is the whole name of a resident."""
        return name in NameIndex("tell", self.world)

    def _resolve(self, kind: Kind, name: str) -> str:
        return NameIndex(kind, self.world).resolve(name)

    def _address(self, kind: Kind, other: str, words: str) -> Intervention:
        heard = self.resolve_resident(other)
        return Intervention(kind, self.who, one_line(words), memory=heard)

    def _ask(self, *requests: Intervention) -> int:
        """Ask for acts in a row, and return the number of the first."""
        return self._run.ask(requests)[0].number

    # what they see and hear ---------------------------------------------------------------

    def is_done(self, number: int) -> bool:
        """Return True if an intervention has been carried out, in a step that is saved."""
        return number in self._run.answered(self._run.last.step)

    def look(self) -> VisitorView:
        """Return what the visitor sees after the last step; they must have entered."""
        world, last = self.world, self._run.last.step
        state = State(restore_rows(self._run.database, last), {}, self._run.vectors.get)
        scene = Whereabouts(world, state)
        arena = scene.arena(self.who)
        near = tuple(
            PersonNearby(
                who,
                world.name_of(who),
                state.action(who).activity,
                state.is_asleep(who) or state.talking(who) is not None,
            )
            for who in scene.residents.get(arena, ())
            if who != self.who
        )
        places = tuple(
            address for address in world.arenas if address != arena and world.arenas[address].public
        )
        place = arena or state.action(self.who).address
        body, away = state.body(self.who), state.is_away(self.who)
        return VisitorView(state.clock.now, place, near, places, body.refused, away)

    def hear(self, other: str) -> str:
        """Return the line that a resident has just said to the visitor, in the step under way; "" if
        there is none.
        """
        for line in read_live_speech(live_speech_file(self._run.file.parent)):
            if (line["resident"], line["partner"]) == (other, self.who) and "complete" in line:
                return line["text"]
        return ""

    def find_address(self, after: int) -> Line | None:
        """Return the latest line with which a resident has addressed the visitor in the steps after
        `after`; None if nobody has.
        """
        return next(iter(self._list_latest_lines(after, "partner")), None)

    def list_latest_lines(self, after: int) -> tuple[Line, ...]:
        """Return the lines of the latest conversation that the visitor has opened in the steps after
        `after`; none without one.
        """
        return self._list_latest_lines(after, "opener")

    def _list_latest_lines(
        self, after: int, side: Literal["opener", "partner"]
    ) -> tuple[Line, ...]:
        """Return the lines of the latest conversation after a step with the visitor on a side."""
        rows = self._run.database.execute(
            f"SELECT {CONVERSATION} FROM conversations WHERE step > ? AND {side} = ? ORDER BY step DESC",
            (after, self.who),
        )
        return next((conversation_of(row).lines for row in rows), ())
