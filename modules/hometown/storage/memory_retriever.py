"""A LlamaIndex retriever that retrieves memories as residents do, a thin layer over the memory
store (Park et al. 2023, §4.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.schema import NodeWithScore, QueryBundle

from hometown.errors import BadRun
from hometown.memory.arithmetic import normalise, quantise
from hometown.memory.concept import MemoryType
from hometown.memory.nodes import NodeMaker
from hometown.memory.store import MemoryStore
from hometown.memory.tiers import retrieve
from hometown.settings import RetrievalSettings
from hometown.storage.run import RunFile
from hometown.world.state import State


class RetrievedMemory(NodeWithScore):
    """A retrieved memory: `score` is the weighted sum of its three terms."""

    recency: float
    importance: float
    relevance: float


class MemoryRetriever(BaseRetriever):
    """Retrieves one resident's memories as the resident does: by recency, importance and relevance,
    with the weights of the settings.

    Each node is a `RetrievedMemory`. The query's vector is that of its bundle, or else made by
    `embed_model`. Retrieval changes nothing: memories are not marked as accessed.
    """

    def __init__(
        self,
        who: str,
        store: MemoryStore,
        now: datetime,
        settings: RetrievalSettings,
        *,
        count: int | None = None,
        kinds: Sequence[MemoryType] | None = None,
        embed_model: BaseEmbedding | None = None,
    ) -> None:
        """Limit the result to `count` memories, by default `settings.retrieve_max`, of the types in
        `kinds`.
        """
        self._who = who
        self._store = store
        self._now = now
        self._settings = settings
        self._count = settings.retrieve_max if count is None else count
        self._kinds = kinds
        self._embed_model = embed_model
        super().__init__()

    @classmethod
    def from_run(
        cls,
        run: RunFile,
        who: str,
        *,
        state: State | None = None,
        count: int | None = None,
        kinds: Sequence[MemoryType] | None = None,
        embed_model: BaseEmbedding | None = None,
    ) -> MemoryRetriever:
        """Return a retriever for one resident in a given state, by default the state after the
        run's last step. Raises BadRun for an unknown resident.
        """
        state, settings = state or run.restore(), run.manifest.settings.associate
        if who not in state.memories:
            raise BadRun(
                "run {name!r} has no resident {who!r}; it has {residents}",
                name=run.manifest.name,
                who=who,
                residents=list(state.memories),
            )
        return cls(
            who,
            MemoryStore.from_run(run, state),
            state.clock.now,
            settings,
            count=count,
            kinds=kinds,
            embed_model=embed_model,
        )

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        embedding: Any = query_bundle.embedding
        if embedding is None:
            if self._embed_model is None:
                raise ValueError(
                    "this retriever needs a query with its embedding, or an embed_model to make one"
                )
            embedding = self._embed_model.get_query_embedding(query_bundle.query_str)
        query = quantise(normalise(np.asarray(embedding, np.float32)))
        found = retrieve(
            self._store, self._who, [query], self._now, self._settings, self._count, self._kinds
        )
        maker = NodeMaker(self._who, self._store.memories[self._who])
        return [
            RetrievedMemory(
                node=maker.make_node(memory.concept.id),
                score=memory.score,
                recency=memory.recency,
                importance=memory.importance,
                relevance=memory.relevance,
            )
            for memory in (*found.live, *found.retired)
        ]
