"""Moods and feelings (PAD and its decay as in ALMA, Gebhard 2005). They are computed from the last
stimulus when they are read, and stored only when a stimulus changes them.

A feeling fades by a number of points an hour. It shifts the mood as it grows, and the mood returns
to the resident's temperament.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from hometown.frozen import frozen
from hometown.world.book.hearts import Hearts
from hometown.world.book.parts import FULL, FeelingPart
from hometown.world.feeling import Feel, Feeling, Pad, Stir

SIXTIETHS = 60
"""The units in a point of mood: a rate of one point an hour is one unit a minute."""

CALMING_PER_HOUR = 4
"""The points an hour by which each dimension of a mood returns to the temperament."""

MAX_MOOD = 100

MAX_FEELINGS = 8
"""The largest number of feelings at a time; later ones replace earlier ones."""

REPEAT_DIVISOR = 4
"""A repeated stimulus adds 1/REPEAT_DIVISOR of the weaker to the stronger feeling."""

MAX_PACE_PERCENT = 15
"""Per cent by which the best mood shortens work, and the worst one lengthens it."""


@frozen
class Stimulus:
    """An emotional stimulus.

    Attributes:
        who: The resident who feels it.
        towards: The resident whom the feeling is about; "" for none.
        memory: The number of the memory of the cause; 0 for none.
        tenths: The strength, in tenths of the usual one.
    """

    who: str
    stir: Stir
    towards: str = ""
    memory: int = 0
    tenths: int = 10


def current_strength(hearts: Hearts, feeling: Feeling, now: datetime) -> int:
    """Return a feeling's present strength, 0 to 1000; 0 for a kind that the world no longer has."""
    part = hearts.feelings.get(feeling.kind)
    return (
        max(0, feeling.strength - part.fades * _minutes(feeling.since, now) // SIXTIETHS)
        if part
        else 0
    )


def current_feelings(hearts: Hearts, feel: Feel | None, now: datetime) -> list[tuple[Feeling, int]]:
    """Return the present feelings with their strengths, the strongest first, then the latest."""
    felt = (
        [(feeling, current_strength(hearts, feeling, now)) for feeling in feel.feelings]
        if feel
        else []
    )
    return sorted((each for each in felt if each[1]), key=lambda each: -each[1])


def current_mood(temperament: Pad, feel: Feel | None, now: datetime) -> Pad:
    """Return the present pleasure, arousal and dominance, each -100 to 100, rounded towards 0."""
    if feel is None:
        return temperament
    pleasure, arousal, dominance = (
        int(level / SIXTIETHS) for level in _decay_mood(temperament, feel, now)
    )
    return pleasure, arousal, dominance


def apply_stimulus(
    hearts: Hearts, temperament: Pad, feel: Feel | None, stirred: Stimulus, now: datetime
) -> Feel | None:
    """Return a resident's feelings and mood after a stimulus; None if it causes none. It ends the
    feelings of some kinds, and strengthens one of the same kind towards the same resident; the mood
    shifts by the growth of each feeling. Only the latest `MAX_FEELINGS` stay.
    """
    caused = [
        (kind, points * stirred.tenths // 10) for kind, points in hearts.stirred_by(stirred.stir)
    ]
    caused = [(kind, points) for kind, points in caused if points]
    if not caused:
        return None
    levels = (
        list(_decay_mood(temperament, feel, now))
        if feel
        else [points * SIXTIETHS for points in temperament]
    )
    felt = [
        feeling
        for feeling, _ in current_feelings(hearts, feel, now)
        if not _is_ended_by(hearts.feelings[feeling.kind], feeling, stirred)
    ]
    for kind, points in caused:
        same = next(
            (each for each in felt if (each.kind, each.towards) == (kind, stirred.towards)), None
        )
        before = current_strength(hearts, same, now) if same else 0
        after = min(FULL, max(before, points) + min(before, points) // REPEAT_DIVISOR)
        part = hearts.feelings[kind]
        levels = [
            _clamp(level + by * (after - before) * SIXTIETHS // FULL)
            for level, by in zip(levels, _pad(part), strict=True)
        ]
        felt = [
            Feeling(kind, stirred.towards, stirred.stir, stirred.memory, after, now),
            *(each for each in felt if each is not same),
        ]
    pleasure, arousal, dominance = levels
    return Feel(
        (pleasure, arousal, dominance),
        now,
        tuple(sorted(felt, key=lambda each: each.since, reverse=True)[:MAX_FEELINGS]),
    )


def adjust_minutes(minutes: int, pleasure: int) -> int:
    """Return the duration of work in a mood of this pleasure, -100 to 100: up to 15 % shorter or
    longer, at least one minute.

    >>> adjust_minutes(60, 0), adjust_minutes(60, 100), adjust_minutes(60, -100), adjust_minutes(1, 100)
    (60, 51, 69, 1)
    """
    return max(1, minutes - minutes * MAX_PACE_PERCENT * pleasure // (MAX_MOOD * 100))


def _is_ended_by(part: FeelingPart, feeling: Feeling, stirred: Stimulus) -> bool:
    """Return True if a stimulus ends a feeling towards the same resident."""
    return stirred.stir in part.ends and feeling.towards == stirred.towards


def _decay_mood(temperament: Pad, feel: Feel, now: datetime) -> Sequence[int]:
    """Return the present mood in sixtieths of a point, decayed towards the temperament."""
    calmed = CALMING_PER_HOUR * _minutes(feel.since, now)
    return [
        _approach(base * SIXTIETHS, level, calmed)
        for base, level in zip(temperament, feel.mood, strict=True)
    ]


def _approach(base: int, level: int, by: int) -> int:
    """Return a level moved towards `base` by at most `by`."""
    return max(base, level - by) if level > base else min(base, level + by)


def _clamp(level: int) -> int:
    return max(-MAX_MOOD * SIXTIETHS, min(MAX_MOOD * SIXTIETHS, level))


def _pad(part: FeelingPart) -> Pad:
    return part.pleasure, part.arousal, part.dominance


def _minutes(since: datetime, now: datetime) -> int:
    """Return the whole minutes between two times, 0 if `since` is the later one."""
    return max(0, int((now - since).total_seconds())) // 60
