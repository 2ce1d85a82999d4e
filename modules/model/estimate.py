"""What a run will ask of its model, from what a resident's day asked of the scripted one.

`data/estimates.json` holds calls and tokens per resident-day by language and kind of prompt; `python -m benchmarks.calls`
measures it anew. A real model talks more or less than that, so all of it is "about".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson

from modules.clock import DAY
from modules.paths import DATA
from modules.world.world import Lang

TABLE = DATA / "estimates.json"

READING, WRITING = 1500.0, 60.0
"""Tokens a second, of prompts and of replies, where nobody has measured: a small model on one middling card, a few requests at once."""


ENOUGH_CALLS = 50
"""Calls from which on a run's own speed says more than anybody's."""


@dataclass(frozen=True, slots=True)
class Load:
    """What is asked of a model: calls, and tokens of their prompts and replies."""

    calls: float
    prompt_tokens: float
    reply_tokens: float

    @property
    def tokens(self) -> float:
        return self.prompt_tokens + self.reply_tokens

    def hours(self, reading: float = READING, writing: float = WRITING) -> float:
        """How long it takes at so many tokens a second, of prompts read and of replies written, over all requests at once."""
        return (self.prompt_tokens / reading + self.reply_tokens / writing) / 3600


@cache
def by_kind(lang: Lang) -> dict[str, Load]:
    """Calls and tokens per resident-day, by kind of prompt."""
    table: dict[str, dict[str, list[float]]] = orjson.loads(TABLE.read_bytes())
    return {kind: Load(*row) for kind, row in table[lang].items()}


def expected(lang: Lang, residents: int, minutes: int) -> Load:
    """What so many residents will ask in so many game minutes, nights and days taken together."""
    share, loads = residents * minutes / DAY, by_kind(lang).values()
    calls, prompt, reply = (sum(getattr(load, name) for load in loads) * share for name in Load.__slots__)
    return Load(calls, prompt, reply)


def measured_seconds(steps: Iterable[Mapping[str, Any]]) -> float | None:
    """Wall seconds for each call, from the statistics of a run's steps; None where there were too few calls to tell."""
    rows = [(sum(stats["milliseconds"].values()), stats["calls"]) for stats in steps if "milliseconds" in stats]
    milliseconds, calls = sum(row[0] for row in rows), sum(row[1] for row in rows)
    return milliseconds / 1000 / calls if calls >= ENOUGH_CALLS else None
