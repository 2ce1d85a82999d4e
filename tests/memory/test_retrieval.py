"""Three-factor retrieval against a slow, obvious implementation, and what happens at the edges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hometown.memory.concept import Concept
from hometown.memory.overlay import Fork, Overlay
from hometown.memory.scoring import Scored
from hometown.memory.store import MemoryStore
from hometown.memory.stream import MemoryStream
from hometown.presets import PRESETS
from hometown.settings import RetrievalSettings
from tests.support.memories import START, concept, unit

DIMENSION = 8


def recall(
    stream: MemoryStream,
    query: np.ndarray,
    now: datetime,
    weights: RetrievalSettings,
    **options: Any,
) -> list[Scored]:
    return MemoryStore.over({"ann": stream}).recall("ann", query, now, weights, **options)


def slow_reference(
    memories: list[tuple[Concept, np.ndarray, datetime]],
    query: np.ndarray,
    now: datetime,
    s: RetrievalSettings,
) -> list[int]:
    """Park et al. 2023, §4.1, as one would write it on a blackboard."""
    by_access = sorted(memories, key=lambda m: (m[2], m[0].id), reverse=True)
    rank = {memory[0].id: position for position, memory in enumerate(by_access, start=1)}

    def recency(memory: tuple[Concept, np.ndarray, datetime]) -> float:
        hours = {
            "access": (now - memory[2]).total_seconds() / 3600,
            "creation": (now - memory[0].created).total_seconds() / 3600,
        }
        return s.recency_decay ** (
            rank[memory[0].id] if s.recency_basis == "rank" else max(hours[s.recency_basis], 0.0)
        )

    def scaled(values: list[float], divisor: float) -> list[float]:
        if s.normalise == "none":
            return [value / divisor for value in values]
        low, high = min(values), max(values)
        return [0.5 if high == low else (value - low) / (high - low) for value in values]

    columns = (
        scaled([recency(memory) for memory in memories], 1),
        scaled([memory[0].poignancy for memory in memories], 10),
        scaled([float(np.dot(memory[1], query)) / 4000**2 for memory in memories], 1),
    )
    weights = (s.recency_weight, s.importance_weight, s.relevance_weight)
    totals = [
        round(sum(weight * column[at] for weight, column in zip(weights, columns, strict=True)), 5)
        for at in range(len(memories))
    ]
    return [
        memories[at][0].id
        for at in sorted(
            range(len(memories)), key=lambda at: (totals[at], memories[at][0].id), reverse=True
        )
    ]


@st.composite
def streams(draw: st.DrawFn) -> list[tuple[Concept, np.ndarray, datetime]]:
    rows = draw(
        st.lists(
            st.tuples(
                st.integers(1, 10),
                st.integers(0, 5000),
                st.integers(0, 5000),
                st.integers(0, 2**31),
            ),
            min_size=1,
            max_size=40,
        )
    )
    made = []
    for number, (poignancy, age, access_age, noise) in enumerate(rows, start=1):
        vector = np.random.default_rng(noise).normal(size=DIMENSION)
        created = START - timedelta(minutes=age)
        made.append(
            (
                concept(number, poignancy, created),
                unit(*vector),
                max(created, START - timedelta(minutes=access_age)),
            )
        )
    return made


@settings(max_examples=60, deadline=None)
@given(streams(), st.sampled_from(sorted(PRESETS)), st.booleans(), st.data())
def test_retrieval_equals_the_reference(
    memories: list[Any], preset: str, halved: bool, data: st.DataObject
) -> None:
    weights = RetrievalSettings(**PRESETS[preset].get("associate", {}))
    query = unit(*np.random.default_rng(data.draw(st.integers(0, 99))).normal(size=DIMENSION))
    stream = MemoryStream()
    split = len(memories) // 2 if halved else len(memories)
    for memory in memories[:split]:
        stream.add(*memory)
    view = Overlay(stream)
    for memory in memories[split:]:
        view.add(*memory)
    found = [
        scored.concept.id for scored in recall(view, query, START, weights, count=len(memories))
    ]
    expected = slow_reference(memories, query, START, weights)
    assert same_up_to_rounding(
        found, expected, recall(view, query, START, weights, count=len(memories))
    )


def same_up_to_rounding(found: list[int], expected: list[int], scores: list[Scored]) -> bool:
    """Equal orders, where memories whose scores lie within one unit of the rounding may trade
    places.
    """
    score = {scored.concept.id: scored.score for scored in scores}
    return all(
        one == other or math.isclose(score[one], score[other], abs_tol=2e-5)
        for one, other in zip(found, expected, strict=True)
    )


def test_an_empty_stream_gives_nothing_and_one_memory_scores_the_midpoint() -> None:
    stream = MemoryStream()
    assert recall(stream, unit(1, 0), START, RetrievalSettings(), count=5) == []
    stream.add(concept(1), unit(1, 0))
    (only,) = recall(stream, unit(0, 1), START, RetrievalSettings(), count=5)
    assert (only.recency, only.importance, only.relevance) == (0.5, 0.5, 0.5)


def test_ties_go_to_the_newer_memory() -> None:
    stream = MemoryStream()
    for number in (1, 2, 3):
        stream.add(concept(number), unit(1, 0))
    weights = RetrievalSettings(recency_weight=0)
    assert [
        scored.concept.id for scored in recall(stream, unit(1, 0), START, weights, count=3)
    ] == [3, 2, 1]


def test_access_makes_a_memory_recent_again_and_retirement_takes_it_out() -> None:
    stream = MemoryStream()
    for number in (1, 2, 3):
        stream.add(concept(number, created=START + timedelta(hours=number)), unit(1, number))
    weights = RetrievalSettings(importance_weight=0, relevance_weight=0)
    now = START + timedelta(hours=9)
    stream.access([1], now)
    assert [scored.concept.id for scored in recall(stream, unit(1, 0), now, weights, count=3)] == [
        1,
        3,
        2,
    ]
    assert stream.last_access(1) == now
    stream.retire([3])
    assert [scored.concept.id for scored in recall(stream, unit(1, 0), now, weights, count=3)] == [
        1,
        2,
    ]
    assert stream.partition.find_least_valuable(1, now, weights) == [2]


@settings(max_examples=30, deadline=None)
@given(memories=streams(), data=st.data())
def test_a_fork_lives_on_as_its_base_would_have_and_leaves_it_alone(
    memories: list[Any], data: st.DataObject
) -> None:
    """Also a fork of a fork; `cuts` are the places at which the next one begins."""
    cuts = data.draw(st.lists(st.integers(0, len(memories)), max_size=2).map(sorted))
    whole, fork = MemoryStream(), MemoryStream()
    bases: list[tuple[MemoryStream, list[int], list[datetime]]] = []

    def seen(stream: MemoryStream) -> tuple[list[int], list[datetime]]:
        return list(stream.concepts), [stream.last_access(number) for number in stream.concepts]

    for at, memory in enumerate(memories):
        for _ in range(cuts.count(at)):
            bases.append((fork, *seen(fork)))
            fork = Fork(fork)
        known = st.lists(
            st.sampled_from([each.id for each, *_ in memories[: at + 1]]), max_size=3, unique=True
        )
        accessed, gone, when = data.draw(known), data.draw(known), START + timedelta(minutes=at)
        for stream in (whole, fork):
            stream.add(*memory)
            stream.access([number for number in accessed if number in stream], when)
            stream.retire([number for number in gone if number in stream])
    assert seen(fork) == seen(whole)
    query = unit(*range(1, DIMENSION + 1))
    found = [
        recall(stream, query, START + timedelta(days=1), RetrievalSettings(), count=10)
        for stream in (whole, fork)
    ]
    assert found[0] == found[1]
    for base, ids, accesses in bases:
        assert seen(base) == (ids, accesses)


def test_an_overlay_leaves_its_base_alone() -> None:
    stream = MemoryStream()
    stream.add(concept(1), unit(1, 0))
    view = Overlay(stream)
    view.add(concept(2), unit(0, 1))
    view.retire([1])
    assert (len(stream), len(view)) == (1, 1)
    assert [memory.id for memory in view.recent(("event",), 5)] == [2]
    assert [memory.id for memory in stream.recent(("event",), 5)] == [1]


def test_vectors_are_loaded_when_first_needed_and_again_after_release() -> None:
    asked: list[list[str]] = []

    def load(texts: Sequence[str]) -> Any:
        asked.append(list(texts))
        return np.stack([unit(1, 0) for _ in texts])

    stream = MemoryStream(load)
    stream.add(concept(1), None)
    stream.add(concept(2), None)
    for _ in range(2):
        recall(stream, unit(1, 0), START, RetrievalSettings(), count=1)
    stream.add(concept(3), unit(1, 0))
    stream.partition.release()
    recall(stream, unit(1, 0), START, RetrievalSettings(), count=1)
    assert asked == [["memory 1", "memory 2"], ["memory 1", "memory 2", "memory 3"]]


def test_only_the_kinds_asked_for_come_back() -> None:
    stream = MemoryStream()
    stream.add(concept(1, kind="thought"), unit(1, 0))
    stream.add(concept(2, kind="chat"), unit(1, 0))
    found = recall(stream, unit(1, 0), START, RetrievalSettings(), count=5, types=("chat",))
    assert [scored.concept.id for scored in found] == [2]


@pytest.mark.parametrize("field", ["score", "recency", "importance", "relevance"])
def test_scores_are_plain_finite_numbers(field: str) -> None:
    stream = MemoryStream()
    for number in range(1, 6):
        stream.add(concept(number), unit(1, number))
    for scored in recall(stream, unit(1, 1), START, RetrievalSettings(), count=5):
        assert math.isfinite(getattr(scored, field))
