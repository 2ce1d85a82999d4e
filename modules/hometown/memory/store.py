"""The memory store: a LlamaIndex vector store of all residents' memories, from which minds recall.

A mind recalls through `MemoryStore.query`, as any user of LlamaIndex does: with the vector of a
query, filters for the resident and the types, the number of memories, and, as keyword arguments,
the moment and the weights of the three-factor score. Each resident has a partition
(`modules/hometown/memory/partition.py`), which holds its columns and vectors; vectors are loaded
from the run's database when they are first searched. A mind's private step and a copy of the town
have a store of their own, layered on the one below.

The module imports a part of LlamaIndex (`modules/hometown/memory/llama_types.py`), which takes a
while: import it only where memories are searched.
LlamaIndex's global `Settings` are never read or written here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from heapq import nsmallest
from itertools import repeat
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from pydantic import PrivateAttr

from hometown.errors import BadRun
from hometown.memory.arithmetic import Floats, Vector, normalise, quantise
from hometown.memory.concept import MEMORY_TYPES, MemoryType
from hometown.memory.editor import EditableRun, Editor
from hometown.memory.filters import (
    Candidates,
    Mask,
    filter_by,
    find_residents,
    make_mask,
    restrict_to_ids,
)
from hometown.memory.llama_types import (
    BaseNode,
    BasePydanticVectorStore,
    MetadataFilters,
    NodeWithScore,
    VectorStoreQuery,
    VectorStoreQueryMode,
    VectorStoreQueryResult,
)
from hometown.memory.nodes import NodeMaker, Unsplit, concept_of_node, node_id, split_id
from hometown.memory.relevance import make_measure
from hometown.memory.scoring import Scored, find_best, rank
from hometown.memory.stream import MemoryStream
from hometown.settings import RetrievalSettings

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.indices.vector_store import VectorStoreIndex

_WEIGHTS = RetrievalSettings()

_NO_TERMS = (0.0, 0.0, 0.0)

_Hit = tuple[float, int, str, tuple[float, float, float]]
"""A memory that was found: score and id, both negated so that the best and newest sorts first, its
resident, and the terms.
"""


@dataclass
class RankedResult(VectorStoreQueryResult):
    """A result with the terms of each score, recency, importance and relevance; zeros for a search
    by similarity only.
    """

    terms: list[tuple[float, float, float]] = field(default_factory=list)


class MemoryStore(BasePydanticVectorStore):
    """The memories of a town: live ones, and retired ones if residents can recall them. Node ids
    are `<resident>/<id>`; texts are stored.

    The store is as persistent as its run. In a run that is open for writing, additions and
    deletions become effects on the state, like every other change: they are collected in `effects`
    for the record of the next `RunFile.commit`. In a run that is open for reading, and in a state
    outside a run, adding and deleting raise BadRun.
    """

    stores_text: bool = True
    is_embedding_query: bool = True

    _memories: Mapping[str, MemoryStream] = PrivateAttr(default_factory=dict)
    _editor: Editor | None = PrivateAttr(default=None)

    @classmethod
    def over(cls, memories: Mapping[str, MemoryStream]) -> Self:
        """Return a store over these residents' memories, whose later changes it shows."""
        store = cls()
        store._memories = memories
        return store

    @classmethod
    def from_run(cls, run: EditableRun, state: Any = None) -> Self:
        """Return the store of a state of a run, by default of the state after the last step."""
        state = run.restore() if state is None else state
        store = cls.over(state.memories)
        store._editor = run.edit_memories(state)
        return store

    def layer(self, memories: Mapping[str, MemoryStream]) -> Self:
        """Return a store of the same kind over other memories, such as those of a mind's private
        step, which overlay these. Nothing can be added or deleted through it.
        """
        store = self.model_copy()
        store._memories, store._editor = memories, None
        return store

    @classmethod
    def class_name(cls) -> str:
        return "MemoryStore"

    @property
    def client(self) -> Any:
        """The run, or None for a state outside a run."""
        return None if self._editor is None else self._editor.run

    @property
    def effects(self) -> list[Any]:
        """Additions and deletions, for the record of the next step."""
        return [] if self._editor is None else self._editor.effects

    @property
    def memories(self) -> Mapping[str, MemoryStream]:
        """The memory streams, by resident."""
        return self._memories

    def index(self, embed_model: BaseEmbedding) -> VectorStoreIndex:
        """Return a LlamaIndex index on this store, without a network:
        `VectorStoreIndex.from_vector_store` with `Unsplit` nodes.
        """
        from llama_index.core.indices.vector_store import VectorStoreIndex  # takes seconds

        return VectorStoreIndex.from_vector_store(
            self, embed_model=embed_model, transformations=[Unsplit()]
        )

    # recalling ----------------------------------------------------------------------------

    def query(
        self,
        query: VectorStoreQuery,
        *,
        now: datetime | None = None,
        weights: RetrievalSettings = _WEIGHTS,
        nodes: bool = True,
        **kwargs: Any,
    ) -> RankedResult:
        """Return the memories that pass the filters, best first; ties go to the newer.

        With `now`, live memories are ranked by the three-factor score at that moment, each
        resident's on a scale of their own. Otherwise all memories, retired ones included, are
        ranked by relevance: the cosine to `query_embedding`, or, in mode TEXT_SEARCH and without
        any embedding, the share of the keywords of `query_str` in a memory; memories that share
        none are left out. Without `nodes` the result has only ids and similarities, which is
        faster. Raises ValueError for another mode, and for a query without the embedding or text
        that its mode needs.
        """
        measure = make_measure(query)
        wanted = {*(query.node_ids or ()), *(query.doc_ids or ())}
        found: list[_Hit] = []
        for each in self._candidates(find_residents(query.filters)):
            if each.retired and now is not None:
                continue
            mask = restrict_to_ids(make_mask(query.filters, each), wanted, each)
            if len(each.partition) and (mask is None or mask.any()):
                found += _search(each, query, measure(each), mask, now, weights)
        best = nsmallest(query.similarity_top_k, found)
        return RankedResult(
            nodes=self._make_nodes([(who, -number) for _, number, who, _ in best])
            if nodes
            else None,
            similarities=[-score for score, *_ in best],
            ids=[node_id(who, -number) for _, number, who, _ in best],
            terms=[term for *_, term in best],
        )

    def recall(
        self,
        who: str,
        query: Vector,
        now: datetime,
        weights: RetrievalSettings,
        *,
        count: int,
        types: Sequence[MemoryType] | None = None,
    ) -> list[Scored]:
        """Return the `count` live memories that come to a resident's mind for a quantised vector,
        best first, with their terms.
        """
        filters = filter_by(who, None if types is None else tuple(types))
        asked: Any = query  # LlamaIndex's type is a list, which would have to be made of an array
        result = self.query(
            VectorStoreQuery(query_embedding=asked, similarity_top_k=count, filters=filters),
            now=now,
            weights=weights,
            nodes=False,
        )
        stream = self._memories[who]
        numbers = [int(node[len(who) + 1 :]) for node in result.ids or ()]
        return [
            Scored(stream.concept(number), score, *terms)
            for number, score, terms in zip(
                numbers, result.similarities or (), result.terms, strict=True
            )
        ]

    def find_highest_similarity(self, who: str, query: Vector) -> float:
        """Return the cosine of the live memory nearest to a quantised vector; 0 where a resident
        has none.
        """
        asked: Any = query
        result = self.query(
            VectorStoreQuery(query_embedding=asked, similarity_top_k=1, filters=filter_by(who)),
            nodes=False,
        )
        return max(result.similarities or (), default=0.0)

    def retrieve_events(self, resident: str, text: str = "", **options: Any) -> list[NodeWithScore]:
        """Return events that a resident remembers; `text` and `options` as in `retrieve`."""
        return self.retrieve(resident, text, types=("event",), **options)

    def retrieve_thoughts(
        self, resident: str, text: str = "", **options: Any
    ) -> list[NodeWithScore]:
        """Return thoughts that a resident remembers; `text` and `options` as in `retrieve`."""
        return self.retrieve(resident, text, types=("thought",), **options)

    def retrieve_chats(self, resident: str, text: str = "", **options: Any) -> list[NodeWithScore]:
        """Return conversations that a resident remembers; `text` and `options` as in `retrieve`."""
        return self.retrieve(resident, text, types=("chat",), **options)

    def retrieve(
        self,
        resident: str,
        text: str = "",
        *,
        types: Sequence[MemoryType] | None = None,
        embedding: Sequence[float] | None = None,
        count: int = 10,
        **options: Any,
    ) -> list[NodeWithScore]:
        """Return a resident's live memories with their scores, best first.

        They are those nearest to `embedding`; or else those that share keywords with `text`; or,
        without either, the latest experiences, which have no score. `options` are those of `query`:
        `now` and `weights`.
        """
        filters = filter_by(resident, None if types is None else tuple(types))
        if embedding is None and not text:
            latest = self._memories[resident].recent(types or MEMORY_TYPES, count)
            return [
                NodeWithScore(node=node)
                for node in self._make_nodes([(resident, memory.id) for memory in latest])
            ]
        mode = (
            VectorStoreQueryMode.TEXT_SEARCH if embedding is None else VectorStoreQueryMode.DEFAULT
        )
        given: Any = embedding
        result = self.query(
            VectorStoreQuery(given, count, query_str=text or None, mode=mode, filters=filters),
            **options,
        )
        return [
            NodeWithScore(node=node, score=score)
            for node, score in zip(result.nodes or (), result.similarities or (), strict=True)
        ]

    # reading ------------------------------------------------------------------------------

    def get_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None
    ) -> list[BaseNode]:
        """Return memories, live or retired but recallable, with their embeddings, by node ids,
        filters, or both; all of them by default. Ids of no memory are left out.
        """
        found: list[BaseNode] = []
        for each, ids in self._matching(node_ids, filters):
            vectors = each.partition.vectors(ids)
            found += [
                each.maker.make_node(number, vector)
                for number, vector in zip(ids, vectors, strict=True)
            ]
        return found

    def compute_products(self, who: str, query: Vector, *, retired: bool = False) -> Vector:
        """Return the dot products of a resident's live memories, or retired ones, with a quantised
        vector, exact, float32[n].
        """
        stream = self._memories[who].cold if retired else self._memories[who]
        return np.empty(0, np.float32) if stream is None else stream.partition.dot(query)

    def get_vectors(self, who: str, ids: Sequence[int]) -> Vector:
        """Return the quantised vectors of a resident's live memories, float32[len(ids), d]."""
        return self._memories[who].partition.vectors(ids)

    def _matching(
        self, node_ids: list[str] | None, filters: MetadataFilters | None
    ) -> Iterator[tuple[Candidates, list[int]]]:
        """Yield the ids of the memories among `node_ids` (None: of all) that pass the filters, by
        partition.
        """
        for each in self._candidates(find_residents(filters)):
            mask = make_mask(filters, each)
            if node_ids is not None:
                mask = (
                    restrict_to_ids(mask, set(node_ids), each)
                    if node_ids
                    else np.zeros(len(each.partition), bool)
                )
            ids = each.partition.columns().ids
            if chosen := (ids if mask is None else ids[mask]).tolist():
                yield each, chosen

    def _candidates(self, residents: Sequence[str] | None) -> Iterator[Candidates]:
        """Yield the partitions of these residents, or of all: each resident's live memories, then
        the retired ones that can be recalled.
        """
        for who in (
            self._memories
            if residents is None
            else [who for who in residents if who in self._memories]
        ):
            stream = self._memories[who]
            maker = NodeMaker(who, stream)
            yield Candidates(who, False, stream.partition, maker)
            if stream.cold is not None and len(stream.cold):
                yield Candidates(who, True, stream.cold.partition, maker)

    def _make_nodes(self, memories: Sequence[tuple[str, int]]) -> list[BaseNode]:
        """Return nodes for memories, given as (resident, id), in the same order."""
        makers = {who: NodeMaker(who, self._memories[who]) for who, _ in memories}
        return [makers[who].make_node(number) for who, number in memories]

    # changing -----------------------------------------------------------------------------

    def add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """Add memories with their embeddings, and return the ids of the nodes. Embeddings may have
        any Euclidean norm; they are normalised and quantised. Raises ValueError if an id is not the
        resident's next, BadRun for a store that belongs to no run.
        """
        for node in nodes:
            who, concept = concept_of_node(node)
            self._require_editor().remember(
                who, concept, quantise(normalise(np.asarray(node.get_embedding(), np.float32)))
            )
        return [node.node_id for node in nodes]

    def delete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:
        """Retire one memory, named by its node id: it leaves retrieval and stays in the run. Raises
        BadRun for a store that belongs to no run.
        """
        self._require_editor().retire(*split_id(ref_doc_id))

    def delete_nodes(
        self,
        node_ids: list[str] | None = None,
        filters: MetadataFilters | None = None,
        **delete_kwargs: Any,
    ) -> None:
        """Retire memories by their node ids, by filters, or both; all of them if none are given."""
        for each, ids in list(self._matching(node_ids, filters)):
            for number in ids:
                self._require_editor().retire(each.who, number)

    def clear(self) -> None:
        """Retire all memories."""
        self.delete_nodes()

    def persist(self, persist_path: str = "", fs: Any = None) -> None:
        """Write new vectors to the run's database, whatever the path; memories follow with
        `RunFile.commit`.
        """
        if self._editor is not None:
            self._editor.flush()

    def _require_editor(self) -> Editor:
        """Return the run's editor. Raises BadRun for a store that belongs to no run."""
        if self._editor is None:
            raise BadRun(
                "this memory store belongs to no run, so memories can't be added or deleted; open one with MemoryStore.from_run"
            )
        return self._editor


