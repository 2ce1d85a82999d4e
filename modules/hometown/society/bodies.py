"""Bodies: the level of each need at any moment, worked out when it is read. It is written only when
something jumps, or a rate changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from hometown.world.book.book import Book
from hometown.world.book.parts import FULL
from hometown.world.labour import Needs

MINUTE = timedelta(minutes=1)

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
    """A body whose needs have jumped by so many points now, and which is asleep or awake from now
    on.
    """
    settled = _settled(book, needs, now)
    jumped = {
        need: _bounded(level + by.get(need, 0) * SIXTIETHS) for need, level in settled.items()
    }
    return Needs(tuple(jumped.items()), now, asleep)


def _settled(book: Book, needs: Needs, now: datetime) -> dict[str, int]:
    """Levels in sixtieths. What a need at 0 does to others begins in the minute in which it gets
    there.
    """
    minutes, rates, drain = (now - needs.since) // MINUTE, book.rates[needs.asleep], book.drains
    falling = [
        (level, -rates[need], drain[need])
        for need, level in needs.levels
        if need in drain and rates[need] < 0
    ]
    drains = [
        (after, others) for level, rate, others in falling if (after := -(-level // rate)) < minutes
    ]
    if not drains:
        return {need: _bounded(level + rates[need] * minutes) for need, level in needs.levels}
    return {
        need: _after(
            level,
            rates[need],
            minutes,
            [(start, others[need]) for start, others in drains if need in others],
        )
        for need, level in needs.levels
    }


def _after(level: int, own: int, minutes: int, drains: Iterable[tuple[int, int]]) -> int:
    """A level after so many minutes: at its own rate, and once any other need is at 0 that drains
    it, at what they drain together, from when on.
    """
    starts, drained, passed = sorted(drains), 0, 0
    for start, drain in [*starts, (minutes, 0)]:
        level = _bounded(level + (drained or own) * (start - passed))
        drained, passed = drained + drain, start
    return level


def _bounded(level: int) -> int:
    return 0 if level < 0 else MOST if level > MOST else level
