"""Texts that depend on a number."""

from __future__ import annotations

import re

import pytest

from hometown.text import TEXTS, catalogue, ngettext, translate
from tools import messages

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

PLURAL = re.compile(rf"\{{\w+\}} (?:{'|'.join(COUNTED)})\b")

ALWAYS_SEVERAL = (
    "{count} residents are not possible",
    "{count} residents plan their days",
    "{count} steps in all",
    "{hours} hours",
    "the game {name} needs {least} residents or more",
    "{where} answers",
    "{last} of {planned} in {minutes} minutes",
    "estimate: about {calls} and {tokens}",
    "the way from {start!r} to {goal!r} takes {minutes} minutes",
    "there are {beds} beds for {count} residents",
)
"""Beginnings of messages whose number is never 1 or has decimals, or whose field is no number."""


@pytest.mark.parametrize("name", sorted(path.stem for path in (TEXTS / "en").glob("*.json")))
def test_no_plural_stands_behind_a_one(name: str) -> None:
    assert not [text for text in catalogue("en", name).values() if PLURAL.search(text)]


def test_no_message_has_a_plural_behind_a_one() -> None:
    catalog = messages.read(messages.file_of("zh"))  # has every message of the code
    texts = {message.id for message in catalog if isinstance(message.id, str)}
    assert len(texts) > 500
    assert not [
        text for text in texts if PLURAL.search(text) and not text.startswith(ALWAYS_SEVERAL)
    ]


@pytest.mark.parametrize(("steps", "said"), [(1, "1 step in"), (2, "2 steps in")])
def test_a_run_of_one_step_is_summed_up_in_the_singular(steps: int, said: str) -> None:
    message = ngettext(
        "time           {start} to {now}, {count} step in {seconds} s",
        "time           {start} to {now}, {count} steps in {seconds} s",
        steps,
        start="06:00",
        now="06:10",
        seconds="1.0",
    )
    assert said in translate(message, "en")
