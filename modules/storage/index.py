"""The memories of a run as a LlamaIndex vector store, and the three-factor score as a LlamaIndex retriever.

The only module that imports LlamaIndex. Its global `Settings` are never read or written: whoever opens
an index hands in the embedding.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

import numpy as np
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.callbacks import CallbackManager
from llama_index.core.indices.vector_store import VectorStoreIndex
from llama_index.core.schema import BaseNode, NodeWithScore, QueryBundle, TextNode, TransformComponent
from llama_index.core.vector_stores.types import BasePydanticVectorStore, MetadataFilters, VectorStoreQuery, VectorStoreQueryMode, VectorStoreQueryResult
from llama_index.core.vector_stores.utils import build_metadata_filter_fn

from modules.memory.associate import Associate, Scored, Vector
from modules.memory.concept import Concept, MemoryType
from modules.settings import Associate as AssociateSettings
from modules.storage.codec import decode, encode
from modules.storage.run import Run
from modules.world.apply import apply
from modules.world.effects import Logged, Remembered, Retired
from modules.world.state import State

_NODES_KEPT = 8192
"""Nodes held for memories that come to mind again and again."""

_FIELDS = ("type", "subject", "predicate", "object", "address", "poignancy", "talk")
"""Fields of a memory that go into a node's metadata as they are."""


def node_id(who: str, memory: int) -> str:
    """A memory's id as a node: `<resident>/<id>`."""
    return f"{who}/{memory}"


def split_id(one: str) -> tuple[str, int]:
    """Resident and memory id of a node id."""
    who, _, memory = one.rpartition("/")
    return who, int(memory)


@lru_cache(_NODES_KEPT)
def node_of(who: str, one: Concept) -> TextNode:
    """A memory as a node; all its fields are in the metadata, which no embedding or model is shown.

    The same node is given for the same memory: copy it before changing it.
    """
    metadata: dict[str, Any] = {"resident": who, **{name: getattr(one, name) for name in _FIELDS}}
    metadata |= {"created": one.created.isoformat(), "expires": one.expires.isoformat(), "evidence": list(one.evidence), "about": list(one.about)}
    hidden = list(metadata)
    return TextNode(id_=node_id(who, one.id), text=one.text, metadata=metadata, excluded_embed_metadata_keys=hidden, excluded_llm_metadata_keys=hidden)


def concept_of_node(node: BaseNode) -> tuple[str, Concept]:
    """Resident and memory of a node that `node_of` made."""
    who, one = split_id(node.node_id)
    fields = {name: value for name, value in node.metadata.items() if name in Concept.__dataclass_fields__}
    return who, decode(Concept, encode({**fields, "id": one, "text": node.get_content()}))


