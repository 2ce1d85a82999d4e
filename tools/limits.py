"""What a model must reach to be accepted: hardly a reply is lost, and the residents live.

A run can be judged from its first morning on; what takes a day (how many activities, places and
conversations there were) is judged once a day has been lived.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hometown.history.hardship import Hardship
from hometown.history.life import Life
from hometown.records import Call
from tools.copied import copies

WAKING_DAY = 18 * 60
"""Minutes that have been lived when a run is judged by what takes a day."""


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
    """Whether value and limit are shares, written in percent."""

    @property
    def met(self) -> bool:
        return self.value >= self.limit if self.least else self.value <= self.limit

    def told(self, words: Mapping[str, str]) -> str:
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
    """All by which a run of so many game minutes is judged; where there is a society, by how its
    people fared, too.
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
