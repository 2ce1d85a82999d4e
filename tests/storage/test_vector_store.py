"""The memories of a run as LlamaIndex sees them."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llama_index.core import Settings as Globals
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import QueryBundle, TextNode
from llama_index.core.vector_stores import SimpleVectorStore
from llama_index.core.vector_stores.types import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)

from hometown.errors import BadRun
from hometown.memory.arithmetic import to_unit_vector
from hometown.memory.concept import MEMORY_TYPES, Concept
from hometown.memory.nodes import Unsplit, concept_of_node, node_of
from hometown.memory.overlay import Overlay
from hometown.memory.store import MemoryStore
from hometown.memory.stream import MemoryStream
from hometown.settings import RetrievalSettings
from hometown.storage.digest import state_hash
from hometown.storage.memory_retriever import MemoryRetriever, RetrievedMemory
from hometown.storage.run import RunFile, StepRecord
from hometown.storage.vector_store import RunVectorStore
from tests.support.hang import HANG
from tests.support.storage_sample import START, concept, sample_run, vector_of


class Embedding(BaseEmbedding):
    """The sample's vectors."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return to_unit_vector(vector_of(text)).tolist()

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


@pytest.fixture(autouse=True)
def untouched_globals() -> Any:
    """Whoever asks LlamaIndex's global settings for a model, or sets one, fails."""
    yield
    assert (Globals._llm, Globals._embed_model) == (None, None)


def index_of(store: MemoryStore) -> VectorStoreIndex:
    """What a LlamaIndex user opens."""
    return store.index(Embedding())


def a_stream(count: int) -> MemoryStream:
    """A stream of memories of all types, in which each fifth text stands twice."""
    stream = MemoryStream()
    for one in range(1, count + 1):
        when = START + timedelta(minutes=one)
        text = f"memory {one - one % 5 // 4}"
        made = Concept(
            one,
            MEMORY_TYPES[one % 4],
            text,
            "ana",
            "is",
            "awake",
            "home/ana",
            1 + one % 10,
            when,
            when + timedelta(days=30),
        )
        stream.add(made, vector_of(text), when + timedelta(minutes=one % 7))
    return stream


NOW = datetime(2025, 2, 14)


def over(stream: MemoryStream) -> MemoryStore:
    """Return the store of one resident, ana."""
    return MemoryStore.over({"ana": stream})


def scores(memories: list[Any]) -> list[tuple[Any, ...]]:
    """What the stream itself retrieved, to compare with what came through LlamaIndex."""
    return [
        (
            f"ana/{one.concept.id}",
            one.concept.text,
            one.score,
            one.recency,
            one.importance,
            one.relevance,
        )
        for one in memories
    ]


def seen(nodes: list[Any]) -> list[tuple[Any, ...]]:
    assert all(isinstance(node, RetrievedMemory) for node in nodes)
    return [
        (node.node.node_id, node.text, node.score, node.recency, node.importance, node.relevance)
        for node in nodes
    ]


@pytest.mark.parametrize("kinds", [None, ("thought", "chat")])
@pytest.mark.parametrize("basis", ["rank", "access", "creation"])
def test_the_retriever_finds_what_the_stream_retrieves(kinds: Any, basis: Any) -> None:
    stream, settings, vector = (
        a_stream(50),
        RetrievalSettings(recency_basis=basis),
        vector_of("memory 7"),
    )
    expected = over(stream).recall("ana", vector, NOW, settings, count=8, types=kinds)
    assert len(expected) == 8
    retriever = MemoryRetriever(
        "ana", over(stream), NOW, settings, count=8, kinds=kinds, embed_model=Embedding()
    )
    assert seen(retriever.retrieve("memory 7")) == scores(expected)
    assert seen(
        retriever.retrieve(QueryBundle("", embedding=to_unit_vector(vector).tolist()))
    ) == scores(expected)


