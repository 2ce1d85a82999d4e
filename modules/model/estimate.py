"""What a run will ask of its model, from what a resident's day asked of the scripted one.

`data/estimates.json` holds calls and tokens per resident-day by language and kind of prompt; `python -m benchmarks.calls`
measures it anew. A real model talks more or less than that, so all of it is "about".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import orjson

from modules.clock import DAY
from modules.paths import DATA
from modules.world.world import Lang

TABLE = DATA / "estimates.json"

READING, WRITING = 1500.0, 60.0
"""Tokens a second, of prompts and of replies, where nobody has measured: a small model on one middling card, a few requests at once."""


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
