"""Times of day as they are spoken, in the run's language: the part of the day, the clock, and the
days of appointments.
"""

from __future__ import annotations

import re
from datetime import date, datetime

from hometown.clock import HOUR_WORDS, minute_of_day
from hometown.language import Lang
from hometown.text import catalogue

HOURS = (5, 8, 11, 12, 13.5, 15, 17, 19, 22)
"""Hours at which the parts of a day begin that have a name of their own, after the night."""

QUARTER = 15
"""Number of minutes to which a time that is told is rounded."""

AGREED_MINUTES = 5
"""Number of minutes to which a time that was agreed on is rounded."""

NOON_MINUTE = 12 * 60
"""Minute of the day at which it is noon."""

COLON = re.compile(r"(?<!\d)[:：]|[:：](?!\d)")
"""A colon that is not that of a clock time."""

_CLOCK = re.compile(r"(?<![\d:：])([01]?\d|2[0-3])[:：]([0-5]\d)(?!\d)")

_DAY_BEFORE = {
    "en": re.compile("(?!)"),
    "zh": re.compile("(?:上午|下午|晚上|中午|傍晚|早上|今晚|明晚|当晚|夜里)$"),
}
"""Words before a clock time that already say which half of the day it belongs to."""


class SpokenTime:
    """The words for times of day in a language."""

    def __init__(self, lang: Lang) -> None:
        self.lang, self.words = lang, catalogue(lang, "day")

    def hours(self, moment: datetime) -> str:
        """Return the words for the part of the day."""
        part = sum(minute_of_day(moment) >= 60 * hour for hour in HOURS)
        return self.words["hours"].split("|")[part]

    def clock(self, moment: datetime) -> str:
        """Return a time of day as it is spoken, rounded to the quarter of an hour: "about" if it is
        not exact.
        """
        minute = minute_of_day(moment)
        near = round(minute / QUARTER) * QUARTER
        return self._fill("clock" if near == minute else "clock_about", near)

    def due(self, moment: datetime, today: date) -> str:
        """Return the day and the time of an appointment."""
        days = (moment.date() - today).days
        key = {0: "today_at", 1: "tomorrow_at"}.get(days, "weekday_at" if days < 7 else "date_at")
        if days == 0:
            key = f"{key}_{self._number_half(moment.hour)}"
        is_noon = minute_of_day(moment) == NOON_MINUTE
        text = self.words[key].format(
            weekday=self.words["weekdays"].split()[moment.weekday()],
            month=self.words["months"].split()[moment.month - 1],
            day=moment.day,
            hours="" if is_noon else self._half(moment.hour),
            time=self.words["noon"] if is_noon else self._agreed(minute_of_day(moment)),
        )
        return text.strip()

    def speak_hours(self, text: str) -> str:
        """Return a text with its clock times as they are spoken."""
        return _CLOCK.sub(lambda found: self._speak(found, text), text)

    def _speak(self, found: re.Match[str], text: str) -> str:
        hour, minute = int(found[1]), int(found[2])
        time = self._agreed(hour * 60 + minute)
        is_known = self.lang == "en" or _DAY_BEFORE["zh"].search(text[: found.start()])
        return time if is_known else self._half(hour) + time

    def _agreed(self, minute: int) -> str:
        """Return a time of day as it is agreed on, rounded to five minutes."""
        near = round(minute / AGREED_MINUTES) * AGREED_MINUTES
        return self._fill("clock", near)

    def _fill(self, key: str, minute: int) -> str:
        hour, past = minute // 60 % 24, minute % 60
        if past % QUARTER == 0:
            key, count = f"{key}_{past // QUARTER}", 0
        elif self.lang == "en" and past > 30:
            key, count = f"{key}_to", 60 - past
        else:
            key, count = f"{key}_past", past
        if self.lang == "en":
            this, after = HOUR_WORDS[(hour - 1) % 12], HOUR_WORDS[hour % 12]
        else:
            numerals = self.words["hour_words"].split()
            this, after = numerals[(hour - 1) % 12], numerals[hour % 12]
        minutes = self.words["minute_words"].split("|")[count // AGREED_MINUTES]
        return self.words[key].format(hour=this, next=after, minutes=minutes)

    def _number_half(self, hour: int) -> int:
        return (hour >= 12) + (hour >= 18)

    def _half(self, hour: int) -> str:
        """Return the half of the day, or the evening, to which an hour of a clock belongs."""
        return self.words["due_hours"].split("|")[self._number_half(hour)]
