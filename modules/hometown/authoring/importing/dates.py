"""The dates that texts name, and the day on which a world begins so that they still lie ahead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)

_MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" for month in MONTHS)
PATTERNS = (
    re.compile(
        rf"\b(?P<month>{_MONTH})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year>\d{{4}}))?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{_MONTH})\b(?:,?\s+(?P<year>\d{{4}}))?",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})\b"),
    re.compile(
        r"(?:(?P<year>\d{4})\s*年\s*)?(?P<month>\d{1,2})\s*月\s*(?P<day>\d{1,2})\s*[日号號]"
    ),
)

EARLIEST, LATEST = 1900, 2200


def dates_in(text: str, year: int, earliest: int = EARLIEST) -> list[date]:
    """Return the dates of a text from the year `earliest` on, those without a year in `year`, by
    their form (`PATTERNS`) and not by their order in the text.

    >>> dates_in("the party on February 14th, 2023, or the 3rd of May", 2025)
    [datetime.date(2023, 2, 14), datetime.date(2025, 5, 3)]
    >>> dates_in("2月14日下午5点", 2025)
    [datetime.date(2025, 2, 14)]
    """
    return [
        day
        for pattern in PATTERNS
        for match in pattern.finditer(text)
        if (day := _read_date(match, year, earliest))
    ]


def _read_date(match: re.Match[str], year: int, earliest: int) -> date | None:
    """Return the date of a match, in `year` if it names none; None if there is no such date, or
    none from `earliest` to LATEST.
    """
    month = match["month"].lower()
    number = (
        int(month)
        if month.isdigit()
        else next(at for at, name in enumerate(MONTHS, 1) if name.startswith(month[:3]))
    )
    given = int(match["year"] or year)
    try:
        return date(given, number, int(match["day"])) if earliest <= given <= LATEST else None
    except ValueError:
        return None


def start_before(texts: Iterable[str], usual: datetime) -> tuple[datetime, date | None]:
    """Return the first day of a world whose source names none, and the first date in its texts
    (None without any).

    It begins at the usual hour of the day before the first date that its texts name, or as usual if
    that date lies at most three days after the usual start. Dates of the
    latest year count, since earlier ones are in the past. Without any, it begins as usual.
    """
    named = [day for text in texts for day in dates_in(text, usual.year)]
    first = min((day for day in named if day.year == max(named).year), default=None)
    if first is None or first.toordinal() - usual.date().toordinal() in range(1, 4):
        return usual, first
    return datetime.combine(first - timedelta(days=1), usual.time()), first
