"""Embeddings that a server makes, OpenAI's way and Ollama's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from hometown.errors import BadInput, ModelUnavailable, TooLong
from hometown.model.connection import Connection
from hometown.model.embedding import make_embedder
from hometown.model.embedding_server import openai_vectors
from hometown.model.hashing import hash_vector
from hometown.settings import Settings
from tests.support.answering import OneAnswer
from tests.support.fake_openai import DIMENSION, FakeOpenAI
from tests.support.no_waiting import without_waiting

BACKENDS = ("ollama", "openai")


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OLLAMA_HOST"):
        monkeypatch.delenv(name, raising=False)
    without_waiting(monkeypatch)


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as server:
        yield server


def settings(server: FakeOpenAI, **machine: float) -> Settings:
    return Settings.model_validate(
        {
            "machine": {
                "openai_base_url": server.url,
                "ollama_hosts": [server.url.removesuffix("/v1")],
                **machine,
            }
        }
    )


@pytest.mark.parametrize("backend", BACKENDS)
async def test_vectors_are_of_unit_length_and_in_order(server: FakeOpenAI, backend: str) -> None:
    embedder = make_embedder(f"{backend}:town-7b", settings(server))
    assert (embedder.name, embedder.dimension) == (f"{backend}:town-7b", DIMENSION)
    texts = [f"text {number}" for number in range(150)]
    vectors = await embedder.embed(texts)
    assert vectors.dtype == np.float32
    assert np.allclose(vectors, [hash_vector(text, DIMENSION) for text in texts], atol=1e-6)
    assert [len(body["input"]) for body in server.bodies] == [1, 64, 64, 22]
    assert (await embedder.embed([])).shape == (0, DIMENSION)
    assert (await embedder.embed([""])).shape == (1, DIMENSION)


async def test_vectors_without_a_number_are_in_the_order_of_the_texts() -> None:
    with OneAnswer(200, '{"data": [{"embedding": [0, 2]}, {"embedding": [3, 0]}]}') as server:
        vectors = await openai_vectors(Connection(server.url), "m", ["lamp", "stove"])
    assert vectors == [[0, 2], [3, 0]]


@pytest.mark.parametrize("backend", BACKENDS)
async def test_a_busy_server_is_asked_again_visibly(
    server: FakeOpenAI, backend: str, capsys: pytest.CaptureFixture[str]
) -> None:
    embedder = make_embedder(f"{backend}:town-7b", settings(server), "zh")
    server.faults = [503, "half-closed"]
    assert len(await embedder.embed(["lamp"])) == 1
    assert "503" in capsys.readouterr().err
    server.faults = [503] * 1000
    with pytest.raises(ModelUnavailable, match=r"503.*llm\.give_up_after"):
        await embedder.embed(["lamp"])


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_server_is_told_with_what_to_do(backend: str) -> None:
    with FakeOpenAI() as gone:
        pass
    with pytest.raises(
        ModelUnavailable, match=r"no connection to .*(ollama serve|is the server running)"
    ) as caught:
        make_embedder(f"{backend}:town-7b", settings(gone))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_silent_server_is_not_waited_for(server: FakeOpenAI, backend: str) -> None:
    server.faults = ["silent"]
    with pytest.raises(ModelUnavailable, match=r"machine\.timeout_seconds"):
        make_embedder(f"{backend}:town-7b", settings(server, timeout_seconds=0.1))


def test_a_missing_model_is_told_with_what_to_do(server: FakeOpenAI) -> None:
    with pytest.raises(ModelUnavailable, match="ollama pull bge-m3"):
        make_embedder("ollama:bge-m3", settings(server))
    with pytest.raises(ModelUnavailable, match="has no such model"):
        make_embedder("openai:bge-m3", settings(server))


@pytest.mark.parametrize("backend", BACKENDS)
async def test_vectors_of_another_dimension_are_refused(server: FakeOpenAI, backend: str) -> None:
    embedder = make_embedder(f"{backend}:town-7b", settings(server))
    server.dimension = 16
    with pytest.raises(ModelUnavailable, match="not all of 48 numbers"):
        await embedder.embed(["lamp"])


@pytest.mark.parametrize("fault", ["html", "not json", "no choices"])
def test_an_answer_without_vectors_is_refused(server: FakeOpenAI, fault: str) -> None:
    server.faults = [fault]
    with pytest.raises(
        ModelUnavailable, match=r"sent an HTML page|sent invalid JSON|sent unexpected JSON"
    ):
        make_embedder("openai:town-7b", settings(server))


async def test_a_text_too_long_is_told(server: FakeOpenAI) -> None:
    embedder = make_embedder("openai:town-7b", settings(server))
    server.faults, server.message = [400], "This model's maximum context length is 512 tokens"
    with pytest.raises(TooLong, match="the prompt 'embedding' is longer than the context"):
        await embedder.embed(["lamp"])


def test_an_openai_server_must_be_named() -> None:
    with pytest.raises(BadInput, match="OPENAI_BASE_URL"):
        make_embedder("openai:town-7b", Settings())
