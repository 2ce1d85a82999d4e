"""Answers of real servers that are no replies: their causes, and the lines that users see."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hometown import own_commands
from hometown.errors import (
    BadInput,
    HometownError,
    ModelBusy,
    ModelUnavailable,
    ModelUnusable,
    ServerMisconfigured,
    TooLong,
)
from hometown.model.envelope import describe_html
from hometown.model.failure_causes import Cause
from hometown.model.llm import LanguageModel
from hometown.model.ollama import REPEATED, OllamaModel
from hometown.model.openai_server import OpenAIModel
from hometown.model.reply_parsing import ONLY_REASONING
from hometown.model.retrying import RetryingModel
from hometown.paths import ROOT
from hometown.settings import Settings
from tests.model.ollama.asking import ASKED
from tests.model.recorded_refusals import RECORDED, Recorded
from tests.support.answering import ANSWER, Obeying, OneAnswer, ollama_answer

ERRORS: dict[Cause, type[HometownError]] = {
    Cause.LENGTH: TooLong,
    Cause.MEMORY: ServerMisconfigured,
    Cause.ENDPOINT: ServerMisconfigured,
    Cause.UNLOADED: ServerMisconfigured,
    Cause.NO_MODEL: ModelUnavailable,
    Cause.NO_CHAT: ModelUnusable,
    Cause.NO_SCHEMA: ServerMisconfigured,
    Cause.KEY: ModelUnavailable,
    Cause.MOMENT: ModelBusy,
}

REMEDIES = {
    Cause.MEMORY: "smaller",
    Cause.ENDPOINT: "/v1",
    Cause.UNLOADED: "lms load",
    Cause.NO_CHAT: "model list",
    Cause.NO_SCHEMA: "update it to version 0.5",
    Cause.KEY: "OPENAI_API_KEY",
}


def model_of(server: str, url: str) -> LanguageModel:
    """Return a model on a server: Ollama's by its own protocol, others by OpenAI's."""
    if server.startswith("Ollama"):
        return OllamaModel("town-7b", Settings.model_validate({"machine": {"ollama_hosts": [url]}}))
    return OpenAIModel("town-7b", Settings.model_validate({"machine": {"openai_base_url": url}}))


@pytest.mark.parametrize(
    "answer", RECORDED, ids=lambda answer: f"{answer.server} {answer.cause} {answer.thread}"
)
async def test_a_recorded_answer_has_the_error_of_its_cause(answer: Recorded) -> None:
    with OneAnswer(answer.status, answer.body) as server:
        model = model_of(answer.server, server.url)
        if answer.cause is Cause.REPLY:
            assert (await model.complete(ASKED, seed=1)).broken == REPEATED
            return
        with pytest.raises(HometownError) as caught:
            await model.complete(ASKED, seed=1)
    assert type(caught.value) is ERRORS[answer.cause]
    assert REMEDIES.get(answer.cause, "") in str(caught.value)
    assert "(500" not in str(caught.value) or answer.status == 500


@pytest.mark.parametrize("cause", [Cause.MEMORY, Cause.ENDPOINT, Cause.UNLOADED, Cause.NO_SCHEMA])
async def test_a_wrong_configuration_is_not_waited_for(cause: Cause) -> None:
    answer = next(answer for answer in RECORDED if answer.cause is cause)
    notices = list[str]()
    with OneAnswer(answer.status, answer.body) as server:
        model = RetryingModel(model_of(answer.server, server.url), Settings(), notices.append)
        with pytest.raises(ServerMisconfigured):
            await model.complete(ASKED, seed=1)
        assert (server.requests, notices) == (1, [])


async def test_a_reply_that_ollama_broke_off_is_a_fault_of_the_reply() -> None:
    body = ollama_answer(content="<fim_prefix>" * 31, done=False)
    with OneAnswer(200, body) as server:
        completion = await model_of("Ollama 0.5.7", server.url).complete(ASKED, seed=1)
    assert completion.broken == REPEATED


async def test_a_reply_that_ollama_broke_off_is_one_by_openais_protocol_too() -> None:
    body = '{"error":{"message":"token repeat limit reached","type":"api_error"}}'
    with OneAnswer(500, body) as server:
        completion = await model_of("vLLM", server.url).complete(ASKED, seed=1)
    assert completion.broken == REPEATED


async def test_a_reply_cut_far_from_the_end_of_the_context_is_a_fault_of_the_reply() -> None:
    counts = {"prompt_eval_count": 378, "eval_count": 12, "done_reason": "length"}
    with OneAnswer(200, ollama_answer(content='{"say": "', **counts)) as server:
        completion = await model_of("Ollama", server.url).complete(ASKED, seed=1)
    assert "cut off" in completion.broken


async def test_a_reply_cut_at_the_end_of_the_context_is_too_long() -> None:
    counts = {"prompt_eval_count": 8150, "eval_count": 42, "done_reason": "length"}
    with (
        OneAnswer(200, ollama_answer(content='{"say": "', **counts)) as server,
        pytest.raises(TooLong),
    ):
        await model_of("Ollama", server.url).complete(ASKED, seed=1)


@pytest.mark.parametrize("server", ["Ollama", "vLLM"])
async def test_an_answer_in_the_field_for_reasoning_is_the_reply(server: str) -> None:
    answer, thought = '{"say": "Hello.", "end": false}', "Perhaps a greeting."
    for reasoning, text, broken in (
        (f"{thought} {answer}", answer, ""),
        (thought, "", ONLY_REASONING),
    ):
        choice = {"message": {"content": "", "reasoning": reasoning}, "finish_reason": "stop"}
        body = (
            ollama_answer(add={"thinking": reasoning})
            if server == "Ollama"
            else json.dumps({"choices": [choice]})
        )
        with OneAnswer(200, body) as fake:
            completion = await model_of(server, fake.url).complete(ASKED, seed=1)
        assert (completion.text, completion.broken) == (text, broken)


NGINX = (
    "<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n"
    "<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx/1.24.0</center>\r\n</body></html>"
)
SIGN_IN = "<!DOCTYPE html>\n<html><head><style>p {}</style></head><body><p>Please sign&nbsp;in</p>"


@pytest.mark.parametrize("server", ["Ollama", "vLLM"])
@pytest.mark.parametrize(
    ("status", "body", "shown"),
    [
        (404, NGINX, "an HTML page titled '404 Not Found'"),
        (404, SIGN_IN, "an HTML page that begins with 'Please sign in'"),
        (200, NGINX, "sent an HTML page"),  # one line of a stream may be all that is read
    ],
)
async def test_html_is_described_and_never_shown_as_markup(
    server: str, status: int, body: str, shown: str
) -> None:
    with OneAnswer(status, body) as fake, pytest.raises(ModelUnavailable) as caught:
        await model_of(server, fake.url).complete(ASKED, seed=1)
    assert shown in str(caught.value)
    assert "<" not in str(caught.value)
    assert "HTML 网页" in caught.value.localize("zh")


@pytest.mark.parametrize(
    "page", ["<!---->" * 60 + "<div>", "<html>" + "<title>" * 90_000, "<html>" + "<!--" * 90_000]
)
def test_a_page_made_to_be_read_for_hours_is_described_at_once(page: str) -> None:
    assert (describe_html(page) is None) is page.endswith("<div>")


@pytest.mark.parametrize(
    ("key", "line"), [("", "asks for a key (401)"), ("sk-wrong", "rejects the key (401)")]
)
async def test_a_missing_key_is_told_from_a_wrong_one(
    key: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OneAnswer(401, '{"error": "Unauthorized"}') as fake:
        monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
        monkeypatch.setenv("OPENAI_API_KEY", key)
        with pytest.raises(ModelUnavailable) as caught:
            await OpenAIModel("m", Settings()).complete(ASKED, seed=1)
    assert line in str(caught.value)


async def test_a_context_too_short_for_a_town_has_a_remedy_that_works() -> None:
    with Obeying(lambda body: ANSWER, context=2048) as server:
        model = model_of("Ollama", server.url)
        assert isinstance(model, OllamaModel)
        with pytest.raises(BadInput, match="at least 4096: take a model") as caught:
            await model.load("en", lambda _: None)
    assert "num_ctx" not in str(caught.value)


def test_commands_are_those_of_the_program_that_was_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for program, doctor, models in (
        ("/usr/bin/hometown", "hometown doctor --llm m", "hometown model list"),
        ("start.py", "start.py --doctor --llm m", "start.py --list-models"),
        ("/lib/hometown/__main__.py", "-m hometown doctor --llm m", "-m hometown model list"),
    ):
        monkeypatch.setattr("sys.argv", [program])
        assert own_commands.doctor_command("m").endswith(doctor)
        assert own_commands.list_command().endswith(models)


def test_a_command_works_in_the_folder_in_which_it_is_suggested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = Path(".venv", "bin", "python")
    monkeypatch.setattr("sys.executable", str(ROOT / python))
    monkeypatch.chdir(ROOT)
    assert own_commands.program_words("start.py") == [str(python), "start.py"]
    monkeypatch.chdir(tmp_path)
    whole = [str(ROOT / python), str(ROOT / "start.py")]
    assert own_commands.program_words("start.py") == whole
