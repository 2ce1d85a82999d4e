"""Embeddings that a caller asks for: shared, once a text, and checked."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

from hometown.errors import ModelUnavailable
from hometown.memory.arithmetic import quantise
from hometown.model.hashing import hash_vector
from tests.support.callers import make_caller
from tests.support.fake_models import Canned, Deaf, HashEmbeddings, OneAtATime, PocketTable


async def test_residents_share_batches_and_no_text_is_embedded_twice() -> None:
    embedder = HashEmbeddings(order=1)
    one = make_caller(Canned(), embedder=embedder)
    groups = [["a", "b"], ["b", "c"], [], ["d", "a", "a"]]
    found = await asyncio.gather(*(one.embed(group) for group in groups))
    assert embedder.batches == [["a", "b", "c", "d"]]
    for group, vectors in zip(groups, found, strict=True):
        assert all(
            np.array_equal(vector, quantise(hash_vector(text, 64)))
            for text, vector in zip(group, vectors, strict=True)
        )
    await one.embed(["c", "e"])
    assert embedder.batches[1:] == [["e"]]
    assert np.array_equal(one.vector("e"), quantise(hash_vector("e", 64)))
    with pytest.raises(LookupError, match="'f'"):
        one.vector("f")


async def test_a_text_on_its_way_is_waited_for() -> None:
    embedder = HashEmbeddings(order=2)
    one = make_caller(Canned(), embedder=embedder)
    first = asyncio.create_task(one.embed(["a"]))
    for _ in range(3):
        await asyncio.sleep(0)
    await asyncio.gather(first, one.embed(["a", "b"]))
    assert sorted(text for batch in embedder.batches for text in batch) == ["a", "b"]


async def test_texts_that_are_begun_early_are_embedded_once_and_stored_when_they_are_needed() -> (
    None
):
    embedder, table = HashEmbeddings(), PocketTable()
    one = make_caller(Canned(), embedder=embedder, table=table)
    one.begin_embedding(["a", "b", "a"])
    for _ in range(5):
        await asyncio.sleep(0)
    assert embedder.batches == [["a", "b"]]
    assert table.get_many(["a", "b"]) == {}
    await one.embed(["a"])
    assert embedder.batches == [["a", "b"]]
    assert list(table.get_many(["a", "b"])) == ["a"]


async def test_a_failure_of_what_was_begun_early_is_met_where_it_is_needed() -> None:
    one = make_caller(Canned(), embedder=Deaf())
    one.begin_embedding(["a"])
    await asyncio.sleep(0)
    with pytest.raises(ModelUnavailable):
        await one.embed(["a"])


async def test_known_texts_of_the_run_are_not_embedded() -> None:
    table = PocketTable()
    await make_caller(Canned(), table=table).embed(["a"])
    embedder = HashEmbeddings()
    await make_caller(Canned(), table=table, embedder=embedder).embed(["a"])
    assert embedder.batches == []


@pytest.mark.parametrize("order", range(5))
async def test_vectors_do_not_depend_on_their_batch(order: int) -> None:
    texts = [f"text {number}" for number in range(20)]
    one = make_caller(Canned(), embedder=OneAtATime(HashEmbeddings(), order))
    found = await asyncio.gather(*(one.embed([text]) for text in texts))
    assert all(
        np.array_equal(vectors[0], quantise(hash_vector(text, 64)))
        for text, vectors in zip(texts, found, strict=True)
    )


async def test_an_embedding_outage_is_an_error_for_all_who_wait_and_can_be_tried_again() -> None:
    one = make_caller(Canned(), embedder=Deaf())
    for _ in range(2):
        failures = await asyncio.gather(
            one.embed(["a"]), one.embed(["a", "b"]), return_exceptions=True
        )
        assert all(isinstance(failure, ModelUnavailable) for failure in failures)


async def test_one_who_gives_up_waiting_takes_nothing_from_the_others() -> None:
    one = make_caller(Canned(), embedder=HashEmbeddings(order=3))
    impatient, patient = (
        asyncio.create_task(one.embed(["a"])),
        asyncio.create_task(one.embed(["a"])),
    )
    await asyncio.sleep(0)
    impatient.cancel()
    assert len(await patient) == 1
    with pytest.raises(asyncio.CancelledError):
        await impatient


@pytest.mark.parametrize(
    "vectors",
    [
        np.ones((1, 64), np.float32),
        np.zeros((1, 64), np.float32),
        np.ones((2, 64), np.float32),
        np.ones((1, 64)),
    ],
)
async def test_vectors_of_a_wrong_shape_length_or_type_are_refused(vectors: Any) -> None:
    class Wrong(HashEmbeddings):
        async def embed(self, texts: Any) -> Any:
            return vectors

    with pytest.raises(ModelUnavailable, match="embedding hash returned"):
        await make_caller(Canned(), embedder=Wrong()).embed(["a"])


async def test_vectors_that_are_not_numbers_are_refused() -> None:
    class Wrong(HashEmbeddings):
        async def embed(self, texts: Any) -> Any:
            return np.full((1, 64), np.nan, np.float32)

    with pytest.raises(ModelUnavailable):
        await make_caller(Canned(), embedder=Wrong()).embed(["a"])
