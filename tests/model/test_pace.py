"""Which replies are streamed, in simulated time: those that somebody follows, those of an unknown
server, and those of a slow one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hometown.errors import ModelBusy
from hometown.model.llm import LanguageModel, Request
from hometown.model.pace import SEEN
from tests.support.protocols import ASKED, GOOD, PROTOCOLS, Protocol
from tests.support.simulated import Pause, Sent, Wire
from tests.support.simulated_time import simulate

SILENCE = 120.0
"""Seconds after which a server is given up."""


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    return Wire(monkeypatch)


def after(seconds: float, protocol: Protocol) -> Callable[[dict[str, Any]], Sent]:
    """What answers each request with a good reply of ten tokens, so many seconds later, streamed or
    whole as it was asked for.
    """

    def answer(body: dict[str, Any]) -> Sent:
        if body["stream"]:
            sent = protocol.reply()
        elif protocol.name == "ollama":
            sent = protocol.sent(
                {**protocol.parts(GOOD)[-1], "message": {"role": "assistant", "content": GOOD}}
            )
        else:
            sent = Protocol("whole").reply()
        return Sent([Pause(seconds), *sent.parts], kind=sent.kind)

    return answer


async def known(model: LanguageModel) -> None:
    """The server has replied as often as its pace is taken from."""
    for _ in range(SEEN):
        await model.complete(ASKED, seed=1)


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)
def test_replies_of_a_fast_server_come_whole_unless_somebody_follows_them(
    protocol: Protocol, wire: Wire
) -> None:
    wire.answer = after(0.5, protocol)
    followed: list[str] = []

    async def asked(model: LanguageModel, *requests: Request) -> None:
        await known(model)
        for request in requests:
            await model.complete(request, seed=1)

    simulate(
        asked(
            protocol.model(),
            ASKED,
            replace(ASKED, on_text=followed.append),
            replace(ASKED, max_tokens=1500),
        )
    )
    streams = [body["stream"] for body in wire.bodies()]
    assert streams == [True] * SEEN + [False, True, True], (
        "the last could take longer than a server may be silent"
    )
    assert followed
    assert all("stream_options" not in body for body in wire.bodies() if not body["stream"])


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)
def test_a_slow_server_shows_that_it_is_at_work(protocol: Protocol, wire: Wire) -> None:
    wire.answer = after(10, protocol)
    simulate(known(model := protocol.model()))
    simulate(model.complete(ASKED, seed=1))
    assert all(body["stream"] for body in wire.bodies())


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)
def test_silence_is_noticed_as_soon_where_replies_come_whole_and_they_are_streamed_from_then_on(
    protocol: Protocol, wire: Wire
) -> None:
    wire.answer = after(0.5, protocol)

    async def asked(model: LanguageModel) -> float:
        await known(model)
        wire.answers = [Sent([Pause(10**6)])]
        began = asyncio.get_running_loop().time()
        with pytest.raises(ModelBusy, match=r"has sent nothing for 120 s \(llm.give_up_after\)"):
            await model.complete(ASKED, seed=1)
        waited = asyncio.get_running_loop().time() - began
        await model.complete(ASKED, seed=1)
        return waited

    assert simulate(asked(protocol.model())) == pytest.approx(SILENCE)
    assert [body["stream"] for body in wire.bodies()][SEEN:] == [False, True]
