"""The memories of a run as a LlamaIndex vector store: the rows of the run's database, seen through LlamaIndex's public interface.

    with Run.open(Path("results"), "my-town") as run:
        index = RunVectorStore.from_run(run).index(embed_model=...)
        index.as_retriever(similarity_top_k=5).retrieve("the Valentine's Day party")

`embed_model` is the run's own embedding: see `hometown.model.embedding.llama_index_embedding`. LlamaIndex's global `Settings`
are never read or written here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.indices.vector_store import VectorStoreIndex
from llama_index.core.schema import BaseNode, TextNode, TransformComponent
from llama_index.core.vector_stores.types import BasePydanticVectorStore, MetadataFilters, VectorStoreQuery, VectorStoreQueryMode, VectorStoreQueryResult
from llama_index.core.vector_stores.utils import build_metadata_filter_fn

from hometown.errors import BadRun
from hometown.memory.arithmetic import Vector, normalise, quantise, to_unit_vector
from hometown.memory.concept import Concept
from hometown.memory.stream import MemoryStream
from hometown.storage.codec import decode, encode
from hometown.storage.run import Run
from hometown.world.apply import apply
from hometown.world.effects import Logged, Remembered, Retired
from hometown.world.state import State

_FIELDS = ("type", "subject", "predicate", "object", "address", "poignancy", "talk")
"""Fields of a memory that go into a node's metadata unchanged."""

_SHOWN = ("resident", "created")
"""Metadata that a language model is shown along with a node's text: whose memory it is, and since when."""


def node_id(who: str, memory: int) -> str:
    """A memory's id as a node: `<resident>/<id>`."""
    return f"{who}/{memory}"


def split_id(node: str) -> tuple[str, int]:
    """Resident and memory id of a node id. Raises ValueError for any other text."""
    who, _, memory = node.rpartition("/")
    return who, int(memory)


def metadata_of(who: str, memory: Concept, retired: bool = False) -> dict[str, Any]:
    """The fields of a memory, for filters, and whether it is retired; times are ISO texts, which compare as the times do."""
    times = {"created": memory.created.isoformat(), "expires": memory.expires.isoformat()}
    lists = {"evidence": list(memory.evidence), "about": list(memory.about)}
    return {"resident": who, "retired": retired, **{name: getattr(memory, name) for name in _FIELDS}, **times, **lists}


def node_of(who: str, memory: Concept, vector: Vector | None = None, retired: bool = False) -> TextNode:
    """A memory as a node, with its embedding, of unit length, if the quantised `vector` is given. Its metadata is not embedded with its text."""
    metadata = metadata_of(who, memory, retired)
    return TextNode(
        id_=node_id(who, memory.id),
        text=memory.text,
        embedding=None if vector is None else to_unit_vector(vector).tolist(),
        metadata=metadata,
        excluded_embed_metadata_keys=list(metadata),
        excluded_llm_metadata_keys=[name for name in metadata if name not in _SHOWN],
    )


def concept_of_node(node: BaseNode) -> tuple[str, Concept]:
    """Resident and memory of a node that `node_of` made."""
    who, memory = split_id(node.node_id)
    fields = {name: value for name, value in node.metadata.items() if name in Concept.__dataclass_fields__}
    return who, decode(Concept, encode({**fields, "id": memory, "text": node.get_content()}))


class Unsplit(TransformComponent):
    """Leaves nodes as they are: a memory is not split. An index without a transformation asks LlamaIndex's global settings for a splitter,
    whose tokenizer is downloaded."""

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        return nodes


