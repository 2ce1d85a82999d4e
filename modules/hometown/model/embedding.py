"""Embeddings by name: `hash` needs no model, `e5` contains one, `huggingface:PATH_OR_NAME` is a
SentenceTransformer on this machine, `ollama:MODEL` and `openai:MODEL` are on a server, `gguf:FILE`
is llama.cpp in a process of our own. Any of them can be wrapped for LlamaIndex.

A name and a dimension identify an embedding: vectors of different ones are never compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hometown.errors import BadInput
from hometown.language import Lang
from hometown.model.embedding_e5 import E5, E5Embedder
from hometown.model.embedding_huggingface import HUGGINGFACE, HuggingFaceEmbedder
from hometown.model.hashing import hash_vector
from hometown.model.llm import Embedder
from hometown.settings import Settings

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding

AUTO = "auto"


def make_embedder(spec: str, settings: Settings, lang: Lang = "en") -> Embedder:
    """Return the embedding that `--embedding` names, once its model is loaded or its server has
    told its dimension; `lang` is the language in which waits are reported.

    Raises:
        BadInput: No embedding of that name can be used here.
        ModelUnavailable: Its server cannot answer.
    """
    if spec == "hash":
        return HashEmbedder(settings.embedding.dimension)
    if spec == E5:
        return E5Embedder()
    if spec.startswith(HUGGINGFACE) and spec != HUGGINGFACE:
        return HuggingFaceEmbedder(
            spec.removeprefix(HUGGINGFACE), settings.machine.embedding_device
        )
    backend, _, model = spec.partition(":")
    if backend == "gguf" and model:
        from hometown.model.llama.gguf_embedding import gguf_embedder

        return gguf_embedder(model, settings, lang)
    if backend in ("ollama", "openai") and model:
        from hometown.model.embedding_server import ollama_embedder, openai_embedder

        return (ollama_embedder if backend == "ollama" else openai_embedder)(model, settings, lang)
    raise BadInput(
        "unknown embedding {spec!r}: it should be hash, e5, ollama:MODEL, openai:MODEL, gguf:FILE, huggingface:PATH_OR_NAME for a SentenceTransformer"
        " on this machine, or auto for a new run",
        spec=spec,
    )


class HashEmbedder:
    """Hashed words and character n-grams, for English and Chinese."""

    name = "hash"

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, float32[len(texts), dimension]."""
        return (
            np.stack([hash_vector(text, self.dimension) for text in texts])
            if texts
            else np.empty((0, self.dimension), np.float32)
        )


def llama_index_embedding(embedder: Embedder) -> BaseEmbedding:
    """Wrap an embedding for LlamaIndex: `VectorStoreIndex(...,
    embed_model=llama_index_embedding(make_embedder("hash", settings)))`.
    """
    embedding: BaseEmbedding = _embedding_class()(embedder)
    return embedding


@cache
def _embedding_class() -> Any:
    """Define the wrapper's class on first use, since importing LlamaIndex takes seconds."""
    from llama_index.core.async_utils import asyncio_run
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.bridge.pydantic import PrivateAttr

    class EmbedderEmbedding(BaseEmbedding):
        """One of this project's embeddings behind LlamaIndex's interface; vectors of unit length.
        Raises ModelUnavailable.
        """

        _embedder: Embedder = PrivateAttr()

        def __init__(self, embedder: Embedder) -> None:
            super().__init__(model_name=embedder.name)
            self._embedder = embedder

        @classmethod
        def class_name(cls) -> str:
            return "EmbedderEmbedding"

        async def _aget_text_embedding(self, text: str) -> list[float]:
            vectors: list[list[float]] = (await self._embedder.embed([text])).tolist()
            return vectors[0]

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return await self._aget_text_embedding(query)

        def _get_text_embedding(self, text: str) -> list[float]:
            vector: list[float] = asyncio_run(self._aget_text_embedding(text))
            return vector

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    return EmbedderEmbedding
