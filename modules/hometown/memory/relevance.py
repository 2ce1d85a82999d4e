"""The relevance of memories to a query: by the cosine of vectors or by shared keywords."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from hometown.memory.arithmetic import Floats, Vector, is_unit, normalise, quantise, to_cosines
from hometown.memory.filters import Candidates
from hometown.memory.keywords import score_match
from hometown.memory.llama_types import VectorStoreQuery, VectorStoreQueryMode


class Measure(Protocol):
    """A function that measures the relevance of memories to a query."""

    def __call__(self, candidates: Candidates) -> Floats:
        """Return the relevance of each memory of a partition, float64[n]."""
        ...


def make_measure(query: VectorStoreQuery) -> Measure:
    """Return the function that computes the relevance of each memory of a partition to a query: in
    mode TEXT_SEARCH the share of the query's keywords that a memory has, in mode DEFAULT the cosine
    to the query's embedding. Raises ValueError for a query of another mode, or without the text or
    embedding that its mode needs.
    """
    if query.mode == VectorStoreQueryMode.TEXT_SEARCH and query.query_str:
        text = query.query_str
        return lambda each: np.array(
            [
                score_match(text, each.maker.find(number).text)
                for number in each.partition.columns().ids.tolist()
            ]
        )
    if query.mode == VectorStoreQueryMode.DEFAULT and query.query_embedding is not None:
        vector = _quantise_query(query.query_embedding)
        return lambda each: to_cosines(each.partition.dot(vector))
    raise ValueError(
        f"this store answers queries of mode 'default' with an embedding and of mode 'text_search' with a text, not {query.mode.value!r}"
    )


def _quantise_query(embedding: Any) -> Vector:
    """Return a query's vector, quantised. Minds pass it quantised, users of LlamaIndex as numbers
    of any length.
    """
    if (
        isinstance(embedding, np.ndarray)
        and (embedding == np.rint(embedding)).all()
        and is_unit(embedding.astype(np.float64))
    ):
        return embedding.astype(np.float32, copy=False)
    return quantise(normalise(np.asarray(embedding, np.float32)))
