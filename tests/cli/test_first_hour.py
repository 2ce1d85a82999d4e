"""`hometown start`: from a machine with a server, a model or nothing to a lived hour."""

from __future__ import annotations

import io
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hometown.cli import commands
from hometown.cli import first_hour_command as journey
from hometown.doctor import first_hour
from hometown.doctor.first_hour import FirstHourFinding, Offer, find_offer
from hometown.model import ollama_hosts
from hometown.model.address import key_for
from hometown.settings import Settings
from hometown.storage.run import RunFile
from tests.support.answering import OneAnswer
from tests.support.fake_ollama import FakeOllama
from tests.support.fake_openai import FakeOpenAI

GB = 10**9

NOBODY = "http://127.0.0.1:9"
"""An address at which no server listens."""


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find no server of this machine."""
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "OLLAMA_HOST"):
        monkeypatch.setenv(name, "")  # so that it is put back
    for module in (ollama_hosts, first_hour):
        monkeypatch.setattr(module, "LOCAL", NOBODY)
    monkeypatch.setattr(first_hour, "LOCAL_PORTS", {})
    monkeypatch.setattr(first_hour, "gpu_bytes", lambda: 8 * GB)


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOllama]:
    with FakeOllama("bge-m3:latest", "llama3.1:8b", "qwen3:4b") as fake:
        monkeypatch.setenv("OLLAMA_HOST", fake.host)
        yield fake


def start(tmp_path: Path, *argv: str) -> int:
    folders = ["--results", str(tmp_path), "--worlds", str(tmp_path / "worlds")]
    return commands.main(["start", "--lang", "en", "--no-page", *folders, *argv])


def test_an_hour_is_lived_on_a_model_that_is_there_without_a_question(
    tmp_path: Path, ollama: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "mine.json"
    config.write_text('{"embedding": {"default": "hash"}}')
    assert start(tmp_path, "--yes", "--config", str(config)) == 0
    out = capsys.readouterr().out
    assert "8 GB of GPU memory" in out
    assert "ollama:qwen3:4b is there" in out
    with RunFile.open(tmp_path, "first-hour-1") as run:
        assert (run.manifest.world, run.manifest.llm) == ("minitown", "ollama:qwen3:4b")
        assert (run.last.time - run.manifest.start).total_seconds() == 3600
    assert {chat["model"] for chat in ollama.chats} == {"qwen3:4b"}


async def find(**settings: Any) -> FirstHourFinding:
    return await find_offer(Settings.model_validate(settings), "en")


async def offer(**settings: Any) -> Offer:
    found = (await find(**settings)).offer
    assert found is not None
    return found


async def test_a_server_of_openais_protocol_is_found_by_its_port(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with FakeOpenAI() as server:
        port = int(server.url.rpartition(":")[2].removesuffix("/v1"))
        monkeypatch.setattr(first_hour, "LOCAL_PORTS", {"LM Studio": port})
        found = await offer()
        assert found.spec == "openai:town-7b"
        assert found.address == f"http://127.0.0.1:{port}/v1"
        assert (await offer(machine={"openai_base_url": server.url})).address == ""


async def test_a_server_that_the_user_has_not_named_is_never_sent_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-server")
    with OneAnswer(200, '{"data": [{"id": "town-7b"}]}') as server:
        port = int(server.url.rpartition(":")[2])
        monkeypatch.setattr(first_hour, "LOCAL_PORTS", {"LM Studio": port})
        found = await offer()
        assert server.keys == [None]
        found.use_server()
        assert key_for(found.address) == ""


async def test_ollama_without_a_model_is_to_fetch_the_largest_that_fits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with FakeOllama("nomic-embed-text:latest") as fake:
        monkeypatch.setenv("OLLAMA_HOST", fake.host)
        found = await offer()
    assert found.to_fetch is not None
    assert (found.spec, found.to_fetch.name) == ("ollama:qwen3:8b", "qwen3-8b")


async def test_without_a_server_a_file_is_fetched_or_the_user_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(first_hour, "is_installed", lambda package: True)
    assert (await offer()).spec == "gguf:qwen3-8b"
    monkeypatch.setattr(first_hour, "is_installed", lambda package: False)
    assert await find() == FirstHourFinding(None)


@pytest.mark.parametrize(
    ("status", "body", "line"),
    [
        (401, '{"error": "Unauthorized"}', "asks for a key (401); set OPENAI_API_KEY"),
        (404, "404 page not found", "it has no OpenAI-compatible API there"),
    ],
)
def test_the_refusal_of_a_server_that_the_user_has_named_is_said_and_nothing_is_fetched(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    status: int,
    body: str,
    line: str,
) -> None:
    monkeypatch.setattr(first_hour, "is_installed", lambda package: True)
    with OneAnswer(status, body) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert start(tmp_path, "--yes") == 3
    out, error = capsys.readouterr()
    assert server.url in out
    assert line in error
    assert "Fetch" not in out


async def test_an_ollama_that_the_user_has_named_and_that_is_another_server_is_not_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(first_hour, "is_installed", lambda package: True)
    with OneAnswer(404, '{"detail": "Not Found"}') as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        found = await find()
    assert found.offer is None
    assert "it is not Ollama's" in str(*found.failures)


@pytest.mark.parametrize(
    ("variable", "path"),
    [("OLLAMA_HOST", ""), ("OPENAI_BASE_URL", "/v1")],
    ids=["ollama", "openai"],
)
@pytest.mark.parametrize("is_silent", [False, True], ids=["refused", "silent"])
def test_a_server_that_the_user_has_named_and_that_does_not_answer_is_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    variable: str,
    path: str,
    is_silent: bool,
) -> None:
    monkeypatch.setattr(first_hour, "is_installed", lambda package: True)
    monkeypatch.setattr(first_hour, "NAMED_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}{path}"
        if not is_silent:
            silent.close()
        monkeypatch.setenv(variable, address)
        assert start(tmp_path, "--yes") == 3
    out, error = capsys.readouterr()
    assert (
        f"{address}, which you have named, does not answer: start it, correct {variable}" in error
    )
    assert "Fetch" not in out


async def test_a_named_server_that_does_not_answer_leaves_the_hour_to_another(
    ollama: FakeOllama,
) -> None:
    found = await find(machine={"openai_base_url": f"{NOBODY}/v1"})
    assert found.offer == Offer("ollama:qwen3:4b")
    assert "does not answer" in str(*found.failures)


async def test_a_named_server_is_found_without_the_path_of_its_api() -> None:
    with FakeOpenAI() as server:
        found = await offer(machine={"openai_base_url": server.url.removesuffix("/v1")})
    assert found.spec == "openai:town-7b"


def test_rules_play_the_hour_where_there_is_no_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(first_hour, "is_installed", lambda package: False)
    assert start(tmp_path, "--yes") == 0
    out = capsys.readouterr().out
    assert "https://ollama.com/download" in out
    with RunFile.open(tmp_path, "first-hour-1") as run:
        assert run.manifest.llm == "scripted"


def test_nothing_is_asked_where_there_is_no_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert start(tmp_path) == 2
    assert "--yes" in capsys.readouterr().err


@pytest.mark.parametrize(("answers", "spec"), [("\n", "ollama:qwen3:4b"), ("n\n\n", "scripted")])
def test_at_most_three_questions_are_asked(
    tmp_path: Path,
    ollama: FakeOllama,
    monkeypatch: pytest.MonkeyPatch,
    answers: str,
    spec: str,
) -> None:
    typed = io.StringIO(answers)
    typed.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stdin", typed)
    lived = list[str]()
    monkeypatch.setattr(
        journey,
        "live_session",
        lambda simulation, layers, text: lived.append(simulation.session.llm) or 0,
    )
    assert start(tmp_path) == 0
    assert lived == [spec]
