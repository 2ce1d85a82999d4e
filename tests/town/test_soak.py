"""A few days of a town: no slower, and hardly larger, than it was. `make torture` soaks it for ten."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from benchmarks.soak import LARGER, report, soak


def test_four_days_leave_a_town_as_it_was() -> None:
    with ProcessPoolExecutor(
        1, get_context("spawn")
    ) as alone:  # what other tests have left would be looked through for cycles time and again
        result = alone.submit(soak, 4, residents=3).result()
    _, second, _, fourth = result.days  # the third has half as many more memories, by its talks
    assert fourth.processor_ms < 1.6 * second.processor_ms
    assert result.larger <= 1.5 * LARGER, (
        "two days add little, so that other things weigh more than in ten"
    )
    assert "4 days of minitown" in report(result)
