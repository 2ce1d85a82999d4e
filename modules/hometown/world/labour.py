"""Work, bodies and shops: rows of the state, and the effects that set them. What they mean is in `modules/hometown/society`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from hometown.world.matter import Move


@dataclass(frozen=True, slots=True)
class Deed:
    """`deed/<resident>`: a recipe that it is at work on, at a fixture or "", from when until when, and what it has bound for that, from where."""

    recipe: str
    at: str
    since: datetime
    until: datetime
    bound: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Process:
    """`process/<fixture>`: what goes on there by itself until it is due."""

    recipe: str
    due: datetime


@dataclass(frozen=True, slots=True)
class Needs:
    """`needs/<resident>`: the level of each need at `since`, in sixtieths of a point, so that a rate an hour gives a whole number every minute."""

    levels: tuple[tuple[str, int], ...]
    since: datetime
    asleep: bool = False


@dataclass(frozen=True, slots=True)
class Skills:
    """`skills/<resident>`: how good it is at what, 0 to 1000."""

    levels: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Shop:
    """`shop/<fixture>`: the posted prices, and about how many of each kind were sold in the last four days."""

    prices: tuple[tuple[str, int], ...]
    sold: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Aim:
    """`aim/<resident>`: the need that it sees to until that is satisfied."""

    need: str


@dataclass(frozen=True, slots=True)
class WorkBegun:
    """Somebody sets to work."""

    who: str
    deed: Deed


@dataclass(frozen=True, slots=True)
class WorkEnded:
    """Somebody has done its work, or has left it."""

    who: str
    done: bool


@dataclass(frozen=True, slots=True)
class ProcessBegun:
    """From now on something goes on by itself."""

    address: str
    process: Process


@dataclass(frozen=True, slots=True)
class ProcessEnded:
    """What went on by itself is over."""

    address: str


@dataclass(frozen=True, slots=True)
class NeedsSet:
    """Levels are set because they have jumped, or because they change at another rate from now on."""

    who: str
    needs: Needs


@dataclass(frozen=True, slots=True)
class Learned:
    """Somebody is better at something than it was."""

    who: str
    skill: str
    level: int


@dataclass(frozen=True, slots=True)
class Priced:
    """A shop posts prices, or has sold something."""

    address: str
    shop: Shop


@dataclass(frozen=True, slots=True)
class AimSet:
    """Somebody sees to a need from now on; to none any more where it is ""."""

    who: str
    need: str


LabourEffect = WorkBegun | WorkEnded | ProcessBegun | ProcessEnded | NeedsSet | Learned | Priced | AimSet
