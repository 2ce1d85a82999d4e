"""The farmstead of the benchmarks with chance in it: bread that may burn, and weather that takes
from the harvest.
"""

from __future__ import annotations

from dataclasses import replace

from benchmarks.society import farmstead
from hometown.world.book.book import Book
from hometown.world.book.parts import AfterPart, ChancePart, FailurePart, WeatherPart

RAIN = WeatherPart(name={"en": "rain", "zh": "雨"}, says={"en": "it rains", "zh": "下雨了"})
DROUGHT = WeatherPart(
    name={"en": "drought", "zh": "干旱"}, says={"en": "it is parching", "zh": "天旱"}
)

LOST = 30
"""Thousandths of the wheat that a day of drought costs."""


def chancy() -> Book:
    """One loaf of eleven is left of a batch that burns; one day in four is a day of drought."""
    book = farmstead()
    seasons = {
        season: part.model_copy(update={"weather": {"rain": 3, "drought": 1}})
        for season, part in book.calendar.seasons.items()
    }
    calendar = book.calendar.model_copy(
        update={"seasons": seasons, "weather": {"rain": RAIN, "drought": DROUGHT}}
    )
    burns = {
        "chance": ChancePart(base=500, skill=300, needs={"fun": 100}),
        "failure": FailurePart(make={"loaf": 1}, body={"fun": -50}),
    }
    parches = {"after": AfterPart(days=12, weather={"drought": LOST})}
    changed = {
        name: book.entries[name].model_copy(update=more)
        for name, more in (("bake", burns), ("sow", parches))
    }
    return replace(book, entries=book.entries | changed, calendar=calendar)
