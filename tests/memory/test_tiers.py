"""Three tiers: what is retired can come back as it was, and only where nothing live stands out."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hometown.memory.arithmetic import Vector, quantise
from hometown.memory.store import MemoryStore
from hometown.memory.stream import MemoryStream
from hometown.memory.tiers import FEW, retrieve
from hometown.settings import RetrievalSettings
from tests.support.memories import START, concept

NOW = START + timedelta(days=2)
SETTINGS = RetrievalSettings()
MANY = 2 * FEW


def vector_of(number: int) -> Vector:
    """All memories are alike, but for every tenth, which has a direction of its own."""
    vector = np.full(MANY, 0.2, np.float32)
    vector[number % MANY] += 9 if number % 10 == 0 else 0.5
    return quantise(vector / np.linalg.norm(vector))


def a_stream(count: int = MANY, *, keeps: bool = True) -> MemoryStream:
    vectors = {f"memory {number}": vector_of(number) for number in range(1, count + 1)}
    stream = MemoryStream(lambda texts: np.stack([vectors[text] for text in texts]))
    stream.cold = (
        MemoryStream(lambda texts: np.stack([vectors[text] for text in texts])) if keeps else None
    )
    for number in range(1, count + 1):
        stream.add(concept(number, 1 + number % 6), vector_of(number))
    return stream


def asked(stream: MemoryStream, number: int, count: int = 10) -> tuple[list[int], list[int]]:
    found = retrieve(
        MemoryStore.over({"ann": stream}), "ann", [vector_of(number)], NOW, SETTINGS, count
    )
    return [each.concept.id for each in found.live], [each.concept.id for each in found.retired]


@given(
    gone=st.lists(st.sets(st.integers(1, 15), max_size=8), max_size=4),
    back=st.lists(st.sets(st.integers(1, 15), max_size=8), max_size=4),
)
@settings(max_examples=40, deadline=None)
def test_what_comes_back_is_where_it_was(gone: list[set[int]], back: list[set[int]]) -> None:
    stream, live = a_stream(15), set(range(1, 16))
    for retired, recalled in zip(gone, back, strict=False):
        stream.retire(retired)
        live -= retired
        stream.recall(recalled, NOW)
        live |= recalled
        assert stream.partition.columns().ids.tolist() == sorted(live) == list(stream.concepts)
        assert stream.cold is not None
        assert stream.cold.partition.columns().ids.tolist() == sorted(set(range(1, 16)) - live)
        assert stream.partition.dot(vector_of(10)).tolist() == [
            float(vector_of(number) @ vector_of(10)) for number in sorted(live)
        ]
        assert all(stream.last_access(number) in (START, NOW) for number in live)


def test_a_retired_memory_comes_to_mind_where_nothing_live_stands_out() -> None:
    stream = a_stream()
    assert asked(stream, 10)[1] == []
    stream.retire([10, 11, 12])
    live, retired = asked(stream, 10)
    assert retired == [10]
    assert len(live) == 9
    assert asked(stream, 20)[1] == [], "a live memory is about that"


def test_where_nothing_is_kept_nothing_comes_back_and_what_is_live_is_searched_as_ever() -> None:
    stream = a_stream(keeps=False)
    expected = [
        each.concept.id
        for each in MemoryStore.over({"ann": stream}).recall(
            "ann", vector_of(10), NOW, SETTINGS, count=10
        )
    ]
    assert asked(stream, 10) == (expected, [])
    stream.retire([10])
    assert asked(stream, 10)[1] == []


def test_what_mattered_in_the_last_two_hours_is_in_mind_unasked() -> None:
    stream = a_stream()
    for number, poignancy, hours in ((41, 6, 3.0), (42, 6, 1.5), (43, 3, 1.0), (44, 5, 0.5)):
        stream.add(
            concept(
                number, poignancy, NOW - timedelta(hours=hours), text=f"memory {number % 10 or 10}"
            ),
            vector_of(number),
        )
    live, _ = asked(stream, 20)
    assert live[:2] == [44, 42]
    assert len(live) == len(set(live)) == 10