def _search(
    each: Candidates,
    query: VectorStoreQuery,
    relevance: Floats,
    mask: Mask | None,
    now: datetime | None,
    weights: RetrievalSettings,
) -> Iterator[_Hit]:
    """Yield the best memories of a partition that pass the mask, at most as many as the query asks
    for: by score if `now` is given, or else by relevance, where a search by text leaves out
    memories that share no keyword.
    """
    ids = each.partition.columns().ids
    terms: Iterable[tuple[float, float, float]] = repeat(_NO_TERMS)
    if now is not None:
        ranking = rank(
            each.partition.compute_prior(now, weights),
            relevance,
            weights,
            query.similarity_top_k,
            mask,
        )
        rows, scores = ranking.rows, ranking.scores
        columns = (ranking.prior.recency, ranking.prior.importance, ranking.relevance)
        terms = zip(*(column[rows].tolist() for column in columns), strict=True)
    else:
        if query.mode == VectorStoreQueryMode.TEXT_SEARCH:
            mask = relevance > 0 if mask is None else mask & (relevance > 0)
        rows, scores = find_best(relevance, query.similarity_top_k, mask), relevance
    return zip(
        (-scores[rows]).tolist(), (-ids[rows]).tolist(), repeat(each.who), terms, strict=False
    )
