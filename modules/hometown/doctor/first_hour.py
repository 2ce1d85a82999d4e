"""The model of a first hour: one that a server of this machine or of the user has, or else the
largest recommended one that fits into memory, which can be fetched.
"""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass
from datetime import datetime

from hometown.errors import ModelUnavailable
from hometown.language import Lang
from hometown.model.address import BASE_URL, KEY, addresses, key_for, redacted
from hometown.model.api_address import find_models
from hometown.model.connection import Connection, ErrorResponse
from hometown.model.download import download
from hometown.model.failure_causes import Cause, cause_of
from hometown.model.ollama import ollama_unavailable
from hometown.model.ollama_hosts import LOCAL, given_hosts, hosts, models_at, server_at
from hometown.model.openai_server import openai_unavailable, wrong_address
from hometown.model.pull import Progress, pull
from hometown.model.recommended import Recommended, recommended
from hometown.model.server_context import NO_ANSWER
from hometown.settings import Settings
from hometown.system import is_installed, memory_bytes, query_nvidia_cards
from hometown.text import Phrase

WORLD = "minitown"
NAME = "first-hour"

START = datetime(2025, 2, 13, 11, 0)
"""The hour in which people are at work and go to lunch."""

HOUR = 60
STRIDE = 10
"""Game minutes of the hour, and of a step."""

LOCAL_PORTS = {"LM Studio": 1234, "llama.cpp": 8080, "vLLM": 8000}
"""Ports on which servers listen by default; only this machine is asked."""

ANSWER_SECONDS = 1.0
"""The seconds that a server of this machine has to answer if the user has not named it."""

NAMED_SECONDS = 5.0
"""The seconds that a server has to answer which the user has named."""

SLOTS, CONTEXT = 2, 8192
"""Concurrent requests, and tokens of context of each, for which a model is to fit into memory."""

SHARE = 0.95
"""The share of a GPU's memory that a model may fill."""

LARGEST_ON_CPU = 2_000_000_000
"""Bytes of a model's file, at most, without a GPU: a larger one needs hours for an hour."""

EMBEDDINGS = ("embed", "bge", "minilm", "e5")
"""Parts of the names of models that write no replies."""

NO_WAY = Phrase(
    "There is neither a model nor a server to fetch one. Install Ollama from "
    "https://ollama.com/download, or: pip install xllamacpp; then run hometown "
    "start again."
)


@dataclass(frozen=True)
class Offer:
    """A model that can play the hour; `address` is that of its server if the user has not named it,
    `to_fetch` the model to fetch first.
    """

    spec: str
    address: str = ""
    to_fetch: Recommended | None = None

    def use_server(self) -> None:
        """Make the server that was found the one of this process and of those that it starts, by
        the environment variable of its address. It has answered without a key, and gets none.
        """
        if self.address:
            os.environ[BASE_URL] = self.address
            os.environ.pop(KEY, None)

    async def fetch(self, settings: Settings, progress: Progress) -> None:
        """Fetch the model, if it is to be fetched: through Ollama, or as a file. What has arrived
        when this is cancelled is kept, and the next fetch continues it.

        Raises:
            BadInput: The disk has too little room, or another process downloads the same file.
            ModelUnavailable: The model cannot be had.
            DiskTrouble: The file cannot be written.
        """
        model = self.to_fetch
        if model is None:
            return
        if self.spec.startswith("ollama:"):
            await pull(model.ollama, hosts(settings)[0], progress)
        else:
            await download(model, lambda have: progress(have, model.bytes))


@dataclass(frozen=True)
class FirstHourFinding:
    """The best model that is there or can be fetched, None if there is no way to one, and the
    failures of servers that the user has named.
    """

    offer: Offer | None
    failures: tuple[ModelUnavailable, ...] = ()


def describe_search(settings: Settings) -> list[Phrase]:
    """Return lines about this machine's memory and the servers that `find_offer` will ask."""
    gpu = gpu_bytes()
    ram = memory_bytes()
    memory = (
        Phrase("This computer has {gpu} GB of GPU memory.", gpu=_format_gigabytes(gpu))
        if gpu
        else Phrase(
            "This computer has {ram} GB of memory, and no GPU that is known: a small model is "
            "proposed.",
            ram=_format_gigabytes(ram),
        )
    )
    others = list(map(redacted, addresses(settings.machine))) or [
        f"{name} {port}" for name, port in LOCAL_PORTS.items()
    ]
    searched = Phrase(
        "Looking for model servers: Ollama at {ollama}; {ports}.",
        ollama=redacted(hosts(settings)[0]),
        ports=", ".join(others),
    )
    return [memory, searched]


async def find_offer(settings: Settings, lang: Lang) -> FirstHourFinding:
    """Return the best model that is there, one of Ollama before those of other servers, or else the
    best that can be fetched. Nothing is to be fetched if a server that the user has named fails.
    """
    failures = list[ModelUnavailable]()
    there, served = await asyncio.gather(
        _ollama_models(settings, failures), _served_models(settings, failures)
    )
    fitting = fitting_models(lang, gpu_bytes(), memory_bytes())
    offer = _offer_of_ollama(there or frozenset(), fitting) or next(iter(served), None)
    if offer is None and not failures:
        offer = next(
            filter(None, (_offer_to_fetch(model, there is not None) for model in fitting)), None
        )
    return FirstHourFinding(offer, tuple(failures))


