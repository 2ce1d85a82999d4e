"""The way of asking that a model obeys is learnt from its first replies, and kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hometown.model import ways
from hometown.model.call_budget import BudgetedModel, CallBudget
from hometown.model.caller import Caller
from hometown.model.llm import REASONING_TOKENS
from hometown.model.ollama import OllamaModel
from hometown.model.openai_server import OpenAIModel
from hometown.model.ways import Way
from hometown.prompt.catalogue import PROMPTS
from hometown.records import Call
from hometown.settings import Settings
from tests.model.ollama.asking import ASKED
from tests.support.answering import ANSWER, PROSE, Obeying, OneAnswer
from tests.support.conformance import TEMPLATES
from tests.support.fake_models import HashEmbeddings, PocketJournal, PocketTable
from tests.support.prompt_samples import SAMPLES


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what is learnt in a file of the test."""
    monkeypatch.setattr(ways, "FILE", tmp_path / "models" / "ways.json")
    return tmp_path / "models" / "ways.json"


def ollama(server: Obeying) -> OllamaModel:
    return OllamaModel("m", Settings.model_validate({"machine": {"ollama_hosts": [server.url]}}))


def openai(server: Obeying) -> OpenAIModel:
    return OpenAIModel(
        "m", Settings.model_validate({"machine": {"openai_base_url": f"{server.url}/v1"}})
    )


async def ask(caller: Caller, ordinal: int) -> Call:
    _, call, _ = await caller.ask(
        PROMPTS["utterance"], SAMPLES["utterance"], step=3, who="ida", ordinal=ordinal, seed=1
    )
    return call


def without_thinking_ignores_the_schema(body: dict[str, Any]) -> str:
    """Reply as Ollama does for Qwen 3.5 (ollama/ollama#14645)."""
    return PROSE if body.get("think") is False else ANSWER


async def test_a_schema_that_is_ignored_while_thinking_is_off_is_asked_for_with_thinking() -> None:
    with Obeying(without_thinking_ignores_the_schema) as server:
        model = ollama(server)
        for _ in range(3):
            assert (await model.complete(ASKED, seed=1)).text == ANSWER
        assert [body.get("think", "default") for body in server.bodies] == [
            False,
            "default",
            "default",
            "default",
        ]
        limits = [body["options"]["num_predict"] for body in server.bodies]
        assert limits[1] == limits[0] + REASONING_TOKENS, "reasoning has room of its own"


async def test_one_question_before_a_run_is_asked_for_each_version_of_a_server(
    kept: Path,
) -> None:
    notes = list[str]()
    with Obeying(without_thinking_ignores_the_schema) as server:
        for _ in range(2):
            model = ollama(server)
            await model.load("en", notes.append)
            await model.complete(ASKED, seed=1)
        assert len(server.bodies) == 4, "a question in two ways, and a request of each run"
        assert {body.get("think") for body in server.bodies[1:]} == {None}
        (key,) = json.loads(kept.read_text())
        assert "ollama 0.17.6" in key
        server.version = "0.18.0"
        await ollama(server).load("en", notes.append)
        assert len(server.bodies) == 6, "an update may obey in another way"
    line = (
        "ollama:m: is asked for JSON by a schema, with thinking, which takes several times as long"
    )
    assert notes == [line] * 3


async def test_a_server_that_tells_no_version_is_asked_before_each_run(kept: Path) -> None:
    notes = list[str]()
    with Obeying(lambda body: ANSWER) as server:
        for _ in range(2):
            await openai(server).load("en", notes.append)
        assert len(server.bodies) == 2
    assert notes == ["openai:m: is asked for JSON by a schema, with thinking turned off"] * 2


async def test_a_model_that_obeys_nothing_is_said_before_the_run() -> None:
    notes = list[str]()
    with Obeying(lambda body: PROSE) as server:
        model = ollama(server)
        await model.load("en", notes.append)
        asked = len(server.bodies)
        await model.complete(ASKED, seed=1)
        assert len(server.bodies) == asked + 1, "the run's own requests are sent once each"
    assert notes == [f"ollama:m: gives no JSON, in whatever way it is asked, such as: {PROSE}"]


async def test_a_server_that_cannot_answer_before_a_run_is_waited_for_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    notes = list[str]()
    with OneAnswer(503, '{"error": "server busy"}') as server:
        model = OllamaModel(
            "m", Settings.model_validate({"machine": {"ollama_hosts": [server.url]}})
        )
        await model.load("en", notes.append)
    assert (notes, model.way.is_known) == ([], False)


async def test_an_openai_server_that_knows_no_schema_but_text_is_asked_for_text() -> None:
    with Obeying(lambda body: PROSE if "response_format" in body else ANSWER) as server:
        model = openai(server)
        for _ in range(2):
            assert (await model.complete(ASKED, seed=1)).text == ANSWER
        assert model.way.current == Way("text", "off")
        assert "response_format" not in server.bodies[-1]


