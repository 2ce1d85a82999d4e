"""The probabilities of a reply's tokens, as servers report them."""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import Any

import pytest

from hometown.model.ollama import OllamaModel
from hometown.model.openai_server import OpenAIModel
from hometown.model.pace import Pace
from hometown.model.token_alternatives import TokenPlace, WeighedToken, read_token_places
from hometown.settings import Settings
from tests.support.conformance import REQUESTS
from tests.support.fake_ollama import FakeOllama
from tests.support.fake_openai import FakeOpenAI
from tests.support.weighed_tokens import OTHER

ASKED = REQUESTS["utterance", "zh"]


def openai(server: FakeOpenAI) -> OpenAIModel:
    return OpenAIModel(
        "town-7b", Settings.model_validate({"machine": {"openai_base_url": server.url}})
    )


def ollama(server: FakeOllama) -> OllamaModel:
    return OllamaModel(
        "qwen3:8b", Settings.model_validate({"machine": {"ollama_hosts": [server.host]}})
    )


async def places_of(model: OpenAIModel | OllamaModel) -> tuple[str, list[TokenPlace]]:
    """The text of a reply, and the probabilities of its tokens."""
    found: list[TokenPlace] = []
    reply = await model.complete(replace(ASKED, on_places=found.extend), seed=1)
    return reply.text, found


@pytest.fixture(params=[True, False], ids=["streamed", "whole"])
def _ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pace, "streams", lambda *_: request.param)


def check(text: str, places: list[TokenPlace]) -> None:
    assert b"".join(place.written.text for place in places).decode() == text
    assert not text.isascii()
    assert all(
        place.likeliest == (place.written, WeighedToken(OTHER.encode(), log(0.25)))
        for place in places
    )


@pytest.mark.usefixtures("_ways")
async def test_openai_servers_are_asked_for_probabilities_where_they_are_wanted() -> None:
    with FakeOpenAI() as server:
        check(*await places_of(openai(server)))
        await openai(server).complete(ASKED, seed=1)
    assert [body.get("top_logprobs") for body in server.bodies] == [20, None]


@pytest.mark.usefixtures("_ways")
async def test_ollama_is_asked_for_probabilities_where_they_are_wanted() -> None:
    with FakeOllama() as server:
        check(*await places_of(ollama(server)))
        await ollama(server).complete(ASKED, seed=1)
    assert [body.get("top_logprobs") for body in server.chats] == [20, None]
    assert not server.faults


async def test_servers_without_probabilities_still_reply() -> None:
    with FakeOpenAI({"logprobs"}) as server:
        model = openai(server)
        assert [(bool(text), places) for text, places in [await places_of(model)] * 2] == [
            (True, []),
            (True, []),
        ]
        await places_of(model)
        assert ["logprobs" in body for body in server.bodies] == [True, False, False]
        assert {body["response_format"]["type"] for body in server.bodies} == {"json_schema"}
    with FakeOllama() as old:
        old.gives_probabilities = False
        text, places = await places_of(ollama(old))
        assert text
        assert not places


@pytest.mark.parametrize(
    "content",
    [
        "no list",
        [None],
        [{"token": 1, "logprob": -1.0, "top_logprobs": []}],
        [{"token": "a", "logprob": None, "top_logprobs": []}],
        [{"token": "a", "logprob": -1.0}],
        [{"token": "a", "bytes": [300], "logprob": -1.0, "top_logprobs": []}],
        {"a": 1},
    ],
)
def test_probabilities_of_another_form_count_as_none(content: Any) -> None:
    assert read_token_places(content) == []


def test_a_token_without_bytes_is_its_text() -> None:
    given = [{"token": "早", "bytes": None, "logprob": -1.0, "top_logprobs": None}]
    assert read_token_places(given) == [TokenPlace(WeighedToken("早".encode(), -1.0), ())]
