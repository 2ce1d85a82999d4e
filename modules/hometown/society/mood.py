"""Moods and feelings at any moment, worked out when they are read (PAD and its decay as in Gebhard
2005, ALMA). They are written only when something stirs.

A feeling fades by so many points an hour. It moves the mood as it grows, and the mood goes back to
the resident's temperament by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from hometown.frozen import frozen
from hometown.world.book.hearts import Hearts
from hometown.world.book.parts import FULL, FeelingPart
from hometown.world.feeling import Feel, Feeling, Pad, Stir

SIXTIETHS = 60
"""Of a point of mood: at one point an hour it moves by one of them a minute."""

CALMS = 4
"""Points an hour by which each dimension of a mood goes back to the temperament."""

MOST = 100

KEPT = 8
"""Feelings that somebody has at a time, at most: the latest."""

AGAIN = 4
"""What stirs a feeling that is there already adds one part in so many of the weaker of both."""

PACE = 15
"""Percent by which the best mood shortens work, and the worst lengthens it."""


@frozen
class Stirred:
    """Something stirs somebody: towards whom ("" for nobody), told by which memory (0 for none),
    and to which share, in tenths.
    """

    who: str
    stir: Stir
    towards: str = ""
    memory: int = 0
    tenths: int = 10


def strength(hearts: Hearts, feeling: Feeling, now: datetime) -> int:
    """How strong a feeling is now, 0 to 1000; 0 for one that the world does not have any more."""
    part = hearts.feelings.get(feeling.kind)
    return (
        max(0, feeling.strength - part.fades * _minutes(feeling.since, now) // SIXTIETHS)
        if part
        else 0
    )


def present(hearts: Hearts, feel: Feel | None, now: datetime) -> list[tuple[Feeling, int]]:
    """The feelings that have not faded, with their strength now, the strongest first, the later of
    equals.
    """
    felt = [(feeling, strength(hearts, feeling, now)) for feeling in feel.feelings] if feel else []
    return sorted((each for each in felt if each[1]), key=lambda each: -each[1])


def mood(temperament: Pad, feel: Feel | None, now: datetime) -> Pad:
    """Pleasure, arousal and dominance now, each from -100 to 100, towards none."""
    if feel is None:
        return temperament
    pleasure, arousal, dominance = (
        int(level / SIXTIETHS) for level in _settled(temperament, feel, now)
    )
    return pleasure, arousal, dominance


def stir(
    hearts: Hearts, temperament: Pad, feel: Feel | None, stirred: Stirred, now: datetime
) -> Feel | None:
    """What somebody feels once something has stirred it; None where that stirs nothing."""
    caused = [
        (kind, points * stirred.tenths // 10) for kind, points in hearts.stirred_by(stirred.stir)
    ]
    caused = [(kind, points) for kind, points in caused if points]
    if not caused:
        return None
    levels = (
        list(_settled(temperament, feel, now))
        if feel
        else [points * SIXTIETHS for points in temperament]
    )
    felt = [
        feeling
        for feeling, _ in present(hearts, feel, now)
        if not _ends(hearts.feelings[feeling.kind], feeling, stirred)
    ]
    for kind, points in caused:
        same = next(
            (each for each in felt if (each.kind, each.towards) == (kind, stirred.towards)), None
        )
        before = strength(hearts, same, now) if same else 0
        after = min(FULL, max(before, points) + min(before, points) // AGAIN)
        part = hearts.feelings[kind]
        levels = [
            _bounded(level + by * (after - before) * SIXTIETHS // FULL)
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
        tuple(sorted(felt, key=lambda each: each.since, reverse=True)[:KEPT]),
    )


def paced(minutes: int, pleasure: int) -> int:
    """For how long work takes in a mood of this pleasure, -100 to 100: up to 15 % more or less, one
    minute at least.

    >>> paced(60, 0), paced(60, 100), paced(60, -100), paced(1, 100)
    (60, 51, 69, 1)
    """
    return max(1, minutes - minutes * PACE * pleasure // (MOST * 100))


def _ends(part: FeelingPart, feeling: Feeling, stirred: Stirred) -> bool:
    return stirred.stir in part.ends and feeling.towards == stirred.towards


def _settled(temperament: Pad, feel: Feel, now: datetime) -> Sequence[int]:
    """The mood in sixtieths, so much nearer to the temperament as time has passed."""
    calmed = CALMS * _minutes(feel.since, now)
    return [
        _towards(base * SIXTIETHS, level, calmed)
        for base, level in zip(temperament, feel.mood, strict=True)
    ]


def _towards(base: int, level: int, by: int) -> int:
    return max(base, level - by) if level > base else min(base, level + by)


def _bounded(level: int) -> int:
    return max(-MOST * SIXTIETHS, min(MOST * SIXTIETHS, level))


def _pad(part: FeelingPart) -> Pad:
    return part.pleasure, part.arousal, part.dominance


def _minutes(since: datetime, now: datetime) -> int:
    return max(0, int((now - since).total_seconds())) // 60
