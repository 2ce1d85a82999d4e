"""Reads single values that a model wrote in its own way: times, numbers, choices, yes and no, in
English and Chinese. Each reader returns None where a value can be read in no way or in several.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from hometown.clock import DAY, HOUR_WORDS, hhmm
from hometown.prompt.plans import CLOCK
from hometown.prompt.schema import Schema

Labels = Mapping[str, Sequence[str]]
"""The names of numbered choices, from 1, by the path of their number, as in "tasks[].place"."""

LATE_NIGHT, DAWN = 5, 6
"""Hours before the first are after midnight, even if they are called evening or night; those before
the second, if they are called the depth of the night.
"""

_YES = frozenset(("yes", "y", "true", "1", "on", "right", "correct", "sure"))
_YES |= frozenset(("是", "是的", "对", "对的", "好", "好的", "会", "可以", "要", "有", "真"))
_NO = frozenset(("no", "n", "false", "0", "off", "wrong", "none"))
_NO |= frozenset(("否", "不", "不是", "不对", "不会", "不可以", "不要", "没有", "没", "无", "假"))

_DECORATION = "*_`'\"“”‘’「」《》()[]<>. \t\n"
"""Characters around a value that say nothing."""

TENS = {
    word: 10 * number
    for number, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2
    )
}
NUMBER_WORDS = (
    {word: number for number, word in enumerate(HOUR_WORDS, 1)}
    | {
        "zero": 0,
        "thirteen": 13,
        "fourteen": 14,
        "fifteen": 15,
        "sixteen": 16,
        "seventeen": 17,
        "eighteen": 18,
        "nineteen": 19,
    }
    | TENS
)
_DIGITS = {sign: number for number, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
HAN_NUMERALS = "零〇一二两三四五六七八九十"

_ENGLISH_PART = r"(?P<part>a\.?m\.?|p\.?m\.?|in the (?:morning|afternoon|evening)|at night)?"
_CHINESE_PART = "(?P<part>清晨|早晨|早上|凌晨|上午|中午|下午|午后|傍晚|晚上|夜里|夜晚|深夜|半夜|午夜|今晚|明早)?"
_ABOUT = r"(?:(?:at|around|about|approximately|approx\.?|ca\.?|~|约|大约|大概)\s*)?"
_DATE = r"(?:\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}日?[t,]?\s*)?"
_NUMERAL = rf"\d{{1,2}}|[{HAN_NUMERALS}]{{1,3}}"
_CLOCKS = tuple(
    re.compile(f"{_ABOUT}{_DATE}{form}", re.IGNORECASE)
    for form in (
        rf"(?P<hour>\d{{1,2}})\s*[:.h]\s*(?P<minute>\d\d)(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)?\s*{_ENGLISH_PART}",
        rf"(?P<hour>\d\d)(?P<minute>\d\d)\s*(?:h|hrs?|hours)?\s*{_ENGLISH_PART}",
        rf"(?P<hour>\d{{1,2}}|{'|'.join(HOUR_WORDS)})\s*(?:o'?clock\s*)?{_ENGLISH_PART}",
        rf"(?P<past>half past|quarter past|quarter to)\s+(?P<hour>\d{{1,2}}|{'|'.join(HOUR_WORDS)})\s*{_ENGLISH_PART}",
        rf"{_CHINESE_PART}\s*(?P<hour>{_NUMERAL})\s*[点點时時:]\s*(?:(?P<past>半|整|一刻|三刻)|(?P<minute>{_NUMERAL})\s*分?)?(?:左右|钟)?",
    )
)
_NAMED = {
    "noon": 720,
    "midday": 720,
    "midnight": DAY,
    "中午": 720,
    "正午": 720,
    "午夜": DAY,
    "半夜": DAY,
}
_PAST = {
    "half past": 30,
    "quarter past": 15,
    "quarter to": -15,
    "半": 30,
    "整": 0,
    "一刻": 15,
    "三刻": 45,
}
_MORNING = ("am", "in the morning", "清晨", "早晨", "早上", "凌晨", "上午", "明早")
_DEEP_NIGHT = ("夜里", "深夜", "半夜", "午夜")
_NIGHT = ("at night", "晚上", "夜晚", "今晚", *_DEEP_NIGHT)

_UNITS = r"(?:\s*(?:minutes?|mins?|分钟|分|号|个|枚|次|岁|years? old|coins?|days?|天|/\s*10))?"
_INTEGER = re.compile(
    rf"(?:(?:number|no\.?|nr\.?|place|option|item|person|home|rating|#|第)\s*)?"
    rf"(?P<number>[+-]?\d{{1,9}}(?:\.0+)?|[{HAN_NUMERALS}]+|[a-z]+(?:[- ][a-z]+)?){_UNITS}(?:\s*[:.,(—–-]\s*[^\d]*)?",
    re.IGNORECASE,
)
_HOURS = rf"(?P<hours>\d{{1,3}}(?:\.\d{{1,3}})?|[{HAN_NUMERALS}]{{1,3}}|an?|{'|'.join(HOUR_WORDS)})"
_DURATION = re.compile(
    rf"{_ABOUT}(?:(?:{_HOURS}\s*(?P<half>and a half|个?半)?|(?P<half_alone>half an|半))"
    r"\s*(?:hours?|hrs?|h|个?(?:小时|钟头))(?P<half_behind>\s*and a half|半)?)?\s*(?:and)?\s*"
    rf"(?:(?P<minutes>\d{{1,6}}|[{HAN_NUMERALS}]{{1,3}})\s*(?:minutes?|mins?|m|分钟|分)?)?",
)


def fit_values(value: Any, schema: Schema, labels: Labels, at: str = "") -> Any:
    """Return the JSON of a reply in which each value that does not fit its schema is replaced by
    what its reader makes of it; values that no reader understands stay.

    Args:
        labels: The names of numbered choices.
        at: The path of the value.
    """
    kind = schema.get("type")
    if isinstance(value, dict) and "properties" in schema:
        named = _match_names(value, list(schema["properties"]))
        return named | {
            name: fit_values(named[name], part, labels, f"{at}.{name}" if at else name)
            for name, part in schema["properties"].items()
            if name in named
        }
    if "prefixItems" in schema:
        return _fit_row(value, schema, labels, at)
    if isinstance(value, list) and "items" in schema:
        return [fit_values(item, schema["items"], labels, f"{at}[]") for item in value]
    if kind == "integer":
        return _fit_number(value, at, labels.get(at, ()))
    if kind == "boolean" and isinstance(value, str | int) and not isinstance(value, bool):
        read = read_yes_no(str(value))
        return value if read is None else read
    if isinstance(value, str):
        return _fit_text(value, schema)
    if kind == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value


def _fit_row(value: Any, schema: Schema, labels: Labels, at: str) -> Any:
    """Return a row with each value fitted to its schema. An object stays one, with its names
    corrected; a list may be shorter or longer than the row; any other value is returned as it is.
    """
    parts = {part["title"]: part for part in schema["prefixItems"]}
    if isinstance(value, dict):
        named = _match_names(value, list(parts))
        return {
            title: fit_values(item, parts[title], labels, f"{at}.{title}")
            if title in parts
            else item
            for title, item in named.items()
        }
    if not isinstance(value, list):
        return value
    fitted = [
        fit_values(item, part, labels, f"{at}.{title}")
        for item, (title, part) in zip(value, parts.items(), strict=False)
    ]
    return [*fitted, *value[len(fitted) :]]


def _fit_number(value: Any, at: str, labels: Sequence[str]) -> Any:
    """Return the number that a text stands for: minutes in a field of that name, a whole number
    elsewhere, or else the number of the label that it names. The value itself if there is none.
    """
    if not isinstance(value, str):
        return value
    read = read_minutes(value) if at.rpartition(".")[2] == "minutes" else read_integer(value)
    if read is None and labels:
        read = choose_number(value, labels)
    return value if read is None else read


def _fit_text(value: str, schema: Schema) -> str:
    """Return the time or the option of a schema that a text stands for. The text itself if it fits
    the schema already, or if it stands for none.
    """
    if _fits(value, schema):
        return value
    if _is_clock(schema):
        return read_clock(value) or value
    options = [option for option in schema.get("enum", ()) if isinstance(option, str)]
    return choose_option(value, options) or value


def _fits(value: str, schema: Schema) -> bool:
    """Return True if a text is one of the schema's options; if it has none, whether it matches the
    pattern, if any.
    """
    if "enum" in schema:
        return value in schema["enum"]
    return re.search(schema.get("pattern", ""), value) is not None


def _is_clock(schema: Schema) -> bool:
    """Return True if a schema accepts times of day: by its pattern, or as its only options."""
    if schema.get("pattern") == CLOCK:
        return True
    options = schema.get("enum", ())
    return bool(options) and all(re.search(CLOCK, str(option)) for option in options)


def _match_names(value: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return an object whose members have the expected names, which a model may have written in
    another case.

    >>> _match_names({"Wake": 1, "bed": 2, "BED": 3}, ["wake", "bed"])
    {'wake': 1, 'bed': 2, 'BED': 3}
    """
    known = {_plain(name): name for name in names}
    written = [known.get(_plain(name), name) for name in value]
    return {
        right if written.count(right) == 1 else name: part
        for right, (name, part) in zip(written, value.items(), strict=True)
    }


