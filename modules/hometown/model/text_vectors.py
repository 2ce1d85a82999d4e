"""Embeddings of a run's texts: each computed once, in batches, quantised on arrival, and stored in
the run.

The same model yields slightly different vectors on another machine. So only `embed_texts` reads
them: it rounds them, and the rounded vectors are recorded. A run continues, and is verified, with
the same vectors.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Protocol

import numpy as np

from hometown.errors import ModelUnavailable
from hometown.memory.arithmetic import Vector, dot, quantise
from hometown.model.llm import Embedder

AHEAD_VECTORS = 4096
"""Vectors computed ahead and not yet needed by the run that are kept in RAM; the oldest are dropped
first.
"""


PRODUCTS_KEPT = 1 << 16
"""Greatest products of texts with groups of texts that are kept in RAM."""


Texts = tuple[str, ...]


class VectorStorage(Protocol):
    """The stored vectors of a run, the latest of them in RAM."""

    def get_many(self, texts: Sequence[str]) -> dict[str, Vector]:
        """Return the known vectors by text; texts without one are left out."""
        ...

    def put_many(self, vectors: Mapping[str, Vector]) -> None: ...


async def embed_texts(embedder: Embedder, texts: Sequence[str]) -> dict[str, Vector]:
    """Return the quantised vector of each text, float32[dimension]; without texts, ask for nothing.

    Raises ModelUnavailable where the embedding cannot be had or returns anything but unit vectors,
    float32[len(texts), dimension].
    """
    if not texts:
        return {}
    vectors, shape = await embedder.embed(texts), (len(texts), embedder.dimension)
    if vectors.shape != shape or vectors.dtype != np.float32:
        raise ModelUnavailable(
            "embedding {name} returned {dtype}{shape}; it should return float32{right}",
            name=embedder.name,
            dtype=vectors.dtype,
            shape=str(list(vectors.shape)),
            right=str(list(shape)),
        )
    if not vectors.any(axis=1).all():
        raise _not_unit(embedder)
    try:
        return dict(zip(texts, quantise(vectors), strict=True))
    except ValueError as error:
        raise _not_unit(embedder) from error


def _not_unit(embedder: Embedder) -> ModelUnavailable:
    return ModelUnavailable(
        "embedding {name} returned a vector whose length is not 1; use another --embedding",
        name=embedder.name,
    )


class Vectors:
    """The vectors of texts, from the run's table or else from the embedder.

    Texts that are needed within one turn of the event loop are embedded as one batch, and a text in
    progress is never embedded twice. Vectors computed `ahead` of the run are kept in RAM until the
    run needs them.
    """

    def __init__(self, embedder: Embedder, table: VectorStorage) -> None:
        self.embedder = embedder
        self.table = table
        self._batch: _Batch | None = None
        self._under_way: dict[str, _Batch] = {}
        self._ahead: OrderedDict[str, Vector] = OrderedDict()
        self._products: dict[Texts, dict[str, int]] = {}
        """The greatest products with each group of texts, by text."""
        self._stacks: dict[Texts, Vector] = {}
        """The vectors of groups of texts, float32[n, dimension]."""

    async def embed(self, texts: Sequence[str], *, ahead: bool = False) -> list[Vector]:
        """Return quantised vectors, float32[dimension] each, in the order of `texts`; with `ahead`,
        for a later need of theirs. Raises ModelUnavailable.
        """
        if not ahead:
            self._claim(texts)
        # Texts in progress are not in the table yet.
        known = self._lookup([text for text in texts if text not in self._under_way])
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        for batch in dict.fromkeys(self._batch_of(text, ahead) for text in missing):
            known |= await asyncio.shield(batch.task)
        return [known[text] for text in texts]

    async def greatest_products(
        self, wanted: Sequence[tuple[Texts, Sequence[str]]], *, ahead: bool = False
    ) -> list[dict[str, int]]:
        """Return, for each group of texts and the texts that are compared with it, at least these
        with the greatest dot product of their quantised vector with those of the group; 0 for an
        empty group. A product that the run has needed before is not computed again. Raises
        ModelUnavailable.
        """
        known = [self._products.get(group, {}) for group, _ in wanted]
        new = [
            (group, [text for text in texts if text not in found])
            for (group, texts), found in zip(wanted, known, strict=True)
        ]
        if not any(texts for _, texts in new):
            return known
        unstacked = [group for group, texts in new if texts and group not in self._stacks]
        texts = list(dict.fromkeys(chain(*(texts for _, texts in new), *unstacked)))
        vectors = dict(zip(texts, await self.embed(texts, ahead=ahead), strict=True))
        stacks = self._stacks | {
            group: np.stack([vectors[text] for text in group]) for group in unstacked if group
        }
        computed = [
            {text: int(dot(stacks[group], vectors[text]).max()) if group else 0 for text in texts}
            for group, texts in new
        ]
        if not ahead:  # the vectors are in the run's table only now
            self._stacks = stacks
            self._keep_products(new, computed)
        return [
            found | more if more else found for found, more in zip(known, computed, strict=True)
        ]

    def _keep_products(
        self, wanted: Sequence[tuple[Texts, Sequence[str]]], computed: Sequence[dict[str, int]]
    ) -> None:
        """Keep the products of groups for later needs, after dropping all if they are too many."""
        if sum(map(len, self._products.values())) > PRODUCTS_KEPT:
            self._products = {}
        for (group, _), products in zip(wanted, computed, strict=True):
            self._products.setdefault(group, {}).update(products)

    def begin(self, texts: Sequence[str]) -> None:
        """Start to embed texts that the run will need soon, while it does something else. A failure
        is raised where they are needed.
        """
        known = self._lookup([text for text in texts if text not in self._under_way])
        for text in texts:
            if text not in known:
                self._batch_of(text, ahead=True)

    def vector(self, text: str) -> Vector:
        """Return the vector of a text that has been embedded in this run. Raises LookupError for
        any other.
        """
        known = self._lookup([text])
        if text not in known:
            raise LookupError(f"{text!r} has not been embedded in this run; embed it first")
        return known[text]

    def _lookup(self, texts: Sequence[str]) -> dict[str, Vector]:
        """Return the known vectors by text, from the run's table or computed ahead of it."""
        known = self.table.get_many(texts)
        if not self._ahead:
            return known
        return known | {text: self._ahead[text] for text in texts if text in self._ahead}

    def _claim(self, texts: Sequence[str]) -> None:
        """Store the vectors of these texts in the run's table if they were computed ahead."""
        claimed = {
            text: self._ahead.pop(text) for text in dict.fromkeys(texts) if text in self._ahead
        }
        if claimed:
            self.table.put_many(claimed)

    def _batch_of(self, text: str, ahead: bool) -> _Batch:
        """Return the batch that embeds a text: the one it is in, the one being collected, or a new
        one. Unless it is `ahead`, the vector will be stored in the run's table.
        """
        if text not in self._under_way:
            if self._batch is None:
                self._batch = _Batch(self)
            self._batch.texts[text] = ahead
            self._under_way[text] = self._batch
        self._under_way[text].texts[text] &= ahead
        return self._under_way[text]

    async def run(self, batch: _Batch) -> dict[str, Vector]:
        """Embed a batch, in the turn of the loop after the one in which it was collected, and
        return its vectors by text. Those that the run needs go to its table, the others to RAM.
        """
        self._batch = None
        texts = list(batch.texts)
        made = await embed_texts(self.embedder, texts)
        self.table.put_many({text: made[text] for text, ahead in batch.texts.items() if not ahead})
        self._ahead |= {text: made[text] for text, ahead in batch.texts.items() if ahead}
        while len(self._ahead) > AHEAD_VECTORS:
            self._ahead.popitem(last=False)
        return made

    def remove(self, batch: _Batch) -> None:
        """Forget a batch that has ended, even if it was cancelled before it started."""
        if self._batch is batch:
            self._batch = None
        for text in batch.texts:
            del self._under_way[text]


class _Batch:
    """Texts that are embedded together, each with True if it is only needed ahead, and the task
    that embeds them.
    """

    def __init__(self, vectors: Vectors) -> None:
        self.texts: dict[str, bool] = {}
        self.vectors = vectors
        self.task = asyncio.get_running_loop().create_task(vectors.run(self))
        self.task.add_done_callback(self._on_done)

    def _on_done(self, task: asyncio.Task[dict[str, Vector]]) -> None:
        self.vectors.remove(self)
        if not task.cancelled():
            task.exception()  # marks a failure as retrieved where every caller has been cancelled
