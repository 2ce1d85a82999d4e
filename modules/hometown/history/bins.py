"""Bins of time for plots: equally long, whole hours, and few enough to be drawn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

from hometown.clock import TICKS_PER_MINUTE
from hometown.history.reader import RunReader
from hometown.json_object import Json
from hometown.world.keys import RowKind

R = TypeVar("R")

MAX_BINS = 96
"""Maximum number of bins: four days by the hour; longer runs get wider bins."""


class Bins:
    """Bins of equal length, in whole hours, from the start of a run to its last step; `minutes` is
    the length of one.
    """

    def __init__(self, run: RunReader) -> None:
        self.last = run.last_step()
        self.stride = run.manifest.stride
        total = max(1, self.last) * self.stride
        self.minutes = 60 * max(1, -(-total // (60 * MAX_BINS)))
        self.count = -(-total // self.minutes)

    @property
    def sql(self) -> str:
        """SQL expression for the bin of a row's step, by the game time at which the step
        begins.
        """
        return f"(step - 1) * {self.stride} / {self.minutes}"

    def of_step(self, step: int) -> int:
        """Return the bin in which a step begins, by its game time; the first for step 0."""
        return max(0, step - 1) * self.stride // self.minutes

    def split_span(self, start: float, end: float) -> Iterable[tuple[int, float]]:
        """Yield (bin, minutes) for each bin that a span overlaps, up to the last bin; `start` and
        `end` are minutes from the start of the run.
        """
        first = int(start // self.minutes)
        for number in range(first, min(self.count, int(-(-end // self.minutes)))):
            yield number, min(end, (number + 1) * self.minutes) - max(start, number * self.minutes)

    def header(self) -> Json:
        """Return the fields that all plots over time have in common: the last step, the number of
        bins, and their width in ticks.
        """
        return {"last": self.last, "bins": self.count, "width": self.minutes * TICKS_PER_MINUTE}


def rows_at_ends(run: RunReader, bins: Bins, kind: RowKind[R]) -> list[dict[str, R]]:
    """Return, for each bin, the rows of a kind at its end, by the owner that their keys name;
    removed rows are left out.
    """
    written: dict[int, dict[str, R | None]] = defaultdict(dict)
    for key, step, row in run.rows_below(kind.root, bins.last):
        written[bins.of_step(step)][kind.owner(key)] = row
    ends, there = list[dict[str, R]](), dict[str, R | None]()
    for number in range(bins.count):
        there |= written[number]
        ends.append({key: row for key, row in there.items() if row is not None})
    return ends
