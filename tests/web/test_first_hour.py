"""The page's first hour: a model is looked for, fetched, and lives the hour."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import Mock

import pytest
from flask import Flask
from flask.testing import FlaskClient

from hometown.doctor import first_hour
from hometown.model import ollama_hosts
from hometown.paths import WORLDS
from hometown.storage.lock import is_held
from hometown.storage.run import RunFile
from hometown.storage.run_names import run_folder
from hometown.web import serve
from hometown.web.access import Access
from hometown.web.server import create_app
from tests.support.fake_openai import FakeOpenAI
from tests.support.hang import waited_for
from tests.web.asking import ask, signed_in

NOBODY = "http://127.0.0.1:9"
SIZE = 1000


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find no server and no GPU of this machine."""
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "OLLAMA_HOST"):
        monkeypatch.setenv(name, "")  # so that it is put back
    for module in (ollama_hosts, first_hour):
        monkeypatch.setattr(module, "LOCAL", NOBODY)
    monkeypatch.setattr(first_hour, "LOCAL_PORTS", {})
    monkeypatch.setattr(first_hour, "gpu_bytes", lambda: 8 * 10**9)
    monkeypatch.setattr(first_hour, "is_installed", lambda package: False)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    yield signed_in(create_app(tmp_path, WORLDS, access=Access(token="a token")))
    name = "first-hour-1"
    waited_for(lambda: not is_held(run_folder(tmp_path, name)))


def look(client: FlaskClient, lang: str = "en") -> dict[str, Any]:
    return dict(client.get(f"/api/v1/first-hour?lang={lang}").json or {})


def prepared(client: FlaskClient) -> dict[str, Any]:
    """Return the progress once nothing more is being prepared."""
    waited_for(lambda: not progress(client)["busy"])
    return progress(client)


def progress(client: FlaskClient) -> dict[str, Any]:
    return dict(client.get("/api/v1/first-hour/progress?lang=en").json or {})


def test_without_a_model_the_user_learns_what_to_install_and_rules_live_the_hour(
    client: FlaskClient, tmp_path: Path
) -> None:
    found = look(client)
    assert (found["llm"], found["bytes"]) == ("", 0)
    assert "8 GB of GPU memory" in found["lines"][0]
    assert "https://ollama.com/download" in found["failures"][0]
    assert "安装 Ollama" in look(client, "zh")["failures"][0]
    assert ask(client, "first-hour?lang=zh", {"llm": "scripted"}).status_code == 200
    assert prepared(client)["name"] == "first-hour-1"
    waited_for(lambda: not is_held(run_folder(tmp_path, "first-hour-1")))
    with RunFile.open(tmp_path, "first-hour-1") as run:
        manifest = run.manifest
        assert (manifest.world, manifest.lang, manifest.llm) == ("minitown", "zh", "scripted")
        assert (run.last.time - manifest.start).total_seconds() == 3600


def test_an_hour_begins_on_a_server_at_a_usual_port(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeOpenAI() as server:
        port = int(server.url.rpartition(":")[2].removesuffix("/v1"))
        monkeypatch.setattr(first_hour, "LOCAL_PORTS", {"LM Studio": port})
        assert (look(client)["llm"], look(client)["failures"]) == ("openai:town-7b", [])
        ask(client, "first-hour?lang=en", {"llm": "openai:town-7b"})
        assert prepared(client)["name"] == "first-hour-1"
        waited_for(lambda: not is_held(run_folder(tmp_path, "first-hour-1")))
    with RunFile.open(tmp_path, "first-hour-1") as run:
        assert run.manifest.llm == "openai:town-7b"
    assert server.formats(), "it was asked for replies"


class Pulling:
    """An Ollama without a model, which sends a quarter of one and then a failure, or, if it is
    `silent`, nothing until the client is gone.
    """

    def __init__(self, *, silent: bool = False) -> None:
        self._is_silent = silent

    def __enter__(self) -> str:
        is_silent = self._is_silent

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None: ...

            def do_GET(self) -> None:
                self.send(b'{"models": []}')

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send(line(status="pulling", total=SIZE, completed=SIZE // 4))
                if is_silent:
                    self.rfile.read(1)
                else:
                    self.wfile.write(line(error="no space left on device"))

            def send(self, data: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        ).start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def test_a_model_is_fetched_with_progress_and_the_reason_of_a_failure(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Pulling() as host:
        monkeypatch.setenv("OLLAMA_HOST", host)
        found = look(client)
        assert found["llm"] == "ollama:qwen3:8b"
        assert found["bytes"] > 4 * 10**9
        ask(client, "first-hour?lang=en", {"llm": found["llm"]})
        told = prepared(client)
    assert (told["done"], told["size"], told["name"]) == (SIZE // 4, SIZE, "")
    assert "no space left on device" in told["error"]


def line(**members: Any) -> bytes:
    return json.dumps(members).encode() + b"\n"


def test_a_fetch_can_be_cancelled_and_begun_again(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Pulling(silent=True) as host:
        monkeypatch.setenv("OLLAMA_HOST", host)
        llm = look(client)["llm"]
        for _ in range(2):
            ask(client, "first-hour?lang=en", {"llm": llm})
            waited_for(lambda: progress(client)["done"])
            assert progress(client)["fetching"]
            assert ask(client, "first-hour?lang=en", {}, "DELETE").status_code == 200
            told = prepared(client)
            assert (told["fetching"], told["name"], told["error"]) == (False, "", "")


class StoppedServer:
    """A server that stops once a fetch is under way."""

    task_dispatcher = Mock()

    def __init__(self, app: Flask, **_: Any) -> None:
        self._client = signed_in(app)

    def run(self) -> None:
        ask(self._client, "first-hour?lang=en", {"llm": look(self._client)["llm"]})
        waited_for(lambda: progress(self._client)["done"])

    def close(self) -> None:
        waited_for(lambda: not progress(self._client)["busy"])


def test_a_fetch_ends_with_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "create_server", StoppedServer)
    with Pulling(silent=True) as host, socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        monkeypatch.setenv("OLLAMA_HOST", host)
        serve.serve(listener, tmp_path, WORLDS, access=Access(token="a token"))


def test_only_what_was_offered_begins_and_only_for_who_has_signed_in(
    client: FlaskClient, tmp_path: Path
) -> None:
    assert ask(client, "first-hour?lang=en", {"llm": "gguf:/etc/passwd"}).status_code == 400
    assert ask(client, "first-hour?lang=en", {}).status_code == 400
    visitor = create_app(tmp_path, WORLDS, access=Access(token="a token", public=True))
    for address in ("first-hour", "first-hour/progress"):
        assert visitor.test_client().get(f"/api/v1/{address}").status_code == 401
