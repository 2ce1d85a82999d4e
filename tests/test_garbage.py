"""While a town is lived, cycles are looked for rarely; afterwards as before."""

from __future__ import annotations

import gc

import pytest

from hometown.garbage import YOUNG, rare_collections


def lived() -> None:
    with rare_collections():
        assert gc.get_freeze_count() > 1000
        assert gc.get_threshold()[0] == YOUNG
        raise KeyError


def test_collections_are_rare_until_the_town_has_been_lived_even_if_that_fails() -> None:
    usual = gc.get_threshold()
    with pytest.raises(KeyError):
        lived()
    assert gc.get_threshold() == usual
    assert usual[0] < YOUNG
    assert gc.get_freeze_count() == 0
