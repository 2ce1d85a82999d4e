"""The context of a model as its server has loaded it, which may be smaller than the settings ask
for: servers then cut prompts in silence.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from hometown.errors import BadInput
from hometown.model.connection import Connection, ErrorResponse, Redirected, Unreachable
from hometown.model.envelope import BadResponse, count, member, message_in, require_type
from hometown.own_commands import list_command
from hometown.text import Phrase

if TYPE_CHECKING:
    from hometown.model.ollama_client import OllamaClient

SMALLEST_CONTEXT = 4096
"""Tokens of context with which residents can live: prompts have 800 to 5,000, and are shortened."""

SECONDS = 3.0
"""Seconds to wait for what a server says about itself."""

LONGER_START = Phrase(
    "start the server with a longer context (vLLM: --max-model-len, llama.cpp: --ctx-size, LM Studio: the model's settings), or take another model"
)
"""The way to a longer context on servers that tell with which one they have loaded a model."""

REFUSALS = (ErrorResponse, Redirected, Unreachable, BadResponse)

NO_ANSWER = (*REFUSALS, TimeoutError)
"""Errors of servers that do not tell."""


def longer_model() -> Phrase:
    """Return the way to a longer context on Ollama, which tells the longest that a model allows."""
    return Phrase(
        "take a model with a longer context; {command} names some", command=list_command()
    )


async def ollama_context(server: OllamaClient, model: str) -> int:
    """Return the longest context of a model of Ollama, in tokens; 0 if it does not say. Raises the
    errors of connections.
    """
    with server.as_published():
        info = dict((await server.api.show(model)).modelinfo or {})
    return next((count(info, name) for name in info if name.endswith(".context_length")), 0)


async def openai_context(server: Connection, model: str) -> int:
    """Return the context of a model on a server of OpenAI's protocol, in tokens; 0 if it does not
    say. Raises the errors of connections.

    The protocol has no field for it: vLLM adds one to its list of models, llama.cpp and LM Studio
    have endpoints of their own.
    """
    listed = next(
        (each for each in await models_of(server) if each.get("id") == model), dict[str, Any]()
    )
    if context := count(listed, "max_model_len"):
        return context
    async with _root_of(server) as root:
        with suppress(*NO_ANSWER):  # llama.cpp
            props = await root.json("GET", "props")
            if context := count(member(props, "default_generation_settings", dict, {}), "n_ctx"):
                return context
        with suppress(*NO_ANSWER):  # LM Studio
            for each in member(await root.json("GET", "api/v0/models"), "data", list, []):
                entry = require_type(each, "data", dict)
                if entry.get("id") == model:
                    return count(entry, "loaded_context_length")
    return 0


async def openai_version(server: Connection) -> str:
    """Return the version of a server of OpenAI's protocol, or "" if it does not tell it within
    `SECONDS`. The protocol has none: vLLM and llama.cpp have endpoints of their own.
    """
    with suppress(TimeoutError):
        async with _root_of(server) as root, asyncio.timeout(SECONDS):
            for path, field in (("version", "version"), ("props", "build_info")):
                with suppress(*REFUSALS):
                    if version := member(await root.json("GET", path), field, str, ""):
                        return version
    return ""


@asynccontextmanager
async def _root_of(server: Connection) -> AsyncIterator[Connection]:
    """Enter a connection to a server's address without the path of its API."""
    root = server.copy_at(re.sub(r"/v1(?=/*(?:[?#]|$))", "", server.address))
    try:
        yield root
    finally:
        await root.close()


async def models_of(server: Connection) -> list[dict[str, Any]]:
    """Return the models that a server of OpenAI's protocol lists. Raises the errors of connections,
    ErrorResponse if there is no such list.
    """
    answer = await server.json("GET", "models")
    if "data" not in answer:
        raise ErrorResponse(200, message_in(answer) or "unexpected endpoint")
    return [require_type(each, "data", dict) for each in member(answer, "data", list, [])]


async def known_context(context: Awaitable[int]) -> int:
    """Return the context that a server tells within `SECONDS`, or 0."""
    try:
        async with asyncio.timeout(SECONDS):
            return await context
    except NO_ANSWER:
        return 0


async def known_version(server: OllamaClient) -> str:
    """Return the version of an Ollama server, or "" if it does not tell it within `SECONDS`."""
    try:
        async with asyncio.timeout(SECONDS):
            answer = await server.connection.json("GET", "api/version")
        return member(answer, "version", str, "")
    except NO_ANSWER:
        return ""


def choose_context(name: str, has: int, wanted: int, remedy: Phrase) -> tuple[int, Phrase | None]:
    """Return the tokens of context that prompts may fill, and a line for the user, None if that is
    the wanted context. Raises BadInput if it is too small for residents.

    Args:
        has: Tokens of the model's context as its server has loaded it, 0 if unknown.
        wanted: The setting `llm.num_ctx`.
        remedy: The way to a longer context on this kind of server.
    """
    if not has or has >= wanted:
        return wanted, None
    if has < SMALLEST_CONTEXT:
        raise BadInput(
            "{name}: the context of this model holds {has} tokens, and a town needs at least {least}: {remedy}",
            name=name,
            has=has,
            least=SMALLEST_CONTEXT,
            remedy=remedy,
        )
    return has, Phrase(
        "{name}: the context of this model holds {has} tokens, and llm.num_ctx asks for {wanted}: prompts are shortened to fit;"
        " to be rid of this line, set llm.num_ctx to {has}; for longer prompts, {remedy}",
        name=name,
        has=has,
        wanted=wanted,
        remedy=remedy,
    )
