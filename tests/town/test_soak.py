"""A few days of a town: a step does no more work, and the process is hardly larger, than it was.
`make torture` soaks it for thirty, and measures the time.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from benchmarks.soak import LARGER, Day, Soak, live_days, report
from benchmarks.towns import town_of
from tests.support.work import counted_calls


def count_work(folder: Path) -> list[Day]:
    """Three days, whose clock counts calls of functions."""
    with counted_calls() as calls:
        return asyncio.run(live_days(folder, town_of("minitown", 3), 3, lambda: calls[0]))


def test_three_days_leave_a_town_as_it_was(tmp_path: Path) -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as alone:  # its memory is measured
        days = alone.submit(count_work, tmp_path).result()
    _, second, third = days
    assert third.memories > 1.5 * second.memories
    assert third.processor_ms < 1.5 * second.processor_ms
    assert Soak(tuple(days), 0.0).larger <= 1.5 * LARGER, (
        "a day adds little, so that other things weigh more than in ten"
    )


def test_a_town_that_is_slower_or_larger_than_it_was_fails() -> None:
    day = Day(1.0, 1.0, 0, 0, 0, 0)
    late = replace(day, resident=100, vectors=100)
    good = Soak((day, day, day, late, late), 1.0)
    assert good.passed
    assert "5 days of minitown: passed" in report(good)
    for days, seconds in (
        ((*good.days[:3], replace(late, processor_ms=2.0), late), 1.0),
        ((*good.days[:4], replace(late, resident=300)), 1.0),
        (good.days, 100.0),
    ):
        assert "FAILED" in report(Soak(days, seconds))
