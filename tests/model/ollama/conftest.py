"""A server that speaks the API of Ollama, and a place where there is none."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from tests.support.fake_ollama import FakeOllama


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    with FakeOllama() as server:
        yield server
        assert server.faults == []


@pytest.fixture
def nobody() -> str:
    """An address where nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"
