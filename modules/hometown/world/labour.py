"""Rows of work, bodies and shops, and the effects that set them. `modules/hometown/society` has
their rules.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from hometown.frozen import frozen
from hometown.world.matter import Goods, Transfer

Counts = tuple[tuple[str, int], ...]
"""Whole numbers by name: levels, prices, sales."""

Facts = tuple[tuple[str, str | int], ...]
"""Ids and numbers, by name."""


@frozen
class Job:
    """`deed/<resident>`: a job in progress.

    Attributes:
        recipe: The recipe.
        at: The fixture; "" for none.
        since: The start.
        until: The end.
        bound: The reserved inputs, with their origin.
        tool: The tool in use, with its origin.
        partner: The resident with whom the job begins and ends; "" for none.
    """

    recipe: str
    at: str
    since: datetime
    until: datetime
    bound: tuple[Transfer, ...] = ()
    tool: Transfer | None = None
    partner: str = ""

    @property
    def reserved_moves(self) -> tuple[Transfer, ...]:
        """The moves to reverse if the job is abandoned: inputs and tool."""
        return (*self.bound, self.tool) if self.tool else self.bound


@frozen
class Process:
    """`process/<fixture>`: a process that runs unattended until it is due."""

    recipe: str
    due: datetime


@frozen
class Needs:
    """`needs/<resident>`: the level of each need at `since`, in sixtieths of a point, so that
    hourly rates change it by integers every minute.
    """

    levels: Counts
    since: datetime
    asleep: bool = False


@frozen
class Skills:
    """`skills/<resident>`: the level of each skill, 0 to 1000."""

    levels: Counts = ()


@frozen
class Shop:
    """`shop/<fixture>`: the posted prices, and a running total of sales over about four days."""

    prices: Counts
    sold: Counts = ()


@frozen
class Weather:
    """`weather/town`: the weather of all days from `first` on; day 0 is that of the world's start."""

    first: int
    kinds: tuple[str, ...]

    def on(self, day: int) -> str:
        """Return the weather of a day; "" if it is not drawn yet."""
        at = day - self.first
        return self.kinds[at] if 0 <= at < len(self.kinds) else ""


@frozen
class ActiveNeed:
    """`aim/<resident>`: the active need, until it is satisfied."""

    need: str


MAX_RECENT_OUTCOMES = 8
"""The largest number of recent outcomes that a resident has in mind."""


class Verb(StrEnum):
    """The verb of an errand. The last four only tell of an event and are never carried out."""

    DO = "do"
    TAKE = "take"
    PUT = "put"
    BUY = "buy"
    ASK = "ask"
    LOOK = "look"
    HIRE = "hire"
    TEND = "tend"
    GIVE = "give"
    GET = "get"
    SEE = "see"
    READ = "read"


@frozen
class Errand:
    """An action at a fixture, or anywhere if `at` is "".

    Attributes:
        verb: The verb.
        at: The fixture or item; for `give`, `get`, `see` and `tend` the other resident; for `hire` the
            home of the house.
        what: The recipe of `do` and `tend`, the house of `hire`, else the kind of goods.
        count: The number of goods; for `hire` the hours.
    """

    verb: Verb
    at: str
    what: str
    count: int = 1


@frozen
class ErrandQueue:
    """`course/<resident>`: the errands to do next, in order, at least one."""

    errands: tuple[Errand, ...]


@frozen
class Outcome:
    """The outcome of an errand: a success if `code` is "", else a refusal or a mishap, with its
    facts.
    """

    errand: Errand
    code: str = ""
    facts: Facts = ()

    @property
    def partner(self) -> str:
        """The resident with whom work was done; "" for none."""
        return str(dict(self.facts).get("partner", ""))


@frozen
class RecentOutcomes:
    """`lately/<resident>`: the latest outcomes that the resident has not reflected on yet, oldest
    first.
    """

    outcomes: tuple[Outcome, ...] = ()


@frozen
class BlockedErrand:
    """A refused errand that is not repeated until a time."""

    outcome: Outcome
    until: datetime


@frozen
class BlockedErrands:
    """`barred/<resident>`: the errands not to repeat for a while, oldest first."""

    items: tuple[BlockedErrand, ...] = ()


@frozen
class FixtureSight:
    """`seen/<resident>/<fixture>`: the goods, prices and process that a resident last saw there or
    was told of.
    """

    goods: Goods
    prices: Counts
    process: Process | None
    since: datetime


@frozen
class Employment:
    """`hired/<resident>`: the house that employs the resident, and the end of the employment."""

    house: str
    until: datetime


@frozen
class Ailment:
    """`ailing/<resident>`: a low need that only others can meet, visible to all present.

    Attributes:
        need: The need.
        helpless: Whether the resident cannot leave the place.
        since: The start.
        why: The cause: a recipe, an empty need, or "".
    """

    need: str
    helpless: bool
    since: datetime
    why: str = ""


@frozen
class Ailed:
    """A resident's ailment begins, changes, or ends (None)."""

    who: str
    ailing: Ailment | None


@frozen
class Hired:
    """A resident is employed by a house, or no longer (None)."""

    who: str
    hire: Employment | None


@frozen
class WorkBegun:
    """A resident begins a job."""

    who: str
    deed: Job


@frozen
class WorkEnded:
    """A resident's job ends, done or abandoned."""

    who: str
    done: bool


@frozen
class WorkPaused:
    """A resident's job is interrupted for some minutes, and ends that much later."""

    who: str
    minutes: int


@frozen
class ProcessBegun:
    """A process begins at a fixture."""

    address: str
    process: Process


@frozen
class ProcessEnded:
    """A process ends."""

    address: str


@frozen
class NeedsSet:
    """A resident's needs jump, or change at other rates from now on."""

    who: str
    needs: Needs


@frozen
class Learned:
    """A resident reaches a level of a skill."""

    who: str
    skill: str
    level: int


@frozen
class Priced:
    """A shop posts prices, or records a sale."""

    address: str
    shop: Shop


@frozen
class WeatherCame:
    """The next day gets its weather."""

    day: int
    kind: str


@frozen
class AimSet:
    """A resident's active need changes; "" for none."""

    who: str
    need: str


@frozen
class CourseSet:
    """A resident's next errands change; empty for none."""

    who: str
    errands: tuple[Errand, ...]


@frozen
class CameOf:
    """An errand has been done or refused."""

    who: str
    outcome: Outcome


@frozen
class Barred:
    """A refused errand is blocked for a while; blocks that are over by `now` are removed."""

    who: str
    bar: BlockedErrand
    now: datetime


@frozen
class TakenIn:
    """A resident has reflected on the latest outcomes."""

    who: str


@frozen
class Inspected:
    """A resident sees the contents of a fixture, or is told of them."""

    who: str
    address: str
    seen: FixtureSight


LabourEffect = (
    WorkBegun
    | WorkPaused
    | WorkEnded
    | ProcessBegun
    | ProcessEnded
    | NeedsSet
    | Learned
    | Priced
    | WeatherCame
    | AimSet
    | CourseSet
    | CameOf
    | Barred
    | TakenIn
    | Inspected
    | Hired
    | Ailed
)
