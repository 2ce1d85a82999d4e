"""The state of a town as shards get it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import numpy as np

from hometown.memory.arithmetic import Vector
from hometown.memory.stream import MemoryStream
from hometown.shards.update import collect_state, make_updates, merge, update_stream
from hometown.world.keys import resident_of
from hometown.world.rows import Pondered
from hometown.world.state import Changes, State
from tests.support.storage_sample import START, concept, vector_of

HOMES = {"ana": 0, "bo": 1}
LATER = START + timedelta(minutes=10)


def vectors_of(texts: Sequence[str]) -> list[Vector]:
    return [vector_of(text) for text in texts]


def stream_with_tiers() -> MemoryStream:
    stream = MemoryStream(lambda texts: np.stack([vector_of(text) for text in texts]))
    stream.cold = MemoryStream(lambda texts: np.stack([vector_of(text) for text in texts]))
    return stream


def test_each_shard_gets_what_is_public_and_what_belongs_to_its_residents() -> None:
    changes = Changes(
        {"pondered/ana": Pondered(1), "pondered/bo": None, "thing/cafe/stove": None},
        memories={"bo": [concept(1, "tea")]},
        retired={"ana": [4]},
    )
    reply = (b"asked", b"reply")
    public, (first, second) = make_updates(
        changes, HOMES, 2, vectors_of, {(1, "bo", "place", 0, 0): reply}
    )
    assert public == {"thing/cafe/stove": None}
    assert first.changes.rows == {"pondered/ana": Pondered(1)}
    assert second.changes.rows == {"pondered/bo": None}
    assert (first.residents, second.residents) == (["ana"], ["bo"])
    assert (first.changes.retired["ana"], list(second.vectors)) == ([4], ["tea"])
    assert (first.replies, second.replies) == ({}, {(1, "bo", "place", 0, 0): reply})
    assert resident_of("relation/ana/bo") == "ana"


def test_changes_that_are_sent_twice_are_carried_out_once() -> None:
    early = Changes(memories={"ana": [concept(1, "tea")]}, accessed={"ana": {1: LATER}})
    step = Changes(memories={"ana": [concept(1, "tea"), concept(2, "milk")]}, retired={"ana": [1]})
    stream = stream_with_tiers()
    for changes in (early, merge(early, step), merge(step, Changes())):
        _, (update, _) = make_updates(changes, HOMES, 2, vectors_of, {})
        update_stream(update, "ana", stream)
    assert list(stream.concepts) == [2]
    assert stream.cold is not None
    assert list(stream.cold.concepts) == [1]
    assert stream.cold.last_access(1) == LATER


def test_a_whole_town_is_a_first_update() -> None:
    stream = stream_with_tiers()
    for number, text in enumerate(("tea", "milk", "bread"), start=1):
        stream.add(concept(number, text), vector_of(text))
    stream.access([2], LATER)
    stream.retire([2])
    state = State({"pondered/ana": Pondered(1)}, {"ana": stream}, vector_of)
    _, (update,) = make_updates(collect_state(state), {"ana": 0}, 1, vectors_of, {})
    again = stream_with_tiers()
    update_stream(update, "ana", again)
    assert update.changes.rows == state.rows
    assert again.concepts == stream.concepts
    assert again.cold is not None
    assert (list(again.cold.concepts), again.cold.last_access(2)) == ([2], LATER)
    assert np.array_equal(again.partition.vectors([1, 3]), stream.partition.vectors([1, 3]))
