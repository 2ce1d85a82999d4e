"""Makes Ollama download a model, with progress."""

from __future__ import annotations

from collections.abc import Callable

from hometown.errors import ModelUnavailable
from hometown.model.connection import ErrorResponse
from hometown.model.ollama_hosts import server_at, translate_host_failures

Progress = Callable[[int, int], None]
"""Called with the bytes downloaded so far of the part in progress, and with its size in bytes."""


async def pull(model: str, host: str, progress: Progress) -> None:
    """Wait until the server at `host` has the model. Raises ModelUnavailable with the server's
    message; a repeated pull continues.
    """
    server, status = server_at(host), ""
    try:
        async with (
            translate_host_failures(host, f"ollama:{model}"),
            server.parts(server.api.pull(model, stream=True)) as parts,
        ):
            async for part in parts:
                status = part.status or status
                if part.completed is not None and part.total is not None:
                    progress(part.completed, part.total)
    except ErrorResponse as refused:
        status = refused.detail
    finally:
        await server.close()
    if status != "success":
        raise ModelUnavailable(
            "ollama:{model}: the server at {at} could not fetch it: {status}",
            model=model,
            at=server.shown,
            status=server.connection.mask(status),
        )
