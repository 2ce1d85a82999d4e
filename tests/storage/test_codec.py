"""Every row and every effect survives being saved."""

from __future__ import annotations

import math
import typing
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hometown.memory.concept import Concept
from hometown.read_budget import ReadBudget
from hometown.storage.codec import EFFECTS, decode, decode_effect, decode_row, encode
from hometown.storage.row_conversion import decode_effects, effects_statement
from hometown.world.conversation import Conversation
from hometown.world.effects import Effect, Logged, Settled
from hometown.world.keys import KINDS
from tests.support.examples import examples

STEPS, EFFECTS_OF_STEP = 400, 300

PLAIN: dict[type, st.SearchStrategy[Any]] = {
    str: st.one_of(
        st.sampled_from(["", "0", "null", "None", "故里", "😴", '"\\\0']), st.text(max_size=8)
    ),
    int: st.one_of(st.sampled_from([0, -1, 1440]), st.integers(-(2**53), 2**53)),
    bool: st.booleans(),
    float: st.floats(allow_nan=False, allow_infinity=False),
    datetime: st.datetimes().map(
        lambda when: when.replace(fold=0)
    ),  # a time without zone has no second 2 o'clock
}
for kind, strategy in PLAIN.items():
    st.register_type_strategy(kind, strategy)

QUICK = settings(max_examples=examples(8))


@pytest.mark.parametrize("kind", sorted(KINDS))
@given(data=st.data())
@QUICK
def test_every_row_survives(kind: str, data: st.DataObject) -> None:
    row = data.draw(st.from_type(KINDS[kind].row_type))
    assert identical(decode_row(f"{kind}/ana/cafe/main", encode(row)), row)


@pytest.mark.parametrize("kind", sorted(EFFECTS))
@given(data=st.data())
@QUICK
def test_every_effect_survives(kind: str, data: st.DataObject) -> None:
    effect = data.draw(st.from_type(EFFECTS[kind]))
    assert identical(decode_effect(kind, encode(effect)), effect)


def identical(one: Any, other: Any) -> bool:
    """Equal, and of the same types all the way down: 0, 0.0 and False are not."""
    return one == other and repr(one) == repr(other)


def test_every_effect_has_a_name() -> None:
    assert set(EFFECTS.values()) == set(typing.get_args(Effect))


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_not_saved(number: float) -> None:
    for value in (number, [1, (number, None)], {"a": {"b": number}}):
        with pytest.raises(ValueError, match="not a number"):
            encode(value)
    assert encode([None, 0.5]) == b"[null,0.5]"


def test_equal_mappings_have_equal_bytes() -> None:
    assert (
        encode({"b": 1, "a": {"d": 2, "c": 3}})
        == encode({"a": {"c": 3, "d": 2}, "b": 1})
        == b'{"a":{"c":3,"d":2},"b":1}'
    )


@given(concept=st.from_type(Concept), talk=st.from_type(Conversation))
@QUICK
def test_memories_and_talks_survive(concept: Concept, talk: Conversation) -> None:
    assert identical(decode(Concept, encode(concept)), concept)
    assert identical(decode(Conversation, encode(talk)), talk)


def test_steps_are_compressed_in_several_threads() -> None:
    """As in a program in which several towns live."""

    def pack(step: int) -> bytes:
        effects = [
            Logged(Settled("ida", (step, number), datetime(2025, 2, 13)), "ida", "rule:test")
            for number in range(EFFECTS_OF_STEP)
        ]
        (_, rows) = effects_statement(step, effects)
        ((_, frame),) = rows
        return cast("bytes", frame)

    with ThreadPoolExecutor(8) as threads:
        frames = list(threads.map(pack, range(STEPS)))
    for step, frame in enumerate(frames):
        effects = decode_effects(frame, ReadBudget())
        assert len(effects) == EFFECTS_OF_STEP, step
        assert effects[0].effect == Settled("ida", (step, 0), datetime(2025, 2, 13))
