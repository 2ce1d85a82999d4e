"""Shards that ask each other: what one has learnt goes with its answer, and one that is gone is
told.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hometown.agent.minds import MindsLost
from hometown.shards.neighbours import Neighbours, Visit
from hometown.shards.outbox import Outbox, Reply
from hometown.shards.wire import Desk, Link
from tests.support.shards import linked

REPLY: Reply = (1, "ana", "utterance", 0, 0, b"asked", b"reply", b"checksum")


class Talkative:
    """A shard that has learnt something whenever it says something, and may have nothing to say."""

    dead = False

    def __init__(self) -> None:
        self.outbox = Outbox()

    async def take_part(self, method: str, *arguments: Any) -> Any:
        self.outbox.news.replies.append(REPLY)
        if method == "part":
            raise ValueError("nothing to say")
        return method, *arguments


def asked(shard: Talkative, method: str, mine: Outbox) -> Any:
    async def ask() -> Any:
        async def call_on(number: int) -> Link:
            return linked(Desk(Visit(shard, shard.outbox)).serve, shard)  # type: ignore[arg-type]

        neighbours = Neighbours(call_on, mine)
        try:
            return await neighbours.ask(1, method, "ana")
        finally:
            neighbours.close()

    return asyncio.run(ask())


def test_what_a_neighbour_has_learnt_is_handed_on_with_its_answer_or_its_error() -> None:
    shard, mine = Talkative(), Outbox()
    assert asked(shard, "utter", mine) == ("utter", "ana")
    assert mine.take().replies == [REPLY]
    with pytest.raises(ValueError, match="nothing to say"):
        asked(shard, "part", mine)
    assert mine.take().replies == [REPLY]
    assert not shard.outbox.take()


def test_a_neighbour_that_is_gone_is_told() -> None:
    shard = Talkative()
    shard.dead = True
    with pytest.raises(MindsLost):
        asked(shard, "utter", Outbox())

    async def nobody() -> None:
        async def call_on(number: int) -> Link:
            raise ConnectionRefusedError

        await Neighbours(call_on, Outbox()).ask(1, "utter", "ana")

    with pytest.raises(MindsLost):
        asyncio.run(nobody())
