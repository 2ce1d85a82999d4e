"""Game time. It is always passed in, never read from the machine's clock."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

DAY = 1440
"""Minutes in a day."""

TICK_SECONDS = 10
"""Game seconds of a tick, in which a resident walks one tile (Park et al. 2023, §5.1)."""

TICKS_PER_MINUTE = 60 // TICK_SECONDS

HOUR_WORDS = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
"""The hours of an English clock face, from one."""


def minute_of_day(moment: datetime) -> int:
    """Return whole minutes since midnight, 0–1439.

    >>> minute_of_day(datetime(2025, 2, 13, 6, 30))
    390
    """
    return moment.hour * 60 + moment.minute


def at_minute(day: date, minute: int) -> datetime:
    """Return the moment `minute` minutes after midnight of `day`; 1440 is the next midnight.

    >>> at_minute(date(2025, 2, 13), 1440)
    datetime.datetime(2025, 2, 14, 0, 0)
    """
    return datetime.combine(day, time()) + timedelta(minutes=minute)


def hhmm(minute: int) -> str:
    """Format a minute of the day; the end of the day is 24:00.

    >>> hhmm(390), hhmm(1440)
    ('06:30', '24:00')
    """
    return f"{minute // 60:02d}:{minute % 60:02d}"


def format_time(moment: datetime, day: date | None = None) -> str:
    """Format the time of day of a moment; midnight at the end of `day` is 24:00.

    >>> format_time(datetime(2025, 2, 14), date(2025, 2, 13)), format_time(datetime(2025, 2, 14))
    ('24:00', '00:00')
    """
    return hhmm(DAY) if day and moment == at_minute(day, DAY) else hhmm(minute_of_day(moment))


def parse_hhmm(text: str) -> int:
    """Parse a time such as `6:30` or `24:00` into minutes since midnight.

    Raises ValueError for anything that is not a time of day.

    >>> parse_hhmm("06:30"), parse_hhmm("24:00")
    (390, 1440)
    """
    hours, _, minutes = text.strip().partition(":")
    value = int(hours) * 60 + int(minutes)
    if not (0 <= value <= DAY and 0 <= int(minutes) < 60):
        raise ValueError(f"{text!r} is not a time of day; it should look like 06:30")
    return value


def minutes_between(earlier: datetime, later: datetime) -> float:
    return (later - earlier).total_seconds() / 60
