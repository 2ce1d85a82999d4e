"""Several servers of one model: residents keep to their own, and only those of a server that is
gone move.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from hometown.backends import make_model
from hometown.config import combine
from hometown.errors import BadInput, ModelBusy
from hometown.model.llm import Completion
from hometown.model.pins import AVOID_SECONDS, UNEVEN, Pins
from tests.support.conformance import REQUESTS
from tests.support.fake_openai import FakeOpenAI

PEOPLE = [f"resident_{number}" for number in range(300)]
ADDRESSES = [f"http://gpu{number}:8000/v1" for number in range(3)]


def first(pins: Pins, now: float = 0.0) -> dict[str, int]:
    return {who: pins.order(who, now)[0] for who in PEOPLE}


def test_everybody_has_a_server_of_their_own_and_each_server_about_as_many() -> None:
    pins = Pins(ADDRESSES)
    assert first(pins) == first(Pins(ADDRESSES))
    assert min(Counter(first(pins).values()).values()) > 80


def test_where_a_server_is_added_it_takes_its_share_and_nobody_else_moves() -> None:
    before, after = first(Pins(ADDRESSES[:2])), first(Pins(ADDRESSES))
    assert {who for who in PEOPLE if before[who] != after[who]} == {
        who for who in PEOPLE if after[who] == 2
    }


async def test_only_the_residents_of_a_server_that_fails_are_asked_elsewhere_and_they_come_back() -> (
    None
):
    pins = Pins(ADDRESSES)
    before = first(pins)

    async def complete(at: int) -> Completion:
        if at == 1:
            raise ModelBusy("gone")
        return Completion("{}", 3, 2)

    failed = list[int]()
    for who in PEOPLE:
        served = (await pins.ask((who,), complete)).served
        assert served is not None
        assert served.server == before[who] + 1 or before[who] == 1
        assert (served.tokens, served.moved) == (5, before[who] == 1)
        failed += served.failed
    assert failed == [2], "who has failed is avoided for a while"
    now = asyncio.get_running_loop().time()
    assert {at for who, at in first(pins, now).items() if before[who] == 1} == {0, 2}
    assert first(pins, now + AVOID_SECONDS + 1) == before
    assert pins.busy == [0, 0, 0]


async def test_of_a_single_server_nothing_is_told() -> None:
    async def complete(at: int) -> Completion:
        return Completion("{}", 3, 2)

    assert await Pins(ADDRESSES[:1]).ask(("ann",), complete) == Completion("{}", 3, 2)


def test_nobody_waits_for_a_server_that_is_much_busier_than_another() -> None:
    pins = Pins(ADDRESSES)
    before = first(pins)
    pins.busy = [UNEVEN, 0, 0]
    assert first(pins) == before
    pins.busy = [UNEVEN + 1, 0, 0]
    assert set(first(pins).values()) == {1, 2}
    assert pins.order("", 0.0) == [1, 2, 0]


async def test_an_address_may_be_a_list_of_them() -> None:
    asked = REQUESTS["utterance", "en"]
    with FakeOpenAI() as one, FakeOpenAI() as other:
        model = make_model(
            "openai:town-7b", combine([{"machine": {"openai_base_url": f"{one.url}, {other.url}"}}])
        )
        for who in PEOPLE[:20]:
            for seed in (1, 2):
                await model.complete(replace(asked, people=(who,)), seed=seed)
        assert len(one.bodies) % 2 == 0
        assert len(one.bodies) + len(other.bodies) == 40
        # Their ports, and so their shares, are drawn anew each time.
        assert min(len(one.bodies), len(other.bodies)) > 0
        other.faults = ["closed"]
        for who in PEOPLE[:20]:
            await model.complete(replace(asked, people=(who,)), seed=3)
        assert len(one.bodies) + len(other.bodies) == 61, (
            "the reply that was lost is asked for elsewhere, and nobody's twice"
        )


def test_every_address_is_looked_at() -> None:
    with pytest.raises(BadInput, match="'nowhere' is not a server address"):
        make_model(
            "openai:m",
            combine([{"machine": {"openai_base_url": "http://127.0.0.1:8000/v1,nowhere"}}]),
        )
