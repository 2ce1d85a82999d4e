"""The rows of the world's state: frozen values under keys, versioned by step in the run's database.

`modules/hometown/world/keys.py` declares the kinds of rows and their keys. Everything here serialises
to JSON and back without loss.
"""

from __future__ import annotations

from datetime import date, datetime

from hometown.frozen import frozen
from hometown.memory.action import Action
from hometown.memory.schedule import Routines, Schedule, Tasks
from hometown.world.bond import Bond
from hometown.world.dealing import Deals
from hometown.world.feeling import Feel
from hometown.world.goal import Goals
from hometown.world.incidents import Answered, Condition, Happenings, Law, Placed, Removed, Voices
from hometown.world.labour import (
    Ailing,
    Aim,
    Bars,
    Course,
    Deed,
    Hire,
    Lately,
    Needs,
    Process,
    Seen,
    Shop,
    Skills,
    Weather,
)
from hometown.world.matter import Counter, Item, Stock
from hometown.world.maze import Tile
from hometown.world.notices import Board
from hometown.world.occasion import Occasion, Occasions
from hometown.world.pending import Questions, Unsummed
from hometown.world.regard import Impression, Regard
from hometown.world.threads import Threads


@frozen
class Clock:
    """`clock/town`: the moment at which the state stands."""

    now: datetime
    step: int


@frozen
class Body:
    """`body/<resident>`: its tile, the rest of its way, and what it has claimed.

    `path` holds the tiles still to walk, nearest first. `using` is a thing's address or "".
    `refused` says why the last claim failed, for its owner to read; "" if it didn't.
    """

    tile: Tile
    path: tuple[Tile, ...] = ()
    using: str = ""
    refused: str = ""


@frozen
class Talking:
    """`talking/<resident>`: the conversation in which it stands, until `until`. `partner` is whom
    it faces: the opener, or whom the opener spoke to.
    """

    talk: str
    partner: str
    until: datetime


@frozen
class MindState:
    """`mind/<resident>`: values that change often.

    `memories` counts those ever made: the next id is one more. `poignancy` is summed since the last
    reflection, which was at `reflected`. `planned` is the date of the schedule at hand, and `bed`
    its bedtime in minutes since that date's midnight: above 1440 where it lies after the next.
    """

    currently: str
    memories: int = 0
    poignancy: int = 0
    planned: date | None = None
    bed: int = 1440
    reflections: int = 0
    reflected: datetime | None = None

    def remembering(self, memory: int, poignancy: int) -> MindState:
        """With one more memory, which weighs so much."""
        weight = self.poignancy + poignancy
        return MindState(
            self.currently, memory, weight, self.planned, self.bed, self.reflections, self.reflected
        )  # `replace` takes four times as long


@frozen
class Pondered:
    """`pondered/<resident>`: the number of the latest memory about which it has decided what to do."""

    memory: int


@frozen
class KeptMemories:
    """`kept/<resident>`: the numbers of the memories that it keeps for good, ascending."""

    memories: tuple[int, ...] = ()


@frozen
class Places:
    """`places/<resident>`: the arenas it knows of, in the order in which it learnt of them."""

    arenas: tuple[str, ...] = ()


@frozen
class Known:
    """`known/<resident>/<arena>`: the things it has seen there, with the state each last showed it."""

    things: tuple[tuple[str, str], ...] = ()


@frozen
class Relation:
    """`relation/<resident>/<other>`: how it stands with another, since they met in this run."""

    talks: int = 0
    last: datetime | None = None
    summary: str = ""


@frozen
class Promise:
    """Something agreed in a conversation. `people` are ids; `address` may be "" where no place was
    named.
    """

    what: str
    people: tuple[str, ...]
    address: str
    start: datetime
    minutes: int
    talk: str


@frozen
class Promises:
    """`promises/<resident>`: what it has agreed to and what isn't over yet, soonest first."""

    items: tuple[Promise, ...] = ()


@frozen
class Sighting:
    """Somebody passed at `tile`, doing `activity`."""

    other: str
    activity: str
    address: str


@frozen
class Passed:
    """`passed/<resident>`: what it passed since its last step: people, and things with their state."""

    people: tuple[Sighting, ...] = ()
    things: tuple[tuple[str, str], ...] = ()


@frozen
class ThingState:
    """`thing/<address>`: who uses it now (ids, in order of arrival) and what it shows."""

    users: tuple[str, ...] = ()
    state: str = ""


Row = (
    Clock | Body | Talking | MindState | Places | Known | Relation | Promises | Passed | ThingState | Action | Schedule | Tasks | Routines
    | Answered | Voices | Pondered | Condition | Placed | Removed | Law | Happenings | Occasion | Occasions | Bond | Goals
    | Stock | Item | Counter | Deed | Process | Needs | Skills | Shop | Weather | Aim | Course | Lately | Bars | Seen | Feel | KeptMemories | Questions
    | Unsummed | Regard | Impression | Deals | Hire | Threads | Board | Ailing
)  # fmt: skip
