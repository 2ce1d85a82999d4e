"""The gatherings of a run's storylines as they were held: moved ones where and when they were moved
to, and none for those that were called off.
"""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import cast

from hometown.storage.codec import decode_row
from hometown.world import keys
from hometown.world.occasion import Occasion
from hometown.world.world import Gathering, World

_LATEST = "SELECT value FROM state WHERE key = ? AND value IS NOT NULL ORDER BY step DESC LIMIT 1"


def reschedule_gatherings(world: World, database: sqlite3.Connection) -> World:
    """Return a world whose storylines have their gatherings as a run has held them; the world itself
    if none was changed.
    """
    stories = tuple(
        replace(story, gathering=_as_held(story.gathering, _read_occasion(database, story.id)))
        if story.gathering
        else story
        for story in world.storylines
    )
    return world if stories == world.storylines else replace(world, storylines=stories)


def _read_occasion(database: sqlite3.Connection, story: str) -> Occasion | None:
    key = keys.OCCASION.of(story)
    found = database.execute(_LATEST, (key,)).fetchone()
    return cast(Occasion, decode_row(key, found[0])) if found else None


def _as_held(gathering: Gathering, occasion: Occasion | None) -> Gathering | None:
    """Return a gathering as its occasion was held; None if it was called off."""
    if occasion is None or occasion.fate in ("", "fell through"):
        return gathering
    if occasion.fate == "called off":
        return None
    return replace(gathering, place=occasion.address, start=occasion.start, end=occasion.end)
