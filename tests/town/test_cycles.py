"""A step leaves no cycles: what it holds is gone at its end, without being looked for."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from hometown.game import Game
from tests.support.town import live


@pytest.fixture
def kept() -> Iterator[list[object]]:
    """Where whatever the collector finds is put from now on."""
    gc.freeze()
    gc.set_debug(gc.DEBUG_SAVEALL)
    yield gc.garbage
    gc.set_debug(0)
    gc.garbage.clear()
    gc.unfreeze()


def test_what_a_step_has_made_is_gone_without_being_looked_for(
    tmp_path: Path, kept: list[object]
) -> None:
    found = set[str]()

    def look(game: Game) -> None:
        gc.collect()
        found.update(
            type(each).__qualname__
            for each in kept
            if type(each).__module__.startswith("hometown.")
        )
        kept.clear()

    live(tmp_path, 6, start=datetime(2025, 2, 13, 7, 30), after_each=look)
    assert not found
