"""What is done to a town from outside, and what befalls it: rows of the state, and the effects that
set them.

What the user may ask for is in `modules/hometown/world/interventions.py`, what can befall a town in
`modules/hometown/world/befalling.py`.
"""

from __future__ import annotations

from datetime import datetime

from hometown.frozen import frozen
from hometown.memory.action import Action
from hometown.world.maze import Tile


@frozen
class Answered:
    """`answered/town`: the numbers of the interventions that have been carried out: 1 to `through`,
    and some `beyond`.
    """

    through: int = 0
    beyond: tuple[int, ...] = ()

    def __contains__(self, number: int) -> bool:
        return number <= self.through or number in self.beyond

    @property
    def latest(self) -> int:
        """The highest of the numbers; 0 if there is none."""
        return max(self.through, *self.beyond, 0)

    def along(self, number: int) -> Answered:
        """One more.

        >>> Answered(2, (4,)).along(3)
        Answered(through=4, beyond=())
        """
        through, beyond = self.through, {*self.beyond, number}
        while through + 1 in beyond:
            through += 1
        return Answered(through, tuple(sorted(number for number in beyond if number > through)))


@frozen
class Voices:
    """`voices/<resident>`: memories of an inner voice that it has not reconsidered its plan for
    yet.
    """

    memories: tuple[int, ...] = ()


@frozen
class Condition:
    """`condition/<address>`: the state of a thing that lasts, whoever uses it: the user or use has
    brought it about, and somebody has to put it right.
    """

    text: str


@frozen
class Placed:
    """`placed/<address>`: a thing that the map does not have. `like` is a thing of the map that is
    of its kind, or "".
    """

    name: str
    tile: Tile
    like: str = ""


@frozen
class Removed:
    """`removed/<address>`: a thing is gone since then."""

    since: datetime


@frozen
class Law:
    """`law/<section>/<id>`: an entry of the society's book that the user has changed, or somebody
    who has moved in, in JSON; "" where it is taken away.
    """

    entry: str


@frozen
class Happening:
    """Something goes on at an arena or a thing until `until`; whoever has it in sight perceives it,
    or is within `reach` tiles and hears it.
    """

    address: str
    text: str
    until: datetime
    reach: int = 0


@frozen
class Happenings:
    """`happenings/town`: events that the user caused, oldest first."""

    items: tuple[Happening, ...] = ()


@frozen
class Intervened:
    """The user's intervention `number` is carried out, by the effects that follow; `kind` and the
    rest are as in `interventions.Intervention`.
    """

    number: int
    kind: str
    target: str
    text: str
    memory: str = ""


@frozen
class Told:
    """An inner voice has spoken, and `memory` is what it said: something to think over."""

    who: str
    memory: int


@frozen
class ConditionSet:
    """A thing has a condition from now on; none any more where `text` is ""."""

    address: str
    text: str


@frozen
class ThingPlaced:
    """A thing that the map does not have is placed."""

    address: str
    placed: Placed


@frozen
class ThingRemoved:
    """A thing is removed."""

    address: str
    when: datetime


@frozen
class LawChanged:
    """From now on these entries of the society's book hold, and these people live in town, by
    section and id (`recipes/mill`), each in JSON; those that are "" are taken away.
    """

    entries: tuple[tuple[str, str], ...]


@frozen
class MovedIn:
    """Somebody who has moved in stands on a tile, and is `busy` with that; its memory is empty so
    far. `currently` is what occupies it these days.
    """

    who: str
    tile: Tile
    currently: str
    busy: Action


@frozen
class HappeningBegan:
    """Something happens at a place."""

    happening: Happening


@frozen
class HappeningsEnded:
    """What was to go on until `now` or before is over."""

    now: datetime


@frozen
class HappeningStopped:
    """Somebody has put an end to something before its time."""

    happening: Happening


IncidentEffect = (
    Intervened | Told | ConditionSet | ThingPlaced | ThingRemoved | LawChanged | MovedIn | HappeningBegan | HappeningsEnded | HappeningStopped
)  # fmt: skip
