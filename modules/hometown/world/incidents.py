"""Rows and effects of user interventions and of happenings.

`modules/hometown/world/interventions.py` has the user's requests, and
`modules/hometown/world/befalling.py` the kinds of happenings.
"""

from __future__ import annotations

from datetime import datetime

from hometown.frozen import frozen
from hometown.memory.action import Action
from hometown.world.maze import Tile


@frozen
class Answered:
    """`answered/town`: the numbers of the interventions carried out: 1 to `through`, and those in
    `beyond`.
    """

    through: int = 0
    beyond: tuple[int, ...] = ()

    def __contains__(self, number: int) -> bool:
        return number <= self.through or number in self.beyond

    @property
    def latest(self) -> int:
        """The highest number; 0 if there is none."""
        return max(self.through, *self.beyond, 0)

    def along(self, number: int) -> Answered:
        """Return the row with one number more.

        >>> Answered(2, (4,)).along(3)
        Answered(through=4, beyond=())
        """
        through, beyond = self.through, {*self.beyond, number}
        while through + 1 in beyond:
            through += 1
        return Answered(through, tuple(sorted(number for number in beyond if number > through)))


@frozen
class Voices:
    """`voices/<resident>`: memories of an inner voice on which the plan has not been reconsidered."""

    memories: tuple[int, ...] = ()


@frozen
class Condition:
    """`condition/<address>`: a lasting state of a thing, until a resident ends it."""

    text: str


@frozen
class PlacedThing:
    """`placed/<address>`: a thing that is not on the map. `like` is its model on the map; "" for
    none.
    """

    name: str
    tile: Tile
    like: str = ""


@frozen
class Removed:
    """`removed/<address>`: the time at which a thing was removed."""

    since: datetime


@frozen
class Law:
    """`law/<section>/<id>`: a changed entry of the rules, or a resident who moved in, in JSON; ""
    for a deleted entry.
    """

    entry: str


@frozen
class Happening:
    """A happening at an arena or a thing until `until`, perceived by those who see it or are within
    `reach` tiles.
    """

    address: str
    text: str
    until: datetime
    reach: int = 0

    @property
    def clause(self) -> str:
        """The text without its full stop, for use within a sentence."""
        return self.text.rstrip(" .!。！")


@frozen
class Happenings:
    """`happenings/town`: the current happenings, oldest first."""

    items: tuple[Happening, ...] = ()


@frozen
class StoppedHappening:
    """A happening at `address` that residents put an end to at `when`."""

    address: str
    by: tuple[str, ...]
    when: datetime


@frozen
class StoppedHappenings:
    """`stopped/town`: the happenings that residents put an end to last, at the same time."""

    items: tuple[StoppedHappening, ...] = ()


@frozen
class Intervened:
    """The user's intervention `number` is carried out by the effects that follow. The other fields
    are as in `interventions.Intervention`.
    """

    number: int
    kind: str
    target: str
    text: str
    memory: str = ""


@frozen
class Told:
    """An inner voice has spoken. `memory` is the number of its memory."""

    who: str
    memory: int


@frozen
class ConditionSet:
    """A thing gets a condition; none if `text` is ""."""

    address: str
    text: str


@frozen
class ThingPlaced:
    """A thing that is not on the map is placed."""

    address: str
    placed: PlacedThing


@frozen
class ThingRemoved:
    """A thing is removed."""

    address: str
    when: datetime


@frozen
class LawChanged:
    """Entries of the rules and residents change, by section and id (`recipes/mill`), each in JSON;
    "" deletes one.
    """

    entries: tuple[tuple[str, str], ...]


@frozen
class MovedIn:
    """A new resident stands on a tile, `busy` with arriving, with no memories yet. `currently` is
    the sentence on their present concerns.
    """

    who: str
    tile: Tile
    currently: str
    busy: Action


@frozen
class HappeningBegan:
    """A happening begins."""

    happening: Happening


@frozen
class HappeningsEnded:
    """The happenings that were to last until `now` or before are over."""

    now: datetime


@frozen
class HappeningStopped:
    """Residents have ended a happening before its time: those `by` whose actions it was."""

    happening: Happening
    by: tuple[str, ...] = ()


IncidentEffect = (
    Intervened | Told | ConditionSet | ThingPlaced | ThingRemoved | LawChanged | MovedIn | HappeningBegan | HappeningsEnded | HappeningStopped
)  # fmt: skip
