"""What the tests of Ollama ask, of whom, and by which settings."""

from __future__ import annotations

from typing import Any

from hometown.config import combine
from hometown.model.ollama import OllamaModel
from hometown.settings import Settings
from tests.support.conformance import REQUESTS
from tests.support.fake_ollama import FakeOllama

ASKED = REQUESTS["utterance", "en"]


def settings(*hosts: str, **llm: Any) -> Settings:
    return combine([{"machine": {"ollama_hosts": list(hosts)}, "llm": llm}])


def model_at(*fakes: FakeOllama, **llm: Any) -> OllamaModel:
    return OllamaModel("qwen3:8b", settings(*(fake.host for fake in fakes), **llm))
