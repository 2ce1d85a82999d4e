"""Texts, dates and times of the diary in the run's language, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from hometown.clock import format_time
from hometown.history.diary import days_of
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.report_wording import REPORT_TEXTS
from hometown.markdown import Markdown, join_nodes
from hometown.text import Phrase, translate_all


class Wording:
    """The words of one run, up to step `last`; `today` is the day being described, the date of
    which is omitted.
    """

    def __init__(self, run: RunReader, names: Names, last: int) -> None:
        self.run = run
        self.names = names
        self.last = last
        self.texts = translate_all(REPORT_TEXTS, run.manifest.lang)
        self.days = days_of(run, last)
        self.today = self.days[0] if len(self.days) == 1 else None

    def say(self, key: str, /, **values: object) -> Markdown:
        """Return a text of the run's language, with its values as text nodes."""
        return Markdown(self.texts[key]).format(**values)

    def say_phrase(self, phrase: Phrase) -> Markdown:
        """Return a phrase that depends on a number, in the run's language."""
        return Markdown(phrase.template_in(self.run.manifest.lang)).format(**phrase.values)

    def label(self, label: str, text: str) -> Markdown:
        """Return a text after its label; no space follows a full-width colon."""
        return Markdown("{}{}" if label.endswith("：") else "{} {}").format(label, text)

    def join_names(self, items: Iterable[str]) -> Markdown:
        """Return items as one text, with the list separator of the language."""
        return join_nodes(self.say("list_separator"), items)

    def date(self, day: date, key: str = "date") -> Markdown:
        """Return a date by the form `key`, with weekday, day, month and year."""
        weekday = self.say("weekdays").split()[day.weekday()]
        month = self.say("months").split()[day.month - 1]
        return self.say(key, weekday=weekday, day=day.day, month=month, year=day.year)

    def when(self, moment: datetime) -> Markdown:
        """Return a time of day, with the date where it isn't today's."""
        return (
            Markdown(format_time(moment))
            if moment.date() == self.today
            else self.format_date_and_time(moment)
        )

    def format_date_and_time(self, moment: datetime) -> Markdown:
        """Return a time of day with its date."""
        return Markdown("{} {}").format(self.date(moment.date(), "short_date"), format_time(moment))