def read_clock(text: str) -> str | None:
    """Return a time of day as HH:MM. A time without a part of the day is one of 24 hours.

    >>> [read_clock(text) for text in ("6:40 AM", "11:05pm", "０６:４０", "6.40", "2305", "6h40", "12:30 am")]
    ['06:40', '23:05', '06:40', '06:40', '23:05', '06:40', '00:30']
    >>> [read_clock(text) for text in ("早上6点40分", "晚上十一点半", "中午12点", "晚上1点", "下午三点一刻", "2025-02-13 06:40", "half past six")]
    ['06:40', '23:30', '12:00', '01:00', '15:15', '06:40', '06:30']
    >>> [read_clock(text) for text in ("半夜12点", "半夜12点半", "12:30 at night", "深夜5点半", "晚上5点半")]
    ['24:00', '00:30', '00:30', '05:30', '17:30']
    >>> [read_clock(text) for text in ("noon", "midnight", "between 6:00 and 7:00", "early", "25:10")]
    ['12:00', '24:00', None, None, None]
    """
    plain = unicodedata.normalize("NFKC", text).strip(_DECORATION).lower()
    if plain in _NAMED:
        return hhmm(_NAMED[plain])
    read = {
        minute
        for clock in _CLOCKS
        if (match := clock.fullmatch(plain)) and (minute := _minute_of(match)) is not None
    }
    return hhmm(read.pop()) if len(read) == 1 else None


