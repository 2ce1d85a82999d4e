"""Detects models on the user's own servers, where filling idle slots costs nothing."""

from __future__ import annotations

from hometown.model.address import addresses, uses_proxy
from hometown.model.routing import model_names
from hometown.settings import Machine


def on_own_server(name: str, machine: Machine) -> bool:
    """Return True if all models in a run's name are on an Ollama server, or on an OpenAI-compatible
    one on this machine.

    Others may bill, or share this machine's processors, so that each call slows down all others.

    >>> on_own_server("ollama:a with place=ollama:b", Machine()), on_own_server("ollama:gpt-oss:120b-cloud", Machine())
    (True, False)
    >>> local, remote = Machine(openai_base_url="http://127.0.0.1:8000/v1"), Machine(openai_base_url="https://gpu.example/v1")
    >>> on_own_server("openai:m", local), on_own_server("openai:m", remote), on_own_server("gguf:m.gguf", local)
    (True, False, False)
    """
    return all(_on_own_server(each, machine) for each in model_names(name))


def _on_own_server(name: str, machine: Machine) -> bool:
    """Return True if one model is on such a server; one of Ollama's cloud is not."""
    backend, _, model = name.partition(":")
    if backend == "ollama":
        return not model.endswith("cloud")
    return backend == "openai" and not any(map(uses_proxy, addresses(machine)))
