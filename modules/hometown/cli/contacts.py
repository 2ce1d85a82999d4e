"""Names the servers that a command will contact, before the first request."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from hometown.backends import backend_names
from hometown.cli.texts import Text
from hometown.frozen import frozen
from hometown.model.address import addresses, given_addresses, redacted
from hometown.model.embedding import AUTO
from hometown.model.ollama_hosts import (
    complete_address,
    given_hosts,
    hosts,
    name_one_address,
)
from hometown.model.permission import names_of_run
from hometown.session import current_settings
from hometown.settings import Settings
from hometown.storage.manifest import Manifest

IN_PROCESS = ("gguf", "huggingface")
"""Backends that speak to no server but to a process of the run's own."""

RAY = "Ray"


@frozen
class Contact:
    """A server by its address without secrets, and the models that are asked there; "" for servers of
    a plug-in, which only it knows.
    """

    address: str
    models: tuple[str, ...]
    given: str = ""
    """The address as the user wrote it, where it was corrected."""


def contacts(
    llms: Iterable[str], embedding: str, settings: Settings, *, has_tasks: bool = False
) -> list[Contact]:
    """Return the servers of some language models and an embedding, and the Ray cluster that a run
    joins, or, with `has_tasks`, to which tasks are sent, in the order in which they are named.

    Raises BadInput for an invalid address of Ollama.
    """
    asked: dict[str, dict[str, None]] = {}
    corrected: dict[str, str] = {}
    llms = list(llms)
    # auto looks at Ollama's models
    embedded_at = "ollama:" if embedding == AUTO and set(llms) - {"", "scripted"} else embedding
    looked_for = [f"ollama:{settings.llm.model}" if spec == "auto" else spec for spec in llms]
    for spec, servers in (
        *((spec, _servers(spec, settings)) for spec in looked_for),
        (embedding, _servers(embedded_at, settings, embedding=True)),
    ):
        for address, given in servers:
            asked.setdefault(address, {})[spec] = None
            if given != address:
                corrected[address] = given
    machine = settings.machine
    if machine.ray and (machine.shards or has_tasks):
        asked.setdefault(machine.ray, {})[RAY] = None
    return [
        Contact(address, tuple(models), corrected.get(address, ""))
        for address, models in asked.items()
    ]


def contacts_of(manifest: Manifest, now: Settings, llm: str = "") -> list[Contact]:
    """Return the servers of a run that is continued or interviewed, on `llm` or its own
    model under the user's settings.
    """
    settings = current_settings(manifest.settings, now)
    return contacts(names_of_run(llm or manifest.llm, settings), manifest.embedding, settings)


def print_servers(
    found: Sequence[Contact], text: Text, *, embedding: str = "", aside: bool = False
) -> None:
    """Print a line with all servers and their models, if there are any.

    Args:
        found: The servers.
        text: The user's language.
        embedding: The embedding of the run; "" if it is not known, or plays no part.
        aside: Whether the line goes to stderr, since stdout is for a program.
    """
    if not found:
        return
    shown = [
        text(
            "{address} ({models})" if each.address else "those of a plug-in ({models})",
            address=each.address,
            models=", ".join(each.models),
        )
        for each in found
    ]
    servers = "; ".join(shown)
    lines = [
        text(
            "servers: {servers} · embedding: {embedding}" if embedding else "servers: {servers}",
            servers=servers,
            embedding=embedding,
        )
    ]
    lines += [
        text(
            "⚠ {given} has a path too many: {address} is used",
            given=each.given,
            address=each.address,
        )
        for each in found
        if each.given
    ]
    print("\n".join(lines), file=sys.stderr if aside else sys.stdout, flush=True)


def _servers(
    spec: str, settings: Settings, *, embedding: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield the addresses of a model, as they may be shown, each with the one that the user wrote;
    an embedding is asked at the first server only.
    """
    backend = spec.partition(":")[0]
    if backend == "ollama":
        found = list(map(complete_address, hosts(settings)))
        given = [complete_address(name_one_address(host)) for host in given_hosts(settings)]
    elif backend == "openai":
        found, given = addresses(settings.machine), given_addresses(settings.machine)
    else:
        found = [""] if backend in backend_names() and backend not in IN_PROCESS else []
        given = found
    pairs = list(zip(map(redacted, found), map(redacted, given), strict=True))
    yield from pairs[:1] if embedding else pairs
