"""Servers that send odd JSON, libraries that return odd things, and replies that make no sense, by
the thousand, for every backend.

Each is a reply or a failed attempt at that call, and never anything else; no run ends by it.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hometown.errors import ModelUnavailable
from hometown.model.caller import Caller
from hometown.model.llm import Completion, LanguageModel, Request
from hometown.model.reply_parsing import UnusableReply, parse_reply, sanitize
from hometown.model.retrying import RetryingModel
from hometown.prompt.catalogue import PROMPTS
from hometown.records import Outcome
from hometown.settings import Llm, Settings
from tests.support.conformance import REQUESTS, TEMPLATES
from tests.support.fake_models import HashEmbeddings, PocketJournal, PocketTable
from tests.support.odd_envelopes import randomly, singly
from tests.support.prompt_samples import REPLIES, SAMPLES
from tests.support.protocols import GOOD, OK, PROTOCOLS, Protocol, outcome
from tests.support.simulated import Wire
from tests.support.simulated_time import simulate
from tests.torture.cases import case
from tests.torture.in_process import InProcess, installed
from tests.torture.mad import KINDS, mad

SMALL = [kind for kind in KINDS if kind not in ("huge", "deep")]
"""Nine of ten replies are of these kinds, since the others take a hundred times as long to make."""

STATUSES = (400, 401, 403, 404, 408, 413, 422, 429, 500, 501, 503)

ASKED = list(REQUESTS.values())

TOGETHER = 8
"""Replies that a model in this process writes at once."""


@dataclass
class Toll:
    """How much was tried, and of how many backends; what became of the calls, and of the replies."""

    tried: int = 0
    backends: list[str] = field(default_factory=list)
    calls: Counter[Outcome] = field(default_factory=Counter)
    usable: int = 0


@contextmanager
def wired() -> Iterator[Wire]:
    with pytest.MonkeyPatch.context() as patch:
        yield Wire(patch)


@contextmanager
def in_process() -> Iterator[InProcess | None]:
    """The model in this process; None where its packages are not installed."""
    if not installed():
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        yield InProcess(Path(folder))


# odd envelopes -------------------------------------------------------------------------------


def odd_envelopes(count: int, first: int = 0) -> Toll:
    """For each backend `count` odd responses, each the answer to every request of one call; other
    calls are answered. Raises Lost.
    """
    toll = Toll()
    with wired() as wire:
        for protocol in PROTOCOLS:
            toll.backends.append(protocol.name)
            simulate(_odd_responses(protocol, wire, range(first, first + count), toll))
    with in_process() as library:
        if library:
            toll.backends.append("huggingface")
            asyncio.run(_odd_generations(library, range(first, first + count), toll))
    return toll


def _caller(model: LanguageModel, settings: Settings) -> Caller:
    model = RetryingModel(model, settings, lambda _: None)
    return Caller(
        model, HashEmbeddings(), TEMPLATES["en"], PocketJournal(), PocketTable(), settings
    )


async def _call(caller: Caller, number: int, toll: Toll) -> None:
    _, call, _ = await caller.ask(
        PROMPTS["utterance"], SAMPLES["utterance"], step=1, who="ida", ordinal=number, seed=number
    )
    toll.tried += 1
    toll.calls[call.outcome] += 1


async def _odd_responses(protocol: Protocol, wire: Wire, numbers: range, toll: Toll) -> None:
    """Half of them with a single odd value, each at each place in turn, as long as there are any;
    the others with several.
    """
    good = protocol.parts(GOOD)
    single = dict(enumerate(islice(singly(good), numbers.stop)))
    caller = _caller(protocol.model(), protocol.settings(max_fallback_share=1.0))
    for number in numbers:
        chance = Random(number)
        parts = (
            single[number // 2] if number % 2 and number // 2 in single else randomly(good, chance)
        )
        odd = protocol.sent(*parts)
        if chance.random() < 0.1:
            odd.status = chance.choice(STATUSES)
        wire.answer = lambda body, odd=odd: (
            protocol.reply(OK) if len(body.get("messages", ())) == 1 else odd
        )  # type: ignore[misc]
        with case("envelopes", number):
            await _call(caller, number, toll)


async def _odd_generations(library: InProcess, numbers: range, toll: Toll) -> None:
    caller = _caller(library.model, Settings(llm=Llm(max_fallback_share=1.0)))
    for number in numbers:
        with case("envelopes", number), library.generating(library.odd(number)):
            await _call(caller, number, toll)


# mad replies ---------------------------------------------------------------------------------


def mad_replies(count: int, first: int = 0) -> Toll:
    """Lets each backend bring that many mad replies to all kinds of prompt. Raises Lost."""
    toll = Toll()
    with wired() as wire:
        for protocol in PROTOCOLS:
            toll.backends.append(protocol.name)
            simulate(_mad_responses(protocol, wire, range(first, first + count), toll))
    with in_process() as library:
        if library:
            toll.backends.append("huggingface")
            asyncio.run(_mad_generations(library, range(first, first + count), toll))
    return toll


def _asked(number: int) -> Request:
    return ASKED[number % len(ASKED)]


def _mad(number: int) -> str:
    """A reply gone wrong, as JSON can hold it."""
    chance, request = Random(number), _asked(number)
    kind = chance.choice(KINDS if number % 10 == 0 else SMALL)
    text = mad(request, json.dumps(REPLIES[request.kind], ensure_ascii=False), kind, chance)
    return text.encode("utf-8", "replace").decode()


async def _mad_responses(protocol: Protocol, wire: Wire, numbers: range, toll: Toll) -> None:
    model = protocol.model()
    for number in numbers:
        with case("replies", number):
            wire.always = protocol.reply(_mad(number))
            _parse(number, await outcome(model, _asked(number)), toll)


async def _mad_generations(library: InProcess, numbers: range, toll: Toll) -> None:
    for begin in range(numbers.start, numbers.stop, TOGETHER):
        batch = range(begin, min(begin + TOGETHER, numbers.stop))
        with (
            case("replies", begin),
            library.generating(library.saying([_mad(number) for number in batch])),
        ):
            answers = await asyncio.gather(
                *(outcome(library.model, _asked(number)) for number in batch)
            )
        for number, answer in zip(batch, answers, strict=True):
            with case("replies", number):
                _parse(number, answer, toll)


def _parse(number: int, answer: Completion | ModelUnavailable, toll: Toll) -> None:
    """What becomes of an answer: it is used, or refused with a reason."""
    toll.tried += 1
    if not isinstance(answer, Completion):
        return
    request = _asked(number)
    try:
        reply, _ = parse_reply(
            PROMPTS[request.kind],
            request.variables,
            request.schema,
            sanitize(answer.text),
            request.lang,
        )
        reply.model_dump_json()
        toll.usable += 1
    except UnusableReply:
        pass


def names(backends: Sequence[str]) -> str:
    """Which backends were tried, in words."""
    missing: Any = "" if "huggingface" in backends else " (huggingface is not installed)"
    return f"{len(backends)} backends{missing}"
