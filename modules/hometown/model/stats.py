"""Statistics of model calls: their outcomes and costs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from hometown.model.llm import Completion
from hometown.records import Call


class Sums:
    """Figures, each of which is added to that of another object."""

    __slots__: tuple[str, ...] = ()

    def add(self, other: Self) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(slots=True)
class Counts(Sums):
    """Calls by outcome, tokens of prompts and replies, wall milliseconds, shortened prompts, and
    mendings by rule.

    A call is one request or several, each with a reply that was used as it came (`raw`), used once
    it had been mended (`corrected`), or not used (`unusable`, also where no reply came). `trials` are
    requests beside them that found out how the model is asked; tokens and times include theirs.
    `cached_tokens` of the prompts were not read again. `timed_read` and `timed_written` are the
    tokens of calls with `read_ms` and `write_ms`, the server's own milliseconds. `unused` calls, of
    `unused_tokens`, were made ahead and not needed; no other figure counts them. `reused` replies
    of an earlier day were used again without a call.
    """

    ok: int = 0
    retried: int = 0
    fallback: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    ms: float = 0.0
    shortened: int = 0
    cached_tokens: int = 0
    timed_read: int = 0
    read_ms: float = 0.0
    timed_written: int = 0
    write_ms: float = 0.0
    mended: Counter[str] = field(default_factory=Counter)
    unused: int = 0
    unused_tokens: int = 0
    reused: int = 0
    raw: int = 0
    corrected: int = 0
    unusable: int = 0
    trials: int = 0

    @property
    def requests(self) -> int:
        """The requests of all calls, with repeated ones and trials."""
        return self.raw + self.corrected + self.unusable + self.trials

    @property
    def read_tokens(self) -> int:
        """Tokens of prompts that were not cached."""
        return self.prompt_tokens - self.cached_tokens

    @property
    def reading(self) -> float | None:
        """Tokens of prompts read a second, as servers reported it, or None."""
        return 1000 * self.timed_read / self.read_ms if self.read_ms else None

    @property
    def writing(self) -> float | None:
        """Tokens of replies written a second, as servers reported it, or None."""
        return 1000 * self.timed_written / self.write_ms if self.write_ms else None

    @property
    def calls(self) -> int:
        return self.ok + self.retried + self.fallback

    @property
    def fallback_share(self) -> float:
        """The share of calls answered by a fallback, 0–1; 0 without any calls."""
        return self.fallback / self.calls if self.calls else 0.0

    def snapshot(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def sum_counts(steps: Iterable[Mapping[str, Any]]) -> Counts:
    """Sum up the counts of a run from the statistics of its steps. Counts that an older version did
    not record are 0.
    """
    total = Counts()
    for step in steps:
        total.add(
            Counts(
                **{name: step[name] for name in Counts.__slots__ if name in step}
                | {"mended": Counter(step.get("mended", {}))}
            )
        )
    return total


def seconds_lived(steps: Iterable[Mapping[str, Any]]) -> float:
    """Return the wall seconds of a run from the statistics of its steps."""
    return float(sum(sum(step.get("milliseconds", {}).values()) for step in steps)) / 1000


class Stats:
    """Counts by model and kind of prompt, and in total."""

    def __init__(self, calls: Iterable[Call] = ()) -> None:
        self.by_kind: dict[tuple[str, str], Counts] = defaultdict(Counts)
        for call in calls:
            self.count(call)

    def count(self, call: Call) -> None:
        """Count a call: its outcome, tokens and times, and the outcome of each of its attempts."""
        counts = self.by_kind[call.model, call.kind]
        setattr(counts, call.outcome, getattr(counts, call.outcome) + 1)
        counts.prompt_tokens += call.prompt_tokens
        counts.reply_tokens += call.reply_tokens
        counts.ms += call.ms
        counts.shortened += bool(call.cut)
        cached, read_ms, write_ms = (
            sum(getattr(attempt, name) for attempt in call.attempts)
            for name in ("cached_tokens", "read_ms", "write_ms")
        )
        counts.cached_tokens += cached
        counts.read_ms += read_ms
        counts.write_ms += write_ms
        counts.timed_read += (call.prompt_tokens - cached) * bool(read_ms)
        counts.timed_written += call.reply_tokens * bool(write_ms)
        for attempt in call.attempts:
            is_unusable = bool(attempt.error)
            is_raw = not attempt.error and not attempt.mended
            counts.trials += attempt.trials
            counts.unusable += is_unusable
            counts.raw += is_raw
            counts.corrected += not is_unusable and not is_raw
            for name in attempt.mended:
                counts.mended[name] += 1

    def count_unused(self, model: str, kind: str, completion: Completion | None) -> None:
        """Count a call that was made ahead in vain, with its reply if it had arrived."""
        counts = self.by_kind[model, kind]
        counts.unused += 1
        counts.unused_tokens += (
            completion.prompt_tokens + completion.reply_tokens if completion else 0
        )

    def add(self, other: Stats) -> None:
        for key, counts in other.by_kind.items():
            self.by_kind[key].add(counts)

    @property
    def total(self) -> Counts:
        total = Counts()
        for counts in self.by_kind.values():
            total.add(counts)
        return total

    def snapshot(self) -> dict[str, Any]:
        """Return plain numbers for a step's record and a run's summary: totals, then by model and
        kind.
        """
        total = self.total
        kinds: dict[str, dict[str, Any]] = {}
        for (model, kind), counts in sorted(self.by_kind.items()):
            kinds.setdefault(model, {})[kind] = counts.snapshot()
        return {"calls": total.calls, **total.snapshot(), "by_model": kinds}