def _minute_of(match: re.Match[str]) -> int | None:
    """Return the minute of the day that a match names, or None if there is no such time."""
    parts = match.groupdict()
    hour = read_numeral(parts["hour"])
    past = parts.get("past") or ""
    minute = _PAST[past] if past else read_numeral(parts.get("minute") or "0")
    if hour is None or minute is None or not (hour <= 24 and minute < 60):
        return None
    part = (parts.get("part") or "").replace(".", "")
    if hour <= 12 and part:
        hour = _hour_in(part, hour)
    total = hour * 60 + minute
    if part in _NIGHT and total > DAY:  # half past midnight
        total -= DAY
    return total if 0 <= total <= DAY else None


def _hour_in(part: str, hour: int) -> int:
    """Return the hour of 24 for an hour of 12 in a part of the day."""
    if part in _MORNING:
        return hour if part == "上午" else hour % 12
    if part == "中午":
        return hour if hour >= 10 else hour + 12
    if part in _NIGHT and hour == 12:
        return 24
    if part in _NIGHT and hour < (DAWN if part in _DEEP_NIGHT else LATE_NIGHT):
        return hour
    return hour % 12 + 12


def read_integer(text: str) -> int | None:
    """Return the only whole number in a text, which may be a word or carry a unit.

    >>> [read_integer(text) for text in ("7", "7.0", "7/10", "**7**", "Place 3", "3. Kitchen", "第三", "二十五", "twenty-five", "30 minutes")]
    [7, 7, 7, 7, 3, 3, 3, 25, 25, 30]
    >>> [read_integer(text) for text in ("7 or 8", "7.5", "1 hour", "kitchen", "")]
    [None, None, None, None, None]
    """
    plain = unicodedata.normalize("NFKC", text).strip(_DECORATION).lower()
    match = _INTEGER.fullmatch(plain)
    return read_numeral(match["number"]) if match else None


