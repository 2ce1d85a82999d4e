"""The work of `hometown start`: finds or fetches a model that fits this machine, lives an hour of
a small town with it, and opens the page.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from hometown.cli.models import fetch_model
from hometown.cli.options import Folders, SessionOptions, TownOptions
from hometown.cli.run_commands import free_name
from hometown.cli.signals import run_stoppable
from hometown.cli.simulation import Simulation
from hometown.cli.stoppable_session import live_session
from hometown.cli.texts import Text
from hometown.cli.user_language import locale_language
from hometown.config import Layer, combine
from hometown.errors import BadInput, ModelUnavailable
from hometown.language import Lang
from hometown.model.address import addresses, key_for, redacted
from hometown.model.api_address import find_models
from hometown.model.connection import Connection, ErrorResponse
from hometown.model.failure_causes import Cause, cause_of
from hometown.model.ollama import ollama_unavailable
from hometown.model.ollama_hosts import LOCAL, given_hosts, hosts, models_at, server_at
from hometown.model.openai_server import openai_unavailable, wrong_address
from hometown.model.recommended import Recommended, recommended
from hometown.model.server_context import NO_ANSWER
from hometown.settings import Settings
from hometown.system import is_installed, memory_bytes, query_nvidia_cards
from hometown.text import N_

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
"""The time that each server has to answer."""

SLOTS, CONTEXT = 2, 8192
"""Concurrent requests, and tokens of context of each, for which a model is to fit into memory."""

SHARE = 0.95
"""The share of a GPU's memory that a model may fill."""

LARGEST_ON_CPU = 2_000_000_000
"""Bytes of a model's file, at most, without a GPU: a larger one needs hours for an hour."""

EMBEDDINGS = ("embed", "bge", "minilm", "e5")
"""Parts of the names of models that write no replies."""


@dataclass(frozen=True)
class Start:
    """The choices of the user: those that are None are asked for."""

    lang: Lang | None
    llm: str | None
    has_agreed: bool
    opens_page: bool
    port: int
    folders: Folders


@dataclass(frozen=True)
class Offer:
    """A model that can play the hour, the settings that it needs, and the model to fetch first."""

    spec: str
    layer: Layer
    to_fetch: Recommended | None = None


def start_town(choices: Start, layers: Sequence[Layer], text: Text) -> int:
    """Live the first hour and show it. Raises BadInput if there is no terminal to ask in, or no
    model and the user does not want the rules to play.
    """
    if not (choices.has_agreed or sys.stdin.isatty()):
        raise BadInput("there is no terminal to ask in: add --yes to take what is proposed")
    lang = choices.lang or _ask_language(choices, text)
    settings = combine(list(layers))
    offer = (
        Offer(choices.llm, {})
        if choices.llm
        else _agree(run_stoppable(find_offer(settings, lang, text)), choices, text)
    )
    if offer.to_fetch:
        fetch_model(offer.to_fetch.name, layers, text, as_file=not offer.spec.startswith("ollama:"))
    code = live_session(_first_hour(choices, offer, lang), [*layers, offer.layer], text)
    if code or not choices.opens_page:
        return code
    from hometown.cli.page_server import Binding, serve_page

    binding = Binding("127.0.0.1", choices.port, is_public=False, proxy="")
    return serve_page(binding, "", choices.folders, layers, text, opens_browser=sys.stdout.isatty())