class RunVectorStore(BasePydanticVectorStore):
    """The live memories of a state as a vector store. Node ids are `<resident>/<id>`; texts are stored.

    What is added or deleted through it goes the way of all changes: as effects on the state, gathered in
    `effects`, which the next `Run.commit` writes together with the state's changes.
    """

    stores_text: bool = True
    is_embedding_query: bool = True

    _run: Run = PrivateAttr()
    _state: State = PrivateAttr()
    _effects: list[Logged] = PrivateAttr(default_factory=list)

    @classmethod
    def from_run(cls, run: Run, state: State | None = None) -> RunVectorStore:
        """On a state at hand, or by default on the one after the run's last step."""
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

    @property
    def effects(self) -> list[Logged]:
        """What was added and deleted, for the record of the next step."""
        return self._effects

    def add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """Memories with their embeddings. Raises ValueError where an id is not the resident's next."""
        for node in nodes:
            who, concept = concept_of_node(node)
            following = self._state.mind(who).memories + 1
            if concept.id != following:
                raise ValueError(f"node {node.node_id!r} can't be added: the next memory of {who!r} is {node_id(who, following)!r}")
            self._run.vectors.put_many({concept.text: np.asarray(node.get_embedding(), np.float32)})
            self._do(Remembered(who, concept), who)
        return [node.node_id for node in nodes]

    def delete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:
        """Retires one memory, named by its node id: it leaves retrieval and stays in the run."""
        who, one = split_id(ref_doc_id)
        self._do(Retired(who, (one,), "deleted"), who)

    def delete_nodes(self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None, **delete_kwargs: Any) -> None:
        """Retires memories by their node ids, by filters, or both."""
        keep = build_metadata_filter_fn(lambda one: self._node(one).metadata, filters)
        for one in [one for one in node_ids or self._ids() if keep(one)]:
            self.delete(one)

    def query(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """The live memories nearest by cosine that pass the filters, nearest first; ties go to the newer."""
        if query.mode != VectorStoreQueryMode.DEFAULT or query.query_embedding is None:
            raise ValueError(f"this store answers queries of mode 'default' with an embedding, not {query.mode.value!r}")
        vector = np.asarray(query.query_embedding, np.float32)
        wanted = set(query.node_ids or ()) | set(query.doc_ids or ())
        passes = build_metadata_filter_fn(lambda one: self._node(one).metadata, query.filters)
        found: list[tuple[str, float]] = []
        for one, similarity in self._nearest(vector / (np.linalg.norm(vector) or 1)):
            if len(found) == query.similarity_top_k:
                break
            if (not wanted or one in wanted) and passes(one):
                found.append((one, similarity))
        ids = [one for one, _ in found]
        return VectorStoreQueryResult(nodes=[self._node(one) for one in ids], similarities=[similarity for _, similarity in found], ids=ids)

    def _nearest(self, vector: Vector) -> list[tuple[str, float]]:
        """All live memories by falling similarity."""
        scored = [
            (-similarity, -one, who)
            for who, stream in self._state.memories.items()
            for one, similarity in zip(stream.columns().ids.tolist(), stream.relevance(vector).tolist(), strict=True)
        ]
        return [(node_id(who, -one), -similarity) for similarity, one, who in sorted(scored)]

    def _ids(self) -> list[str]:
        return [node_id(who, one) for who, stream in self._state.memories.items() for one in stream.concepts]

    def _node(self, one: str) -> TextNode:
        who, memory = split_id(one)
        return node_of(who, self._state.memory(who).concept(memory))

    def _do(self, effect: Remembered | Retired, who: str) -> None:
        apply(effect, self._state)
        self._effects.append(Logged(effect, who, "rule:index"))


@cache
def _callbacks() -> CallbackManager:
    """One for all retrievers: making it takes longer than a search."""
    return CallbackManager([])


class Recalled(NodeWithScore):
    """A memory that came to mind, with the three terms of its score."""

    recency: float
    importance: float
    relevance: float


class AssociateRetriever(BaseRetriever):
    """What comes to one resident's mind: recency, importance and relevance, weighted as the settings say.

    Nodes are made of the best `count` only, each a `Recalled`. The query's vector is taken from its
    bundle, or made by `embed_model`.
    """

    def __init__(
        self,
        who: str,
        stream: Associate,
        now: datetime,
        settings: AssociateSettings,
        *,
        count: int | None = None,
        kinds: Sequence[MemoryType] | None = None,
        embed_model: BaseEmbedding | None = None,
    ) -> None:
        self._who = who
        self._stream = stream
        self._now = now
        self._settings = settings
        self._count = settings.retrieve_max if count is None else count
        self._kinds = kinds
        self._embed_model = embed_model
        super().__init__(callback_manager=_callbacks())

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        embedding: Any = query_bundle.embedding
        if embedding is None:
            if self._embed_model is None:
                raise ValueError("this retriever needs a query with its embedding, or an embed_model to make one")
            embedding = self._embed_model.get_query_embedding(query_bundle.query_str)
        vector = np.asarray(embedding, np.float32)
        return [self._scored(one) for one in self._stream.retrieve(vector, self._now, self._settings, count=self._count, kinds=self._kinds)]

    def _scored(self, one: Scored) -> Recalled:
        node = node_of(self._who, one.concept)
        return Recalled(node=node, score=one.score, recency=one.recency, importance=one.importance, relevance=one.relevance)


def recall(
    stream: Associate, query: str, vector: Vector, now: datetime, settings: AssociateSettings, count: int, kinds: Sequence[MemoryType] | None = None
) -> list[Scored]:
    """What `AssociateRetriever` finds for one resident, as memories with their score and its three terms.

    Past LlamaIndex's instrumentation, which nobody listens to here and which takes longer than the search.
    """
    nodes = AssociateRetriever("", stream, now, settings, count=count, kinds=kinds)._retrieve(QueryBundle(query, embedding=vector))  # type: ignore[arg-type]
    return [_as_scored(stream.concept(split_id(found.node.node_id)[1]), found) for found in nodes if isinstance(found, Recalled)]


def _as_scored(concept: Concept, found: Recalled) -> Scored:
    return Scored(concept, found.score or 0.0, found.recency, found.importance, found.relevance)


def open_index(store: RunVectorStore, embed_model: BaseEmbedding) -> VectorStoreIndex:
    """A LlamaIndex index on a run. Nodes are memories already, so nothing is split."""
    return VectorStoreIndex.from_vector_store(store, embed_model=embed_model, transformations=[_AsIs()])


class _AsIs(TransformComponent):
    """Without a transformation of its own, an index would ask LlamaIndex's global settings for one."""

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        return nodes
