"""Names of places as used in speech."""

from __future__ import annotations

import re

from hometown.language import Lang
from hometown.scripted.phrases import Bank
from hometown.text import catalogue

WITHOUT_ARTICLE = ("Café", "Park", "Square", "College", "School", "Street")
"""Endings of English place names that take no "the"."""


def places_like(name: str, bank: Bank) -> list[str]:
    """Return the kinds of place that a place's name suggests ("cafe", "park")."""
    return [
        kind
        for kind, marks in bank.words["places"].items()
        if any(mark in name.lower() for mark in marks)
    ]


def short_place(name: str, lang: Lang) -> str:
    """Return the short name of a place, as used in conversation.

    >>> short_place("Starlight Café, main room", "en"), short_place("Lin Yue's home, bedroom", "en"), short_place("Johnson Park", "en")
    ('Starlight Café', "Lin Yue's home", 'Johnson Park')
    """
    if lang == "zh":
        return name
    sector = name.split(",")[0]
    named = (
        "'s " in sector
        or "’s " in sector
        or sector.lower().startswith("the ")
        or sector.endswith(WITHOUT_ARTICLE)
    )
    return sector if named else f"the {sector}"


def speak_places(text: str, lang: Lang) -> str:
    """Return a text with the prepositions that open places take in English, before a mark or at its
    end.

    >>> speak_places("They met at the streets, then at the village green.", "en")
    'They met in the street, then on the village green.'
    """
    for rule in catalogue(lang, "day")["open_places"].splitlines():
        place, said = rule.split(" -> ")
        text = re.sub(rf"\bat {place}(?=[.,;]|$)", said, text)
    return text


def address_of(short_name: str, kind: str, places: tuple[tuple[str, str], ...], bank: Bank) -> str:
    """Return the address of a place named by `short_place`, "" if it isn't among `places`.

    Of several rooms of a house, one of the wanted kind ("library") is preferred, then the main
    room.
    """
    meant = [
        (address, name)
        for address, name in places
        if short_place(name, bank.lang).casefold() == short_name.casefold()
    ]
    return min(
        meant,
        key=lambda place: (kind not in places_like(place[1], bank)[:1], "," in place[1]),
        default=("", ""),
    )[0]
