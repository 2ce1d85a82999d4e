"""Work, bodies and shops: rows of the state, and the effects that set them. What they mean is in
`modules/hometown/society`.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from hometown.frozen import frozen
from hometown.world.matter import Goods, Move


@frozen
class Deed:
    """`deed/<resident>`: a recipe that it is at work on, at a fixture or "", from when until when,
    what is bound for that and with which tool, from where.

    With a `partner`, who does a recipe of its own at the same time, the two begin and end together.
    """

    recipe: str
    at: str
    since: datetime
    until: datetime
    bound: tuple[Move, ...] = ()
    tool: Move | None = None
    partner: str = ""

    @property
    def held(self) -> tuple[Move, ...]:
        """All that goes back if the work is left: what is bound, and the tool."""
        return (*self.bound, self.tool) if self.tool else self.bound


@frozen
class Process:
    """`process/<fixture>`: what goes on there by itself until it is due."""

    recipe: str
    due: datetime


@frozen
class Needs:
    """`needs/<resident>`: the level of each need at `since`, in sixtieths of a point, so that a
    rate an hour gives a whole number every minute.
    """

    levels: tuple[tuple[str, int], ...]
    since: datetime
    asleep: bool = False


@frozen
class Skills:
    """`skills/<resident>`: how good it is at what, 0 to 1000."""

    levels: tuple[tuple[str, int], ...] = ()


@frozen
class Shop:
    """`shop/<fixture>`: the posted prices, and about how many of each kind were sold in the last
    four days.
    """

    prices: tuple[tuple[str, int], ...]
    sold: tuple[tuple[str, int], ...] = ()


@frozen
class Weather:
    """`weather/town`: the kinds of weather of all days since the day `first`, which is 0 on the day
    of the world's start.
    """

    first: int
    kinds: tuple[str, ...]

    def on(self, day: int) -> str:
        """The weather of a day, "" if it is not known."""
        at = day - self.first
        return self.kinds[at] if 0 <= at < len(self.kinds) else ""


@frozen
class Aim:
    """`aim/<resident>`: the need that it sees to until that is satisfied."""

    need: str


LATELY = 8
"""Outcomes of errands that somebody has in mind at once."""


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
    """One thing to do at a fixture, or anywhere if `at` is "": a recipe, to take, put, buy or ask
    for `count` of a kind, or to look what is there.

    To `hire` oneself out is to ask for work at the home `at` of the house `what`, for `count`
    hours. What was given to somebody as the two talked, got from it, or seen to be given by it, is
    told as an errand too; `at` is that other then. So is what was read at a board. To `tend`
    somebody, who is `at`, is to do the recipe `what` for it; seeing that, too, is told.
    """

    verb: Verb
    at: str
    what: str
    count: int = 1


@frozen
class Course:
    """`course/<resident>`: what it is about to do, in order, never nothing."""

    errands: tuple[Errand, ...]


@frozen
class Outcome:
    """What came of an errand: done where `code` is "", else refused with that code and its facts."""

    errand: Errand
    code: str = ""
    facts: tuple[tuple[str, str | int], ...] = ()


@frozen
class Lately:
    """`lately/<resident>`: what came of its last errands, oldest first, since it has last thought
    about them.
    """

    outcomes: tuple[Outcome, ...] = ()


@frozen
class Bar:
    """Something refused that is not tried again until then."""

    outcome: Outcome
    until: datetime


@frozen
class Bars:
    """`barred/<resident>`: what it does not try for a while, oldest first."""

    items: tuple[Bar, ...] = ()


@frozen
class Seen:
    """`seen/<resident>/<fixture>`: what lay there, at which prices, and what went on, when it last
    looked there or was told of it.
    """

    goods: Goods
    prices: tuple[tuple[str, int], ...]
    process: Process | None
    since: datetime


@frozen
class Hire:
    """`hired/<resident>`: the house for which it works, and until when."""

    house: str
    until: datetime


@frozen
class Ailing:
    """`ailing/<resident>`: a need of its is low that only others can meet, since when, and by what:
    a recipe, a need at 0, or "". Whoever is there sees it.

    Who is `helpless` lies where it is.
    """

    need: str
    helpless: bool
    since: datetime
    why: str = ""


@frozen
class Ailed:
    """Somebody ails from now on, or no more where there is no `ailing`."""

    who: str
    ailing: Ailing | None


@frozen
class Hired:
    """Somebody works for another house from now on; for none any more where there is no `hire`."""

    who: str
    hire: Hire | None


@frozen
class WorkBegun:
    """Somebody sets to work."""

    who: str
    deed: Deed


@frozen
class WorkEnded:
    """Somebody has done its work, or has left it."""

    who: str
    done: bool


@frozen
class WorkPaused:
    """Work stands still for so many minutes, and will be over so much later."""

    who: str
    minutes: int


@frozen
class ProcessBegun:
    """From now on something goes on by itself."""

    address: str
    process: Process


@frozen
class ProcessEnded:
    """What went on by itself is over."""

    address: str


@frozen
class NeedsSet:
    """Levels are set because they have jumped, or because they change at another rate from now on."""

    who: str
    needs: Needs


@frozen
class Learned:
    """Somebody is better at something than it was."""

    who: str
    skill: str
    level: int


@frozen
class Priced:
    """A shop posts prices, or has sold something."""

    address: str
    shop: Shop


@frozen
class WeatherCame:
    """A day has its weather: the one after those that have theirs."""

    day: int
    kind: str


@frozen
class AimSet:
    """Somebody sees to a need from now on; to none any more where it is ""."""

    who: str
    need: str


@frozen
class CourseSet:
    """Somebody is about to do these errands, or nothing in particular any more."""

    who: str
    errands: tuple[Errand, ...]


@frozen
class CameOf:
    """An errand has been done or refused."""

    who: str
    outcome: Outcome


@frozen
class Barred:
    """Something refused is not tried again for a while; all that may be tried again by `now` is
    forgotten.
    """

    who: str
    bar: Bar
    now: datetime


@frozen
class TakenIn:
    """Somebody has thought about what came of its last errands."""

    who: str


@frozen
class Inspected:
    """Somebody has looked what is there, or has been told."""

    who: str
    address: str
    seen: Seen


LabourEffect = (
    WorkBegun | WorkPaused | WorkEnded | ProcessBegun | ProcessEnded | NeedsSet | Learned | Priced | WeatherCame | AimSet | CourseSet | CameOf | Barred
    | TakenIn | Inspected | Hired | Ailed
)  # fmt: skip
