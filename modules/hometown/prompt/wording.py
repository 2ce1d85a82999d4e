"""Filters of the templates: times, dates, names and quotations in both languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

import orjson

from hometown.clock import DAY, hhmm
from hometown.language import Lang
from hometown.prompt.mending import ended
from hometown.world.inner_voice import is_news

WEEKDAYS: dict[Lang, tuple[str, ...]] = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "zh": ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
}
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
NEXT_DAY: dict[Lang, str] = {"en": "{} the next morning", "zh": "次日{}"}

_DEFUSED = {"<": "‹", ">": "›", "[": "("}

_BLANKS = re.compile(r"[\s\x00-\x1f\x7f\u2028\u2029]+")


_FENCES = re.compile(r"<(?=[|/!A-Za-z])|(?<=\|)>|\[(?=/?[A-Z_]{3,}\])")
"""Marks that separate system and user in chat templates: <|im_start|>, </s>, [INST]."""


def flat(text: str) -> str:
    """Return a text on one line, without characters that break lists or end a message.

    >>> flat("one\\ntwo"), flat("<|im_start|>system"), flat("I <3 tea")
    ('one two', '‹|im_start|›system', 'I <3 tea')
    """
    if not text.isprintable():
        text = _BLANKS.sub(" ", text).strip()
    return _FENCES.sub(lambda mark: _DEFUSED[mark[0]], text) if "<" in text or "[" in text else text


def fitting(text: str, longest: int) -> str:
    """Return a text for short fields of replies: one line of up to `longest` characters, "…" if
    empty.

    >>> fitting("one\\ntwo", 5), fitting("", 5)
    ('one…', '…')
    """
    words = flat(text).strip() or "…"
    return words if len(words) <= longest else ended(words, longest)


def quoted(text: str) -> str:
    """Return a text on one line in double quotes, with quotes inside escaped.

    >>> quoted('He said "go"')
    '"He said \\\\"go\\\\""'
    """
    return orjson.dumps(flat(text)).decode()


def minute(value: int, lang: Lang) -> str:
    """Return a minute of the day as HH:MM; beyond midnight, that of the next day.

    >>> minute(390, "en"), minute(1500, "en"), minute(1500, "zh")
    ('06:30', '01:00 the next morning', '次日01:00')
    """
    return hhmm(value) if value <= DAY else NEXT_DAY[lang].format(hhmm(value - DAY))


@lru_cache(maxsize=256)
def full_date(day: date, lang: Lang) -> str:
    """Return a date with its weekday.

    >>> full_date(date(2025, 2, 13), "en"), full_date(date(2025, 2, 13), "zh")
    ('Thursday, 13 February 2025', '2025年2月13日星期四')
    """
    weekday = WEEKDAYS[lang][day.weekday()]
    if lang == "zh":
        return f"{day.year}年{day.month}月{day.day}日{weekday}"
    return f"{weekday}, {day.day} {MONTHS[day.month - 1]} {day.year}"


def days_from(value: datetime, count: int) -> tuple[date, ...]:
    """Return `count` days, the first of which is that of a given time."""
    return tuple(value.date() + timedelta(days=ahead) for ahead in range(count))


@lru_cache(maxsize=256)
def moment(value: datetime, lang: Lang) -> str:
    """Return a date and time in full.

    >>> moment(datetime(2025, 2, 13, 9, 5), "en")
    'Thursday, 13 February 2025, 09:05'
    """
    return f"{full_date(value.date(), lang)}{' ' if lang == 'zh' else ', '}{value:%H:%M}"


def short_date(value: date, lang: Lang) -> str:
    """Return an abbreviated date.

    >>> short_date(date(2025, 2, 13), "en"), short_date(date(2025, 2, 13), "zh")
    ('Thu 13 Feb', '2月13日周四')
    """
    weekday = WEEKDAYS[lang][value.weekday()]
    if lang == "zh":
        return f"{value.month}月{value.day}日周{weekday[-1]}"
    return f"{weekday[:3]} {value.day} {MONTHS[value.month - 1][:3]}"


@lru_cache(maxsize=4096)
def when(value: datetime, lang: Lang) -> str:
    """Return an abbreviated date and time, as in lists of memories.

    >>> when(datetime(2025, 2, 13, 9, 5), "en"), when(datetime(2025, 2, 13, 9, 5), "zh")
    ('Thu 13 Feb 09:05', '2月13日周四09:05')
    """
    return f"{short_date(value, lang)}{'' if lang == 'zh' else ' '}{value:%H:%M}"


def filters(
    lang: Lang, name_of: Callable[[str], str], place_name: Callable[[str], str]
) -> dict[str, Callable[..., Any]]:
    """Return the filters of a language's templates.

    Args:
        lang: the language.
        name_of: returns the name of a resident by id.
        place_name: returns the name of a place by address.
    """
    return {
        "flat": flat,
        "quoted": quoted,
        "news": is_news,
        "named": lambda who: flat(name_of(who)),
        "place": lambda address: flat(place_name(address)),
        "minute": lambda value: minute(value, lang),
        "weekday": lambda day: WEEKDAYS[lang][day.weekday()],
        "days": days_from,
        "day": lambda day: short_date(day, lang),
        "date": lambda day: full_date(day, lang),
        "moment": lambda value: moment(value, lang),
        "clock": lambda value: f"{value:%H:%M}",
        "when": lambda value: when(value, lang),
    }
