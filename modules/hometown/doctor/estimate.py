"""Estimates the calls and tokens of a run from the needs of residents on the scripted model, hour by
hour.

`data/estimates.json` holds calls and tokens of one resident in each hour of the day, by world and
language; `python -m benchmarks.calls` measures them again. Another world is estimated by the
measured one with the closest number of residents, since the more of them meet, the more each
perceives and says. Replies of a real model are longer or shorter, so that a run in progress is
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
"""The remaining shares of calls, prompt tokens and reply tokens with plain texts: conversations are
shorter, and residents are not asked for one. Measured on the day of SmolLM2
(docs/acceptance-tiny.md).
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
        """Return the hours that it takes at these tokens a second, of prompts read and of replies written, over
        all concurrent requests.
        """
        return (self.prompt_tokens / reading + self.reply_tokens / writing) / 3600

    def times(self, factors: Sequence[float]) -> Load:
        """Return the load with calls, prompt tokens and reply tokens multiplied by a factor each."""
        return Load(
            *(getattr(self, name) * factor for name, factor in zip(PARTS, factors, strict=True))
        )

    def scale(self, estimated: Load, measured: Load) -> Load:
        """Return the load scaled by the `measured` load of a run over the load `estimated` for that
        time; unchanged with too few calls.
        """
        if measured.calls < MIN_CALLS or not all(getattr(estimated, name) for name in PARTS):
            return self
        return self.times([getattr(measured, name) / getattr(estimated, name) for name in PARTS])


PARTS = tuple(part.name for part in fields(Load))
"""The parts of a load."""


@cache
def _table() -> dict[str, Any]:
    """Return by world its `residents`, and by language 24 rows of calls, prompt tokens and reply
    tokens of one resident.
    """
    table: dict[str, Any] = orjson.loads(TABLE.read_bytes())
    return table


def hourly_load(world: str, lang: Lang, residents: int) -> list[Load]:
    """Return the load of one resident in each of the 24 hours, in this world or the measured one with
    a similar number of residents.
    """
    table = _table()
    nearest = (
        world
        if world in table
        else min(table, key=lambda name: abs(table[name]["residents"] - residents))
    )
    return [Load(*row) for row in table[nearest][lang]]


def estimate_load(
    world: str, lang: Lang, residents: int, start: datetime, minutes: int, freedom: Freedom = "free"
) -> Load:
    """Return the load of a number of residents in game minutes from `start` on, on a model of this
    freedom.
    """
    rows = hourly_load(world, lang, residents)
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
    """Yield the hours of the day that a period covers, and the share of each, 0 to 1."""
    time = start
    end = start + timedelta(minutes=minutes)
    while time < end:
        covered = min(60 - time.minute, (end - time) / timedelta(minutes=1))
        yield time.hour, covered / 60
        time += timedelta(minutes=covered)


def load_so_far(steps: Iterable[Mapping[str, Any]]) -> Load:
    """Return the load of a run so far: the sums of its steps' statistics, 0 without any."""
    rows = [[stats.get(name, 0) for name in PARTS] for stats in steps]
    if not rows:
        return Load(0, 0, 0)
    return Load(*(float(sum(column)) for column in zip(*rows, strict=True)))


def seconds_per_call(steps: Iterable[Mapping[str, Any]]) -> float | None:
    """Return the mean wall seconds of a call, from the statistics of a run's steps; None with fewer
    than MIN_CALLS calls.
    """
    rows = [
        (sum(stats["milliseconds"].values()), stats["calls"])
        for stats in steps
        if "milliseconds" in stats
    ]
    milliseconds = sum(row[0] for row in rows)
    calls = sum(row[1] for row in rows)
    return milliseconds / 1000 / calls if calls >= MIN_CALLS else None
