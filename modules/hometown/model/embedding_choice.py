"""The embedding of a new run, where `auto` is asked for: the first that works on this machine and
knows the run's language.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

from hometown.errors import BadInput, ModelUnavailable
from hometown.language import Lang
from hometown.model.connection import ErrorResponse
from hometown.model.embedding import AUTO, make_embedder
from hometown.model.embedding_e5 import E5, e5_available, e5_installable
from hometown.model.embedding_huggingface import HUGGINGFACE, LARGEST_BYTES, cached_models
from hometown.model.embedding_languages import known_languages, rank_by_language
from hometown.model.embedding_server import OLLAMA
from hometown.model.llm import Embedder
from hometown.model.notes import MODEL_NOTES
from hometown.model.ollama_hosts import hosts, server_at, translate_host_failures
from hometown.paths import pip_command
from hometown.settings import Settings
from hometown.text import Phrase, translate_all

ANSWER_SECONDS = 2.0
"""Seconds to wait for Ollama."""


async def choose_embedder(
    spec: str, settings: Settings, lang: Lang = "en", *, llm: str
) -> tuple[Embedder, str]:
    """Return the embedding of a new run on the model `llm`, and the reason in words why `auto` took
    it; "" for one that was named.

    `auto` takes, in this order, a SentenceTransformer that the settings name or HuggingFace's cache
    holds, an embedding model of Ollama, `e5`, and `hash`. Runs on the scripted model get `hash`, so
    that they are the same on every machine. Raises as `make_embedder` does.
    """
    words = translate_all(MODEL_NOTES, lang)
    if spec != AUTO:
        return make_embedder(spec, settings, lang), ""
    if llm == "scripted":
        return make_embedder("hash", settings, lang), words["embedding_auto_scripted"]
    async for name in _candidates(settings, lang):
        try:
            return make_embedder(name, settings, lang), words[
                f"embedding_auto_{name.partition(':')[0]}"
            ].format(embedding=name)
        except (BadInput, ModelUnavailable):
            continue
    return make_embedder("hash", settings, lang), words["embedding_auto_hash"].format(
        command=fetch_command()
    )


def expected_embedding(spec: str, settings: Settings, lang: Lang, *, llm: str) -> str:
    """Return the embedding of a new run as far as it is known before a server is asked; "" where
    that depends on the model, which `auto` has yet to choose.
    """
    if spec != AUTO or llm == "scripted":
        return "hash" if spec == AUTO else spec
    if llm == AUTO:
        return ""
    if local := next(_local_candidates(settings, lang), ""):
        return local
    return Phrase(
        "{embedding}, unless Ollama has an embedding model",
        embedding=E5 if e5_available() else "hash",
    )


def is_semantic(spec: str, lang: Lang) -> bool:
    """Return True if an embedding compares meanings, in this language as far as that is known."""
    known = known_languages(spec)
    return spec != "hash" and (known is None or lang in known)


def fetch_command() -> str:
    """Return the command that fetches an embedding for both languages on this platform."""
    return pip_command("e5") if e5_installable() else "ollama pull bge-m3"


async def _candidates(settings: Settings, lang: Lang) -> AsyncIterator[str]:
    """Yield semantic embeddings that know a language, as `--embedding` names them, in the order of
    preference.
    """
    for name in _local_candidates(settings, lang):
        yield name
    if name := await _ollama_model(settings, lang):
        yield OLLAMA + name
    if e5_available():
        yield E5


def _local_candidates(settings: Settings, lang: Lang) -> Iterator[str]:
    """Yield the SentenceTransformers that the settings name or HuggingFace's cache holds."""
    if settings.embedding.default.startswith(HUGGINGFACE):
        yield settings.embedding.default
    for name in rank_by_language(cached_models(), lang):
        yield HUGGINGFACE + name


async def _ollama_model(settings: Settings, lang: Lang) -> str:
    """Return the embedding model that Ollama has and that is preferred for a language, or "" if
    there is none.
    """
    try:
        host = hosts(settings)[0]
        server = server_at(host)
    except BadInput:
        return ""
    try:
        async with asyncio.timeout(ANSWER_SECONDS), translate_host_failures(host, "ollama"):
            with server.as_published():
                sizes = {
                    entry.model or "": entry.size or 0 for entry in (await server.api.list()).models
                }
                for name in rank_by_language(
                    [name for name, size in sizes.items() if size <= LARGEST_BYTES], lang
                ):
                    capabilities = (await server.api.show(name)).capabilities
                    if not capabilities or "embedding" in capabilities:  # older servers name none
                        return name
    except (ModelUnavailable, ErrorResponse, TimeoutError):
        pass
    finally:
        await server.close()
    return ""
