"""`gguf:FILE` as an embedding: llama.cpp in a process of our own computes the vectors."""

from __future__ import annotations

from functools import partial

from hometown.language import Lang
from hometown.model.embedding_server import ServedEmbedder, openai_vectors
from hometown.model.llama.gguf_files import GGUF, open_server
from hometown.model.llama.llama_connection import LlamaConnection
from hometown.settings import Settings


def gguf_embedder(model: str, settings: Settings, lang: Lang) -> ServedEmbedder:
    """Start llama.cpp with the file and return it as an embedding. Raises BadInput if the file
    cannot be served.
    """
    server, _ = open_server(model, settings, embedding=True)
    own = LlamaConnection(server, settings.machine.timeout_seconds, lang)
    return ServedEmbedder(GGUF + model, partial(openai_vectors, own, model), own, settings, lang)
