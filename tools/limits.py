"""The limits that a model must meet to be accepted: almost no lost replies, and residents who lead
a life.

A run can be judged from its first morning; limits that take a day (numbers of activities, places
and conversations) apply once a day has passed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hometown.history.hardship import Hardship
from hometown.history.life import Life
from hometown.records import Call
from tools.copied import copies

WAKING_DAY = 18 * 60
"""Minutes of a run from which the limits for a whole day apply."""


@dataclass(frozen=True, slots=True)
class Limit:
    """One figure: its name among the texts of the report, its value, and the limit, a least or a
    most.
    """

    name: str
    value: float
    limit: float
    least: bool = False
    share: bool = False
    """Flag for a value and limit that are shares, written in percent."""

    @property
    def is_met(self) -> bool:
        return self.value >= self.limit if self.least else self.value <= self.limit

    def in_words(self, words: Mapping[str, str]) -> str:
        """Value and limit, as in "fallbacks: 3.1% (at most 1.0%)"."""
        value, limit = (
            f"{number:.1%}" if self.share else f"{number:g}" for number in (self.value, self.limit)
        )
        return words["at_least" if self.least else "at_most"].format(
            name=words[self.name], value=value, limit=limit
        )


def limits(
    calls: Sequence[Call], life: Life, minutes: int, fared: Hardship | None = None
) -> Iterator[Limit]:
    """Yield all limits for a run of `minutes` game minutes; in a town with a society, welfare
    included.
    """
    all_calls = max(1, len(calls))
    yield Limit(
        "fallback", sum(call.outcome == "fallback" for call in calls) / all_calls, 0.01, share=True
    )
    yield Limit(
        "retried", sum(call.outcome == "retried" for call in calls) / all_calls, 0.02, share=True
    )
    yield Limit("copied", sum(map(copies, calls)) / all_calls, 0.01, share=True)
    yield Limit("up", life.on_time_share, 0.9, least=True, share=True)
    yield Limit("at_work", life.work_share, 0.6, least=True, share=True)
    yield Limit("times_said", life.times, 5)
    if minutes >= WAKING_DAY:
        yield Limit("activities", life.fewest_activities, 10, least=True)
        yield Limit("places", life.fewest_places, 3, least=True)
        yield Limit("conversations_ended", life.conversations, 15, least=True)
    if fared:
        yield Limit("fallen", len(fared.collapsed), 0)