def test_the_retriever_knows_a_residents_own_view() -> None:
    view = Overlay(a_stream(20))
    view.add(concept(21, "fresh", NOW), vector_of("fresh"))
    view.retire([20])
    nodes = MemoryRetriever(
        "ana", over(view), NOW, RetrievalSettings(), count=30, embed_model=Embedding()
    ).retrieve("fresh")
    assert seen(nodes) == scores(
        over(view).recall("ana", vector_of("fresh"), NOW, RetrievalSettings(), count=30)
    )
    assert {node.node.node_id for node in nodes} == {
        f"ana/{number}" for number in (*range(1, 20), 21)
    }


def test_an_empty_stream_retrieves_nothing() -> None:
    assert (
        MemoryRetriever(
            "ana", over(MemoryStream()), NOW, RetrievalSettings(), embed_model=Embedding()
        ).retrieve("anything")
        == []
    )


def test_the_retriever_opens_on_a_run(tmp_path: Path) -> None:
    with sample_run(tmp_path, 4) as run:
        retriever = MemoryRetriever.from_run(run, "ana", embed_model=Embedding())
        state = run.restore()
        expected = state.store.recall(
            "ana", vector_of("bo"), state.clock.now, run.manifest.settings.associate, count=30
        )
        assert seen(retriever.retrieve("bo")) == scores(expected)
        earlier = MemoryRetriever.from_run(
            run, "ana", state=run.restore(1), embed_model=Embedding()
        )
        assert {node.node.node_id for node in earlier.retrieve("bo")} == {"ana/1", "ana/2"}
        with pytest.raises(BadRun, match="no resident 'cy'"):
            MemoryRetriever.from_run(run, "cy")


def test_a_query_needs_a_vector_from_somewhere() -> None:
    with pytest.raises(ValueError, match="embed_model"):
        MemoryRetriever("ana", over(a_stream(1)), NOW, RetrievalSettings()).retrieve(
            QueryBundle("memory")
        )


def test_a_node_holds_the_whole_memory() -> None:
    one = concept(3, "睡觉", NOW)
    node = node_of("ana", one)
    assert concept_of_node(node) == ("ana", one)
    assert node.node_id == "ana/3"
    assert node.get_content() == "睡觉"


def test_an_index_opens_on_a_run_and_its_default_retriever_works(tmp_path: Path) -> None:
    with sample_run(tmp_path, 4) as run:
        index = index_of(MemoryStore.from_run(run))
        found = index.as_retriever(similarity_top_k=2).retrieve("bo 的记忆 2")
        assert (found[0].node.node_id, found[0].text) == ("bo/2", "bo 的记忆 2")
        assert found[0].score == pytest.approx(1, abs=1e-4)
        assert len(found) == 2


def test_filters_narrow_the_search(tmp_path: Path) -> None:
    with sample_run(tmp_path, 4) as run:
        store = MemoryStore.from_run(run)

        def ids(
            *filters: MetadataFilter, condition: FilterCondition = FilterCondition.AND, **more: Any
        ) -> list[str]:
            query = VectorStoreQuery(
                to_unit_vector(vector_of("a")).tolist(),
                99,
                filters=MetadataFilters(filters=list(filters), condition=condition),
                **more,
            )
            return sorted(store.query(query).ids or [])

        live_ids = sorted(
            f"{who}/{one}"
            for who, stream in run.restore().memories.items()
            for one in stream.concepts
        )
        assert ids() == live_ids
        assert "bo/3" not in live_ids
        assert ids(MetadataFilter(key="resident", value="ana")) == [
            one for one in live_ids if one.startswith("ana")
        ]
        assert ids(MetadataFilter(key="type", value="thought")) == []
        assert (
            ids(MetadataFilter(key="about", value="bo", operator=FilterOperator.CONTAINS))
            == live_ids
        )
        assert ids(node_ids=["ana/1", "bo/1", "bo/3"]) == ["ana/1", "bo/1"]


