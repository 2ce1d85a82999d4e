"""The way of asking that a model obeys is learnt from its first replies, and kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from hometown.model import ways
from hometown.model.ollama import OllamaModel
from hometown.model.openai_server import OpenAIModel
from hometown.model.ways import Way
from hometown.settings import Settings
from tests.model.ollama.asking import ASKED

ANSWER = '{"say": "Hello.", "end": false}'
PROSE = "Good morning! She is on her way to the café."

Says = Callable[[dict[str, Any]], str]


class Obeying:
    """A server of Ollama's and of OpenAI's protocol; `says` returns the reply to a body."""

    def __init__(self, says: Says, version: str = "0.17.6") -> None:
        self.bodies = list[dict[str, Any]]()
        self.version = version
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *arguments: Any) -> None:
                """Print nothing."""

            def do_GET(self) -> None:
                answers = {
                    "/api/version": {"version": fake.version},
                    "/v1/models": {"data": [{"id": "m", "max_model_len": 32768}]},
                }
                self.send(answers.get(self.path, {"error": "no such page"}))

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path == "/api/show":
                    return self.send({"model_info": {"fake.context_length": 40960}})
                fake.bodies.append(body)
                text = says(body)
                message = {"role": "assistant", "content": text}
                return self.send(
                    {"message": message, "done": True, "done_reason": "stop", "eval_count": 5}
                    if self.path == "/api/chat"
                    else {"choices": [{"message": message, "finish_reason": "stop"}]}
                )

            def send(self, value: Any) -> None:
                data = json.dumps(value).encode()
                self.send_response(404 if "error" in value else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Obeying:
        Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


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


def without_thinking_ignores_the_schema(body: dict[str, Any]) -> str:
    """Reply as Ollama does for Qwen 3.5 (ollama/ollama#14645)."""
    return PROSE if body.get("think") is False else ANSWER


async def test_a_schema_that_is_ignored_while_thinking_is_off_is_asked_for_with_thinking() -> None:
    with Obeying(without_thinking_ignores_the_schema) as server:
        model = ollama(server)
        for _ in range(3):
            assert (await model.complete(ASKED, seed=1)).text == ANSWER
        assert [body.get("think", "default") for body in server.bodies] == [
            False, "default", "default", "default",
        ]  # fmt: skip
        limits = [body["options"]["num_predict"] for body in server.bodies]
        assert limits[1] == limits[0] + ways.REASONING_TOKENS, "reasoning has room of its own"


async def test_a_way_is_kept_for_the_model_and_the_version_of_its_server(kept: Path) -> None:
    with Obeying(without_thinking_ignores_the_schema) as server:
        for _ in range(2):
            model = ollama(server)
            await model.load("en", lambda _: None)
            await model.complete(ASKED, seed=1)
        assert len(server.bodies) == 3, "the second model asks in the way that is obeyed"
        (key,) = json.loads(kept.read_text())
        assert "0.17.6" in key
        server.version = "0.18.0"
        model = ollama(server)
        await model.load("en", lambda _: None)
        assert model.way.current == model.way.ways[0], "an update may obey again"


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


@pytest.mark.parametrize("make", [ollama, openai])
async def test_a_model_that_obeys_nothing_is_asked_in_other_ways_for_three_replies_only(
    make: Callable[[Obeying], OllamaModel | OpenAIModel], kept: Path
) -> None:
    with Obeying(lambda body: PROSE) as server:
        model = make(server)
        await model.load("en", lambda _: None)
        for _ in range(5):
            assert (await model.complete(ASKED, seed=1)).text == PROSE
        assert len(server.bodies) == 5 + 3 * len(model.way.others())
    assert not kept.exists()


async def test_a_damaged_file_is_as_none(kept: Path) -> None:
    kept.parent.mkdir()
    kept.write_text("[")
    with Obeying(without_thinking_ignores_the_schema) as server:
        model = ollama(server)
        await model.load("en", lambda _: None)
        assert (await model.complete(ASKED, seed=1)).text == ANSWER
    assert json.loads(kept.read_text())
