"""The weather of the day: noticed after waking, and a reason to stay indoors."""

from __future__ import annotations

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.emotions import LEISURE_THEMES
from hometown.society.work_step import society_of
from hometown.world.activities import themes_of
from hometown.world.book.parts import WeatherPart
from hometown.world.world import arena_of

WEATHER_SUBJECT = "weather"
"""The subject of memories of the weather."""

LOOKBACK_EVENTS = 40
"""The number of latest events in which today's weather is looked for."""

OUTDOOR_TAG = "outdoor"
"""The tag of arenas without a roof."""


def get_weather(mind: Mind) -> WeatherPart | None:
    """Return today's weather; None in seasons that define none."""
    society = society_of(mind)
    return society.book.calendar.weather.get(society.state.weather.on(society.day))


async def look_outside(mind: Mind) -> None:
    """Remember today's weather, unless it is among the latest memories already. Does nothing in
    seasons without weather.
    """
    part = get_weather(mind)
    if part is None:
        return
    today = mind.now.date()
    recent = mind.state.memory(mind.who).recent(("event",), LOOKBACK_EVENTS)
    if not any(
        memory.subject == WEATHER_SUBJECT and memory.created.date() == today for memory in recent
    ):
        says = part.says[mind.world.lang]
        seen = NewMemory(
            "event",
            mind.words.say("weather_seen", says=says),
            WEATHER_SUBJECT,
            says,
            address=mind.arena,
        )
        await mind.remember([seen], [part.poignancy], "rule:weather")


def describe_sheltering(mind: Mind, activity: str, address: str) -> str:
    """Return the activity that replaces outdoor leisure in bad weather; "" if the resident goes
    anyway.
    """
    if OUTDOOR_TAG not in mind.world.arenas[arena_of(address)].tags:
        return ""
    part = get_weather(mind)
    if part is None or not part.indoors:
        return ""
    themes = themes_of(activity, mind.world.lang)
    if not themes or themes[0].key not in LEISURE_THEMES:
        return ""
    return mind.words.say("kept_in", says=part.says[mind.world.lang])
