"""Mentions in a text that rules can check: people, places, times of day and numbers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from hometown.clock import HOUR_WORDS
from hometown.model.loose_values import HAN_NUMERALS, NUMBER_WORDS, TENS, read_numeral
from hometown.text import contains_name
from hometown.world.world import World

HALF_DAY = 720
"""Minutes after which a clock with hands repeats: "five o'clock" may be either."""

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
_TENS_ZH = f"[二三四五六七八九]?十[{HAN_NUMERALS[2:-1]}]?"
_SPOKEN_ZH = re.compile(
    # After "周三", a numeral is an hour; after "周", it is the day.
    rf"(?:(?<=[周期拜][一二三四五六日天])|(?<![\d:：.周期拜第几百千万{HAN_NUMERALS}]))"
    rf"(?P<hour>\d{{1,2}}|{_TENS_ZH}|[{HAN_NUMERALS[:-1]}])点"
    rf"(?:(?P<past>半|一刻|三刻)"
    rf"|(?P<minute>(?:\d{{1,2}}|[{HAN_NUMERALS}]{{1,3}})(?=分)"
    rf"|(?:\d\d|[零〇][{HAN_NUMERALS[2:-1]}]|{_TENS_ZH})(?![个位名人多几分]))"
    r"|(?P<sure>钟|整|左右)|(?!点|子|想法|建议|意见|原因|理由|要求|看法|体会))"
)
_BEFORE_HOUR = re.compile(
    "(?:[早晚]上|[上下中正]午|[午凌清]晨|午后|傍晚|[今明昨当]晚|[深半午]夜|夜里|[点半刻分钟整][到至~～—–-])$"
)
"""Words before an hour, after which "一点" and "两点" are times, and not "a bit" or "two points"."""

_NUMERAL_EN = (
    rf"(?:{'|'.join(TENS)})(?:[- ](?:{'|'.join(HOUR_WORDS[:9])}))?|{'|'.join(NUMBER_WORDS)}"
)
_NUMERAL_ZH = f"[{HAN_NUMERALS}]+"
_NUMBER = re.compile(rf"(?<!\d)\d{{1,3}}(?!\d)|\b(?:{_NUMERAL_EN})\b|{_NUMERAL_ZH}", re.IGNORECASE)
_AGED = re.compile(
    rf"\b(?:I['’]?m|I am|aged|turned|age is)\s+(?:(?:now|just)\s+)?(\d{{1,3}}|{_NUMERAL_EN})\b(?! of\b)"
    rf"|\b(\d{{1,3}}|{_NUMERAL_EN})[- ]years?[- ]old\b"
    rf"|(\d{{1,3}}|{_NUMERAL_ZH})岁"
    rf"|今年(?:刚|已经|都|满)?(\d{{2,3}}|{_TENS_ZH})(?![\d{HAN_NUMERALS}多几来月年号])"
    rf"|^\W*(\d{{1,3}}|{_NUMERAL_EN}|{_NUMERAL_ZH})\W*$",
    re.IGNORECASE,
)
"""A number said as an age, also if it is the whole answer."""


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
    return found | set(_find_times_zh(text))


def _find_times_zh(text: str) -> Iterator[int]:
    """Yield the times of day in Chinese words in a text.

    >>> [*_find_times_zh("五点四十分，3点50，周三十点二十，二十点，下午一点到两点，一点零五分")]
    [340, 230, 620, 480, 60, 120, 65]
    >>> [*_find_times_zh("有一点累，早一点来，两点想法，周三点了菜，第三点，五十点")]
    []
    """
    for match in _SPOKEN_ZH.finditer(text):
        hour, past, minute = match["hour"], match["past"], match["minute"]
        is_sure = hour not in ("一", "两") or past or minute or match["sure"]
        number = read_numeral(hour)
        if number is None or number > 24:
            continue
        if is_sure or _BEFORE_HOUR.search(text, 0, match.start()):
            yield (number * 60 + _PAST.get(past, read_numeral(minute or "0") or 0)) % HALF_DAY


def find_numbers(text: str) -> set[int]:
    """Return the whole numbers in a text, in digits or words.

    >>> sorted(find_numbers("I am thirty-four; I moved here in 2012, at 21.")), find_numbers("今年三十四岁")
    ([21, 34], {34})
    """
    return _read_numerals(_NUMBER.findall(text))


def find_ages(text: str) -> set[int]:
    """Return the numbers that a text says as an age.

    >>> find_ages("I'm forty, with two children."), find_ages("我三十多岁，在这儿住了12年。"), find_ages("40.")
    ({40}, set(), {40})
    """
    return _read_numerals(part for found in _AGED.findall(text) for part in found)


def _read_numerals(texts: Iterable[str]) -> set[int]:
    """Return the values of those texts that are numerals."""
    return {number for text in texts if (number := read_numeral(text.lower())) is not None}


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
