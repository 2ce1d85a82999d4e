"""What people came together for: who came, who came late, and who had agreed to come and was elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from hometown.history.reader import RunReader
from hometown.memory.action import Action
from hometown.world.occasion import Guest, Occasion


@dataclass(frozen=True, slots=True)
class Absence:
    """Somebody who had agreed to come and did not, and what it was doing when the others met."""

    who: str
    doing: str


@dataclass(frozen=True, slots=True)
class Met:
    """An occasion that has begun, and who was there, the earliest first."""

    occasion: Occasion
    came: tuple[Guest, ...]
    away: tuple[Absence, ...]


def occasions(run: RunReader, last: int) -> Iterator[Met]:
    """The occasions that are over after step `last`, the earliest first."""
    latest = {key: cast(Occasion, row) for key, _, row in run.rows_below("occasion", last) if row}
    for occasion in sorted(latest.values(), key=lambda each: (each.start, each.what)):
        if occasion.end <= run.moment(last):
            came = sorted((guest for guest in occasion.guests if guest.came), key=lambda guest: (guest.came or occasion.end, guest.who))
            there = {guest.who for guest in came}
            yield Met(occasion, tuple(came), tuple(Absence(who, _doing(run, who, occasion)) for who in occasion.expected if who not in there))


def _doing(run: RunReader, who: str, occasion: Occasion) -> str:
    step = min(run.tick(occasion.start) // run.ticks + 1, run.last_step())
    return cast(Action, run.row(f"action/{who}", step)).activity
