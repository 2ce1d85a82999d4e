"""Intentions and news whose text names a day or a time of day, at which they come to the resident's
mind.

Weekdays and words such as "tomorrow" count from the day on which the memory was made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache, lru_cache

from hometown.clock import DAY, minute_of_day
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.memory.concept import (
    INTENTION_PREDICATE,
    NEWS_PREDICATE,
    OVERHEARD_PREDICATE,
    PLAN_PREDICATE,
    Concept,
)
from hometown.memory.stream import MemoryStream
from hometown.text import catalogue

LOOKBACK_MEMORIES = 120
"""Number of latest thoughts and plans among which intentions for this hour are looked for; those
of a whole day are looked for among all.
"""

PARTS = {
    "morning": (5 * 60, 12 * 60),
    "midday": (11 * 60, 14 * 60),
    "afternoon": (12 * 60, 18 * 60),
    "evening": (17 * 60, DAY),
}
"""The parts of a day, in minutes since midnight."""

TWO_MONTHS, EIGHT_YEARS = 62, 8
"""The days, and the years, within which any day of the month, and any date of the year, comes again.
"""

DIGITS = str.maketrans("０１２３４５６７８９", "0123456789")
"""The digits of a Chinese typeface, and those that they stand for."""

NEWS_DAYS = 14
"""The days for which news is kept in mind until its date."""

EARLY_MINUTES, LATE_MINUTES = 20, 60
"""Minutes before and after a time of day in which an intention for it is due."""

MEAL_MINUTES = 60
"""Minutes from the beginning of a part of the day to the meal that ends what has to be done before."""

LATEST_MORNING_HOUR, NOON = 7, 12
"""The hour up to which a time without its half of the day is in the afternoon, and the hours of
one half.
"""


@frozen
class Due:
    """The time for which a text dates something: a day, and minutes of it from `start` to `end`."""

    day: date
    start: int = 0
    end: int = DAY

    @property
    def is_timed(self) -> bool:
        """Return True if it is for a time of the day, not for the day or a part of it."""
        return self.end - self.start <= EARLY_MINUTES + LATE_MINUTES

    def holds_at(self, now: datetime) -> bool:
        """Return True if the time of day of `now` is within it, whatever the day."""
        return self.start <= minute_of_day(now) < self.end


def find_due(
    memories: MemoryStream, lang: Lang, now: datetime, *, whole_day: bool
) -> list[Concept]:
    """Return the intentions that are due, the most poignant first.

    Args:
        memories: the memories of the resident.
        lang: their language.
        now: the present time.
        whole_day: True for all intentions of the day, False for those of this hour.
    """
    count = len(memories) if whole_day else LOOKBACK_MEMORIES
    recent = memories.recent(("thought", "plan"), count)
    due = (memory for memory in recent if _is_due(memory, lang, now, whole_day))
    return sorted(due, key=lambda memory: (-memory.poignancy, -memory.id))


def _is_due(memory: Concept, lang: Lang, now: datetime, whole_day: bool) -> bool:
    """Return True if a memory is an intention that has not expired and is dated for this day and,
    unless `whole_day`, for this hour. Plans of a day do not count.
    """
    if memory.predicate == PLAN_PREDICATE or memory.expires <= now:
        return False
    is_meant = memory.predicate == INTENTION_PREDICATE
    due = find_date(memory.text, memory.created, lang, is_meant)
    return due is not None and due.day == now.date() and (whole_day or due.holds_at(now))


def find_news_for_today(memories: MemoryStream, lang: Lang, now: datetime) -> list[Concept]:
    """Return the news of up to `NEWS_DAYS` days that was told or overheard and is dated for today, the
    most poignant first.
    """
    lately = memories.since(now - timedelta(days=NEWS_DAYS), ("event",))
    heard = (each for each in lately if each.predicate in (NEWS_PREDICATE, OVERHEARD_PREDICATE))
    dated = ((each, find_date(each.text, each.created, lang, True)) for each in heard)
    found = [each for each, due in dated if due is not None and due.day == now.date()]
    return sorted(found, key=lambda memory: (-memory.poignancy, -memory.id))


@lru_cache(maxsize=8192)
def find_date(text: str, written: datetime, lang: Lang, is_meant: bool = False) -> Due | None:
    """Return the time for which a text dates an intention; None without a date or an intention. A
    time of day alone is one of the day on which it was written, if it is surely an intention. A
    deadline ("before five") counts from the beginning of its day. A time of which only an event is
    known ("the morning the peonies open") is no date, nor is a day that no calendar has or that is
    left open ("next month").

    Args:
        text: the words of a memory.
        written: the time at which it was made.
        lang: its language.
        is_meant: True if it is an intention whatever its words.

    >>> noon = datetime(2025, 2, 13, 12)
    >>> find_date("Lin will bring the book tomorrow morning.", noon, "en")
    Due(day=datetime.date(2025, 2, 14), start=300, end=720)
    >>> find_date("林悦打算周六19:30去听小美唱歌。", noon, "zh")
    Due(day=datetime.date(2025, 2, 15), start=1150, end=1230)
    >>> find_date("Lin will ask at half past eight, at the chess.", noon, "en", True)
    Due(day=datetime.date(2025, 2, 13), start=1210, end=1290)
    >>> find_date("Lin will set out on March 3 at 6:30 pm.", noon, "en")
    Due(day=datetime.date(2025, 3, 3), start=1090, end=1170)
    >>> find_date("Lin meets Chen at ten past seven tonight.", noon, "en", True).start
    1130
    >>> find_date("Lin sends word the morning the peonies open.", noon, "en", True)
    >>> find_date("Lin met Chen today.", noon, "en")
    """
    words = _list_patterns(lang)
    if not is_meant and not re.search(words["meant"], text, re.IGNORECASE):
        return None
    folded = _fold(text, words)
    today = written.date()
    named = next(_named_days(folded, today, words), None)
    day = named or (today if is_meant and not _names_date(folded, words) else None)
    if day is None:
        return None
    earliest = minute_of_day(written) if day == today else 0
    if (minute := _find_minute(folded, words, earliest)) is not None:
        if re.search(words["until"], folded):
            return Due(day, 0, minute)
        return Due(day, max(minute - EARLY_MINUTES, 0), min(minute + LATE_MINUTES, DAY))
    if part := _find_part(folded, words):
        return Due(day, *part)
    return Due(day) if named else None


def _find_part(folded: str, words: dict[str, str]) -> tuple[int, int] | None:
    """Return the minutes at which the part of the day that a folded text names begins and ends, or
    those before it if it is a deadline; None if it names no part.
    """
    part = next((part for part in PARTS if re.search(words[part], folded)), None)
    if part is None:
        return None
    start, end = PARTS[part]
    return (0, start + MEAL_MINUTES) if re.search(words["until_part"], folded) else (start, end)


def names_day(text: str, written: datetime, lang: Lang) -> bool:
    """Return True if a text names a day, be it one that `find_date` can't tell."""
    words = _list_patterns(lang)
    folded = _fold(text, words)
    return any(_named_days(folded, written.date(), words)) or _names_date(folded, words)


