"""Mentions in a text that rules can check: people, places and times of day."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from hometown.clock import HOUR_WORDS
from hometown.text import contains_name
from hometown.world.world import World

HALF_DAY = 720
"""Minutes after which a clock with hands repeats: "five o'clock" may be either."""

_HOURS_ZH = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
_PAST = {"half": 30, "quarter": 15, "半": 30, "一刻": 15, "三刻": 45}
_CLOCK = re.compile(
    r"(?<![\d:])([01]?\d|2[0-4])[:：]([0-5]\d)(?![\d:])|\b(1[0-2]|[1-9])(?: ?[ap]\.?m\b)",
    re.IGNORECASE,
)
_ACCENTS = re.compile("[\u0300-\u036f]")
_SPOKEN_EN = re.compile(
    rf"\b(?:(half|quarter) past ({'|'.join(HOUR_WORDS)})|({'|'.join(HOUR_WORDS)}) o[’']clock)\b",
    re.IGNORECASE,
)
_SPOKEN_ZH = re.compile(
    rf"({'|'.join(sorted(_HOURS_ZH, key=len, reverse=True))}|两|\d{{1,2}})点(半|一刻|三刻)?(?!点|子)"
)


def remove_accents(text: str) -> str:
    """Return a text without accents, as names are compared: models write "Cafe" for "Café".

    >>> remove_accents("Hobbs Café")
    'Hobbs Cafe'
    """
    return text if text.isascii() else _ACCENTS.sub("", unicodedata.normalize("NFKD", text))


def find_times(text: str) -> set[int]:
    """Return the times of day in a text, as minutes on a clock with hands (0–719).

    >>> sorted(find_times("From 17:00, or at half past three")), sorted(find_times("下午五点到七点半"))
    ([210, 300], [300, 450])
    """
    found = {
        (int(hour or short) * 60 + int(minute or 0)) % HALF_DAY
        for hour, minute, short in _CLOCK.findall(text)
    }
    for past, hour, full in _SPOKEN_EN.findall(text):
        found.add(
            ((HOUR_WORDS.index((hour or full).lower()) + 1) * 60 + _PAST.get(past.lower(), 0))
            % HALF_DAY
        )
    for hour, past in _SPOKEN_ZH.findall(text):
        number = int(hour) if hour.isdecimal() else 2 if hour == "两" else _HOURS_ZH.index(hour) + 1
        found.add((number * 60 + _PAST.get(past, 0)) % HALF_DAY)
    return found


def name_parts(world: World) -> dict[str, tuple[str, ...]]:
    """Return the names of each resident, without accents: the whole name, and those parts of it
    that no other resident has.
    """
    parts = {who: _parts(persona.name) for who, persona in world.personas.items()}
    everybody = [part for own in parts.values() for part in own]
    return {
        who: tuple(part for part in own if everybody.count(part) == 1) for who, own in parts.items()
    }


def find_people(text: str, names: dict[str, tuple[str, ...]]) -> set[str]:
    """Return the residents named in a text, by id; `names` is the result of `name_parts`."""
    text = remove_accents(text)
    return {who for who, parts in names.items() if any(contains_name(part, text) for part in parts)}


def find_places(text: str, world: World) -> set[str]:
    """Return the buildings and grounds named in a text, by id, if written with the capitals of
    their names.
    """
    text = remove_accents(text)
    return {
        address
        for address, sector in world.sectors.items()
        if contains_name(remove_accents(sector.name), text)
    }


def _parts(name: str) -> tuple[str, ...]:
    whole = remove_accents(name)
    return tuple(
        dict.fromkeys(part for part in (whole, *re.split(r"[\s·]+", whole)) if len(part) > 1)
    )


def is_near(minute: int, others: Iterable[int], tolerance: int) -> bool:
    """Return True if one of the others is at most `tolerance` minutes away, on a clock with hands.

    >>> is_near(5, [715], 10), is_near(5, [700], 10)
    (True, False)
    """
    return any(
        min((minute - other) % HALF_DAY, (other - minute) % HALF_DAY) <= tolerance
        for other in others
    )
