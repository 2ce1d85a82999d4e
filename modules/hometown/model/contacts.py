"""The servers that a run speaks to, known before the first request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hometown.frozen import frozen
from hometown.model.address import addresses, redacted
from hometown.model.ollama_hosts import complete_address, hosts
from hometown.model.permission import BUILT_IN, SERVED
from hometown.settings import Settings

IN_PROCESS = ("gguf", "huggingface")
"""Backends that speak to no server but to a process of the run's own."""

RAY = "Ray"


@frozen
class Contact:
    """A server by its address, without what is secret in it, and what is asked there. Without an address: those of a plug-in, which only it knows."""

    address: str
    models: tuple[str, ...]


def contacts(llms: Iterable[str], embedding: str, settings: Settings) -> list[Contact]:
    """Return the servers of some language models and an embedding, and the Ray cluster that a run joins, in the order in which they are named.

    Raises BadInput for an invalid address of Ollama.
    """
    asked: dict[str, dict[str, None]] = {}
    for spec, servers in (*((spec, _servers(spec, settings)) for spec in llms), (embedding, _servers(embedding, settings, embedding=True))):
        for address in servers:
            asked.setdefault(address, {})[spec] = None
    machine = settings.machine
    if machine.shards and machine.ray:
        asked.setdefault(machine.ray, {})[RAY] = None
    return [Contact(address, tuple(models)) for address, models in asked.items()]


def _servers(spec: str, settings: Settings, *, embedding: bool = False) -> Iterator[str]:
    """Yield the addresses of a model, as they may be shown; an embedding is asked at the first server only."""
    backend = spec.partition(":")[0]
    if spec == "auto" and not embedding:
        backend = "ollama"
    if backend in SERVED:
        found = map(complete_address, hosts(settings)) if backend == "ollama" else iter(addresses(settings.machine))
        shown = [redacted(address) for address in found]
        yield from shown[:1] if embedding else shown
    elif spec not in BUILT_IN and backend not in IN_PROCESS:
        yield ""