def _first_hour(choices: Start, offer: Offer, lang: Lang) -> Simulation:
    return Simulation(
        name=free_name(choices.folders.results, NAME),
        town=TownOptions(world=WORLD, lang=lang, start=START, stride=STRIDE),
        session=SessionOptions(llm=offer.spec, step=HOUR // STRIDE),
        folders=choices.folders,
        program="hometown",
    )


async def find_offer(settings: Settings, lang: Lang, text: Text) -> Offer | None:
    """Return the best model that is there, or else the best that can be fetched; None if there is
    no way to a model. What is found is printed.

    Raises:
        ModelUnavailable: A server that the user has named refuses to list its models, and no other
            has any.
    """
    gpu, ram = gpu_bytes(), memory_bytes()
    print(
        text(
            "This computer has {gpu} GB of GPU memory."
            if gpu
            else "This computer has {ram} GB of memory, and no GPU that is known: a small model "
            "is proposed.",
            gpu=_gigabytes(gpu),
            ram=_gigabytes(ram),
        )
    )
    host, given = hosts(settings)[0], addresses(settings.machine)
    others = list(map(redacted, given)) or _port_names()
    print(
        text(
            "Looking for model servers: Ollama at {ollama}; {ports}.",
            ollama=redacted(host),
            ports=", ".join(others),
        ),
        flush=True,
    )
    fitting = fitting_models(lang, gpu, ram)
    refusals = list[ModelUnavailable]()
    there, served = await asyncio.gather(
        _ollama_models(host, settings, refusals), _served_models(given, refusals)
    )
    if refusals and not (there or served):
        raise ModelUnavailable([line for refusal in refusals for line in refusal.lines])
    for refusal in refusals:
        print(refusal.localize(text.lang), flush=True)
    if there:
        named = next((model.ollama for model in fitting if model.ollama in there), "")
        if name := named or next(filter(_writes, sorted(there)), ""):
            return Offer(f"ollama:{name.removesuffix(':latest')}", {})
    if served:
        return served[0]
    for model in fitting:
        if there is not None and model.ollama:
            return Offer(f"ollama:{model.ollama}", {}, model)
        if is_installed("xllamacpp"):
            return Offer(f"gguf:{model.name}", {}, None if model.place.is_file() else model)
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
    """Return the memory of the largest NVIDIA card, or that of a Mac with Apple silicon, which its
    GPU shares; 0 if there is none.
    """
    if sys.platform == "darwin":
        return memory_bytes() * 2 // 3
    try:
        mebibytes = map(int, query_nvidia_cards("memory.total", "nounits"))
        return max(mebibytes, default=0) << 20
    except ValueError:
        return 0


async def _ollama_models(
    host: str, settings: Settings, refusals: list[ModelUnavailable]
) -> frozenset[str] | None:
    """Return the names of Ollama's models, or None if it does not answer; the refusal of a server
    that the user has named is added to `refusals`.
    """
    server = server_at(host)
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            return await models_at(server)
    except ErrorResponse as refused:
        if given_hosts(settings) != [LOCAL]:
            num_ctx = settings.llm.num_ctx
            refusals.append(ollama_unavailable("ollama:MODEL", host, refused, "list", num_ctx))
    except NO_ANSWER:
        pass
    finally:
        await server.close()
    return None


async def _served_models(named: list[str], refusals: list[ModelUnavailable]) -> list[Offer]:
    """Return the models of OpenAI-compatible servers: those that the user has named, whose refusals
    are added to `refusals`, or else those that listen on this machine.
    """
    local = [f"http://127.0.0.1:{port}/v1" for port in LOCAL_PORTS.values()]
    ignored = list[ModelUnavailable]()
    found = await asyncio.gather(
        *(_models_at(address, refusals if named else ignored) for address in named or local)
    )
    return [
        Offer(f"openai:{model}", {} if named else {"machine": {"openai_base_url": address}})
        for address, models in zip(named or local, found, strict=True)
        for model in models
    ]


async def _models_at(address: str, refusals: list[ModelUnavailable]) -> list[str]:
    """Return the names of a server's models that write replies; its refusal is added to `refusals`."""
    server = Connection(address, key_for(address))
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            listed = await find_models(server)
    except ErrorResponse as refused:
        explain = wrong_address if cause_of(refused) is Cause.ENDPOINT else openai_unavailable
        refusals.append(explain("openai:MODEL", server.shown, refused))
        return []
    except NO_ANSWER:
        return []
    finally:
        await server.close()
    return [name for each in listed if isinstance(name := each.get("id"), str) and _writes(name)]


def _writes(model: str) -> bool:
    return not any(part in model.lower() for part in EMBEDDINGS)


def _agree(offer: Offer | None, choices: Start, text: Text) -> Offer:
    """Return the offer if the user agrees, or else the scripted model."""
    if offer is None:
        print(
            text(
                "There is neither a model nor a server to fetch one. Install Ollama from "
                "https://ollama.com/download, or: pip install xllamacpp; then run hometown "
                "start again."
            )
        )
    elif offer.to_fetch:
        size = f"{offer.to_fetch.bytes / 1e9:.1f}"
        if _says_yes(
            N_(
                "No model is there. Fetch {model} ({size} GB), which fits, and live an hour "
                "with it?"
            ),
            choices,
            text,
            model=offer.spec,
            size=size,
        ):
            return offer
    elif _says_yes(N_("{model} is there. Live an hour with it?"), choices, text, model=offer.spec):
        return offer
    if _says_yes(N_("Live the hour by rules, without a language model?"), choices, text):
        return Offer("scripted", {})
    raise BadInput("no model was chosen: name one with --llm; hometown model list names some")


def _ask_language(choices: Start, text: Text) -> Lang:
    """Return the language of the town; that of the user's system unless they say otherwise."""
    usual = locale_language()
    if choices.has_agreed:
        return usual
    answer = _answer(text("Language of the town, en or zh [{usual}]: ", usual=usual))
    return "zh" if answer in ("zh", "中文") else "en" if answer == "en" else usual


def _says_yes(question: str, choices: Start, text: Text, **values: object) -> bool:
    """Return whether the user agrees; without an answer they do."""
    print(text(question, **values), end=" ", flush=True)
    if choices.has_agreed:
        print("--yes")
        return True
    return _answer("[Y/n] ") in ("", "y", "yes", "是", "好")


def _answer(question: str) -> str:
    print(question, end="", flush=True)
    return sys.stdin.readline().strip().casefold()


def _port_names() -> list[str]:
    return [f"{name} {port}" for name, port in LOCAL_PORTS.items()]


def _gigabytes(count: int) -> str:
    return f"{count / 1e9:.0f}"