@cache
def _list_patterns(lang: Lang) -> dict[str, str]:
    """Return the patterns of dates, with what can follow a time in place of AFTER."""
    words = catalogue(lang, "dates")
    return {key: form.replace("AFTER", words["after_time"]) for key, form in words.items()}


def _fold(text: str, words: dict[str, str]) -> str:
    """Return a text in lower case, without what has to happen first."""
    return re.sub(words["condition"], "", text.lower().translate(DIGITS))


def _find_minute(text: str, words: dict[str, str], earliest: int) -> int | None:
    """Return the time of day that a text in lower case names first, in minutes; None
    if there is none. An hour that names no half of the day and is over by the minute `earliest` is
    in the afternoon.
    """
    if clock := re.search(r"(?<!\d)([01]?\d|2[0-3])[:：]([0-5]\d)(?!\d)", text, re.ASCII):
        hour, minute = int(clock[1]), int(clock[1]) * 60 + int(clock[2])
        late = re.search(words["late_clock"], text)
        is_late = late is not None and late.start() <= clock.start() < late.end()
    elif found := re.search(words["clock"], text):
        hour = _number(found["hour"], words["hours"])
        minute = hour * 60 + _minutes_past(found, words)
        is_late = not re.search(words["early_half"], text) and (
            hour <= LATEST_MORNING_HOUR
            or minute < earliest
            or re.search(words["late_half"], text) is not None
        )
    else:
        return None
    if hour == NOON and re.search(words["midnight"], text):
        return None
    if hour < NOON and is_late:
        minute += DAY // 2
    return minute if minute < DAY else None


