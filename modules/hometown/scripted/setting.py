"""Tags of the setting of a talk: the hour, the place, and the voices of the two who face each other.
Phrases and questions are tagged with those for which they are made.
"""

from __future__ import annotations

from datetime import datetime

from hometown.prompt.reactions import Neighbour
from hometown.scripted.clauses import mentions
from hometown.scripted.naming import is_family
from hometown.scripted.phrases import Bank
from hometown.scripted.places import places_like
from hometown.world.persona import Persona

LATER = 13
"""Hour of the day from which a speaker may be tired of it, or look back on it."""

DAYTIME = (7, 18)
"""Hours of the day between which supper is still to come and the evening can be planned."""

EARLY = (5, 9)
"""Hours of the day between which a speaker may still be drowsy."""

CLOSE, KNOWN = 6, 3
"""The least closeness of those who are close, and of those who know each other."""

_PARTS = (
    (5, "night"),
    (12, "morning"),
    (13, "noon"),
    (17, "afternoon"),
    (21, "evening"),
    (24, "night"),
)
_SEASONS = (
    "winter",
    "winter",
    "spring",
    "spring",
    "spring",
    "summer",
    "summer",
    "summer",
    "autumn",
    "autumn",
    "autumn",
    "winter",
)


def hours_of(now: datetime) -> list[str]:
    """Return the tags of the hour, the day and the season."""
    spans = {"early": EARLY, "daytime": DAYTIME, "later": (LATER, 24)}
    spanned = [tag for tag, (start, end) in spans.items() if start <= now.hour < end]
    week = "weekend" if now.weekday() >= 5 else "weekday"
    return [_part_of(now), _SEASONS[now.month - 1], f"on-{now:%m-%d}", week, *spanned]


def voice_tags(me: Persona, other: Neighbour, bank: Bank) -> list[str]:
    """Return the tags of both voices ("scholar", "to-student"), and of each who is no student
    ("grown") or no host ("customer").
    """
    mine = _voice_of(me.occupation, me.age, bank)
    theirs = _voice_of(other.occupation, 0, bank)
    others = {"student": "grown", "host": "customer"}
    return [
        *(mine, f"to-{theirs}"),
        *(tag for voice, tag in others.items() if mine != voice),
        *(f"to-{tag}" for voice, tag in others.items() if theirs != voice),
    ]


def place_tags(where: str, other: Neighbour, bank: Bank) -> list[str]:
    """Return the tags of the kind of place ("at-cafe"), of those who live in different houses
    ("apart"), and of a family at home.
    """
    kinds, family = places_like(where, bank)[:1], is_family(other.relation, bank)
    at_home = kinds == ["home"]
    together = family or at_home or mentions(other.relation, bank.words["housemates"])
    return [
        *(f"at-{kind}" for kind in kinds),
        *([] if together else ["apart"]),
        *(["at-home-together"] if family and at_home else []),
        *(["outdoors"] if {"park", "square", "street"}.intersection(kinds) else []),
    ]


def closeness_tag(other: Neighbour) -> str:
    """Return the tag of how close another is: "close", "known" or "far"."""
    if other.closeness >= CLOSE:
        return "close"
    return "known" if other.closeness >= KNOWN else "far"


def newness_tags(me: Persona, other: Neighbour) -> list[str]:
    """Return the tags of a latecomer who is hardly known yet ("new-here"), of a speaker who is one
    among people hardly known ("new-myself"), and of two who have lived here from the first.
    """
    if not (me.is_latecomer or other.is_latecomer):
        return ["long-here"]
    if closeness_tag(other) != "far":
        return []
    return [
        *(["new-here"] if other.is_latecomer else []),
        *(["new-myself"] if me.is_latecomer else []),
    ]


def _part_of(now: datetime) -> str:
    return next(part for hour, part in _PARTS if now.hour < hour)


def _voice_of(occupation: str, age: int, bank: Bank) -> str:
    """Return the manner of speaking that goes with an occupation; where none is written for it,
    "elder" from 65, "student" from 1 to 19, and "plain".
    """
    lowered = occupation.lower()
    for voice, marks in bank.words["voices"].items():
        if any(mark in lowered for mark in marks):
            return str(voice)
    return "elder" if age >= 65 else "student" if 0 < age <= 19 else "plain"
