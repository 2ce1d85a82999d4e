"""Somebody who moves into minitown: a weaver, described as a resident's file of a world is, in English alone."""

from __future__ import annotations

import json
from typing import Any

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
    "habits": [{"start": "08:00", "end": "12:00", "activity": {"en": "weaving"}, "place": "flower_shop/shop"}],
    "relations": {"wang_fang": {"text": {"en": "her cousin"}, "closeness": 4}},
    "knows": ["square"],
    "seeds": [{"text": {"en": "Mira Voss came by the evening coach."}, "predicate": {"en": "came"}, "object": {"en": "by the evening coach"}}],
}


def moving(**changes: Any) -> str:
    """The patch by which she moves in, with fields replaced."""
    return json.dumps({"residents": {"mira": MIRA | changes}})