def _minutes_past(found: re.Match[str], words: dict[str, str]) -> int:
    """Return the minutes that a time of day in words adds to its hour: 10 for "ten past seven", and
    -20 for "twenty to nine".
    """
    part = _find_group(found, "part")
    if not part:
        return 0
    if figures := re.match(r"\d+", part):
        return int(figures[0])
    minutes = int(words["part_minutes"].split("|")[_position(part, words["parts"])])
    return -minutes if _find_group(found, "before") else minutes


def _position(word: str, names: str) -> int:
    """Return the position of a word among names, patterns that are divided by bars, from 0."""
    return next(at for at, name in enumerate(names.split("|")) if re.fullmatch(name, word))


def _number(name: str, names: str) -> int:
    """Return the number that a word in figures, or one of `names` for the numbers from 1, stands
    for.
    """
    return int(name) if name.isdigit() else _position(name, names) + 1


def _names_date(text: str, words: dict[str, str]) -> bool:
    """Return True if a text in lower case names a date, be it one that no calendar has or a day
    left open, such as one of next month.
    """
    return any(re.search(words[form], text) for form in ("date", "day_of_month", "unknown_day"))


def _named_days(text: str, written: date, words: dict[str, str]) -> Iterator[date]:
    """Yield the days that a text in lower case may name, the surest first."""
    if found := re.search(words["date"], text):
        month = _number_in(found, "month", words["months"])
        for year in range(written.year, written.year + EIGHT_YEARS + 1):
            try:
                day = date(year, month, _number_in(found, "day", words["days"]))
            except ValueError:
                continue
            if day >= written:
                yield day
    if found := re.search(words["in_days"], text):
        is_weeks = re.search(words["in_weeks"], found[0]) is not None
        count = _number_in(found, "count", words["counts"])
        yield written + timedelta(days=7 * count if is_weeks else count)
    if found := re.search(words["day_of_month"], text):
        number = _number_in(found, "day", words["days"])
        coming = (written + timedelta(days=each) for each in range(TWO_MONTHS))
        yield from (day for day in coming if day.day == number)
    for days, name in ((2, "in_two_days"), (1, "tomorrow"), (0, "today")):
        if re.search(words[name], text):
            yield written + timedelta(days=days)
    if found := re.search(words["weekday"], text):
        weekday = _position(found[1], words["weekdays"])
        monday = written - timedelta(days=written.weekday())
        is_next_week = re.search(words["next_week"], text) is not None
        day = monday + timedelta(days=7 * is_next_week + weekday)
        yield day if day > written else day + timedelta(days=7)


def _number_in(found: re.Match[str], name: str, names: str) -> int:
    """Return the number in the group of a match that `_find_group` finds; 1 if there is none."""
    return _number(_find_group(found, name) or "1", names)


def _find_group(found: re.Match[str], name: str) -> str:
    """Return the first group of a match that took part in it and whose name begins with `name`; ""
    if there is none.
    """
    groups = found.groupdict().items()
    return next((text for group, text in groups if group.startswith(name) and text), "")
