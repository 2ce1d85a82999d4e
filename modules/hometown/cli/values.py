"""Converters from words of a command line to values. Each raises BadInput for a word that it does
not accept.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlsplit

from hometown.clock import parse_hhmm
from hometown.errors import BadInput
from hometown.language import LANGS, Lang
from hometown.text import Phrase
from hometown.world.intervention_time import LONGEST_STEP

LEVELS = ("debug", "info", "warning", "error", "critical")
SHELLS = ("bash", "zsh", "fish")
START_FORMAT = "%Y%m%d-%H:%M"

MOST_STEPS = 1_000_000
"""The maximum for `--step`."""

LONGEST_PACE = 3600
"""The maximum seconds of a step for `--pace`."""


def integer(low: int, high: int | None = None) -> Callable[[str], int]:
    """Return a converter for whole numbers from `low` to `high`, or without an upper bound."""
    expected = (
        Phrase("a whole number of at least {low}", low=low)
        if high is None
        else Phrase("a whole number from {low} to {high}", low=low, high=high)
    )

    def convert(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise BadInput("{text!r} is not {expected}", text=text, expected=expected) from None
        if value < low or (high is not None and value > high):
            raise BadInput("{text!r} is not {expected}", text=text, expected=expected)
        return value

    return convert


def hours(text: str) -> float:
    """Return a number of hours above 0, such as 1.5. Raises BadInput for any other text."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise BadInput("{text!r} is not a number of hours; write for example 8 or 1.5", text=text)
    return value


def seconds(text: str) -> float:
    """Return a number of seconds above 0 and at most LONGEST_PACE, such as 2.5. Raises BadInput for
    any other text.
    """
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= LONGEST_PACE:
        raise BadInput(
            "{text!r} is not a number of seconds up to {most}; write for example 5 or 2.5",
            text=text,
            most=LONGEST_PACE,
        )
    return value


def web_address(text: str) -> str:
    """Return the address of a page unchanged if it is complete, such as https://town.example,
    without a path, user, query or fragment. Raises BadInput for any other.
    """
    try:
        parts = urlsplit(text)
        is_complete = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.path in ("", "/")
            and not (parts.query or parts.fragment)
        )
        parts.port  # noqa: B018  (raises for an invalid port)
    except ValueError:
        is_complete = False
    if not is_complete or "@" in text:
        raise BadInput(
            "{text!r} is not the address of a page; write for example https://town.example",
            text=text,
        )
    return text


def time_of_day(text: str) -> int:
    """Return a time of day, such as 22:00, in minutes since midnight. Raises BadInput for any other
    text.
    """
    try:
        return parse_hhmm(text)
    except ValueError:
        raise BadInput(
            "{text!r} is not a time of day; write for example 22:00", text=text
        ) from None


def start_time(text: str) -> datetime:
    """Return the game time at which a run begins, from a text such as 20250213-06:00. Raises
    BadInput for any other.
    """
    try:
        return datetime.strptime(text, START_FORMAT)
    except ValueError:
        raise BadInput(
            "{text!r} is not a start time; write for example 20250213-06:00", text=text
        ) from None


def past_step(text: str) -> tuple[str, int]:
    """Return a run and one of its steps, from a text such as spring@48. Raises BadInput for any
    other.
    """
    name, _, step = text.partition("@")
    if not name or not (step.isascii() and step.isdecimal() and len(step) <= LONGEST_STEP):
        raise BadInput("{text!r} is not a step of a run; write for example spring@48", text=text)
    return name, int(step)


def languages(text: str) -> tuple[Lang, ...]:
    """Return one language, or several separated by commas, without repetitions. Raises BadInput for
    an unknown one.
    """
    names = tuple(dict.fromkeys(text.split(",")))
    for name in names:
        if name not in LANGS:
            raise BadInput(
                "unknown language {lang!r}; choose one of {langs}", lang=name, langs=list(LANGS)
            )
    return tuple(lang for name in names for lang in LANGS if lang == name)


def language(text: str) -> Lang:
    """Return a single language. Raises BadInput for an unknown one, and for several."""
    names = languages(text)
    if len(names) > 1:
        raise BadInput("{text!r} names several languages; write one, en or zh", text=text)
    return names[0]


def parse_names(text: str) -> tuple[str, ...]:
    """Return names as typed, separated by commas (or the Chinese `，` and `、`), without blanks
    around them and repetitions. Raises BadInput if one is empty.
    """
    parts = [name.strip() for name in text.replace("，", ",").replace("、", ",").split(",")]
    if not all(parts):
        raise BadInput(
            "{text!r} is neither names separated by commas nor a number of residents", text=text
        )
    return tuple(dict.fromkeys(parts))


def level(text: str) -> str:
    """Return a level of logging, in lower case. Raises BadInput for an unknown one."""
    if text.lower() not in LEVELS:
        raise BadInput(
            "unknown level {text!r}; choose one of {levels}", text=text, levels=list(LEVELS)
        )
    return text.lower()


def condition(text: str) -> str:
    """Return a condition of memory ablation. Raises BadInput for an unknown one."""
    from hometown.study.access_conditions import CONDITIONS

    if text not in CONDITIONS:
        raise BadInput(
            "there is no condition {text!r}; choose one of {conditions}",
            text=text[:40],
            conditions=list(CONDITIONS),
        )
    return text


def shell(text: str) -> str:
    """Return a shell that completion is available for. Raises BadInput for any other."""
    if text not in SHELLS:
        raise BadInput(
            "no completion for shell {text!r}; choose one of {shells}",
            text=text,
            shells=list(SHELLS),
        )
    return text