def read_minutes(text: str) -> int | None:
    """Return a duration in minutes, from a text such as "1 hour 30 min" or a bare integer; None for
    any other text, and for a fraction of a minute.

    >>> [read_minutes(text) for text in ("30 minutes", "1 hour", "1.5 hours", "1小时30分钟", "45", "soon")]
    [30, 60, 90, 90, 45, None]
    >>> [read_minutes(text) for text in ("half an hour", "1h30", "about an hour and a half", "半小时", "一个半小时", "约三十分钟")]
    [30, 90, 90, 30, 90, 30]
    """
    plain = unicodedata.normalize("NFKC", text).strip(_DECORATION).lower()
    match = _DURATION.fullmatch(plain) if plain else None
    if match is None:
        return read_integer(text)
    hours, minutes = _read_hours(match), read_numeral(match["minutes"] or "0")
    if hours is None or minutes is None:
        return None
    total = hours * 60 + minutes
    return int(total) if total == int(total) else None


def _read_hours(match: re.Match[str]) -> float | None:
    """Return the hours of a duration; None if their number is none."""
    said = match["hours"] or "0"
    whole = float(said) if said[0].isdigit() else 1 if said in ("a", "an") else read_numeral(said)
    is_half_more = match["half"] or match["half_alone"] or match["half_behind"]
    return whole if whole is None or not is_half_more else whole + 0.5


def read_numeral(text: str) -> int | None:
    """Return a non-negative integer below 100 in English or Chinese words, or any integer in
    digits; None for any other text.

    >>> [read_numeral(text) for text in ("07", "7.0", "十", "十二", "二十", "三十五", "零五", "forty five", "十十", "x")]
    [7, 7, 10, 12, 20, 35, 5, 45, None, None]
    """
    if re.fullmatch(r"[+-]?\d+(\.0+)?", text):
        return int(text.partition(".")[0])
    if text and not set(text) - set(HAN_NUMERALS):
        tens, ten, ones = text.rpartition("十")
        ones = ones.lstrip("零〇") or ones[:1]
        if len(tens) > 1 or len(ones) > 1 or "十" in tens:
            return None
        return (_DIGITS[tens] if tens else 1) * 10 * bool(ten) + (_DIGITS[ones] if ones else 0)
    tens, _, ones = text.replace("-", " ").partition(" ")
    if ones:
        return (
            TENS[tens] + NUMBER_WORDS[ones]
            if tens in TENS and NUMBER_WORDS.get(ones, 10) < 10
            else None
        )
    return NUMBER_WORDS.get(tens)


def read_yes_no(text: str) -> bool | None:
    """Return the meaning of yes or no.

    >>> [read_yes_no(text) for text in ("Yes.", "**no**", "是的", "不会", "perhaps")]
    [True, False, True, False, None]
    """
    plain = _plain(text)
    return True if plain in _YES else False if plain in _NO else None


def choose_option(text: str, options: Sequence[str]) -> str | None:
    """Return the only option that a text names, with or without words behind it; None if it names
    none or several.

    >>> options = ["continue", "wait", "talk to 1", "talk to 12"]
    >>> [choose_option(text, options) for text in ("Wait.", "**Talk to 1**", "talk_to_12", "wait - it is free soon", "talk to 1 (Maria)", "talk")]
    ['wait', 'talk to 1', 'talk to 12', 'wait', 'talk to 1', None]
    """
    plain = _plain(text)
    named = [option for option in options if plain and _plain(option) == plain]
    if not named:
        head = _plain(
            re.split(r"[-–—:,.;]\s|[(\n：，。；（]", text.strip(_DECORATION), maxsplit=1)[0]
        )
        named = [option for option in options if head and _plain(option) == head]
    return named[0] if len(named) == 1 else None


def choose_number(text: str, labels: Sequence[str]) -> int | None:
    """Return the number, from 1, of the only choice that a text names: by its full name or by the
    last part of it.

    >>> labels = ["Café, kitchen: stove", "Café, kitchen: sink", "Home: sink"]
    >>> [choose_number(text, labels) for text in ("the stove", "Café, kitchen: sink", "sink", "moon")]
    [1, 2, None, None]
    """
    plain = _plain(text)
    named = [number for number, label in enumerate(labels, 1) if _plain(label) == plain] or [
        number
        for number, label in enumerate(labels, 1)
        if _plain(re.split("[:：,，]", label)[-1]) == plain
    ]
    return named[0] if len(named) == 1 and plain else None


def _plain(text: str) -> str:
    """Return letters and digits of a text in small letters, without an article."""
    plain = "".join(
        sign if sign.isalnum() else " " for sign in unicodedata.normalize("NFKC", text).lower()
    )
    return "".join(plain.strip().removeprefix("the ").split())
