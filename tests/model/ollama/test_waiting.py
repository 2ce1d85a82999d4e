"""Slow, silent and absent servers: how long one is waited for, and which is asked instead."""

from __future__ import annotations

import asyncio
import json
import time

import pytest

from hometown.errors import CallFailed, ModelBusy, ModelUnavailable
from hometown.model.llm import Completion, Request
from hometown.model.ollama import OllamaModel
from hometown.model.retrying import RetryingModel
from tests.model.ollama.asking import ASKED, model_at, settings
from tests.support.conformance import faults
from tests.support.fake_models import Canned
from tests.support.fake_ollama import FakeOllama

# streams -----------------------------------------------------------------------------------


async def test_a_server_that_still_writes_is_not_cut_off(fake: FakeOllama) -> None:
    fake.pause = 0.05
    began = time.monotonic()
    completion = await model_at(fake, patience=0.6).complete(ASKED, seed=1)
    assert time.monotonic() - began > 0.3
    assert faults(json.loads(completion.text), ASKED.schema) == []


async def test_a_call_that_waits_behind_others_is_not_taken_for_a_dead_one(fake: FakeOllama) -> None:
    model = model_at(fake, patience=0.8)
    await model.complete(ASKED, seed=1)
    fake.pause, fake.seconds = 0.15, 2.0
    slow = asyncio.create_task(model.complete(ASKED, seed=2))
    await asyncio.sleep(0.2)
    with pytest.raises(ModelBusy, match="has sent nothing for"):
        await slow
    fake.seconds = 0.0
    first = asyncio.create_task(model.complete(ASKED, seed=3))
    await asyncio.sleep(0.2)
    fake.seconds = 1.1
    await asyncio.gather(first, model.complete(ASKED, seed=4))


async def test_a_server_that_has_stopped_sending_ends_patience_at_once(fake: FakeOllama) -> None:
    fake.pause, fake.hangs = 0.05, True
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match=r"has sent nothing for 0\.4 s \(llm\.give_up_after\); gave up after 0\.4 s"):
        await RetryingModel(model_at(fake, patience=0.4), settings(patience=0.4), lambda _: None).complete(ASKED, seed=1)
    assert time.monotonic() - began < 2


async def test_a_server_that_hangs_from_the_first_call_on_is_given_up_as_well(fake: FakeOllama) -> None:
    fake.seconds = 2
    with pytest.raises(ModelBusy, match=r"sent nothing for 0\.2 s \(llm\.give_up_after\)"):
        await model_at(fake, patience=0.2, timeout=3).complete(ASKED, seed=1)
    fake.seconds = 0.3
    await model_at(fake, patience=0, timeout=3).complete(ASKED, seed=1)


# several servers ---------------------------------------------------------------------------


async def test_servers_share_the_load(fake: FakeOllama) -> None:
    with FakeOllama(seconds=0.1) as other:
        fake.seconds = 0.1
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


async def test_outages_are_waited_out_visibly(fake: FakeOllama) -> None:
    fake.trouble += ["503", "half_closed"]
    told: list[str] = []
    completion = await RetryingModel(model_at(fake), settings(), told.append).complete(ASKED, seed=1)
    assert faults(json.loads(completion.text), ASKED.schema) == []
    assert len(told) == 2
    assert "503" in told[0]
    assert "asking again in" in told[0]


async def test_patience_ends(fake: FakeOllama) -> None:
    fake.always = "503"
    told: list[str] = []
    model = RetryingModel(model_at(fake), settings(patience=0.6), told.append)
    began = time.monotonic()
    results = await asyncio.gather(*(model.complete(ASKED, seed=seed) for seed in range(4)), return_exceptions=True)
    assert 0.5 < time.monotonic() - began < 3
    for result in results:
        assert isinstance(result, ModelUnavailable)
        assert not isinstance(result, ModelBusy)
        assert "llm.give_up_after" in str(result)
    assert 1 <= len(told) <= 4, "one line for each wait, not for each call"


async def test_patience_is_told_how_long_to_wait() -> None:
    class Waits(Canned):
        async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
            if not self.requests:
                self.requests.append(request)
                raise ModelBusy("wait", retry_after=0.7)
            return await super().complete(request, seed=seed)

    began = time.monotonic()
    await RetryingModel(Waits(), settings(), lambda _: None).complete(ASKED, seed=1)
    assert time.monotonic() - began >= 0.69


async def test_patience_asks_only_once_where_asking_again_is_no_use(fake: FakeOllama) -> None:
    """Once, and then a trivial request: if that is refused as well, it is the server's fault, and else this request's."""
    asked = len(ASKED.messages)
    fake.trouble += ["refused", "refused"]
    with pytest.raises(ModelUnavailable, match="invalid options") as caught:
        await RetryingModel(model_at(fake), settings(), lambda _: None).complete(ASKED, seed=1)
    assert not isinstance(caught.value, CallFailed)
    fake.trouble.append("refused")
    with pytest.raises(CallFailed, match="invalid options"):
        await RetryingModel(model_at(fake), settings(), lambda _: None).complete(ASKED, seed=1)
    assert [len(body["messages"]) for body in fake.chats] == [asked, 1, asked, 1]
