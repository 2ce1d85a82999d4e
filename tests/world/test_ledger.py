"""The ledger: goods move whole or not at all."""

from __future__ import annotations

from datetime import datetime

import pytest

from hometown.society.living import without_minds
from hometown.world.apply import apply
from hometown.world.ledger import Shortage
from hometown.world.matter import NATURE, NATURE_HOLDER, Granted, MatterEffect, Move, Shifted, Traded, Transformed
from hometown.world.state import State


def town() -> State:
    """Ann has three loaves, the baker ten coins, and nature a kilogram."""
    state = without_minds(datetime(2025, 2, 13))
    for effect in (Granted("ann", (("loaf", 3),)), Granted("house:bakery", (("coin", 10),)), Granted(NATURE_HOLDER, ((NATURE, 1000),))):
        apply(effect, state)
    return state


def test_goods_move() -> None:
    state = town()
    apply(Shifted(Move("ann", "ben", (("loaf", 1),))), state)
    apply(Traded((Move("ann", "house:bakery", (("loaf", 2),)), Move("house:bakery", "ann", (("coin", 10),)))), state)
    assert [state.stock(holder).goods for holder in ("ann", "ben", "house:bakery")] == [(("coin", 10),), (("loaf", 1),), (("loaf", 2),)]
    apply(Transformed("ben", (("loaf", 1),), ((NATURE, 400),)), state)
    assert state.row("stock/ben") is None, "who has nothing has no row"
    assert state.stock(NATURE_HOLDER).count(NATURE) == 1400
    apply(Transformed("field", ((NATURE, 500),), (("grain", 1),)), state)
    assert (state.stock("field").goods, state.stock(NATURE_HOLDER).count(NATURE)) == ((("grain", 1),), 900)


@pytest.mark.parametrize(
    "effect",
    [
        Shifted(Move("ann", "ben", (("loaf", 4),))),
        Shifted(Move("ann", "ben", (("loaf", 0),))),
        Shifted(Move("ann", "ben", (("loaf", -1),))),
        Shifted(Move("ann", "ben", (("loaf", 1), ("coin", 1)))),
        Traded((Move("ann", "house:bakery", (("loaf", 1),)), Move("house:bakery", "ann", (("coin", 11),)))),
        Traded((Move("ann", "ben", (("loaf", 2),)), Move("ann", "eve", (("loaf", 2),)))),
        Traded((Move("house:bakery", "ben", (("coin", 1),)), Move("ben", "ann", (("coin", 1),)))),
        Transformed("ann", (("loaf", 1), (NATURE, 1001)), (("cake", 1),)),
    ],
)
def test_a_shortage_moves_nothing(effect: MatterEffect) -> None:
    state = town()
    before = dict(state.rows)
    with pytest.raises(Shortage):
        apply(effect, state)
    assert state.rows == before
