"""Somebody who moves into minitown: a weaver, described as a resident's file of a world is, in
English alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hometown.study.interview import world_of_interview
from hometown.study.laws.proposal import propose_law
from tests.support.town import live, opened

COMES, LAST = 8, 16
"""The step in which she comes, and the last step of the morning."""

MIRA: dict[str, Any] = {
    "name": {"en": "Mira Voss"},
    "age": 34,
    "occupation": {"en": "weaver"},
    "pronouns": {"en": ["she", "her", "her"]},
    "innate": {"en": "curious, patient, fond of company"},
    "learned": {"en": "Mira Voss learnt weaving from her aunt in the hills."},
    "lifestyle": {"en": "Mira Voss gets up at half past five and goes to bed at ten."},
    "currently": {"en": "Mira Voss has just moved to town and would like to know people."},
    "daily_plan": {"en": "a walk, weaving, supper with whoever is in"},
    "wake": "05:30",
    "bed": "22:00",
    "home": "wang_home/bedroom",
    "sleeps": "wang_home/bedroom/bed_mira",
    "interests": {"en": ["wool", "old songs"]},
    "habits": [
        {
            "start": "08:00",
            "end": "12:00",
            "activity": {"en": "weaving"},
            "place": "flower_shop/shop",
        }
    ],
    "relations": {"wang_fang": {"text": {"en": "her cousin"}, "closeness": 4}},
    "knows": ["square"],
    "seeds": [
        {
            "text": {"en": "Mira Voss came by the evening coach."},
            "predicate": {"en": "came"},
            "object": {"en": "by the evening coach"},
        }
    ],
}


def moving(**changes: Any) -> str:
    """The patch by which she moves in, with fields replaced."""
    return json.dumps({"residents": {"mira": MIRA | changes}})


def settle(folder: Path, patch: str, step: int = COMES) -> None:
    """Leaves in the inbox of the run `town` that somebody moves in."""
    with opened(folder) as run:
        proposal = propose_law(run, world_of_interview(run), patch)
        assert not proposal.faults
        run.ask([proposal.intervention(step)])


def morning(folder: Path) -> None:
    """A morning of minitown, without a society, into which she moves; stopped and resumed before
    she comes, and after.
    """
    live(folder, 6)
    settle(folder, moving())
    live(folder, 6)
    live(folder, LAST - 12)
