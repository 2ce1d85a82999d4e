"""Bodies: the level of each need at any moment, worked out when it is read. It is written only when something jumps, or a rate changes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from hometown.world.book.book import Book
from hometown.world.book.parts import FULL
from hometown.world.labour import Needs

SIXTIETHS = 60
"""Of a point: a rate of one point an hour is one of them a minute."""

MOST = FULL * SIXTIETHS


def rested(book: Book, now: datetime) -> Needs:
    """A body with all needs satisfied."""
    return Needs(tuple((need, MOST) for need in book.needs), now)


def levels(book: Book, needs: Needs, now: datetime) -> dict[str, int]:
    """The level of each need, 0 to 1000 points."""
    return {need: level // SIXTIETHS for need, level in _settled(book, needs, now).items()}


def changed(book: Book, needs: Needs, now: datetime, by: Mapping[str, int], asleep: bool) -> Needs:
    """A body whose needs have jumped by so many points now, and which is asleep or awake from now on."""
    settled = _settled(book, needs, now)
    jumped = {need: min(MOST, max(0, level + by.get(need, 0) * SIXTIETHS)) for need, level in settled.items()}
    return Needs(tuple(jumped.items()), now, asleep)


def _settled(book: Book, needs: Needs, now: datetime) -> dict[str, int]:
    """Levels in sixtieths. What a need at 0 does to others begins in the minute in which it gets there."""
    minutes = int((now - needs.since).total_seconds()) // 60
    begun = dict(needs.levels)
    empty_after = {need: -(-level // -_rate(book, need, needs.asleep)) for need, level in begun.items() if _rate(book, need, needs.asleep) < 0}
    return {need: _after(book, need, level, needs.asleep, minutes, empty_after) for need, level in begun.items()}


def _after(book: Book, need: str, level: int, asleep: bool, minutes: int, empty_after: Mapping[str, int]) -> int:
    """A level after so many minutes: at its own rate, and once any other need is at 0 that drains it, at what they drain together."""
    starts = sorted((after, book.needs[other].at_zero[need]) for other, after in empty_after.items() if need in book.needs[other].at_zero and after < minutes)
    own, drained, passed = _rate(book, need, asleep), 0, 0
    for start, drain in [*starts, (minutes, 0)]:
        level = min(MOST, max(0, level + (drained or own) * (start - passed)))
        drained, passed = drained + drain, start
    return level


def _rate(book: Book, need: str, asleep: bool) -> int:
    part = book.needs[need]
    return part.asleep if asleep else part.awake
