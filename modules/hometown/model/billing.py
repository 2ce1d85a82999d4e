"""Which models may bill for what they are asked."""

from __future__ import annotations

import os

from hometown.model.address import uses_proxy
from hometown.model.routing import model_names
from hometown.settings import Machine

_OWN = ("gguf", "huggingface")


def may_bill(name: str, machine: Machine) -> bool:
    """Whether any of the models in a run's name is other than on this machine or on an Ollama server.

    >>> may_bill("gguf:m.gguf with place=ollama:qwen3:8b", Machine()), may_bill("ollama:gpt-oss:120b-cloud", Machine())
    (False, True)
    >>> may_bill("openai:m", Machine(openai_base_url="http://127.0.0.1:8000/v1")), may_bill("openai:m", Machine(openai_base_url="https://gpu.example/v1"))
    (False, True)
    """
    return any(_may_bill(each, machine) for each in model_names(name))


def _may_bill(name: str, machine: Machine) -> bool:
    backend, _, model = name.partition(":")
    if backend == "ollama":
        return model.endswith("cloud")
    if backend == "openai":
        return uses_proxy(machine.openai_base_url or os.environ.get("OPENAI_BASE_URL", ""))
    return backend not in _OWN
