"""Rules for the room of a planned activity."""

from __future__ import annotations

from random import Random

from hometown.language import Lang
from hometown.prompt.plans import KnownRoom, ScheduleDailyVars, number_of_room
from hometown.scripted.pursuits import pursuit
from hometown.scripted.words import bare, clip
from hometown.world.activities import themes_of

PRIVATE = frozenset({"bedroom", "bathroom"})
"""Tags of rooms that are chosen only for what they are made for."""


def choose_room(v: ScheduleDailyVars, activity: str, start: int, rng: Random, lang: Lang) -> int:
    """Return the number of the room that fits an activity.

    It is that of the promise, or else of the habit, that the activity names; else the best, by
    chance among equals: of one visited or a house named, then one with the tags of the activity.
    """
    promised = next(
        (each for each in v.promises if bare(clip(each.what, 160, lang)) == activity), None
    )
    usual = pursuit(v.situation.me, activity, start, v.day, lang)
    named = number_of_room(v.rooms, promised.address) if promised else 0
    habitual = number_of_room(v.rooms, usual.place) if usual and usual.place else 0
    if named or habitual:
        return named or habitual
    wanted = usual.tags[:1] if usual and usual.tags else ()
    tags = frozenset(wanted or (tag for theme in themes_of(activity, lang) for tag in theme.tags))
    scores = [_score(room, activity, tags) + 0.5 * rng.random() for room in v.rooms]
    return scores.index(max(scores)) + 1


def is_home_of(name: str, room: KnownRoom) -> bool:
    """Return True if a room is one in which a resident of this name receives visitors."""
    return room.role == "visit" and name in room.owners


def _score(room: KnownRoom, activity: str, tags: frozenset[str]) -> float:
    """Return a score for a room: higher if the activity names its house, if its tags suit the activity
    and if it is at home; lower if it is private or in the home of others.
    """
    if room.role == "visit":
        return 8.0 if any(name in activity for name in room.owners) else -20.0
    is_named = room.house.casefold() in activity.casefold()
    fit = 6.0 * is_named + 4.0 * bool(tags & set(room.tags)) + 2.0 * (room.role == "home")
    return fit - 3.0 * bool(PRIVATE & set(room.tags) - tags)
