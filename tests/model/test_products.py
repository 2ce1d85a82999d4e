"""Products of texts with groups of texts, which a run computes once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hometown.memory.arithmetic import Vector, dot
from hometown.model.embedding import make_embedder
from hometown.model.text_vectors import Vectors
from hometown.settings import Settings

GROUP = ("selling flowers", "watering the roses")
ROSE, BANK = "watering a rose", "robbing a bank"
WANTED = [(GROUP, [ROSE, BANK]), ((), [BANK])]


class Table:
    """A run's table of vectors, in RAM, which counts the texts that are looked up."""

    def __init__(self) -> None:
        self.vectors: dict[str, Vector] = {}
        self.looked_up = 0

    def get_many(self, texts: Sequence[str]) -> dict[str, Vector]:
        self.looked_up += len(texts)
        return {text: self.vectors[text] for text in texts if text in self.vectors}

    def put_many(self, vectors: Mapping[str, Vector]) -> None:
        self.vectors |= vectors


def new_vectors() -> tuple[Vectors, Table]:
    table = Table()
    return Vectors(make_embedder("hash", Settings(), "en"), table), table


async def test_the_greatest_product_is_that_with_the_nearest_text_and_is_computed_once() -> None:
    vectors, table = new_vectors()
    found = await vectors.greatest_products(WANTED)
    near, far = found[0][ROSE], found[0][BANK]
    row = vectors.vector
    assert near == max(int(dot(row(text)[None], row(ROSE))[0]) for text in GROUP)
    assert near > far
    assert found[1] == {BANK: 0}
    looked_up = table.looked_up
    assert await vectors.greatest_products(WANTED) == found
    assert table.looked_up == looked_up


async def test_products_computed_ahead_leave_the_vectors_to_be_recorded_by_the_run() -> None:
    vectors, table = new_vectors()
    ahead = await vectors.greatest_products(WANTED, ahead=True)
    assert not table.vectors
    assert await vectors.greatest_products(WANTED) == ahead
    assert set(GROUP) < set(table.vectors)
