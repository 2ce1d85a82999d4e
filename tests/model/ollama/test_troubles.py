"""What Ollama may refuse, lack or get wrong, and how that is told."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from hometown.errors import BadInput, ModelBusy, ModelUnavailable
from hometown.model.ollama import OllamaModel
from hometown.records import Message
from hometown.settings import Settings
from tests.model.ollama.asking import ASKED, model_at, settings
from tests.support.fake_ollama import FakeOllama


@pytest.mark.parametrize("trouble", ["429", "500", "503", "loading", "half_closed", "garbage"])
async def test_what_may_pass_is_worth_asking_again(fake: FakeOllama, trouble: str) -> None:
    fake.trouble.append(trouble)
    with pytest.raises(ModelBusy, match=r"^ollama:qwen3:8b: .*127\.0\.0\.1:\d+") as caught:
        await model_at(fake).complete(ASKED, seed=1)
    assert "\n" not in str(caught.value)


async def test_silence_is_no_answer(fake: FakeOllama) -> None:
    fake.trouble.append("silent")
    with pytest.raises(
        ModelBusy,
        match=r"^ollama:qwen3:8b: .*127\.0\.0\.1:\d+ has sent nothing for 0\.3 s \(llm\.give_up_after\)",
    ):
        await model_at(fake, give_up_after=0.3).complete(ASKED, seed=1)


async def test_nobody_listens(nobody: str) -> None:
    with pytest.raises(ModelBusy, match="ollama serve"):
        await OllamaModel("qwen3:8b", settings(nobody)).complete(ASKED, seed=1)


async def test_a_missing_model_comes_with_the_line_that_gets_it(fake: FakeOllama) -> None:
    with pytest.raises(
        ModelUnavailable, match=rf"OLLAMA_HOST={fake.host} ollama pull mistral:7b$"
    ) as caught:
        await OllamaModel("mistral:7b", settings(fake.host)).complete(ASKED, seed=1)
    assert not isinstance(caught.value, ModelBusy)


async def test_refusals_are_final(fake: FakeOllama) -> None:
    fake.trouble.append("refused")
    with pytest.raises(ModelUnavailable, match=r"'utterance'.*invalid options") as caught:
        await model_at(fake).complete(ASKED, seed=1)
    assert not isinstance(caught.value, ModelBusy)


@pytest.mark.parametrize(
    "address", ["http://exa mple", "http://here:port", "ftp://here", "http://[::1"]
)
def test_an_address_that_is_none(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match=r"machine\.ollama_hosts has .* http://127\.0\.0\.1:11434"):
        OllamaModel("qwen3:8b", settings(address))
    monkeypatch.setenv("OLLAMA_HOST", address)
    with pytest.raises(BadInput, match="OLLAMA_HOST has"):
        OllamaModel("qwen3:8b", Settings())


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:11434",
        "10.0.0.2",
        ":11434",
        "https://me:secret@gpu.lan/ollama",
        "[::1]:11434",
    ],
)
def test_addresses_that_are_some(address: str) -> None:
    OllamaModel("qwen3:8b", settings(address))


async def test_a_prompt_too_long_for_the_context_is_named_before_it_is_sent(
    fake: FakeOllama,
) -> None:
    long = replace(ASKED, messages=(*ASKED.messages, Message("user", "word " * 12000)))
    with pytest.raises(
        ModelUnavailable, match=r"'utterance' has about \d{5} tokens .* 8192: raise llm.num_ctx"
    ):
        await model_at(fake).complete(long, seed=1)
    assert fake.chats == []


async def test_a_context_that_the_server_finds_too_small(fake: FakeOllama) -> None:
    fake.trouble.append("context")
    with pytest.raises(ModelUnavailable, match=r"'utterance' has about 9000 tokens .*llm\.num_ctx"):
        await model_at(fake).complete(ASKED, seed=1)


async def test_an_empty_reply_is_the_callers_business(fake: FakeOllama) -> None:
    fake.always = "empty"
    assert (await model_at(fake).complete(ASKED, seed=1)).text == ""


async def test_a_password_in_an_address_is_not_shown() -> None:
    with pytest.raises(ModelBusy) as caught:
        await OllamaModel("qwen3:8b", settings("http://me:secret@127.0.0.1:9")).complete(
            ASKED, seed=1
        )
    assert "secret" not in str(caught.value)


def test_the_environment_names_the_server_where_the_settings_do_not(
    fake: FakeOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", fake.host.replace("http://127.0.0.1", "0.0.0.0"))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    asyncio.run(OllamaModel("qwen3:8b", Settings()).complete(ASKED, seed=1))
    assert len(fake.chats) == 1


def test_a_model_outlives_an_event_loop(fake: FakeOllama) -> None:
    model = model_at(fake)
    assert len({asyncio.run(model.complete(ASKED, seed=1)).text for _ in range(2)}) == 1
