"""The address of a server's API, for users who gave that of the server or of one endpoint."""

from __future__ import annotations

import asyncio
import re
from typing import Any
from urllib.parse import urlsplit

from hometown.model.connection import Connection, ErrorResponse, Redirected, Unreachable
from hometown.model.envelope import BadResponse
from hometown.model.failure_causes import Cause, cause_of
from hometown.model.server_context import models_of
from hometown.text import Phrase

SECONDS = 5.0
"""Seconds to wait for each address that is tried."""

_VERSION = re.compile(r"/v\d+\Z")


def other_addresses(address: str) -> list[str]:
    """Return the other addresses that the API of a server may have, the likeliest first.

    >>> other_addresses("http://here:1234"), other_addresses("https://me@here/llm/v1?key=1")
    (['http://here:1234/v1', 'http://here:1234/api/v1'], ['https://me@here/llm?key=1'])
    """
    parts = urlsplit(address)
    path = parts.path.rstrip("/")
    paths = [_VERSION.sub("", path)] if _VERSION.search(path) else [f"{path}/v1", f"{path}/api/v1"]
    return [parts._replace(path=each).geturl() for each in paths]


async def find_api(server: Connection) -> str | None:
    """Return the address at which a server lists its models by OpenAI's protocol, which may be the
    given one, or None if it does so nowhere.
    """
    for address in (server.address, *other_addresses(server.address)):
        if await _lists_models(server.copy_at(address)):
            return address
    return None


async def find_models(server: Connection) -> list[dict[str, Any]]:
    """Return the models that a server lists at the address of its API, to which the connection
    moves. Raises the errors of connections.
    """
    try:
        return await models_of(server)
    except ErrorResponse as refused:
        found = await find_api(server) if cause_of(refused) is Cause.ENDPOINT else None
        if found is None:
            raise
    server.move(found)
    return await models_of(server)


async def _lists_models(server: Connection) -> bool:
    """Return True if a server lists its models within `SECONDS`; then close the connection."""
    try:
        async with asyncio.timeout(SECONDS):
            return isinstance((await server.json("GET", "models")).get("data"), list)
    except (ErrorResponse, Redirected, Unreachable, BadResponse, TimeoutError):
        return False
    finally:
        await server.close()


def describe_move(given: str, found: str) -> Phrase:
    """Return the line that says which address is used in place of the given one."""
    return Phrase(
        "the API is not at {given} but at {found}, which is used: set OPENAI_BASE_URL or machine.openai_base_url to it",
        given=given,
        found=found,
    )
