"""Every kind of row is the town's or a resident's own, and no mind reaches for another's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometown.game import Game
from hometown.world.rows import OWN, PUBLIC, ROWS, Pondered
from hometown.world.state import Telepathy
from tests.support.town import live, minds_of


def test_every_kind_of_row_is_public_or_somebodys_own() -> None:
    assert set(ROWS) == PUBLIC | OWN
    assert not PUBLIC & OWN


def test_what_is_anothers_own_can_neither_be_read_nor_written_by_a_mind(tmp_path: Path) -> None:
    def look(game: Game) -> None:
        me, other, *_ = game.world.personas
        state = minds_of(game, [me])[me].state
        assert state.schedule(me)
        assert state.action(other)
        assert state.relation(me, other) is not None
        for reach in (
            lambda: state.schedule(other),
            lambda: state.relation(other, me),
            lambda: state.put(f"pondered/{other}", Pondered(1)),
        ):
            with pytest.raises(Telepathy, match=f"{me} has reached for [a-z]+/{other}"):
                reach()

    live(tmp_path, 1, after_each=look)
