"""What the memory store finds for users of LlamaIndex and for minds: by filters, by keywords, and
in layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_index.core.vector_stores.types import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)
from llama_index.core.vector_stores.utils import build_metadata_filter_fn

from hometown.errors import BadRun
from hometown.memory.concept import Concept
from hometown.memory.keywords import find_keywords
from hometown.memory.nodes import node_of
from hometown.memory.overlay import Fork, Overlay
from hometown.memory.scoring import find_best
from hometown.memory.store import MemoryStore
from hometown.memory.stream import MemoryStream
from hometown.settings import RetrievalSettings
from tests.support.storage_sample import vector_of

START = datetime(2025, 2, 13, 6)

TEXTS: Sequence[tuple[Any, ...]] = (
    ("event", "Bo sells coffee at the café", "bo", "café/counter", 2, "", ("bo",)),
    ("event", "Ana reads in the library", "ana", "library", 1, "", ()),
    ("event", "The espresso machine is broken", "café/machine", "café/counter", 6, "", ()),
    ("event", "Bo is to marry", "bo", "park", 8, "3-ana", ("bo",)),
    ("thought", "Bo loves coffee", "ana", "", 5, "", ("bo",)),
    ("chat", "Ana and Bo talked about coffee and books", "ana", "park", 4, "3-ana", ("bo",)),
    ("plan", "小美打算去咖啡馆见阿波", "ana", "", 5, "", ()),
)


def a_memory(
    number: int,
    kind: Any,
    text: str,
    subject: str,
    place: str,
    weight: int,
    talk: str,
    about: tuple[str, ...],
) -> Concept:
    created = START + timedelta(hours=number)
    return Concept(
        number,
        kind,
        text,
        subject,
        "is",
        "",
        place,
        weight,
        created,
        created + timedelta(days=number),
        (),
        talk,
        about,
    )


def a_store() -> MemoryStore:
    """Return a store of two residents: ana, whose second memory is retired, and bo, who has one."""
    ana, bo = (
        MemoryStream(lambda texts: np.stack([vector_of(text) for text in texts])) for _ in range(2)
    )
    ana.cold = MemoryStream(lambda texts: np.stack([vector_of(text) for text in texts]))
    for number, fields in enumerate(TEXTS, 1):
        ana.add(a_memory(number, *fields), None)
    ana.retire([2])
    bo.add(a_memory(1, *TEXTS[0]), None)
    return MemoryStore.over({"ana": ana, "bo": bo})


def one(key: str, value: Any, comparison: FilterOperator = FilterOperator.EQ) -> MetadataFilter:
    return MetadataFilter(key=key, value=value, operator=comparison)


def all_of(*filters: MetadataFilter | MetadataFilters) -> MetadataFilters:
    return MetadataFilters(filters=list(filters))


def any_of(*filters: MetadataFilter | MetadataFilters) -> MetadataFilters:
    return MetadataFilters(filters=list(filters), condition=FilterCondition.OR)


def none_of(*filters: MetadataFilter | MetadataFilters) -> MetadataFilters:
    return MetadataFilters(filters=list(filters), condition=FilterCondition.NOT)


ANA = one("resident", "ana")


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (all_of(ANA, one("type", "event")), [1, 3, 4, 2]),
        (all_of(ANA, one("type", ["thought", "chat"], FilterOperator.IN)), [5, 6]),
        (all_of(ANA, one("retired", 1)), [2]),
        (all_of(ANA, one("kind", "news")), [4]),
        (all_of(ANA, one("kind", ["discovery", "action"], FilterOperator.IN)), [3, 2]),
        (all_of(ANA, one("kind", "observation")), [1]),
        (all_of(ANA, one("place", "café/counter")), [1, 3]),
        (
            all_of(
                ANA,
                one("people", "bo", FilterOperator.CONTAINS),
                one("poignancy", 5, FilterOperator.GTE),
            ),
            [4, 5],
        ),
        (
            all_of(
                ANA,
                one("created", "2025-02-13T10:00", FilterOperator.GTE),
                one("created", "2025-02-13T12", FilterOperator.LT),
            ),
            [4, 5],
        ),
        (all_of(ANA, one("accessed", "2025-02-13T08:00:00")), [2]),
        (all_of(ANA, one("expires", "2025-02-16", FilterOperator.LT)), [1, 2]),
        (all_of(ANA, one("keywords", "coffee", FilterOperator.CONTAINS)), [1, 5, 6]),
        (all_of(ANA, one("keywords", ["咖啡", "library"], FilterOperator.ANY)), [7, 2]),
        (all_of(ANA, one("strength", 2, FilterOperator.GTE)), [1, 4]),
        (
            all_of(
                ANA, any_of(one("type", "chat"), all_of(one("type", "event"), one("poignancy", 6)))
            ),
            [3, 6],
        ),
        (all_of(ANA, none_of(one("type", "event"), one("type", "plan"))), [5, 6]),
        (any_of(one("resident", "bo"), one("type", "plan")), [7, 1]),
    ],
)
def test_filters_choose_by_each_field_of_a_node_and_nest(
    filters: MetadataFilters, expected: list[int]
) -> None:
    store = a_store()
    assert [
        int(node.node_id.rpartition("/")[2]) for node in store.get_nodes(filters=filters)
    ] == expected
    found = (
        store.query(VectorStoreQuery(vector_of("x").tolist(), 99, filters=filters), nodes=False).ids
        or []
    )
    assert sorted(int(node.rpartition("/")[2]) for node in found) == sorted(expected)


FIELDS: Sequence[tuple[str, Sequence[Any]]] = (
    ("type", ("event", "plan")),
    ("poignancy", (1, 5, 8)),
    ("created", ("2025-02-13T08:00:00", "2025-02-13T10:00:00")),
    ("resident", ("ana", "bo")),
    ("retired", (0, 1)),
    ("subject", ("ana", "bo")),
)
COMPARISONS = [
    FilterOperator.EQ,
    FilterOperator.NE,
    FilterOperator.GT,
    FilterOperator.GTE,
    FilterOperator.LT,
    FilterOperator.LTE,
]


@settings(max_examples=60, deadline=None)
@given(data=st.data(), condition=st.sampled_from(FilterCondition))
def test_columns_filter_as_llama_index_filters_metadata(
    data: st.DataObject, condition: FilterCondition
) -> None:
    chosen = data.draw(st.lists(st.sampled_from(FIELDS), min_size=1, max_size=3))
    filters = MetadataFilters(
        filters=[
            one(key, data.draw(st.sampled_from(values)), data.draw(st.sampled_from(COMPARISONS)))
            for key, values in chosen
        ],
        condition=condition,
    )
    store = a_store()
    nodes = {node.node_id: node for node in store.get_nodes()}
    passes = build_metadata_filter_fn(lambda node: nodes[node].metadata, filters)
    assert [node.node_id for node in store.get_nodes(filters=filters)] == [
        node for node in nodes if passes(node)
    ]


def test_a_moment_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'created' compares with 'yesterday'.*2025-02-13"):
        a_store().get_nodes(filters=all_of(one("created", "yesterday", FilterOperator.GTE)))


def test_keywords_are_found_without_an_embedding() -> None:
    store = a_store()
    result = store.query(
        VectorStoreQuery(
            query_str="coffee and books", similarity_top_k=9, mode=VectorStoreQueryMode.TEXT_SEARCH
        )
    )
    assert result.ids == ["ana/6", "ana/5", "ana/1", "bo/1"]
    assert result.similarities == [1.0, 0.5, 0.5, 0.5]
    chinese = store.query(
        VectorStoreQuery(
            query_str="咖啡馆在哪里？", similarity_top_k=9, mode=VectorStoreQueryMode.TEXT_SEARCH
        )
    )
    assert chinese.ids == ["ana/7"]


def test_keywords_are_ranked_with_recency_and_importance_at_a_moment() -> None:
    weights = RetrievalSettings(
        recency_weight=0, importance_weight=1, relevance_weight=1, normalise="none"
    )
    query = VectorStoreQuery(
        query_str="coffee", similarity_top_k=2, mode=VectorStoreQueryMode.TEXT_SEARCH
    )
    result = a_store().query(query, now=START + timedelta(days=1), weights=weights)
    assert (result.ids, result.similarities) == (["ana/5", "ana/6"], [1.5, 1.4])


def test_events_thoughts_and_chats_are_retrieved_by_name() -> None:
    store = a_store()
    assert [found.node.node_id for found in store.retrieve_events("ana", "coffee")] == ["ana/1"]
    assert [found.node.node_id for found in store.retrieve_thoughts("ana")] == ["ana/5"]
    assert [found.node.node_id for found in store.retrieve_chats("ana", "books")] == ["ana/6"]
    nearest = store.retrieve_events("ana", embedding=vector_of(TEXTS[3][1]).tolist(), count=1)
    assert [found.node.node_id for found in nearest] == ["ana/4"]


def test_ids_of_no_memory_are_left_out() -> None:
    assert a_store().get_nodes(["nonsense", "", "ana/x", "ana/99999"]) == []


def test_strengths_count_the_memories_of_a_type_that_have_a_keyword() -> None:
    (node,) = a_store().get_nodes(["ana/4"])
    assert dict(zip(node.metadata["keywords"], node.metadata["strengths"], strict=True)) == {
        "bo": 2,
        "marry": 1,
    }


@pytest.mark.parametrize("text", ["", "的了", "is it?", "，。"])
def test_texts_without_keywords_match_nothing(text: str) -> None:
    assert find_keywords(text) == ()
    query = VectorStoreQuery(
        query_str=text or " ", similarity_top_k=9, mode=VectorStoreQueryMode.TEXT_SEARCH
    )
    assert a_store().query(query).ids == []


@pytest.mark.parametrize("layer", [Overlay, Fork])
def test_a_layered_store_sees_fresh_memories_and_leaves_the_store_below_alone(
    layer: type[Overlay],
) -> None:
    below, vector, now = a_store(), vector_of("news"), START + timedelta(days=1)
    view = (
        layer(below.memories["ana"], lambda texts: np.stack([vector_of(text) for text in texts]))
        if layer is Overlay
        else layer(below.memories["ana"])
    )
    above, before = (
        below.layer({"ana": view}),
        below.recall("ana", vector, now, RetrievalSettings(), count=9),
    )
    assert above.recall("ana", vector, now, RetrievalSettings(), count=9) == before
    view.add(a_memory(8, "event", "news", "bo", "park", 9, "", ()), vector)
    view.retire([1])
    assert above.recall("ana", vector, now, RetrievalSettings(), count=1)[0].concept.text == "news"
    assert above.find_highest_similarity("ana", vector) > 0.99
    assert [node.node_id for node in above.get_nodes()] == [
        f"ana/{number}" for number in (3, 4, 5, 6, 7, 8, 2)
    ]
    assert below.recall("ana", vector, now, RetrievalSettings(), count=9) == before


def test_what_a_moment_has_computed_does_not_outlive_a_change() -> None:
    store, weights, now = a_store(), RetrievalSettings(), START + timedelta(days=1)
    ana = store.memories["ana"]

    def recall() -> list[int]:
        return [
            each.concept.id for each in store.recall("ana", vector_of("x"), now, weights, count=9)
        ]

    assert recall() == recall()
    ana.retire([3])
    assert 3 not in recall()
    ana.recall([3], now)
    assert 3 in recall()
    ana.add(a_memory(8, "event", "x", "bo", "park", 9, "", ()), vector_of("x"))
    assert recall()[0] == 8
    by_recency = RetrievalSettings(importance_weight=0, relevance_weight=0)
    latest = store.recall("ana", vector_of("x"), now, by_recency, count=1)
    ana.access([1], now + timedelta(hours=1))
    assert (
        store.recall("ana", vector_of("x"), now + timedelta(hours=1), by_recency, count=1) != latest
    )


@given(
    scores=st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=30),
    count=st.integers(0, 32),
    data=st.data(),
)
def test_the_best_are_those_of_a_full_sort(
    scores: list[float], count: int, data: st.DataObject
) -> None:
    among = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(scores), max_size=len(scores))), bool
    )
    for mask in (None, among):
        rows = [at for at in range(len(scores)) if mask is None or mask[at]]
        expected = sorted(rows, key=lambda at: (-scores[at], -at))[:count]
        assert find_best(np.array(scores), count, mask).tolist() == expected


def test_a_store_of_no_run_takes_no_memories() -> None:
    with pytest.raises(BadRun, match="belongs to no run"):
        a_store().add([node_of("ana", a_memory(8, *TEXTS[0]), vector_of("x"))])
