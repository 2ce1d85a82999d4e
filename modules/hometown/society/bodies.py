"""Levels of bodily needs. They are computed from the last change and the rates when they are read,
and are stored only when a level jumps or a rate changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from hometown.world.book.book import Book
from hometown.world.book.parts import FULL
from hometown.world.labour import Needs

MINUTE = timedelta(minutes=1)

SIXTIETHS = 60
"""The units in a point: a rate of one point an hour is one unit a minute."""

MAX_LEVEL = FULL * SIXTIETHS


def satisfied_needs(book: Book, now: datetime) -> Needs:
    """Return needs that are all at the highest level."""
    return Needs(tuple((need, MAX_LEVEL) for need in book.needs), now)


def need_levels(book: Book, needs: Needs, now: datetime) -> dict[str, int]:
    """Return the level of each need now, 0 to 1000 points."""
    return {need: level // SIXTIETHS for need, level in _current_levels(book, needs, now).items()}


def change_needs(
    book: Book, needs: Needs, now: datetime, by: Mapping[str, int], asleep: bool
) -> Needs:
    """Return needs after a change.

    Args:
        by: The points by which each need jumps now.
        asleep: Whether the resident is asleep from now on.
    """
    current = _current_levels(book, needs, now)
    changed = {need: _clamp(level + by.get(need, 0) * SIXTIETHS) for need, level in current.items()}
    return Needs(tuple(changed.items()), now, asleep)


def _current_levels(book: Book, needs: Needs, now: datetime) -> dict[str, int]:
    """Return the present levels in sixtieths of a point.

    A need at 0 drains others from the minute in which it reaches 0, as long as it does not rise.
    """
    minutes = (now - needs.since) // MINUTE
    rates = book.rates[needs.asleep]
    drain = book.drains
    emptying = [
        (level, max(1, -rates[need]), drain[need])
        for need, level in needs.levels
        if need in drain and (rates[need] < 0 or level == rates[need] == 0)
    ]
    drains = [
        (after, others)
        for level, rate, others in emptying
        if (after := -(-level // rate)) < minutes
    ]
    if not drains:
        return {need: _clamp(level + rates[need] * minutes) for need, level in needs.levels}
    return {
        need: _level_after(
            level,
            rates[need],
            minutes,
            [(start, others[need]) for start, others in drains if need in others],
        )
        for need, level in needs.levels
    }


def _level_after(level: int, own: int, minutes: int, drains: Iterable[tuple[int, int]]) -> int:
    """Return a level after some minutes.

    Args:
        own: The need's own rate, per minute.
        drains: The minute from which each empty need drains this one, with its rate. Drains add up,
            and replace the need's own rate.
    """
    drain_rate, minute = 0, 0
    for start, rate in [*sorted(drains), (minutes, 0)]:
        level = _clamp(level + (drain_rate or own) * (start - minute))
        drain_rate += rate
        minute = start
    return level


def _clamp(level: int) -> int:
    """Return a level within 0 and `MAX_LEVEL`."""
    return 0 if level < 0 else MAX_LEVEL if level > MAX_LEVEL else level
