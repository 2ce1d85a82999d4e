"""A server that speaks the API of Ollama, and a place where there is none."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from hometown import backends
from tests.support.fake_ollama import FakeOllama
from tests.support.hang import HANG


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOllama]:
    """One that is found, however long it takes to answer."""
    monkeypatch.setattr(backends, "ANSWER_SECONDS", HANG)
    with FakeOllama() as server:
        yield server
        assert server.faults == []


@pytest.fixture
def nobody() -> str:
    """An address where nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"