def test_similarities_fall_and_equal_those_of_the_vectors(tmp_path: Path) -> None:
    with sample_run(tmp_path, 4) as run:
        store, vector = MemoryStore.from_run(run), vector_of("a")
        found = store.query(VectorStoreQuery((vector * 3).tolist(), 5))
        assert found.similarities == sorted(found.similarities or [], reverse=True)
        assert np.allclose(
            found.similarities or [],
            [vector_of(node.get_content()) @ vector / 4000**2 for node in found.nodes or []],
            atol=1e-3,
        )


def test_a_query_that_the_store_does_not_know_is_refused(tmp_path: Path) -> None:
    with sample_run(tmp_path, 0) as run:
        store = MemoryStore.from_run(run)
        for query in (
            VectorStoreQuery(None, 5),
            VectorStoreQuery([0.0] * 32, 5, mode=VectorStoreQueryMode.HYBRID),
        ):
            with pytest.raises(ValueError, match="mode 'default' with an embedding"):
                store.query(query)


def test_nodes_come_and_go_as_effects_of_the_next_step(tmp_path: Path) -> None:
    with sample_run(tmp_path, 1) as run:
        state = run.restore()
        store = MemoryStore.from_run(run, state)
        index = index_of(store)
        index.insert_nodes([node_of("ana", concept(3, "a new thing", NOW))])
        index.delete_nodes(["bo/1"])
        run.commit(StepRecord(2, NOW, state.take_changes(), store.effects))
        expected = state_hash(state)
    with RunFile.open(tmp_path, "sample", write=True) as run:
        assert state_hash(run.restore()) == expected
        assert [type(logged.effect).__name__ for _, logged in run.effects(2)] == [
            "Remembered",
            "Retired",
        ]
        assert (
            index_of(MemoryStore.from_run(run))
            .as_retriever(similarity_top_k=1)
            .retrieve("a new thing")[0]
            .node.node_id
            == "ana/3"
        )


def test_deleting_nothing_deletes_nothing_and_filters_choose(tmp_path: Path) -> None:
    with sample_run(tmp_path, 1) as run:
        store = MemoryStore.from_run(run)
        store.delete_nodes([])
        assert store.effects == []
        store.delete_nodes(
            filters=MetadataFilters(filters=[MetadataFilter(key="resident", value="bo")])
        )
        assert [node.node_id for node in store.get_nodes()] == ["ana/1", "ana/2"]


def test_persisting_writes_the_vectors_of_new_memories(tmp_path: Path) -> None:
    """Where all others are: in the run's database, whatever path LlamaIndex gives."""
    with sample_run(tmp_path, 1) as run:
        index = index_of(MemoryStore.from_run(run))
        index.insert_nodes(
            [node_of("ana", concept(3, "a new thing", NOW), vector_of("a new thing"))]
        )
        index.storage_context.persist(str(tmp_path / "elsewhere"))
        with RunFile.open(tmp_path, "sample") as reader:
            assert reader.vectors.get("a new thing").tolist() == vector_of("a new thing").tolist()


def test_a_cleared_store_has_retired_all_memories(tmp_path: Path) -> None:
    with sample_run(tmp_path, 1) as run:
        state = run.restore()
        store = MemoryStore.from_run(run, state)
        store.clear()
        assert store.get_nodes() == []
        assert [len(stream) for stream in state.memories.values()] == [0, 0]
        assert len(store.effects) == 4


def test_minds_and_users_of_llama_index_open_the_same_class(tmp_path: Path) -> None:
    with sample_run(tmp_path, 1) as run:
        assert type(run.restore().store) is type(MemoryStore.from_run(run)) is RunVectorStore


