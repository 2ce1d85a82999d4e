"""Counts of model calls: what came of them, and what they cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from modules.model.calls import Call


@dataclass(slots=True)
class Counts:
    """Calls by outcome (they add up to all), tokens of prompts and replies, wall milliseconds, and prompts that were shortened to fit."""

    ok: int = 0
    retried: int = 0
    fallback: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    ms: float = 0.0
    shortened: int = 0

    @property
    def calls(self) -> int:
        return self.ok + self.retried + self.fallback

    @property
    def fallback_share(self) -> float:
        """Share of calls that no reply could be used for, 0–1; 0 where there were none."""
        return self.fallback / self.calls if self.calls else 0.0

    def add(self, other: Counts) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Stats:
    """Counts by model and kind of prompt, and in all."""

    def __init__(self, calls: Iterable[Call] = ()) -> None:
        self.by_kind: dict[tuple[str, str], Counts] = defaultdict(Counts)
        for call in calls:
            self.count(call)

    def count(self, call: Call) -> None:
        counts = self.by_kind[call.model, call.kind]
        setattr(counts, call.outcome, getattr(counts, call.outcome) + 1)
        counts.prompt_tokens += call.prompt_tokens
        counts.reply_tokens += call.reply_tokens
        counts.ms += call.ms
        counts.shortened += bool(call.cut)

    @property
    def total(self) -> Counts:
        total = Counts()
        for counts in self.by_kind.values():
            total.add(counts)
        return total

    def snapshot(self) -> dict[str, Any]:
        """Plain numbers for a step's record and a run's summary: those in all, then by model and kind."""
        total = self.total
        kinds: dict[str, dict[str, Any]] = {}
        for (model, kind), counts in sorted(self.by_kind.items()):
            kinds.setdefault(model, {})[kind] = asdict(counts)
        return {"calls": total.calls, **asdict(total), "by_model": kinds}