def _offer_of_ollama(there: frozenset[str], fitting: list[Recommended]) -> Offer | None:
    """Return the offer of the largest recommended model that Ollama has, or else of the first by
    name that writes replies; None without any.
    """
    named = (model.ollama for model in fitting if model.ollama in there)
    name = next(named, "") or next(filter(_writes, sorted(there)), "")
    return Offer(f"ollama:{name.removesuffix(':latest')}") if name else None


def _offer_to_fetch(model: Recommended, has_ollama: bool) -> Offer | None:
    """Return the offer of a recommended model that Ollama or llama.cpp would play, None if neither
    is there; a file that is there already needs no fetching.
    """
    if has_ollama and model.ollama:
        return Offer(f"ollama:{model.ollama}", to_fetch=model)
    if is_installed("xllamacpp"):
        return Offer(f"gguf:{model.name}", to_fetch=None if model.place.is_file() else model)
    return None


def fitting_models(lang: Lang, gpu: int, ram: int) -> list[Recommended]:
    """Return the recommended models that know a language and fit into memory, the largest first.

    >>> [model.name for model in fitting_models("zh", 8 * 10**9, 0)], [model.name for model in fitting_models("en", 0, 16 * 10**9)]
    (['qwen3-8b', 'qwen3-4b', 'qwen3-1.7b'], ['qwen3-1.7b', 'smollm2-135m'])
    """
    return [
        model
        for model in reversed(recommended().values())
        if lang in model.languages
        and (
            model.needed(SLOTS, CONTEXT) <= SHARE * gpu
            if gpu
            else model.bytes <= LARGEST_ON_CPU and model.needed(SLOTS, CONTEXT) <= ram // 2
        )
    ]


def gpu_bytes() -> int:
    """Return the bytes of the largest NVIDIA card's memory, or two thirds of a Mac's memory, which
    its GPU shares; 0 if there is none.
    """
    if sys.platform == "darwin":
        return memory_bytes() * 2 // 3
    try:
        mebibytes = map(int, query_nvidia_cards("memory.total", "nounits"))
        return max(mebibytes, default=0) << 20
    except ValueError:
        return 0


async def _ollama_models(
    settings: Settings, failures: list[ModelUnavailable]
) -> frozenset[str] | None:
    """Return the names of Ollama's models, or None if it does not answer; the failure of a server
    that the user has named is added to `failures`.
    """
    host = hosts(settings)[0]
    is_named = given_hosts(settings) != [LOCAL]
    server = server_at(host)
    try:
        async with asyncio.timeout(_answer_seconds(is_named)):
            return await models_at(server)
    except ErrorResponse as refused:
        failure = ollama_unavailable("ollama:MODEL", host, refused, "list", settings.llm.num_ctx)
    except NO_ANSWER:
        failure = _no_answer(server.shown, "OLLAMA_HOST (machine.ollama_hosts)")
    finally:
        await server.close()
    if is_named:
        failures.append(failure)
    return None


async def _served_models(settings: Settings, failures: list[ModelUnavailable]) -> list[Offer]:
    """Return the models of OpenAI-compatible servers: those that the user has named, whose failures
    are added to `failures`, or else those that listen on this machine.
    """
    named = addresses(settings.machine)
    asked = named or [f"http://127.0.0.1:{port}/v1" for port in LOCAL_PORTS.values()]
    found = await asyncio.gather(
        *(_models_at(address, failures, is_named=bool(named)) for address in asked)
    )
    return [
        Offer(f"openai:{model}", "" if named else address)
        for address, models in zip(asked, found, strict=True)
        for model in models
    ]


async def _models_at(
    address: str, failures: list[ModelUnavailable], *, is_named: bool
) -> list[str]:
    """Return the names of a server's models that write replies; if the user has named it, it is
    sent the user's key, and its failure is added to `failures`.
    """
    server = Connection(address, key_for(address) if is_named else "")
    try:
        async with asyncio.timeout(_answer_seconds(is_named)):
            listed = await find_models(server)
    except ErrorResponse as refused:
        explain = wrong_address if cause_of(refused) is Cause.ENDPOINT else openai_unavailable
        failure: ModelUnavailable = explain("openai:MODEL", server.shown, refused)
    except NO_ANSWER:
        failure = _no_answer(server.shown, "OPENAI_BASE_URL (machine.openai_base_url)")
    else:
        return [
            model for each in listed if isinstance(model := each.get("id"), str) and _writes(model)
        ]
    finally:
        await server.close()
    if is_named:
        failures.append(failure)
    return []


def _no_answer(at: str, setting: str) -> ModelUnavailable:
    """Return the error for a server that the user has named and that does not answer."""
    return ModelUnavailable(
        "the server at {at}, which you have named, does not answer: start it, correct {setting}, or"
        " unset that so that other servers and models are looked for",
        at=at,
        setting=setting,
    )


def _answer_seconds(is_named: bool) -> float:
    """Return the seconds that a server has to answer; more if the user has named it."""
    return NAMED_SECONDS if is_named else ANSWER_SECONDS


def _writes(model: str) -> bool:
    """Return True if a model writes text, by its name; False for models that embed."""
    return not any(part in model.lower() for part in EMBEDDINGS)


def _format_gigabytes(count: int) -> str:
    return f"{count / 1e9:.0f}"
