"""The memories of a run as LlamaIndex sees them."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llama_index.core import Settings as Globals
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.schema import QueryBundle, TextNode
from llama_index.core.vector_stores.types import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters, VectorStoreQuery, VectorStoreQueryMode

from modules.memory.associate import Associate
from modules.memory.concept import MEMORY_TYPES, Concept
from modules.settings import Associate as AssociateSettings
from modules.storage.digest import state_hash
from modules.storage.index import AssociateRetriever, RunVectorStore, concept_of_node, node_of, open_index, recall
from modules.storage.run import Run, StepRecord
from tests.storage_sample import START, concept, sample_run, vector_of


class Embedding(BaseEmbedding):
    """The sample's vectors."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return vector_of(text).tolist()

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


@pytest.fixture(autouse=True)
def untouched_globals() -> Any:
    """Whoever asks LlamaIndex's global settings for a model, or sets one, fails."""
    yield
    assert (Globals._llm, Globals._embed_model, Globals._node_parser, Globals._transformations) == (None, None, None, None)


def a_stream(count: int) -> Associate:
    """A stream of memories of all types, in which each fifth text stands twice."""
    stream = Associate()
    for one in range(1, count + 1):
        when = START + timedelta(minutes=one)
        text = f"memory {one - one % 5 // 4}"
        made = Concept(one, MEMORY_TYPES[one % 4], text, "ana", "is", "awake", "home/ana", 1 + one % 10, when, when + timedelta(days=30))
        stream.add(made, vector_of(text), when + timedelta(minutes=one % 7))
    return stream


NOW = datetime(2025, 2, 14)


@pytest.mark.parametrize("kinds", [None, ("thought", "chat")])
@pytest.mark.parametrize("basis", ["rank", "access", "creation"])
def test_the_retriever_finds_what_the_stream_retrieves(kinds: Any, basis: Any) -> None:
    stream, settings, vector = a_stream(50), AssociateSettings(recency_basis=basis), vector_of("memory 7")
    expected = stream.retrieve(vector, NOW, settings, count=8, kinds=kinds)
    assert recall(stream, "memory 7", vector, NOW, settings, 8, kinds) == expected
    assert len(expected) == 8
    retriever = AssociateRetriever("ana", stream, NOW, settings, count=8, kinds=kinds, embed_model=Embedding())
    found = retriever.retrieve("memory 7")
    assert [one.node.node_id for one in found] == [f"ana/{one.concept.id}" for one in expected]
    assert [one.score for one in found] == [one.score for one in expected]
    assert [one.relevance for one in found] == [one.relevance for one in expected]


def test_the_retriever_knows_a_residents_own_view() -> None:
    view = a_stream(20).overlay()
    view.add(concept(21, "fresh", NOW), vector_of("fresh"))
    view.retire([20])
    found = recall(view, "fresh", vector_of("fresh"), NOW, AssociateSettings(), 30)
    assert found == view.retrieve(vector_of("fresh"), NOW, AssociateSettings(), count=30)
    assert {one.concept.id for one in found} == {*range(1, 20), 21}


def test_an_empty_stream_brings_nothing_to_mind() -> None:
    assert recall(Associate(), "", vector_of(""), NOW, AssociateSettings(), 5) == []


def test_a_query_needs_a_vector_from_somewhere() -> None:
    with pytest.raises(ValueError, match="embed_model"):
        AssociateRetriever("ana", a_stream(1), NOW, AssociateSettings()).retrieve(QueryBundle("memory"))


def test_a_node_holds_the_whole_memory() -> None:
    one = concept(3, "睡觉", NOW)
    node = node_of("ana", one)
    assert concept_of_node(node) == ("ana", one)
    assert node.node_id == "ana/3"
    assert node.get_content() == "睡觉"


def test_an_index_opens_on_a_run_and_its_default_retriever_works(tmp_path: Path) -> None:
    with sample_run(tmp_path, 4) as run:
        index = open_index(RunVectorStore.from_run(run), Embedding())
        found = index.as_retriever(similarity_top_k=2).retrieve("bo 的记忆 2")
        assert (found[0].node.node_id, found[0].text) == ("bo/2", "bo 的记忆 2")
        assert found[0].score == pytest.approx(1, abs=1e-4)
        assert len(found) == 2


def test_filters_narrow_the_search(tmp_path: Path) -> None:
    with sample_run(tmp_path, 4) as run:
        store = RunVectorStore.from_run(run)

        def ids(*filters: MetadataFilter, condition: FilterCondition = FilterCondition.AND, **more: Any) -> list[str]:
            query = VectorStoreQuery(vector_of("a").tolist(), 99, filters=MetadataFilters(filters=list(filters), condition=condition), **more)
            return sorted(store.query(query).ids or [])

        live_ids = sorted(f"{who}/{one}" for who, stream in run.restore().memories.items() for one in stream.concepts)
        assert ids() == live_ids
        assert "bo/3" not in live_ids
        assert ids(MetadataFilter(key="resident", value="ana")) == [one for one in live_ids if one.startswith("ana")]
        assert ids(MetadataFilter(key="type", value="thought")) == []
        assert ids(MetadataFilter(key="about", value="bo", operator=FilterOperator.CONTAINS)) == live_ids
        assert ids(node_ids=["ana/1", "bo/1", "bo/3"]) == ["ana/1", "bo/1"]


def test_similarities_fall_and_equal_those_of_the_vectors(tmp_path: Path) -> None:
    with sample_run(tmp_path, 4) as run:
        store, vector = RunVectorStore.from_run(run), vector_of("a")
        found = store.query(VectorStoreQuery((vector * 3).tolist(), 5))
        assert found.similarities == sorted(found.similarities or [], reverse=True)
        assert np.allclose(found.similarities or [], [vector_of(node.get_content()) @ vector for node in found.nodes or []], atol=1e-4)


def test_a_query_that_the_store_does_not_know_is_refused(tmp_path: Path) -> None:
    with sample_run(tmp_path, 0) as run:
        store = RunVectorStore.from_run(run)
        for query in (VectorStoreQuery(None, 5), VectorStoreQuery([0.0] * 32, 5, mode=VectorStoreQueryMode.HYBRID)):
            with pytest.raises(ValueError, match="mode 'default' with an embedding"):
                store.query(query)


def test_nodes_come_and_go_as_effects_of_the_next_step(tmp_path: Path) -> None:
    with sample_run(tmp_path, 1) as run:
        state = run.restore()
        store = RunVectorStore.from_run(run, state)
        index = open_index(store, Embedding())
        index.insert_nodes([node_of("ana", concept(3, "a new thing", NOW))])
        index.delete_nodes(["bo/1"])
        run.commit(StepRecord(2, NOW, state.take_changes(), store.effects))
        expected = state_hash(state)
    with Run.open(tmp_path, "sample", write=True) as run:
        assert state_hash(run.restore()) == expected
        assert [type(logged.effect).__name__ for _, logged in run.effects(2)] == ["Remembered", "Retired"]
        assert open_index(RunVectorStore.from_run(run), Embedding()).as_retriever(similarity_top_k=1).retrieve("a new thing")[0].node.node_id == "ana/3"


def test_a_node_with_another_id_than_the_next_is_refused(tmp_path: Path) -> None:
    with sample_run(tmp_path, 1) as run:
        node = TextNode(id_="ana/9", text="x", embedding=vector_of("x").tolist(), metadata=node_of("ana", concept(9, "x")).metadata)
        with pytest.raises(ValueError, match="'ana/3'"):
            RunVectorStore.from_run(run).add([node])
