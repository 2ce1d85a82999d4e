"""The gatherings of a run's storylines as a step has them: moved ones where and when they were moved
to, and none for those that were called off or were over before the run began.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import cast

from hometown.storage.codec import decode_row
from hometown.storage.world_copy import OpenRun
from hometown.world import keys
from hometown.world.occasion import Occasion
from hometown.world.world import Gathering, Storyline

_LATEST = (
    "SELECT value FROM state WHERE key = ? AND step <= coalesce(?, step) AND value IS NOT NULL"
    " ORDER BY step DESC LIMIT 1"
)


def reschedule_gatherings(
    stories: Iterable[Storyline], run: OpenRun, step: int | None = None
) -> tuple[Storyline, ...]:
    """Return authored storylines with their gatherings as a run has them after a step, the last
    one by default.
    """
    return tuple(
        replace(
            story,
            gathering=_as_held(
                story.gathering, _read_occasion(run, story.id, step), run.manifest.start
            ),
        )
        if story.gathering
        else story
        for story in stories
    )


def _read_occasion(run: OpenRun, story: str, step: int | None) -> Occasion | None:
    key = keys.OCCASION.of(story)
    found = run.database.execute(_LATEST, (key, step)).fetchone()
    return cast(Occasion, decode_row(key, found[0])) if found else None


def _as_held(gathering: Gathering, occasion: Occasion | None, began: datetime) -> Gathering | None:
    """Return a gathering as its occasion was held; None if it was called off, or over before the
    run began.
    """
    if gathering.end <= began:
        return None
    if occasion is None or occasion.fate in ("", "fell through"):
        return gathering
    if occasion.fate == "called off":
        return None
    return replace(gathering, place=occasion.address, start=occasion.start, end=occasion.end)