async def test_gpt_oss_is_told_to_think_little() -> None:
    with Obeying(lambda body: ANSWER if body.get("reasoning_effort") == "low" else "") as server:
        model = openai(server)
        assert (await model.complete(ASKED, seed=1)).text == ANSWER
        assert model.way.current.thinking == "low"


async def test_qwen_is_asked_in_the_prompt_not_to_think() -> None:
    def says(body: dict[str, Any]) -> str:
        return ANSWER if body["messages"][-1]["content"].endswith("/no_think") else ""

    with Obeying(says) as server:
        model = openai(server)
        assert (await model.complete(ASKED, seed=1)).text == ANSWER
        assert model.way.current == Way("json_schema", "asked")


async def test_a_template_without_a_system_role_gets_its_words_from_the_user() -> None:
    roles = list[list[str]]()

    def says(body: dict[str, Any]) -> str:
        roles.append([message["role"] for message in body["messages"]])
        return ANSWER

    with Obeying(says, refuses_system=True) as server:
        model = openai(server)
        for _ in range(2):
            assert (await model.complete(ASKED, seed=1)).text == ANSWER
        expected = [message.role for message in ASKED.messages[1:]]
        assert roles == [expected, expected]
        first = server.bodies[-1]["messages"][0]["content"]
        assert all(message.content in first for message in ASKED.messages[:2])


@pytest.mark.parametrize("make", [ollama, openai])
async def test_a_model_that_obeys_nothing_is_asked_in_other_ways_for_three_replies_only(
    make: Callable[[Obeying], OllamaModel | OpenAIModel], kept: Path
) -> None:
    with Obeying(lambda body: PROSE) as server:
        model = make(server)
        for _ in range(5):
            assert (await model.complete(ASKED, seed=1)).text == PROSE
        assert len(server.bodies) == 5 + 3 * len(model.way.ways[1:])
    assert not kept.exists()


@pytest.mark.parametrize("loads", [True, False], ids=["before the run", "in its first reply"])
async def test_requests_that_find_out_the_way_are_counted_with_the_next_reply(loads: bool) -> None:
    with Obeying(without_thinking_ignores_the_schema) as server:
        model = ollama(server)
        if loads:
            await model.load("en", lambda _: None)
        caller = Caller(
            model, HashEmbeddings(), TEMPLATES["en"], PocketJournal(), PocketTable(), Settings()
        )
        calls = [await ask(caller, ordinal) for ordinal in range(2)]
        sent = len(server.bodies)
    total = caller.stats.total
    assert sent == total.requests == 2 + total.trials
    assert [sum(attempt.trials for attempt in call.attempts) for call in calls] == [
        total.trials,
        0,
    ]
    assert calls[0].reply_tokens == (1 + total.trials) * calls[1].reply_tokens > 0


async def test_requests_that_find_out_the_way_draw_from_the_budget() -> None:
    with Obeying(without_thinking_ignores_the_schema) as server:
        budget = CallBudget(3, 0)
        model = BudgetedModel(ollama(server), budget)
        await model.complete(ASKED, seed=1)
        assert (len(server.bodies), budget.calls_left) == (2, 1)


async def test_a_damaged_file_is_as_none(kept: Path) -> None:
    kept.parent.mkdir()
    kept.write_text("[")
    with Obeying(without_thinking_ignores_the_schema) as server:
        model = ollama(server)
        await model.load("en", lambda _: None)
        assert (await model.complete(ASKED, seed=1)).text == ANSWER
    assert json.loads(kept.read_text())


THOUGHT = f"<think>Tea, or {{coffee}}?</think>{ANSWER}"


async def test_ollama_is_asked_to_think_where_it_should_and_the_thoughts_are_left_out() -> None:
    with Obeying(lambda body: THOUGHT if body.get("think") else ANSWER) as server:
        model = ollama(server)
        replies = [
            (await model.complete(replace(ASKED, thinks=thinks), seed=1)).text
            for thinks in (True, False, True)
        ]
        assert replies == [ANSWER] * 3
        assert [body["think"] for body in server.bodies] == [True, False, True]
        assert [bool(body.get("format")) for body in server.bodies] == [False, True, False]
        limits = [body["options"]["num_predict"] for body in server.bodies]
        assert limits == [limits[1] + REASONING_TOKENS, limits[1], limits[1] + REASONING_TOKENS]


async def test_an_openai_server_is_asked_to_think_where_it_should() -> None:
    with Obeying(lambda body: THOUGHT if "response_format" not in body else ANSWER) as server:
        model = openai(server)
        for thinks in (True, False):
            assert (await model.complete(replace(ASKED, thinks=thinks), seed=1)).text == ANSWER
        switches = [body["chat_template_kwargs"]["enable_thinking"] for body in server.bodies]
        assert switches == [True, False]
        limits = [body["max_tokens"] for body in server.bodies]
        assert limits == [limits[1] + REASONING_TOKENS, limits[1]]
