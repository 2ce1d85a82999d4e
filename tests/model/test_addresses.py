"""Addresses of servers as users write them: without /v1, with an endpoint, of the wrong protocol."""

from __future__ import annotations

import asyncio

import pytest

from hometown.cli.contacts import contacts, print_servers
from hometown.cli.texts import Text
from hometown.errors import ServerMisconfigured
from hometown.model.address import addresses, redacted
from hometown.model.ollama import OllamaModel
from hometown.model.ollama_hosts import hosts
from hometown.model.openai_server import OpenAIModel
from hometown.settings import Machine, Settings
from tests.model.ollama.asking import ASKED
from tests.support.answering import OneAnswer
from tests.support.fake_ollama import FakeOllama
from tests.support.fake_openai import FakeOpenAI


def settings(address: str) -> Settings:
    return Settings.model_validate({"machine": {"openai_base_url": address}})


@pytest.mark.parametrize("path", ["", "/", "/v1/chat/completions", "/v1/models/", "/v1"])
async def test_the_api_is_found_from_the_address_of_the_server_or_of_an_endpoint(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeOpenAI() as server:
        model = OpenAIModel("town-7b", settings(server.url.removesuffix("/v1") + path))
        for _ in range(2):
            assert (await model.complete(ASKED, seed=1)).text
        used = f"at {server.url}, which is used: set OPENAI_BASE_URL"
        assert capsys.readouterr().err.count(used) == (path in ("", "/"))


async def test_a_path_too_many_is_left_out() -> None:
    with OneAnswer(404, '{"detail":"Not Found"}') as nothing:
        model = OpenAIModel("m", settings(f"{nothing.url}/v1"))
        with pytest.raises(ServerMisconfigured, match=r"no OpenAI-compatible API there.*/v1"):
            await model.complete(ASKED, seed=1)


@pytest.mark.parametrize("path", ["/v1", "/v1/chat/completions", "/api", "/api/chat", "/"])
async def test_ollama_is_found_with_the_path_of_an_api(path: str) -> None:
    with FakeOllama() as fake:
        model = OllamaModel(
            "qwen3:8b", Settings.model_validate({"machine": {"ollama_hosts": [fake.host + path]}})
        )
        assert (await model.complete(ASKED, seed=1)).text


async def test_another_server_at_ollamas_address_is_told_from_ollama() -> None:
    with FakeOpenAI() as server:
        host = server.url.removesuffix("/v1")
        model = OllamaModel(
            "town-7b", Settings.model_validate({"machine": {"ollama_hosts": [host]}})
        )
        with pytest.raises(ServerMisconfigured, match=r"not Ollama's.*--llm openai:town-7b"):
            await model.complete(ASKED, seed=1)


async def test_all_calls_at_once_name_a_path_without_an_api() -> None:
    """Also those that are refused while the first of them looks for the API."""
    with OneAnswer(404, "<html><head><title>404 Not Found</title></head></html>") as nginx:
        chosen = Settings(machine=Machine(openai_base_url=f"{nginx.url}/v1"))
        model = OpenAIModel("m", chosen)
        failures = await asyncio.gather(
            *(model.complete(ASKED, seed=seed) for seed in range(4)), return_exceptions=True
        )
    assert {type(failure) for failure in failures} == {ServerMisconfigured}
    assert all("it has no OpenAI-compatible API there" in str(each) for each in failures)


def test_a_correction_is_printed_with_the_servers(capsys: pytest.CaptureFixture[str]) -> None:
    given = "http://127.0.0.1:9/v1/chat/completions"
    print_servers(contacts(["openai:m"], "hash", settings(given)), Text("en"))
    out = capsys.readouterr().out
    assert "servers: http://127.0.0.1:9/v1" in out
    assert f"{given} has a path too many: http://127.0.0.1:9/v1 is used" in out
    assert addresses(Machine(openai_base_url=given)) == ["http://127.0.0.1:9/v1"]


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://me:p@ssw0rd@gpu:8000/v1", "http://gpu:8000/v1"),
        ("http://me:se#cret@gpu:8000/v1", "http://gpu:8000/v1"),
        ("http://me:se?cret@gpu:8000/v1", "http://gpu:8000/v1"),
        ("http://me:se/cret@gpu:8000/v1", "http://gpu:8000/v1"),
        ("me:secret@gpu:8000", "gpu:8000"),
        ("https://gpu.example?api_key=s@cret", "https://gpu.example"),
        ("https://gpu.example:8000/v1?api_key=s@cret", "https://gpu.example:8000/v1"),
        ("http://[::1]:8000/v1?api_key=s@cret", "http://[::1]:8000/v1"),
    ],
)
def test_no_part_of_a_password_is_shown(address: str, shown: str) -> None:
    assert redacted(address) == shown


def test_only_a_host_that_stands_for_all_addresses_is_asked_on_one() -> None:
    given = ["http://0.0.0.0:11434", "http://10.0.0.0:11434", "http://me:0.0.0.0@gpu:11434"]
    chosen = Settings.model_validate({"machine": {"ollama_hosts": given}})
    assert hosts(chosen) == ["http://127.0.0.1:11434", *given[1:]]


def test_a_path_too_many_is_found_before_parameters() -> None:
    assert addresses(Machine(openai_base_url="http://gpu/v1/chat/completions?key=1")) == [
        "http://gpu/v1?key=1"
    ]
    chosen = Settings.model_validate({"machine": {"ollama_hosts": ["http://gpu/v1?key=1"]}})
    assert hosts(chosen) == ["http://gpu?key=1"]
