"""The ledger: goods move whole or not at all."""

from __future__ import annotations

from datetime import datetime

import pytest

from hometown.society.rule_life import mindless_state
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.ledger import Misplaced, Shortage
from hometown.world.matter import (
    NATURE,
    NATURE_HOLDER,
    Granted,
    Item,
    MatterEffect,
    Shifted,
    Traded,
    Transfer,
    Transformed,
    Worn,
)
from hometown.world.state import State


def town() -> State:
    """Ann has three loaves, the baker ten coins, and nature a kilogram."""
    state = mindless_state(datetime(2025, 2, 13))
    for effect in (
        Granted("ann", (("loaf", 3),)),
        Granted("house:bakery", (("coin", 10),)),
        Granted(NATURE_HOLDER, ((NATURE, 1000),)),
    ):
        apply(effect, state)
    return state


def test_goods_move() -> None:
    state = town()
    apply(Shifted(Transfer("ann", "ben", (("loaf", 1),))), state)
    apply(
        Traded(
            (
                Transfer("ann", "house:bakery", (("loaf", 2),)),
                Transfer("house:bakery", "ann", (("coin", 10),)),
            )
        ),
        state,
    )
    assert [state.stock(holder).goods for holder in ("ann", "ben", "house:bakery")] == [
        (("coin", 10),),
        (("loaf", 1),),
        (("loaf", 2),),
    ]
    apply(Transformed("ben", (("loaf", 1),), ((NATURE, 400),)), state)
    assert state.row(keys.STOCK.of("ben")) is None, "who has nothing has no row"
    assert state.stock(NATURE_HOLDER).count(NATURE) == 1400
    apply(Transformed("field", ((NATURE, 500),), (("grain", 1),)), state)
    assert (state.stock("field").goods, state.stock(NATURE_HOLDER).count(NATURE)) == (
        (("grain", 1),),
        900,
    )


def furnished() -> State:
    """Ann has a basket with two apples in it, an older sickle and a younger one."""
    state = town()
    apply(Granted("ann", (("basket#2", 1), ("sickle#1", 1), ("sickle#10", 1))), state)
    apply(Granted("basket#2", (("apple", 2),)), state)
    apply(Worn("sickle#10", 5), state)
    return state


def test_an_item_goes_with_all_that_is_in_it() -> None:
    state = furnished()
    apply(Shifted(Transfer("ann", "chest", (("basket", 1),))), state)
    apply(Shifted(Transfer("ann", "basket#2", (("loaf", 1), ("sickle#10", 1)))), state)
    assert (state.holders("sickle#10"), state.item("sickle#10")) == (
        ("sickle#10", "basket#2", "chest"),
        Item("basket#2", 5),
    )
    assert state.stock("basket#2").goods == (("apple", 2), ("loaf", 1), ("sickle#10", 1))
    assert (
        state.stock("ann").count("sickle"),
        state.stock("chest").count("basket"),
        state.last_item_number,
    ) == (1, 1, 10)


def test_a_kind_stands_for_its_oldest_items() -> None:
    state = furnished()
    apply(
        Traded(
            (Transfer("ann", "ben", (("sickle", 1),)), Transfer("ann", "eve", (("sickle", 1),)))
        ),
        state,
    )
    assert [state.stock(who).goods for who in ("ben", "eve")] == [
        (("sickle#1", 1),),
        (("sickle#10", 1),),
    ]
    apply(Transformed("eve", (("sickle", 1),), (("blade", 1),)), state)
    assert state.item("sickle#10") is None
    assert state.last_item_number == 10, "its number is not given again"


@pytest.mark.parametrize(
    "effect",
    [
        Shifted(Transfer("ann", "basket#2", (("basket", 1),))),
        Transformed("ann", (("basket", 1),), ((NATURE, 900),)),
        Granted("ben", (("sickle#1", 1),)),
        Granted("ben", (("sickle#11", 2),)),
    ],
)
def test_an_item_is_in_one_place_and_not_in_itself(effect: MatterEffect) -> None:
    state = furnished()
    before = dict(state.rows)
    with pytest.raises(Misplaced):
        apply(effect, state)
    assert state.rows == before


@pytest.mark.parametrize(
    "effect",
    [
        Shifted(Transfer("ann", "ben", (("loaf", 4),))),
        Shifted(Transfer("ann", "ben", (("loaf", 0),))),
        Shifted(Transfer("ann", "ben", (("loaf", -1),))),
        Shifted(Transfer("ann", "ben", (("loaf", 1), ("coin", 1)))),
        Traded(
            (
                Transfer("ann", "house:bakery", (("loaf", 1),)),
                Transfer("house:bakery", "ann", (("coin", 11),)),
            )
        ),
        Traded((Transfer("ann", "ben", (("loaf", 2),)), Transfer("ann", "eve", (("loaf", 2),)))),
        Traded(
            (
                Transfer("house:bakery", "ben", (("coin", 1),)),
                Transfer("ben", "ann", (("coin", 1),)),
            )
        ),
        Transformed("ann", (("loaf", 1), (NATURE, 1001)), (("cake", 1),)),
    ],
)
def test_a_shortage_moves_nothing(effect: MatterEffect) -> None:
    state = town()
    before = dict(state.rows)
    with pytest.raises(Shortage):
        apply(effect, state)
    assert state.rows == before
