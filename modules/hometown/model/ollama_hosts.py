"""Ollama's servers: their addresses and their models."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Literal

from hometown.errors import BadInput, ModelUnavailable
from hometown.model.address import is_http, redacted
from hometown.model.connection import ErrorResponse, translate_failures
from hometown.settings import Settings
from hometown.text import Phrase

if TYPE_CHECKING:
    from hometown.model.ollama_client import OllamaClient

LOCAL = "http://127.0.0.1:11434"
"""The address on which Ollama listens by default."""

HINT = Phrase("start Ollama with: ollama serve")

_API = re.compile(
    r"\A([^?#]*?)/(?:v1|api)(?:/(?:chat|generate|tags|completions|models|embed|embeddings|version))*/*(?=[?#]|\Z)"
)

_EVERYWHERE = re.compile(r"((?:^|//)(?:[^/]*@)?)(?:0\.0\.0\.0|\[::\])(?=[:/?#]|\Z)")

_ADDRESS = re.compile(r"(https?://)?([^\s/@]+@)?([\w.-]*|\[[0-9a-fA-F:]+\])(:\d{1,5})?([/?]\S*)?")


def hosts(settings: Settings) -> list[str]:
    """Return the addresses of Ollama's servers, without the path of an API: from the settings, else
    from the environment, else the local one. Raises BadInput for an invalid one.
    """
    named = given_hosts(settings)
    for host in named:
        if not _ADDRESS.fullmatch(host) or not is_http(complete_address(host)):
            where = "machine.ollama_hosts" if settings.machine.ollama_hosts else "OLLAMA_HOST"
            raise BadInput(
                "{where} has {host!r}, which is not a server address; it should look like {local}",
                where=where,
                host=redacted(host),
                local=LOCAL,
            )
    return [name_one_address(remove_api_path(host)) for host in named]


def given_hosts(settings: Settings) -> list[str]:
    """Return the addresses of Ollama's servers as the user wrote them: those of the settings, else
    that of `OLLAMA_HOST`, else the usual one of this machine.
    """
    return settings.machine.ollama_hosts or [os.environ.get("OLLAMA_HOST") or LOCAL]


def remove_api_path(host: str) -> str:
    """Return an address of Ollama without the path of an API, which clients of OpenAI's protocol
    need and Ollama's own do not.

    >>> remove_api_path("http://here:11434/v1/chat/completions"), remove_api_path("https://here/ollama/api/"), remove_api_path("https://here/ollama")
    ('http://here:11434', 'https://here/ollama', 'https://here/ollama')
    """
    return _API.sub(r"\1", host)


def name_one_address(host: str) -> str:
    """Return the address on which a server of this machine is asked that listens on all of them;
    any other address unchanged.

    >>> name_one_address("http://0.0.0.0:11434"), name_one_address("[::]"), name_one_address("10.0.0.0")
    ('http://127.0.0.1:11434', '127.0.0.1', '10.0.0.0')
    """
    return _EVERYWHERE.sub(r"\g<1>127.0.0.1", host)


def complete_address(host: str) -> str:
    """Return an address with the parts that Ollama lets its users leave out: the scheme, the name
    of this machine, and, without a scheme, the port.

    >>> complete_address("10.0.0.2"), complete_address(":8080"), complete_address("https://me:secret@gpu.lan/ollama")
    ('http://10.0.0.2:11434', 'http://127.0.0.1:8080', 'https://me:secret@gpu.lan/ollama')
    """
    scheme, _, rest = host.rpartition("://")
    place, slash, path = rest.partition("/")
    user, at, name = place.rpartition("@")
    bare, _, port = name.rpartition(":") if re.search(r":\d*$", name) else (name, "", "")
    port = port or ("" if scheme else "11434")
    return f"{scheme or 'http'}://{user}{at}{bare or '127.0.0.1'}{':' if port else ''}{port}{slash}{path}"


def server_at(host: str) -> OllamaClient:
    """Return a client for the server at one of the `hosts`."""
    # Only now, since importing Ollama's package takes long.
    from hometown.model.ollama_client import (
        OllamaClient,
    )

    return OllamaClient(complete_address(host))


@asynccontextmanager
async def translate_host_failures(host: str, name: str) -> AsyncIterator[None]:
    """Turn failures of a server into ModelBusy and ModelUnavailable; refusals pass through."""
    async with translate_failures(name, redacted(host), HINT):
        yield


async def models_at(server: OllamaClient) -> frozenset[str]:
    """Return the names of a server's models. Raises the errors of connections."""
    with server.as_published():
        return frozenset(entry.model or "" for entry in (await server.api.list()).models)


async def installed_models(host: str, seconds: float) -> frozenset[str] | None:
    """Return the names of a server's models, or None if it does not respond within `seconds`."""
    server = server_at(host)
    try:
        async with asyncio.timeout(seconds), translate_host_failures(host, "ollama"):
            return await models_at(server)
    except (ModelUnavailable, ErrorResponse, TimeoutError):
        return None
    finally:
        await server.close()


async def availability(
    model: str, settings: Settings, seconds: float
) -> Literal["ready", "missing", "unreachable"]:
    """Return "ready" if any server has the model, "missing" if only others respond, "unreachable"
    if none does. All servers are asked at once, for at most `seconds`.
    """
    answers = await asyncio.gather(*(installed_models(host, seconds) for host in hosts(settings)))
    reached = [models for models in answers if models is not None]
    if not reached:
        return "unreachable"
    return "ready" if any(has_model(models, model) for models in reached) else "missing"


async def refuse_if_missing(model: str, settings: Settings, seconds: float) -> None:
    """Raise BadInput with a line for each server that responds within `seconds` and lacks the
    model. Servers that do not respond may have it.
    """
    servers = hosts(settings)
    answers = await asyncio.gather(*(installed_models(host, seconds) for host in servers))
    faults = [
        missing_model(model, host)
        for host, models in zip(servers, answers, strict=True)
        if models is not None and not has_model(models, model)
    ]
    if faults:
        raise BadInput(faults)


def missing_model(model: str, host: str) -> Phrase:
    """Return the message that a server lacks a model, with the command that installs it."""
    return Phrase(
        "ollama:{model}: the server at {host} has no such model; get it with: {command}",
        model=model,
        host=redacted(host),
        command=pull_command(model, host),
    )


def has_model(models: frozenset[str], model: str) -> bool:
    """Return True if a model is installed; a name without a tag means the latest version.

    >>> has_model(frozenset({"mistral:latest"}), "mistral"), has_model(frozenset({"qwen3:8b"}), "qwen3")
    (True, False)
    """
    return model in models or f"{model}:latest" in models


def pull_command(model: str, host: str = LOCAL) -> str:
    """Return the command that installs a model on a server.

    >>> pull_command("qwen3:8b"), pull_command("qwen3:8b", "http://10.0.0.2:11434")
    ('ollama pull qwen3:8b', 'OLLAMA_HOST=http://10.0.0.2:11434 ollama pull qwen3:8b')
    """
    return (
        f"ollama pull {model}"
        if host == LOCAL
        else f"OLLAMA_HOST={redacted(host)} ollama pull {model}"
    )
