"""Answers of real servers that are no replies: their causes, and the lines that users see."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from hometown.errors import (
    HometownError,
    ModelBusy,
    ModelUnavailable,
    ServerMisconfigured,
    TooLong,
)
from hometown.model.llm import LanguageModel
from hometown.model.ollama import REPEATED, OllamaModel
from hometown.model.openai_server import OpenAIModel
from hometown.model.refusals import Cause
from hometown.model.reply_parsing import ONLY_REASONING
from hometown.model.retrying import RetryingModel
from hometown.settings import Settings
from tests.model.ollama.asking import ASKED
from tests.model.recorded_refusals import RECORDED, Recorded

ERRORS: dict[Cause, type[HometownError]] = {
    Cause.LENGTH: TooLong,
    Cause.MEMORY: ServerMisconfigured,
    Cause.ENDPOINT: ServerMisconfigured,
    Cause.UNLOADED: ServerMisconfigured,
    Cause.NO_MODEL: ModelUnavailable,
    Cause.NO_CHAT: ModelUnavailable,
    Cause.KEY: ModelUnavailable,
    Cause.MOMENT: ModelBusy,
}

REMEDIES = {
    Cause.MEMORY: "smaller",
    Cause.ENDPOINT: "/v1",
    Cause.UNLOADED: "lms load",
    Cause.NO_CHAT: "model list",
    Cause.KEY: "OPENAI_API_KEY",
}


class OneAnswer:
    """A server that gives every request the same answer."""

    def __init__(self, status: int, body: str) -> None:
        self.requests = 0
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *arguments: Any) -> None:
                """Print nothing."""

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                server.requests += 1
                self.do_GET()

            def do_GET(self) -> None:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body.encode())))
                self.end_headers()
                self.wfile.write(body.encode())

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> OneAnswer:
        Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


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
    assert "500" not in str(caught.value) or answer.status == 500


@pytest.mark.parametrize("cause", [Cause.MEMORY, Cause.ENDPOINT, Cause.UNLOADED])
async def test_a_wrong_configuration_is_not_waited_for(cause: Cause) -> None:
    answer = next(answer for answer in RECORDED if answer.cause is cause)
    notices = list[str]()
    with OneAnswer(answer.status, answer.body) as server:
        model = RetryingModel(model_of(answer.server, server.url), Settings(), notices.append)
        with pytest.raises(ServerMisconfigured):
            await model.complete(ASKED, seed=1)
        assert (server.requests, notices) == (1, [])


def ollama_answer(**changes: Any) -> str:
    message = {"role": "assistant", "content": changes.pop("content", ""), **changes.pop("add", {})}
    return json.dumps(
        {"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": message, "done": True}
        | changes
    )


async def test_a_reply_that_ollama_broke_off_is_a_fault_of_the_reply() -> None:
    body = ollama_answer(content="<fim_prefix>" * 31, done=False)
    with OneAnswer(200, body) as server:
        completion = await model_of("Ollama 0.5.7", server.url).complete(ASKED, seed=1)
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