class RunVectorStore(BasePydanticVectorStore):
    """The memories of a state as a vector store: live ones, and where residents can recall them, retired ones. Node ids are `<resident>/<id>`;
    texts are stored.

    The store is persistent as its run is. In a run that is open for writing, what is added or deleted through the store becomes
    effects on the state, like every other change: they are gathered in `effects` for the record of the next `Run.commit`.
    In a run that is open for reading, adding and deleting raise BadRun.
    """

    stores_text: bool = True
    is_embedding_query: bool = True

    _run: Run = PrivateAttr()
    _state: State = PrivateAttr()
    _effects: list[Logged] = PrivateAttr(default_factory=list)

    @classmethod
    def from_run(cls, run: Run, state: State | None = None) -> RunVectorStore:
        """The store of a given state, by default of the state after the run's last step."""
        store = cls()
        store._run = run
        store._state = run.restore() if state is None else state
        return store

    @classmethod
    def class_name(cls) -> str:
        return "RunVectorStore"

    @property
    def client(self) -> Run:
        return self._run

    def index(self, embed_model: BaseEmbedding) -> VectorStoreIndex:
        """A LlamaIndex index on this store, without a network: `VectorStoreIndex.from_vector_store` with `Unsplit` nodes."""
        return VectorStoreIndex.from_vector_store(self, embed_model=embed_model, transformations=[Unsplit()])

    @property
    def effects(self) -> list[Logged]:
        """What was added and deleted, for the record of the next step."""
        return self._effects

    # reading ------------------------------------------------------------------------------

    def get_nodes(self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None) -> list[BaseNode]:
        """Memories with their embeddings, by node ids, filters, or both; all of them by default. Ids of no memory in the store are left out."""
        return [self._node(node, embedded=True) for node in self._matching(node_ids, filters)]

    def query(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """The memories nearest by cosine that pass the filters, nearest first; ties go to the newer."""
        if query.mode != VectorStoreQueryMode.DEFAULT or query.query_embedding is None:
            raise ValueError(f"this store answers queries of mode 'default' with an embedding, not {query.mode.value!r}")
        vector = quantise(normalise(np.asarray(query.query_embedding, np.float32)))
        wanted = {*(query.node_ids or ()), *(query.doc_ids or ())}
        matching = set(self._matching(list(wanted) or None, query.filters))
        nearest = [(node, similarity) for node, similarity in self._nearest(vector) if node in matching]
        del nearest[query.similarity_top_k :]
        ids = [node for node, _ in nearest]
        return VectorStoreQueryResult(nodes=[self._node(node) for node in ids], similarities=[similarity for _, similarity in nearest], ids=ids)

    def _nearest(self, vector: Vector) -> list[tuple[str, float]]:
        """All memories by falling similarity."""
        scored = [
            (-similarity, -memory, who)
            for who, stream in self._streams()
            for memory, similarity in zip(stream.columns().ids.tolist(), stream.relevance(vector).tolist(), strict=True)
        ]
        return [(node_id(who, -memory), -similarity) for similarity, memory, who in sorted(scored)]

    def _matching(self, node_ids: list[str] | None, filters: MetadataFilters | None) -> Iterator[str]:
        """Ids of the memories among `node_ids` (None: of all) that pass the filters."""
        passes = build_metadata_filter_fn(lambda node: metadata_of(*self._memory(node)), filters)
        wanted = None if node_ids is None else set(node_ids)
        for who, stream in self._streams():
            for memory in stream.concepts:
                node = node_id(who, memory)
                if (wanted is None or node in wanted) and passes(node):
                    yield node

    def _node(self, node: str, *, embedded: bool = False) -> TextNode:
        who, memory, retired = self._memory(node)
        return node_of(who, memory, self._run.vectors.get(memory.text) if embedded else None, retired)

    def _memory(self, node: str) -> tuple[str, Concept, bool]:
        """Whose memory a node is, the memory, and whether it is retired."""
        who, memory = split_id(node)
        live = self._state.memory(who)
        retired = live.cold is not None and memory in live.cold
        return who, (live.cold if live.cold is not None and retired else live).concept(memory), retired

    def _streams(self) -> Iterator[tuple[str, MemoryStream]]:
        """Each resident's live memories, and after them those that it can recall."""
        for who, stream in self._state.memories.items():
            yield from ((who, tier) for tier in (stream, stream.cold) if tier is not None)

    # changing -----------------------------------------------------------------------------

    def add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """Memories with their embeddings, whose length does not matter. Raises ValueError where an id is not the resident's next."""
        for node in nodes:
            who, concept = concept_of_node(node)
            following = self._state.mind(who).memories + 1
            if concept.id != following:
                raise ValueError(f"node {node.node_id!r} can't be added: the next memory of {who!r} is {node_id(who, following)!r}")
            self._do(Remembered(who, concept), who, {concept.text: quantise(normalise(np.asarray(node.get_embedding(), np.float32)))})
        return [node.node_id for node in nodes]

    def delete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:
        """Retires one memory, named by its node id: it leaves retrieval and stays in the run."""
        who, memory = split_id(ref_doc_id)
        self._do(Retired(who, (memory,), "deleted"), who)

    def delete_nodes(self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None, **delete_kwargs: Any) -> None:
        """Retires memories by their node ids, by filters, or both."""
        for node in list(self._matching(node_ids, filters)):
            self.delete(node)

    def _do(self, effect: Remembered | Retired, who: str, vectors: dict[str, Vector] | None = None) -> None:
        if not self._run.vectors.persistent:
            raise BadRun("run {name!r} is open for reading: memories can't be added or deleted", name=self._run.manifest.name)
        self._run.vectors.put_many(vectors or {})
        apply(effect, self._state)
        self._effects.append(Logged(effect, who, "rule:index"))
