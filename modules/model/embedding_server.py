"""Embeddings that a server makes: Ollama's, and those of OpenAI-compatible ones."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from modules.errors import BadInput, ModelBusy, ModelUnavailable
from modules.model.address import through_proxy
from modules.model.ollama import CONNECT_SECONDS, hosts, shown
from modules.model.openai_server import OPENAI, access, server_address, unavailable
from modules.model.patience import Patience, say
from modules.settings import Settings
from modules.world.world import Lang

OLLAMA = "ollama:"

BATCH = 64
"""Texts of one request; servers limit them."""

Ask = Callable[[list[str]], Sequence[Sequence[float]]]
"""The raw vectors of a batch of texts, in their order. Raises ModelUnavailable, ModelBusy where it may pass."""


class ServedEmbedder:
    """An embedding behind a server. Its dimension is found by embedding one word, so the server must be there.

    One that is away later is waited for, which the user is told of in `lang`.

    A server may compute a batch a little differently from a single text; a run keeps each vector as it first came.
    """

    def __init__(self, name: str, ask: Ask, settings: Settings, lang: Lang) -> None:
        self.name = name
        self._ask, self._lang = ask, lang
        self._patience = Patience(settings, say)
        self.dimension = len(ask(["dimension"])[0])

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, float32[len(texts), dimension]. Raises ModelUnavailable."""
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for at in range(0, len(texts), BATCH):
            batch = [text or " " for text in texts[at : at + BATCH]]  # servers refuse an empty text
            vectors[at : at + BATCH] = self._units(await self._patience.ask(partial(asyncio.to_thread, self._ask, batch), self._lang), len(batch))
        return vectors

    def _units(self, raw: Sequence[Sequence[float]], count: int) -> NDArray[np.float32]:
        if [len(vector) for vector in raw] != [self.dimension] * count:
            raise ModelUnavailable(
                "embedding {name} gave {given} vectors for {count} texts, or not all of {dimension} numbers",
                name=self.name, given=len(raw), count=count, dimension=self.dimension,
            )  # fmt: skip
        vectors = np.asarray(raw, np.float64)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.all(np.isfinite(lengths) & (lengths > 0)):
            raise ModelUnavailable("embedding {name} gave a vector without a direction; use another --embedding", name=self.name)
        units: NDArray[np.float32] = (vectors / lengths).astype(np.float32)
        return units


def openai_embedder(model: str, settings: Settings, lang: Lang) -> ServedEmbedder:
    """`openai:MODEL`. Raises BadInput where no server is named, ModelUnavailable where it cannot answer."""
    address = server_address(settings)
    from openai import APIError, DefaultHttpxClient, OpenAI

    name = OPENAI + model
    client = OpenAI(http_client=DefaultHttpxClient(trust_env=through_proxy(address)), **access(address, settings.machine.timeout_seconds))

    def ask(texts: list[str]) -> Sequence[Sequence[float]]:
        try:
            vectors = client.embeddings.create(model=model, input=texts, encoding_format="float").data
            return [one.embedding for one in sorted(vectors, key=lambda one: one.index)]
        except APIError as error:
            raise unavailable(name, address, error) from None
        except (ValueError, AttributeError, TypeError):  # an answer that is not JSON, or is but holds no vectors
            raise ModelUnavailable("{name}: the server at {address} gave no vectors; does it serve an embedding?", name=name, address=shown(address)) from None

    return ServedEmbedder(name, ask, settings, lang)


def ollama_embedder(model: str, settings: Settings, lang: Lang) -> ServedEmbedder:
    """`ollama:MODEL`, of the first of Ollama's hosts. Raises BadInput, ModelUnavailable where it cannot answer."""
    try:
        import httpx
        from ollama import Client, ResponseError
    except ImportError as error:
        raise BadInput("ollama: needs the package ollama: pip install -r requirements-core.txt") from error
    name, host = OLLAMA + model, hosts(settings)[0]  # one, since two may differ in the last digits
    seconds = settings.machine.timeout_seconds
    client = Client(host, timeout=httpx.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)), trust_env=through_proxy(host))

    def ask(texts: list[str]) -> Sequence[Sequence[float]]:
        try:
            return client.embed(model, texts, keep_alive=settings.llm.keep_alive).embeddings
        except ResponseError as error:
            if error.status_code == 404:
                raise ModelUnavailable("{name}: Ollama at {host} has no such model; ollama pull {model}", name=name, host=shown(host), model=model) from error
            failure = ModelBusy if error.status_code >= 500 or error.status_code == 429 else ModelUnavailable
            raise failure(
                "{name}: Ollama at {host} gives no vectors ({status}: {detail})",
                name=name, host=shown(host), status=error.status_code, detail=error.error[:200],
            ) from error  # fmt: skip
        except httpx.TimeoutException as error:
            raise ModelBusy("{name}: no answer from {host} in time (machine.timeout_seconds)", name=name, host=shown(host)) from error
        except (ConnectionError, httpx.HTTPError, ValueError) as error:
            raise ModelBusy("{name}: no connection to Ollama at {host}; start it with: ollama serve", name=name, host=shown(host)) from error

    return ServedEmbedder(name, ask, settings, lang)
