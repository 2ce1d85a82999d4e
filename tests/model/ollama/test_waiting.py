"""Servers that are busy, failing or absent: which one is asked instead, and what is waited out. How
long is tested in `test_streams.py`.
"""

from __future__ import annotations

import asyncio
import json

import pytest

from hometown.errors import CallFailed, ModelBusy, ModelUnavailable
from hometown.model.ollama import OllamaModel
from hometown.model.retrying import RetryingModel
from tests.model.ollama.asking import ASKED, model_at, settings
from tests.support.conformance import faults
from tests.support.fake_ollama import FakeOllama
from tests.support.no_waiting import without_waiting

# several servers ---------------------------------------------------------------------------


async def test_servers_share_the_load(fake: FakeOllama) -> None:
    with FakeOllama() as other:
        model = model_at(fake, other)
        await asyncio.gather(*(model.complete(ASKED, seed=seed) for seed in range(8)))
        assert (len(fake.chats), len(other.chats)) == (4, 4)


async def test_a_server_that_is_gone_is_passed_over(fake: FakeOllama, nobody: str) -> None:
    model = OllamaModel("qwen3:8b", settings(nobody, fake.host))
    for seed in range(3):
        await model.complete(ASKED, seed=seed)
    assert len(fake.chats) == 3
    fake.trouble.append("503")
    with pytest.raises(ModelBusy, match="503"):
        await OllamaModel("qwen3:8b", settings(nobody, fake.host)).complete(ASKED, seed=1)


# patience ----------------------------------------------------------------------------------


async def test_a_line_about_an_outage_is_printed_once(
    fake: FakeOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_waiting(monkeypatch)
    told = list[str]()
    model = RetryingModel(model_at(fake), settings(), told.append)
    for _ in range(2):
        fake.trouble += ["503"] * 3
        await model.complete(ASKED, seed=1)
    assert len(told) == 2, "one for each outage"


async def test_only_silence_is_called_that(nobody: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without_waiting(monkeypatch)
    silent = RetryingModel(OllamaModel("m", settings(nobody)), settings(), lambda _: None)
    with pytest.raises(ModelUnavailable, match=r"gave up after 120 s without a response"):
        await silent.complete(ASKED, seed=1)


async def test_outages_are_waited_out_visibly(
    fake: FakeOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_waiting(monkeypatch)
    fake.trouble += ["503", "half_closed"]
    told: list[str] = []
    completion = await RetryingModel(model_at(fake), settings(), told.append).complete(
        ASKED, seed=1
    )
    assert faults(json.loads(completion.text), ASKED.schema) == []
    assert len(told) == 2
    assert "503" in told[0]
    assert "asking again until it answers" in told[0]


async def test_patience_ends(fake: FakeOllama, monkeypatch: pytest.MonkeyPatch) -> None:
    without_waiting(monkeypatch)
    fake.always = "503"
    with pytest.raises(ModelUnavailable, match=r"503.*gave up after 120 s \(llm\.give_up_after\)"):
        await RetryingModel(model_at(fake), settings(), lambda _: None).complete(ASKED, seed=1)


async def test_patience_asks_only_once_where_asking_again_is_no_use(fake: FakeOllama) -> None:
    """Once, and then a trivial request: if that is refused as well, it is the server's fault, and
    else this request's.
    """
    asked = len(ASKED.messages)
    fake.trouble += ["refused", "refused"]
    with pytest.raises(ModelUnavailable, match="invalid options") as caught:
        await RetryingModel(model_at(fake), settings(), lambda _: None).complete(ASKED, seed=1)
    assert not isinstance(caught.value, CallFailed)
    fake.trouble.append("refused")
    with pytest.raises(CallFailed, match="invalid options"):
        await RetryingModel(model_at(fake), settings(), lambda _: None).complete(ASKED, seed=1)
    assert [len(body["messages"]) for body in fake.chats] == [asked, 1, asked, 1]
