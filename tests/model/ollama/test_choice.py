"""Which model a run gets where there is an Ollama, and where there is none."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hometown.backends import ANSWER_SECONDS, choose_model
from hometown.errors import BadInput
from tests.model.ollama.asking import settings
from tests.support.conformance import REQUESTS
from tests.support.fake_ollama import FakeOllama
from tests.support.simulated import Pause, Sent, Wire
from tests.support.simulated_time import simulate


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_auto_takes_ollama_where_it_has_the_model(fake: FakeOllama, lang: Any) -> None:
    model, reason = await choose_model("auto", settings(fake.host), lang)
    assert model.name == "ollama:qwen3:8b"
    assert reason.startswith("ollama:qwen3:8b")
    assert fake.host not in reason, "the server is the machine's, not the run's"


async def test_auto_says_what_is_missing(fake: FakeOllama) -> None:
    model, reason = await choose_model("auto", settings(fake.host, model="mistral"))
    assert model.name == "scripted"
    assert "ollama pull mistral" in reason


async def test_auto_with_nobody_there_is_scripted(nobody: str) -> None:
    model, reason = await choose_model("auto", settings(nobody))
    assert model.name == "scripted"
    assert "ollama serve" in reason


def auto() -> tuple[str, float]:
    """The name of the model that auto takes, and the seconds until it has it."""

    async def choose() -> tuple[str, float]:
        model, _ = await choose_model("auto", settings("http://127.0.0.1:11434"))
        return model.name, asyncio.get_running_loop().time()

    return simulate(choose())


def test_auto_with_nobody_there_waits_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    Wire(monkeypatch).gone = True
    assert auto() == ("scripted", 0)


def test_auto_waits_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    Wire(monkeypatch).always = Sent([Pause(10**6)])
    assert auto() == ("scripted", pytest.approx(ANSWER_SECONDS))
    assert ANSWER_SECONDS <= 1


async def test_kinds_of_prompt_may_have_models_of_their_own() -> None:
    with FakeOllama("big", "small") as fake:
        chosen = settings(
            fake.host,
            by_kind={"utterance": "ollama:small", "place": "scripted", "react": "ollama:big"},
        )
        model, reason = await choose_model("ollama:big", chosen)
        assert model.name == "ollama:big with place=scripted, utterance=ollama:small"
        assert "ollama:small" in reason
        for kind in ("utterance", "place", "react"):
            await model.complete(REQUESTS[kind, "en"], seed=1)
        asked = [body["model"] for body in fake.chats]
        assert sorted(asked[:2]) == ["big", "small"], "how each is to be asked"
        assert asked[2:] == ["small", "big"]
        assert (await choose_model(model.name, chosen))[0].name == model.name


@pytest.mark.parametrize(
    ("by_kind", "said"),
    [
        ({"dancing": "scripted"}, "'dancing'"),
        ({"place": "gpt"}, "'gpt'"),
        ({"place": "auto"}, "'auto'"),
    ],
    ids=["kind", "model", "auto"],
)
async def test_routes_that_lead_nowhere(by_kind: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        await choose_model("scripted", settings(by_kind=by_kind))
