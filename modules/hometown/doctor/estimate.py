"""Estimates the calls and tokens of a run from what residents needed with the scripted model, hour
by hour.

`data/estimates.json` holds calls and tokens of one resident in each hour of the day, by world and
language; `python -m benchmarks.calls` measures them again. Another world is estimated by the
measured one whose number of residents is closest, since the more of them meet, the more each
perceives and says. Replies of a real model are longer or shorter, so that a run that goes on is
estimated by its own figures, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import orjson

from hometown.frozen import frozen
from hometown.language import Lang
from hometown.model.size import Freedom
from hometown.paths import DATA

TABLE = DATA / "estimates.json"

READING, WRITING = 1500.0, 60.0
"""Tokens a second, of prompts and of replies, assumed without a measurement: a small model on an
average GPU, a few requests at once.
"""

PLAIN = (0.68, 0.62, 0.92)
"""What of calls, prompt tokens and reply tokens is left where texts are kept plain: conversations
are shorter, and who feels like one is not asked. By the day of SmolLM2 (docs/acceptance-tiny.md).
"""

MIN_CALLS = 50
"""The least number of calls from which a run's own figures are used."""


@frozen
class Load:
    """The load on a model: calls, and tokens of their prompts and replies."""

    calls: float
    prompt_tokens: float
    reply_tokens: float

    @property
    def tokens(self) -> float:
        return self.prompt_tokens + self.reply_tokens

    def hours(self, reading: float = READING, writing: float = WRITING) -> float:
        """The hours it takes at these tokens a second, of prompts read and of replies written, over
        all concurrent requests.
        """
        return (self.prompt_tokens / reading + self.reply_tokens / writing) / 3600

    def times(self, factors: Sequence[float]) -> Load:
        """This load with calls, prompt tokens and reply tokens multiplied by one factor each."""
        return Load(
            *(getattr(self, name) * factor for name, factor in zip(PARTS, factors, strict=True))
        )

    def corrected(self, foreseen: Load, lived: Load) -> Load:
        """This load in the proportion of what a run has `lived` to what was `foreseen` for that
        time; unchanged with too few calls.
        """
        if lived.calls < MIN_CALLS or not all(getattr(foreseen, name) for name in PARTS):
            return self
        return self.times([getattr(lived, name) / getattr(foreseen, name) for name in PARTS])


PARTS = tuple(part.name for part in fields(Load))
"""What a load consists of."""


@cache
def _table() -> dict[str, Any]:
    """By world: `residents`, and by language 24 rows of calls, prompt tokens and reply tokens of
    one resident.
    """
    table: dict[str, Any] = orjson.loads(TABLE.read_bytes())
    return table


def by_hour(world: str, lang: Lang, residents: int) -> list[Load]:
    """The load of one resident in each hour of the day, 24 of them, in this world or the measured
    one with a similar number of residents.
    """
    table = _table()
    nearest = (
        world
        if world in table
        else min(table, key=lambda name: abs(table[name]["residents"] - residents))
    )
    return [Load(*row) for row in table[nearest][lang]]


def expected(
    world: str, lang: Lang, residents: int, start: datetime, minutes: int, freedom: Freedom = "free"
) -> Load:
    """The load of so many residents in so many game minutes from `start` on, played by a model of
    such freedom.
    """
    rows = by_hour(world, lang, residents)
    shares = [0.0] * len(rows)
    for hour, share in _hours(start, minutes):
        shares[hour] += share * residents
    whole = Load(
        *(
            sum(getattr(row, name) * share for row, share in zip(rows, shares, strict=True))
            for name in PARTS
        )
    )
    return whole.times(PLAIN) if freedom == "plain" else whole


def _hours(start: datetime, minutes: int) -> Iterator[tuple[int, float]]:
    """The hours of the day that a time touches, and how much of each, 0 to 1."""
    at, end = start, start + timedelta(minutes=minutes)
    while at < end:
        part = min(60 - at.minute, (end - at) / timedelta(minutes=1))
        yield at.hour, part / 60
        at += timedelta(minutes=part)


def lived_load(steps: Iterable[Mapping[str, Any]]) -> Load:
    """The load of a run so far, from the statistics of its steps."""
    rows = [[stats.get(name, 0) for name in PARTS] for stats in steps]
    return (
        Load(*(float(sum(column)) for column in zip(*rows, strict=True))) if rows else Load(0, 0, 0)
    )


def measured_seconds(steps: Iterable[Mapping[str, Any]]) -> float | None:
    """Wall seconds for each call, from the statistics of a run's steps; None with too few calls."""
    rows = [
        (sum(stats["milliseconds"].values()), stats["calls"])
        for stats in steps
        if "milliseconds" in stats
    ]
    milliseconds, calls = sum(row[0] for row in rows), sum(row[1] for row in rows)
    return milliseconds / 1000 / calls if calls >= MIN_CALLS else None
