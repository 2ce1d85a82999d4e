"""The weights of a run's model, as its server names them when the run is simulated."""

from __future__ import annotations

import asyncio
from pathlib import Path

import orjson

from hometown.errors import BadInput, ModelUnavailable
from hometown.files import atomic_write
from hometown.frozen import frozen
from hometown.model.connection import ErrorResponse
from hometown.model.ollama_hosts import hosts, server_at, translate_host_failures
from hometown.model.routing import usual_name
from hometown.settings import Settings

UNKNOWN = "unknown"
"""The entry for what no server has named."""

ANSWER_SECONDS = 5.0


@frozen
class ModelWeights:
    """The `digest` of a model's weights and their `quantisation`, or "unknown"."""

    digest: str = UNKNOWN
    quantisation: str = UNKNOWN


def read_weights(folder: Path, name: str) -> ModelWeights:
    """Return the weights of a run of an experiment, as they were written; unknown ones if none
    were.
    """
    file = _file_of(folder, name)
    return ModelWeights(**orjson.loads(file.read_bytes())) if file.exists() else ModelWeights()


async def write_weights(folder: Path, name: str, model: str, settings: Settings) -> None:
    """Ask the server of a run's model for its weights and write them, unless they have been
    written.
    """
    file = _file_of(folder, name)
    if file.exists():
        return
    found = await ask_weights(model, settings)
    with atomic_write(file) as written:
        written.write(orjson.dumps({"digest": found.digest, "quantisation": found.quantisation}))


async def ask_weights(model: str, settings: Settings) -> ModelWeights:
    """Return the weights that the first server names for a model; unknown ones for a model that is
    not Ollama's, or where it names none or does not respond.
    """
    backend, _, name = usual_name(model).partition(":")
    if backend != "ollama":
        return ModelWeights()
    host = hosts(settings)[0]
    server = server_at(host)
    try:
        async with asyncio.timeout(ANSWER_SECONDS), translate_host_failures(host, backend):
            with server.as_published():
                entries = (await server.api.list()).models
    except (ModelUnavailable, ErrorResponse, BadInput, TimeoutError):
        return ModelWeights()
    finally:
        await server.close()
    entry = next((each for each in entries if each.model in (name, f"{name}:latest")), None)
    if entry is None:
        return ModelWeights()
    quantisation = entry.details.quantization_level if entry.details else None
    return ModelWeights(entry.digest or UNKNOWN, quantisation or UNKNOWN)


def _file_of(folder: Path, name: str) -> Path:
    return folder / "weights" / f"{name}.json"
