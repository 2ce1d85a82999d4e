"""Occasions for which residents met: guests on time, late guests, and absent guests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from hometown.frozen import frozen
from hometown.history import shapes
from hometown.history.reader import RunReader
from hometown.memory.action import Action
from hometown.world import keys
from hometown.world.occasion import Guest, Occasion


@frozen
class Absence:
    """A resident who had agreed to come and did not, with their activity when the others met."""

    who: str
    doing: str


@frozen
class Met:
    """An occasion that is over, with the guests who came, the earliest first, and those who stayed
    away.
    """

    occasion: Occasion
    came: tuple[Guest, ...]
    away: tuple[Absence, ...]


def occasions(run: RunReader, last: int) -> Iterator[Met]:
    """Yield the occasions that are over after step `last`, the earliest first, without those that
    were called off.
    """
    for occasion in list_occasions(run, last):
        if occasion.end <= run.moment(last) and occasion.fate != "called off":
            came = sorted(
                (guest for guest in occasion.guests if guest.came),
                key=lambda guest: (guest.came or occasion.end, guest.who),
            )
            yield Met(occasion, tuple(came), _absent(run, occasion))


def gatherings(run: RunReader) -> list[shapes.OccasionView]:
    """Return the past and future gatherings that were not called off, the earliest first, with all
    residents who know of them.
    """
    last = run.last_step()
    return [
        _occasion_shape(
            run, occasion, _absent(run, occasion) if occasion.end <= run.moment(last) else ()
        )
        for occasion in list_occasions(run, last)
        if occasion.gathers and occasion.fate != "called off"
    ]


def _occasion_shape(
    run: RunReader, occasion: Occasion, away: tuple[Absence, ...]
) -> shapes.OccasionView:
    """Return an occasion in the page's format, with those who stayed away."""
    guests: list[shapes.Invited] = [
        {
            "who": guest.who,
            "by": guest.by,
            "part": guest.part,
            "tick": run.tick(guest.since),
            "came": run.tick(guest.came) if guest.came else None,
            "late": occasion.is_late(guest),
        }
        for guest in occasion.guests
    ]
    missing: list[shapes.Absent] = [
        {"who": absence.who, "doing": absence.doing} for absence in away
    ]
    begin, end = run.tick(occasion.start), run.tick(occasion.end)
    return {
        "what": occasion.what,
        "address": occasion.address,
        "tick": begin,
        "end": end,
        "guests": guests,
        "away": missing,
    }


def list_occasions(run: RunReader, last: int) -> list[Occasion]:
    """Return all occasions as they are after step `last`, the earliest first."""
    latest = {key: row for key, _, row in run.rows_below(keys.OCCASION.root, last) if row}
    return sorted(latest.values(), key=lambda each: (each.start, each.what))


def _absent(run: RunReader, occasion: Occasion) -> tuple[Absence, ...]:
    """Return the expected residents who did not come to an occasion, each with their activity in
    the step in which it began.
    """
    there = {guest.who for guest in occasion.guests if guest.came}
    return tuple(
        Absence(who, _doing(run, who, occasion)) for who in occasion.expected if who not in there
    )


def _doing(run: RunReader, who: str, occasion: Occasion) -> str:
    """Return a resident's activity in the step in which an occasion began."""
    step = min(run.tick(occasion.start) // run.ticks + 1, run.last_step())
    return cast(Action, run.row(keys.ACTION.of(who), step)).activity
