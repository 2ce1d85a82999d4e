"""Embeddings computed by a server: Ollama or an OpenAI-compatible one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hometown.errors import ModelUnavailable
from hometown.language import Lang
from hometown.model import ollama_hosts, openai_server
from hometown.model.connection import Connection, ErrorResponse, busy_error, translate_failures
from hometown.model.envelope import BadResponse, number, require_type
from hometown.model.retrying import RetryPolicy, notify_user
from hometown.model.watchdog import StallWatchdog
from hometown.settings import Settings
from hometown.text import Phrase
from hometown.worker import Worker

OLLAMA = "ollama:"

BATCH = 64
"""Texts in one request; servers limit their number."""

Embed = Callable[[list[str]], Awaitable[list[Any]]]
"""Returns the raw vectors of a batch of texts, in their order. Raises ErrorResponse, StallTimeout, and
the errors of connections.
"""


class ServedEmbedder:
    """An embedding behind a server. One word is embedded to learn its dimension, so the server must
    be reachable.

    A server that becomes unavailable later is waited for; waits are reported in `lang`. A server
    may compute a batch slightly differently from a single text, so a run keeps each vector as first
    computed.
    """

    def __init__(
        self, name: str, embed: Embed, server: Connection, settings: Settings, lang: Lang
    ) -> None:
        self.name = name
        self._embed, self._server, self._lang = embed, server, lang
        self._policy = RetryPolicy(settings, notify_user)
        self._watchdog = StallWatchdog(settings.machine.timeout_seconds, 0)
        with Worker() as worker:
            self.dimension = worker.run(self._measure_dimension())

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, float32[len(texts), dimension], requested in batches of `BATCH`.
        Raises ModelUnavailable.
        """
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for at in range(0, len(texts), BATCH):
            batch = [text or " " for text in texts[at : at + BATCH]]  # servers refuse an empty text
            vectors[at : at + BATCH] = await self._policy.ask(
                partial(self._unit_vectors, batch), self._lang
            )
        return vectors

    async def _measure_dimension(self) -> int:
        """Return the dimension of the server's vectors."""
        try:
            return int((await self._request_vectors(["dimension"])).shape[1])
        finally:
            await self._server.close()

    async def _unit_vectors(self, texts: list[str]) -> NDArray[np.float32]:
        """Return the server's vectors, scaled to unit length. Raises ModelUnavailable, also for
        vectors of another number or dimension, and for one that is zero or not finite.
        """
        vectors = await self._request_vectors(texts)
        if vectors.shape != (len(texts), self.dimension):
            raise ModelUnavailable(
                "embedding {name} returned {given} vectors for {count} texts, or not all of {dimension} numbers",
                name=self.name,
                given=len(vectors),
                count=len(texts),
                dimension=self.dimension,
            )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.all(np.isfinite(lengths) & (lengths > 0)):
            raise ModelUnavailable(
                "embedding {name} returned a vector that is zero or not finite; use another --embedding",
                name=self.name,
            )
        units: NDArray[np.float32] = (vectors / lengths).astype(np.float32)
        return units

    async def _request_vectors(self, texts: list[str]) -> NDArray[np.float64]:
        """Return the server's vectors, float64[texts, dimension]. Raises ModelUnavailable, or
        ModelBusy if trying again may help.
        """
        at = self._server.shown
        hint = ollama_hosts.HINT if self.name.startswith(OLLAMA) else openai_server.HINT
        try:
            async with translate_failures(self.name, at, hint), self._watchdog.watched():
                return matrix(await self._embed(texts))
        except ErrorResponse as refused:
            if self.name.startswith(OLLAMA):
                raise ollama_failure(self.name, at, refused) from refused
            raise openai_server.openai_unavailable(self.name, at, refused, "embedding") from refused


def openai_embedder(model: str, settings: Settings, lang: Lang) -> ServedEmbedder:
    """Return the embedding `openai:MODEL`. Raises BadInput if no server is named, ModelUnavailable
    if it cannot answer.
    """
    server = openai_server.connection(settings)
    return ServedEmbedder(
        openai_server.OPENAI + model, partial(openai_vectors, server, model), server, settings, lang
    )


async def openai_vectors(server: Connection, model: str, texts: list[str]) -> list[Any]:
    """Return the raw vectors of texts by OpenAI's protocol. Raises ErrorResponse, and the errors of
    connections.
    """
    answer = await server.json(
        "POST", "embeddings", {"model": model, "input": texts, "encoding_format": "float"}
    )
    items = [
        require_type(item, "data", dict) for item in require_type(answer.get("data"), "data", list)
    ]
    return [item.get("embedding") for item in sorted(items, key=lambda item: number(item, "index"))]


def ollama_embedder(model: str, settings: Settings, lang: Lang) -> ServedEmbedder:
    """Return the embedding `ollama:MODEL` on the first of Ollama's hosts. Raises BadInput, and
    ModelUnavailable if it cannot answer.
    """
    # Only the first, since two servers may differ in the last digits.
    server = ollama_hosts.server_at(ollama_hosts.hosts(settings)[0])

    async def embed(texts: list[str]) -> list[Any]:
        with server.as_published():
            return list(
                (
                    await server.api.embed(model, texts, keep_alive=settings.llm.keep_alive)
                ).embeddings
            )

    return ServedEmbedder(OLLAMA + model, embed, server.connection, settings, lang)


def matrix(vectors: list[Any]) -> NDArray[np.float64]:
    """Convert vectors from JSON to float64[texts, dimension]. Raises BadResponse unless they are
    numbers, equally many in each row.
    """
    try:
        made = np.array(vectors)
    except ValueError:  # of different lengths
        made = np.empty(0)
    if made.ndim != 2 or not made.size or made.dtype.kind not in "if":
        raise BadResponse(Phrase("returned no vectors; does it serve an embedding model?"))
    return made.astype(np.float64)


def ollama_failure(name: str, at: str, refused: ErrorResponse) -> ModelUnavailable:
    """Return the error for a refusal by Ollama: ModelBusy if trying again may help."""
    if refused.status == 404:
        return ModelUnavailable(
            "{name}: Ollama at {at} has no such model; get it with: ollama pull {model}",
            name=name,
            at=at,
            model=name.removeprefix(OLLAMA),
        )
    return busy_error(name, at, refused) or ModelUnavailable(
        "{name}: Ollama at {at} returned no vectors ({status}: {detail})",
        name=name,
        at=at,
        status=refused.status,
        detail=refused.detail,
    )
