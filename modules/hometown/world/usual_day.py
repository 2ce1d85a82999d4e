"""The rest of a resident's usual day in one line, for prompts that ask for a decision."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from hometown.clock import hhmm, minute_of_day
from hometown.language import Lang
from hometown.text import catalogue
from hometown.world.world import World, sector_of


@lru_cache(maxsize=4096)
def describe_usual_day(world: World, who: str, now: datetime) -> str:
    """Return a resident's present and coming habits of the day outside their home, with the hours
    at which they begin and their places; "" for none.
    """
    persona, texts = world.personas[who], catalogue(world.lang, "mind")
    items = []
    for habit in sorted(persona.habits_on(now.date()), key=lambda habit: habit.start):
        house = sector_of(habit.place)
        if house == sector_of(persona.home) or habit.end <= minute_of_day(now):
            continue
        place = world.name_of(house)
        is_named = _ending(place, world.lang) in habit.activity.casefold()
        key = "usual_hour" if is_named else "usual_hour_at"
        items.append(
            texts[key].format(start=hhmm(habit.start), activity=habit.activity, place=place)
        )
    return texts["item_separator"].join(items)


def _ending(place: str, lang: Lang) -> str:
    """Return the end of a place's name, by which an activity names it."""
    return place[-2:] if lang == "zh" else place.casefold().split()[-1]
