"""Minds recall from the memory store: another one in its place changes what they recall, or does
not where it ranks alike.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import SimpleVectorStore
from llama_index.core.vector_stores.types import VectorStoreQuery

from hometown.game import Game
from hometown.memory.arithmetic import SCALE, Vector
from hometown.memory.filters import find_residents, make_mask
from hometown.memory.nodes import node_id
from hometown.memory.scoring import rank
from hometown.memory.store import MemoryStore, RankedResult
from hometown.storage.run import RunFile
from tests.support.days import lived_day, set_out
from tests.support.town import game_on, live, minds_of, minitown, opened

WHO = "wang_fang"
MORNING = 42
"""Steps, from six in the morning to one."""


class Reversed(MemoryStore):
    """Ranks the other way round: the worst memories first."""

    def query(self, query: VectorStoreQuery, **options: Any) -> RankedResult:
        count, query.similarity_top_k = query.similarity_top_k, 10**6
        found = super().query(query, **options)
        worst = slice(None, -count - 1, -1)
        scores = [-score for score in (found.similarities or [])[worst]]
        return RankedResult(None, scores, (found.ids or [])[worst], found.terms[worst])


class Simple(MemoryStore):
    """Asks LlamaIndex's SimpleVectorStore for the similarities of all memories, and ranks these by
    the three factors.
    """

    _stores: dict[str, SimpleVectorStore] = PrivateAttr(default_factory=dict)
    _asked: list[str] = PrivateAttr(default_factory=list)

    def query(
        self, query: VectorStoreQuery, *, now: Any = None, weights: Any = None, **options: Any
    ) -> RankedResult:
        if now is None:
            return super().query(query, **options)
        who = (find_residents(query.filters) or [""])[0]
        (each, *_) = self._candidates([who])
        assert query.query_embedding is not None
        relevance = self._compare(who, np.asarray(query.query_embedding))
        self._asked.append(who)
        prior = each.partition.compute_prior(now, weights)
        ranking = rank(
            prior, relevance, weights, query.similarity_top_k, make_mask(query.filters, each)
        )
        ids = [node_id(who, int(each.partition.columns().ids[at])) for at in ranking.rows]
        terms = [
            (float(prior.recency[at]), float(prior.importance[at]), float(ranking.relevance[at]))
            for at in ranking.rows
        ]
        return RankedResult(None, ranking.scores[ranking.rows].tolist(), ids, terms)

    def _compare(self, who: str, query: Vector) -> Any:
        """Return dot products by the scale of vectors, from the cosines, which SimpleVectorStore
        divides by the lengths.
        """
        stream, store = self._memories[who], self._stores.setdefault(who, SimpleVectorStore())
        memories = stream.concepts
        new = {
            memory.text: number
            for number, memory in memories.items()
            if memory.text not in store.data.embedding_dict
        }
        vectors = self.get_vectors(who, list(new.values())) if new else ()
        store.add(
            [
                TextNode(id_=text, text=text, embedding=vector.tolist())
                for text, vector in zip(new, vectors, strict=True)
            ]
        )
        found = store.query(VectorStoreQuery(query.tolist(), 10**6))
        cosines = dict(zip(found.ids or (), found.similarities or (), strict=True))
        lengths = [np.linalg.norm(store.get(memory.text)) for memory in memories.values()]
        products = [
            cosines[memory.text] * length * np.linalg.norm(query)
            for memory, length in zip(memories.values(), lengths, strict=True)
        ]
        return np.rint(products) / SCALE**2


def test_another_store_in_its_place_changes_what_comes_to_mind(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    set_out(lived_day(tmp_path_factory), tmp_path, 40)

    async def recall(game: Game) -> list[int]:
        return [
            scored.concept.id
            for scored in await minds_of(game, [WHO])[WHO].recall(["coffee"], count=5)
        ]

    async def recall_twice(game: Game) -> tuple[list[int], list[int], list[int]]:
        best = await recall(game)
        ranked = [
            scored.concept.id
            for scored in await minds_of(game, [WHO])[WHO].recall(["coffee"], count=10**6)
        ]
        game.state.store = Reversed.over(game.state.memories)
        return best, await recall(game), ranked

    with RunFile.open(tmp_path, "town", write=True) as run:
        game = game_on(run)
        best, worst, ranked = asyncio.run(recall_twice(game))
    assert len(ranked) > 10
    assert (best, worst) == (ranked[:5], ranked[:-6:-1])


def test_a_morning_on_llama_indexs_simple_store_is_the_same_morning(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """With the same scores, so that the digests are equal, in which each recall's memories are."""
    asked: set[str] = set()

    def put_in_place(game: Game) -> None:
        if isinstance(game.state.store, Simple):
            asked.update(game.state.store._asked)
        else:
            game.state.store = Simple.over(game.state.memories)

    digests = live(tmp_path, MORNING, after_each=put_in_place)
    with opened(lived_day(tmp_path_factory)) as day, opened(tmp_path) as run:
        assert digests == day.digests()[: MORNING + 1]
        assert [call.retrieved for call in run.calls()] == [
            call.retrieved for call in day.calls(1, MORNING)
        ]
    assert asked == set(minitown().personas)
