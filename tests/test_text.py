"""Texts that depend on a number."""

from __future__ import annotations

import re

import pytest

from hometown.cli.texts import Text
from hometown.text import TEXTS, catalogue

COUNTED = (
    "coins",
    "steps",
    "calls",
    "residents",
    "conversations",
    "lines",
    "days",
    "minutes",
    "events",
    "thoughts",
    "chats",
    "plans",
    "memories",
    "hours",
    "answers",
)

ALWAYS_SEVERAL = {"tour_talk_text"}
"""Texts whose number is never 1: two of the residents have met."""


@pytest.mark.parametrize("name", sorted(path.stem for path in (TEXTS / "en").glob("*.json")))
def test_no_plural_stands_behind_a_one(name: str) -> None:
    plural = re.compile(rf"\{{\w+\}} (?:{'|'.join(COUNTED)})\b")
    assert (
        not {key for key, text in catalogue("en", name).items() if plural.search(text)}
        - ALWAYS_SEVERAL
    )


@pytest.mark.parametrize(("steps", "said"), [(1, "1 step in"), (2, "2 steps in")])
def test_a_run_of_one_step_is_summed_up_in_the_singular(steps: int, said: str) -> None:
    assert said in Text("en")("time", start="06:00", now="06:10", steps=steps, seconds="1.0")
