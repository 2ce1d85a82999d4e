"""Ollama's own package over a connection of ours: what it may decide of a request, and what it is
given of a response.
"""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from hometown.errors import ModelUnavailable
from hometown.model.connection import LARGEST_RESPONSE, ErrorResponse, Redirected
from hometown.model.embedding_server import ollama_embedder
from hometown.model.envelope import BadResponse
from hometown.model.llm import Completion
from hometown.model.ollama_client import OllamaClient
from hometown.model.ollama_hosts import models_at, server_at
from hometown.settings import Settings
from tests.support.protocols import PROTOCOLS, outcome
from tests.support.simulated import CUT, Endless, Sent, Wire
from tests.support.simulated_time import simulate

OLLAMA = PROTOCOLS[2]


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    return Wire(monkeypatch)


def models(*names: str) -> Sent:
    return Sent([orjson.dumps({"models": [{"model": name} for name in names]})])


async def test_a_request_goes_to_the_address_alone_with_nothing_of_the_environment(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the user has named a server, the package's own variables name another, and give it a
    key.
    """
    monkeypatch.setenv("OLLAMA_HOST", "http://elsewhere.example")
    monkeypatch.setenv("OLLAMA_API_KEY", "the-users-key")
    wire.answers = [models("qwen3:8b")]
    assert await models_at(server_at("https://me:secret@gpu.lan/behind?api_key=top")) == {
        "qwen3:8b"
    }
    (request,) = wire.requests
    assert str(request.url) == "https://me:secret@gpu.lan/behind/api/tags?api_key=top"
    sent = {
        name: value
        for name, value in request.headers.items()
        if name not in ("host", "accept", "connection")
    }
    assert sent.pop("authorization").startswith("Basic ")
    assert sent.pop("user-agent").startswith("python-httpx/")
    assert sent == {"accept-encoding": "identity"}


@pytest.mark.parametrize("sign", "\x85\u2028\u2029\u200b🍵\n\x0c")
def test_a_reply_may_have_any_sign(wire: Wire, sign: str) -> None:
    """Also those at which a line could be broken that is none of the protocol's."""
    text = f"one{sign}two{sign}{sign}three"
    wire.always = Sent(
        [orjson.dumps(part) + b"\n" for part in OLLAMA.parts(text)],
        kind="application/x-ndjson; charset=utf-16",
    )
    completion = simulate(outcome(OLLAMA.model()))
    assert isinstance(completion, Completion)
    assert completion.text == text


@pytest.mark.parametrize(
    ("name", "odd"),
    [
        ("done", "yes"),
        ("done", 1),
        ("eval_count", "10"),
        ("eval_count", True),
        ("prompt_eval_duration", "5"),
    ],
)
def test_no_value_is_taken_for_one_of_another_type(wire: Wire, name: str, odd: Any) -> None:
    """The package alone would convert them."""
    *pieces, end = OLLAMA.parts("hello")
    wire.always = OLLAMA.sent(*pieces, end | {name: odd})
    failure = simulate(outcome(OLLAMA.model()))
    assert isinstance(failure, ModelUnavailable)
    assert "sent unexpected JSON" in str(failure)


def test_what_is_not_read_may_be_odd_or_missing(wire: Wire) -> None:
    """The package alone would refuse it."""
    piece, _, end = OLLAMA.parts("hello")
    del end["message"], piece["message"]["role"]
    wire.always = OLLAMA.sent(
        piece | {"created_at": 5, "logprobs": "none"},
        end | {"model": [], "total_duration": 0.5, "eval_count": None},
    )
    reply = Completion("he", 100, 0, 0, 20.0, 250.0)
    assert simulate(outcome(OLLAMA.model())) == reply.with_trials([reply] * 4)


@pytest.mark.parametrize(
    "body", [b"{}", b'{"models": null}', b'{"models": [], "more": {"size": ""}}']
)
async def test_a_server_without_models_may_leave_them_out(wire: Wire, body: bytes) -> None:
    wire.answers = [Sent([body])]
    assert await models_at(OllamaClient("http://127.0.0.1:11434")) == frozenset()


@pytest.mark.parametrize("status", [101, 204, 226])
async def test_any_status_but_those_of_errors_is_a_response(wire: Wire, status: int) -> None:
    wire.answers = [Sent(models("m").parts, status)]
    assert await models_at(OllamaClient("http://127.0.0.1:11434")) == {"m"}


@pytest.mark.parametrize(
    "vectors", [[["0.5", "1"]], [[True, False]], [["a"]], [5], "many", [[None]], [[[1]]], [], None]
)
def test_vectors_are_of_numbers(wire: Wire, vectors: Any) -> None:
    wire.always = Sent([orjson.dumps({"model": "m", "embeddings": vectors})])
    with pytest.raises(ModelUnavailable, match=r"no vectors|sent unexpected JSON"):
        ollama_embedder("m", Settings(), "en")


@pytest.mark.parametrize(
    "body",
    [
        b'{"models": 5}',
        b'{"models": [{"model": 5}]}',
        b"5",
        b'{"models": ' + b"[" * 900 + b"]" * 900 + b"}",
    ],
)
async def test_a_list_of_another_shape_is_told(wire: Wire, body: bytes) -> None:
    wire.answers = [Sent([body])]
    with pytest.raises(BadResponse, match=r"sent (unexpected )?JSON"):
        await models_at(OllamaClient("http://127.0.0.1:11434"))


@pytest.mark.parametrize(
    ("sent", "error", "said"),
    [
        (
            Sent([b""], 307, headers={"location": "http://elsewhere.example/"}),
            Redirected,
            "elsewhere",
        ),
        (Sent([b"\x1f\x8b"], headers={"content-encoding": "gzip"}), BadResponse, "compressed"),
        (Sent([b"{", CUT]), BadResponse, "closed the connection"),
        (Sent(Endless(b" " * (1 << 20))), BadResponse, f"more than {LARGEST_RESPONSE >> 20} MB"),
        (
            Sent([b'{"error": "\x1b no secret today"}'], 500),
            ErrorResponse,
            r"500: .*no \*\*\* today",
        ),
        (Sent([b'{"error": "no secret today"}']), ErrorResponse, r"200: no \*\*\* today"),
        (Sent([b'{"error": [5]}']), ErrorResponse, "200: "),
    ],
    ids=["redirect", "compressed", "cut", "endless", "refused", "refused within", "refused oddly"],
)
async def test_what_connections_guarantee_holds(
    wire: Wire, sent: Sent, error: type[Exception], said: str
) -> None:
    wire.always = sent
    with pytest.raises(error, match=said):
        await models_at(server_at("http://me:secret@127.0.0.1:11434"))
    assert len(wire.requests) <= 2, "sent again at most once, on a fresh connection"


async def test_a_client_goes_on_after_it_was_closed(wire: Wire) -> None:
    wire.always = models("m")
    server = server_at("http://127.0.0.1:11434")
    for _ in range(2):
        assert await models_at(server) == {"m"}
        await server.close()
