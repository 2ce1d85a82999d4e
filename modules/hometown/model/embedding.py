"""Embeddings by name: `hash` needs no model, `e5` contains one, `huggingface:PATH_OR_NAME` is a SentenceTransformer on this machine,
`ollama:MODEL` and `openai:MODEL` are on a server, `gguf:FILE` is llama.cpp in a process of our own.

A name and a dimension identify an embedding: vectors of different ones are never compared.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hometown.errors import BadInput
from hometown.language import Lang
from hometown.model.embedding_e5 import E5, E5Embedder, e5_available
from hometown.model.hashing import hash_vector
from hometown.model.llm import Embedder
from hometown.settings import Settings
from hometown.text import catalogue

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding

HUGGINGFACE = "huggingface:"
AUTO = "auto"

QUIET_AND_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TRANSFORMERS_VERBOSITY": "error",
}
"""What HuggingFace's libraries read from the environment when they are imported."""

ENGLISH_ONLY = (
    "all-minilm", "minilm-l6", "minilm-l12-v2", "all-mpnet", "all-distilroberta", "bge-small-en", "bge-base-en", "bge-large-en",
    "e5-small-v2", "e5-base-v2", "nomic-embed-text", "mxbai-embed-large",
)  # fmt: skip
"""Parts of the names of models whose vocabulary holds hardly any Chinese."""

MULTILINGUAL = ("multilingual", "v2-moe")
"""Parts of the names of those among them that do know it."""


def choose_embedder(spec: str, settings: Settings, lang: Lang = "en", *, llm: str) -> tuple[Embedder, str]:
    """The embedding of a new run on the model `llm`, and in words why `auto` took it; "" for one that was named.

    `auto` takes `e5` where it is available. Runs on the scripted model get `hash`, so that they are the same on every machine.
    Raises as `make_embedder` does.
    """
    if spec != AUTO:
        return make_embedder(spec, settings, lang), ""
    taken, why = ("hash", "scripted") if llm == "scripted" else (E5, "e5") if e5_available() else ("hash", "hash")
    return make_embedder(taken, settings, lang), catalogue(lang, "model")[f"embedding_auto_{why}"]


def make_embedder(spec: str, settings: Settings, lang: Lang = "en") -> Embedder:
    """The embedding that `--embedding` names; `lang` is the language in which waits are reported.

    Raises BadInput if there is none of that name here, ModelUnavailable if its server cannot answer.
    """
    if spec == "hash":
        return HashEmbedder(settings.embedding.dimension)
    if spec == E5:
        return E5Embedder()
    if spec.startswith(HUGGINGFACE) and spec != HUGGINGFACE:
        return HuggingFaceEmbedder(spec.removeprefix(HUGGINGFACE))
    backend, _, model = spec.partition(":")
    if backend == "gguf" and model:
        from hometown.model.llama.embedding import gguf_embedder

        return gguf_embedder(model, settings, lang)
    if backend in ("ollama", "openai") and model:
        from hometown.model.embedding_server import ollama_embedder, openai_embedder

        return (ollama_embedder if backend == "ollama" else openai_embedder)(model, settings, lang)
    raise BadInput(
        "unknown embedding {spec!r}: it should be hash, e5, ollama:MODEL, openai:MODEL, gguf:FILE, huggingface:PATH_OR_NAME for a SentenceTransformer"
        " on this machine, or auto for a new run",
        spec=spec,
    )


def language_warning(spec: str, lang: Lang) -> str:
    """A warning if an embedding hardly knows the run's language; "" otherwise."""
    name = spec.lower().replace("_", "-")
    if lang == "en" or any(part in name for part in MULTILINGUAL) or not any(part in name for part in ENGLISH_ONLY):
        return ""
    return catalogue(lang, "model")["english_embedding"].format(embedding=spec)


class HashEmbedder:
    """Hashed words and character n-grams, for English and Chinese."""

    name = "hash"

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, float32[len(texts), dimension]."""
        return np.stack([hash_vector(text, self.dimension) for text in texts]) if texts else np.empty((0, self.dimension), np.float32)


class HuggingFaceEmbedder:
    """A SentenceTransformer, run in this process through LlamaIndex. Nothing is downloaded.

    Raises BadInput where the packages or the model are missing.
    """

    def __init__(self, source: str) -> None:
        self.name = HUGGINGFACE + source
        self._embedding = _sentence_transformer(source)
        self.dimension = len(self._embedding.get_text_embedding("dimension"))

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, float32[len(texts), dimension]. One text at a time: padding to a batch would change the last digits."""
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for at, text in enumerate(texts):
            vectors[at] = await asyncio.to_thread(self._embedding.get_text_embedding, text)
        return vectors


def llama_index_embedding(embedder: Embedder) -> BaseEmbedding:
    """An embedding as LlamaIndex takes one: `VectorStoreIndex(..., embed_model=llama_index_embedding(make_embedder("hash", settings)))`."""
    embedding: BaseEmbedding = _embedding_class()(embedder)
    return embedding


@cache
def _embedding_class() -> Any:
    """Defined on first use, since importing LlamaIndex takes seconds."""
    from llama_index.core.async_utils import asyncio_run
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.bridge.pydantic import PrivateAttr

    class EmbedderEmbedding(BaseEmbedding):
        """One of this project's embeddings behind LlamaIndex's interface; vectors of unit length. Raises ModelUnavailable."""

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


def quiet_and_offline() -> None:
    """To be called before HuggingFace's libraries are imported. Variables that the user has set are kept."""
    for name, value in QUIET_AND_OFFLINE.items():
        os.environ.setdefault(name, value)


def _sentence_transformer(source: str) -> BaseEmbedding:
    quiet_and_offline()
    logging.getLogger("sentence_transformers").setLevel(logging.ERROR)
    folder = Path(source).expanduser()
    if (folder.is_absolute() or source.startswith(".")) and not folder.is_dir():
        raise BadInput(
            "embedding huggingface:{source}: there is no folder {folder!r}; give one that contains a SentenceTransformer", source=source, folder=str(folder)
        )
    try:
        from llama_index.embeddings.huggingface import HuggingFaceEmbedding  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError as error:
        raise BadInput(
            "embedding huggingface:{source} needs packages that are not installed ({package}): pip install -r requirements.txt",
            source=source,
            package=error.name,
        ) from error
    try:
        embedding: BaseEmbedding = HuggingFaceEmbedding(
            str(folder) if folder.is_dir() else source, normalize=True, embed_batch_size=1, device="cpu", local_files_only=True
        )
    except (OSError, ValueError) as error:
        first_line = str(error).strip().partition("\n")[0][:160]
        raise BadInput(
            "embedding huggingface:{source}: no SentenceTransformer of that name on this machine ({reason});"
            " give the folder that contains it, or download it beforehand",
            source=source, reason=first_line,
        ) from error  # fmt: skip
    return embedding
