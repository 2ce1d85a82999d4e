"""Every kind of row is the town's or a resident's own, and no mind reaches for another's own."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import get_args

import pytest

from hometown.game import Game
from hometown.world import keys
from hometown.world.rows import Clock, Pondered, Row
from hometown.world.state import Telepathy
from tests.support.town import live, minds_of


def test_the_names_of_rows_are_stored_and_stay() -> None:
    stored = """
        action ailing aim answered approaches barred board body bond clock condition counter course deals deed director feel
        goals happenings hired impression infection item kept known lately law measure mind needs notes occasion occasions opinion passed
        placed places pondered process promises questions reasons regard relation removed routine schedule
        seen settled shop skills stock stopped talking tasks thing threads unsummed voices weather wishes
    """
    assert sorted(keys.KINDS) == stored.split()
    types = [get_args(kind.row_type) or (kind.row_type,) for kind in keys.KINDS.values()]
    assert set(get_args(Row)) == {base for *_, base in types}
    assert (keys.CLOCK.key, keys.BODY.of("ana")) == ("clock/town", "body/ana")
    assert keys.KNOWN.of("ana", "cafe/main") == "known/ana/cafe/main"


def test_the_rows_of_a_kind_are_selected() -> None:
    rows: dict[str, Row] = {
        "pondered/ana": Pondered(3),
        "clock/town": Clock(datetime(2025, 2, 13), 0),
    }
    assert [*keys.PONDERED.select(rows)] == [("ana", Pondered(3))]


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
            lambda: state.put(keys.PONDERED.of(other), Pondered(1)),
        ):
            with pytest.raises(Telepathy, match=f"{me} has reached for [a-z]+/{other}"):
                reach()

    live(tmp_path, 1, after_each=look)
