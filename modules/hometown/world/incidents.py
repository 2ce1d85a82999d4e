"""Rows and effects of user interventions and of happenings.

`modules/hometown/world/interventions.py` has the user's requests, and
`modules/hometown/world/befalling.py` the kinds of happenings.
"""

from __future__ import annotations

from dataclasses import field
from datetime import datetime, timedelta
from typing import Literal

from hometown.frozen import frozen
from hometown.memory.action import Action
from hometown.world.maze import Tile

FULL_STOPS = " .!。！"
"""The characters at the end of a happening's text that are left out within a sentence."""

ENDED_KEPT = timedelta(days=3)
"""Time for which the end of a happening is kept, for those who were not there."""


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
        """Return the row with one number more, that of an answer.

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
    def identity(self) -> tuple[str, str]:
        """The address and the text, which stay while it changes; no two at one time have the same."""
        return self.address, self.text

    @property
    def clause(self) -> str:
        """The text without its full stop, for use within a sentence."""
        return self.text.rstrip(FULL_STOPS)

    @property
    def sound(self) -> str:
        """The sound of it from elsewhere, for use within a sentence."""
        return self.clause

    def is_mentioned_in(self, text: str) -> bool:
        """Return True if a text tells of it, as it is seen or as it is heard."""
        return self.clause in text or self.sound in text


@frozen
class Course:
    """The course of a happening: its weight and reach, and the way in which it goes on and ends.

    Attributes:
        key: The kind in `world/befalling.py`; "" for any other.
        weight: Its importance to those who notice it, 1 to 10.
        reach: The distance at which it is heard, in tiles; 0 if it is only visible.
        sound: What is heard of it from elsewhere, a clause; "" for all that is seen.
        minutes: Its duration if nobody ends it.
        effort: Minutes of one resident's work that end it; 0 if no work can.
        means: Activities that are such work.
        helpers: Those who can be called from outside the town; "" for none.
        help_minutes: Minutes from the call to their arrival.
        grows: Minutes after which it grows unless somebody works on it; 0 if it never does.
        closes: True if the things of its room cannot be used while it lasts.
        over: The text of its end; "" if there is no apt one.
        damage: The state in which it leaves its room; "" for none.
        mending: The activity that repairs the damage; it takes one resident `repair` minutes.
    """

    key: str = ""
    weight: int = 6
    reach: int = 0
    sound: str = ""
    minutes: int = 30
    effort: int = 0
    means: tuple[str, ...] = ()
    helpers: str = ""
    help_minutes: int = 0
    grows: int = 0
    closes: bool = False
    over: str = ""
    damage: str = ""
    mending: str = ""
    repair: int = 0

    @property
    def remedy(self) -> str:
        """The first activity that helps to end it; "" if none does."""
        return self.means[0] if self.means else ""


Stage = Literal["begun", "held", "grown"]
"""The stage of a happening: somebody works on a `held` one, and nobody did on a `grown` one."""


@frozen
class UnfoldingHappening(Happening):
    """A happening with a course.

    Attributes:
        since: The time at which it began.
        worked: The minutes of work done on it.
        by: The residents who have helped so far, in order.
        called: The time at which the helpers arrive; None if nobody has called them.
    """

    course: Course = field(kw_only=True)
    since: datetime = field(kw_only=True)
    stage: Stage = field(kw_only=True, default="begun")
    worked: int = field(kw_only=True, default=0)
    by: tuple[str, ...] = field(kw_only=True, default=())
    called: datetime | None = field(kw_only=True, default=None)

    @property
    def sound(self) -> str:
        return self.course.sound or self.clause


@frozen
class Happenings:
    """`happenings/town`: the current happenings, oldest first."""

    items: tuple[UnfoldingHappening | Happening, ...] = ()


Role = Literal["helps", "useless", "worsens", "calls", "saves", "leaves", "stays"]
"""The role of what a resident does about a happening."""


@frozen
class Countermeasure:
    """`measure/<resident>`: what a resident has last decided to do about a happening.

    Attributes:
        address, text: Those of the happening.
        what: The activity; "" for none.
        role: Its effect on the happening.
        origin: The origin of its entry in the schedule; "" without one.
        when: The time of the decision.
        here: True if it was taken in the room of the happening.
    """

    address: str
    text: str
    what: str
    role: Role
    origin: str
    when: datetime
    here: bool

    def is_about(self, happening: Happening | EndedHappening) -> bool:
        """Return True if it is about a happening."""
        return (self.address, self.text) == (happening.address, happening.text)


@frozen
class StoppedHappening:
    """A happening at `address` that residents put an end to at `when`."""

    address: str
    by: tuple[str, ...]
    when: datetime


@frozen
class EndedHappening(StoppedHappening):
    """A happening that has ended, by residents, helpers from outside or by itself, with its text,
    that of its end, and its sound from elsewhere.
    """

    text: str = field(kw_only=True)
    over: str = field(kw_only=True)
    since: datetime = field(kw_only=True)
    helpers: str = field(kw_only=True, default="")
    sound: str = field(kw_only=True, default="")

    @property
    def clause(self) -> str:
        """The text without its full stop, for use within a sentence."""
        return self.text.rstrip(FULL_STOPS)

    def is_perceived_in(self, text: str) -> bool:
        """Return True if a text tells of it, as it was seen or as it was heard."""
        return self.clause in text or (bool(self.sound) and self.sound in text)

    def is_end_mentioned_in(self, text: str) -> bool:
        """Return True if a text tells of its end, in the words of its course."""
        return bool(self.over) and self.over.casefold() in text.casefold()


@frozen
class StoppedHappenings:
    """`stopped/town`: the happenings that have ended in the last `ENDED_KEPT`, the latest last."""

    items: tuple[EndedHappening | StoppedHappening, ...] = ()


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
    """A happening begins. One with the same place and text takes its place."""

    happening: UnfoldingHappening | Happening


@frozen
class HappeningChanged:
    """A happening goes on in this state."""

    happening: UnfoldingHappening


@frozen
class MeasureTaken:
    """A resident decides what to do about a happening."""

    who: str
    measure: Countermeasure


@frozen
class HappeningsEnded:
    """The happenings that were to last until `now` or before are over."""

    now: datetime


@frozen
class HappeningStopped:
    """A happening has ended, after the work of those in `by`, or by itself without any."""

    happening: UnfoldingHappening | Happening
    by: tuple[str, ...] = ()


IncidentEffect = (
    Intervened
    | Told
    | ConditionSet
    | ThingPlaced
    | ThingRemoved
    | LawChanged
    | MovedIn
    | HappeningBegan
    | HappeningChanged
    | MeasureTaken
    | HappeningsEnded
    | HappeningStopped
)
