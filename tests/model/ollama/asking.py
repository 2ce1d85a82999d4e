"""What the tests of Ollama ask, of whom, and by which settings."""

from __future__ import annotations

from typing import Any

from hometown.config import combine
from hometown.model.ollama import OllamaModel
from hometown.settings import Settings
from tests.support.conformance import REQUESTS
from tests.support.fake_ollama import FakeOllama

ASKED = REQUESTS["utterance", "en"]


def settings(*hosts: str, patience: float = 5.0, timeout: float = 5.0, **llm: Any) -> Settings:
    return combine([{"machine": {"ollama_hosts": list(hosts), "timeout_seconds": timeout}, "llm": {"give_up_after": patience, **llm}}])


def model_at(*fakes: FakeOllama, **more: Any) -> OllamaModel:
    return OllamaModel("qwen3:8b", settings(*(fake.host for fake in fakes), **more))
