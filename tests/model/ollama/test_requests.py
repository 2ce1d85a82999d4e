"""What is sent to Ollama, and that it is answered as by any other backend."""

from __future__ import annotations

import asyncio
import json

import pytest

from hometown.model.llm import LanguageModel
from tests.model.ollama.asking import ASKED, model_at
from tests.support.conformance import REQUESTS, ModelConformance
from tests.support.fake_ollama import FakeOllama


class TestOllama(ModelConformance):
    @pytest.fixture
    def model(self, fake: FakeOllama) -> LanguageModel:
        return model_at(fake)


class TestOllamaThatThinksAnyway(ModelConformance):
    @pytest.fixture(params=["thinking", "thinking_ends"])
    def model(self, fake: FakeOllama, request: pytest.FixtureRequest) -> LanguageModel:
        fake.always = request.param
        return model_at(fake)


async def test_what_is_sent(fake: FakeOllama) -> None:
    completion = await model_at(fake, num_ctx=4096, keep_alive="5m").complete(ASKED, seed=2**64 - 1)
    (body,) = fake.chats
    assert body["model"] == "qwen3:8b"
    assert body["messages"] == [
        {"role": message.role, "content": message.content} for message in ASKED.messages
    ]
    assert body["format"] == ASKED.schema
    assert (body["stream"], body["think"], body["keep_alive"]) == (True, False, "5m")
    assert body["options"] == {
        "seed": 2**31 - 1,
        "temperature": ASKED.temperature,
        "num_ctx": 4096,
        "num_predict": ASKED.max_tokens,
    }
    assert completion.prompt_tokens == sum(len(message.content) for message in ASKED.messages) // 4
    assert completion.reply_tokens == max(1, len(completion.text) // 4)


def test_grammars_allow_no_character_that_would_end_a_string() -> None:
    """llama.cpp takes the characters of a pattern literally."""
    for asked in REQUESTS.values():
        assert json.dumps(r"[^\x00-\x1f]")[1:-1] not in json.dumps(asked.schema)
        assert "[^\\x00-\\x20]" not in json.dumps(asked.schema)


async def test_a_model_that_cannot_think_is_told_so_only_once(fake: FakeOllama) -> None:
    fake.always = "cannot_think"
    model = model_at(fake)
    for _ in range(2):
        await model.complete(ASKED, seed=1)
    assert ["think" in body for body in fake.chats] == [True, False, False]


async def test_calls_under_way_learn_together_that_a_model_cannot_think(fake: FakeOllama) -> None:
    fake.always = "cannot_think"
    model = model_at(fake)
    asked = (model.complete(ASKED, seed=seed) for seed in range(3))
    assert all(completion.text for completion in await asyncio.gather(*asked))
