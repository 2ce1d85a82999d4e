"""While a town is lived, cycles are looked for rarely; afterwards as before."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from hometown.garbage import WITHIN_A_STEP, YOUNG, tune_collector


def lived() -> None:
    with tune_collector():
        assert gc.get_freeze_count() > 1000
        assert gc.get_threshold()[0] == WITHIN_A_STEP
        raise KeyError


@pytest.fixture
def usual() -> Iterator[tuple[int, int, int]]:
    """When Python looks for cycles by itself; the tests have it do so as rarely as a town."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield gc.get_threshold()
    gc.set_threshold(*before)


def test_collections_are_rare_until_the_town_has_been_lived_even_if_that_fails(
    usual: tuple[int, int, int],
) -> None:
    with pytest.raises(KeyError):
        lived()
    assert gc.get_threshold() == usual
    assert usual[0] < YOUNG
    assert gc.get_freeze_count() == 0


def test_between_steps_what_has_come_is_looked_through_once_it_is_much(
    usual: tuple[int, int, int],
) -> None:
    with tune_collector() as between_steps:
        gc.collect()
        between_steps()
        assert gc.get_count()[1] == 0
        kept: list[list[int]] = [[] for _ in range(YOUNG + 1000)]
        assert gc.get_count()[1] == 0
        between_steps()
        assert gc.get_count()[1] == 1
        assert len(kept) > YOUNG