def test_what_could_not_be_saved_is_refused(tmp_path: Path) -> None:
    """In a run that is open for reading it would be lost without a word."""
    sample_run(tmp_path, 1).close()
    with RunFile.open(tmp_path, "sample") as run:
        store = MemoryStore.from_run(run)
        for change in (
            lambda: index_of(store).insert_nodes([node_of("ana", concept(3, "new", NOW))]),
            lambda: store.delete("bo/1"),
        ):
            with pytest.raises(BadRun, match="'sample' is open for reading"):
                change()  # type: ignore[no-untyped-call]
        assert len(store.get_nodes()) == 4


ELSEWHERE = """
import sys
from pathlib import Path
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters
from hometown.storage.run import Run
from hometown.storage.vector_store import RunVectorStore, Unsplit
from tests.storage.test_vector_store import Embedding

with Run.open(Path(sys.argv[1]), "sample") as run:
    index = RunVectorStore.from_run(run).index(Embedding())
    filters = MetadataFilters(filters=[MetadataFilter(key="resident", value="ana")])
    print(*[node.node.node_id for node in index.as_retriever(similarity_top_k=2, filters=filters).retrieve("ana 的记忆 3")])
"""


def test_another_process_opens_the_store_by_the_name_of_its_run(tmp_path: Path) -> None:
    sample_run(tmp_path, 4).close()
    result = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
        env=os.environ,
    )
    assert result.stdout.split()[:1] == ["ana/3"], result.stderr
    assert result.stdout.split()[1].startswith("ana/")


def test_another_vector_store_takes_the_nodes(tmp_path: Path) -> None:
    """Embeddings come with them, so nothing is embedded again."""
    with sample_run(tmp_path, 4) as run:
        nodes = MemoryStore.from_run(run).get_nodes()
        expected = (
            index_of(MemoryStore.from_run(run))
            .as_retriever(similarity_top_k=3)
            .retrieve("bo 的记忆 2")
        )
    storage = StorageContext.from_defaults(vector_store=SimpleVectorStore())
    copy = VectorStoreIndex(
        nodes, storage_context=storage, embed_model=Embedding(), transformations=[Unsplit()]
    )
    copy.storage_context.persist(str(tmp_path / "elsewhere"))
    assert SimpleVectorStore.from_persist_path(
        str(tmp_path / "elsewhere" / "default__vector_store.json")
    ).get("bo/2") == pytest.approx(to_unit_vector(vector_of("bo 的记忆 2")))
    assert [
        node.node.node_id for node in copy.as_retriever(similarity_top_k=3).retrieve("bo 的记忆 2")
    ] == [node.node.node_id for node in expected]


def test_other_parts_of_llama_index_take_its_retrievers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(
        "TIKTOKEN_CACHE_DIR", raising=False
    )  # a query engine counts tokens, by the tokenizer that LlamaIndex brings along
    with sample_run(tmp_path, 4) as run:
        memory = MemoryRetriever.from_run(run, "ana", embed_model=Embedding())
        nearest = index_of(MemoryStore.from_run(run)).as_retriever(similarity_top_k=2)
        fused = QueryFusionRetriever(
            [memory, nearest], llm=MockLLM(), num_queries=1, similarity_top_k=4, use_async=False
        )
        assert "ana/2" in [node.node.node_id for node in fused.retrieve("ana 的记忆 2")]
        answer = RetrieverQueryEngine.from_args(memory, llm=MockLLM()).query("What does Ana know?")
    assert {node.node.node_id for node in answer.source_nodes} == {
        "ana/1",
        "ana/2",
        "ana/3",
        "ana/4",
        "ana/5",
    }
    assert "ana 的记忆 2" in str(answer)
    assert "resident: ana" in str(answer)


def test_a_node_with_another_id_than_the_next_is_refused(tmp_path: Path) -> None:
    with sample_run(tmp_path, 1) as run:
        node = TextNode(
            id_="ana/9",
            text="x",
            embedding=to_unit_vector(vector_of("x")).tolist(),
            metadata=node_of("ana", concept(9, "x")).metadata,
        )
        with pytest.raises(ValueError, match="'ana/3'"):
            MemoryStore.from_run(run).add([node])
