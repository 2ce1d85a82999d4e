"""Servers that send odd JSON, and replies that make no sense, by the thousand: each is a reply or a failed call, and never anything else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random

import pytest

from hometown.model.llm import Completion, Request
from hometown.model.replies import UnusableReply, parse_reply, sanitize
from hometown.prompt.catalogue import PROMPTS
from tests.support.conformance import REQUESTS
from tests.support.odd_envelopes import randomly, singly
from tests.support.prompt_samples import REPLIES
from tests.support.protocols import GOOD, PROTOCOLS, Protocol, outcome
from tests.support.simulated import Wire
from tests.support.simulated_time import simulate
from tests.torture.crash import Lost
from tests.torture.mad import KINDS, mad

SMALL = [kind for kind in KINDS if kind not in ("huge", "deep")]
"""Nine of ten replies are of these kinds, since the others take a hundred times as long to make."""


@dataclass
class Toll:
    """How many responses were tried, over how many protocols, and what became of them."""

    tried: int = 0
    protocols: int = 0
    replies: int = 0
    failures: int = 0


def odd_envelopes(count: int) -> Toll:
    """For each protocol `count` responses with several odd values, and at most as many with a single one. Raises Lost."""
    toll = Toll(protocols=len(PROTOCOLS))
    with pytest.MonkeyPatch.context() as patch:
        wire = Wire(patch)
        for protocol in PROTOCOLS:
            simulate(_tried(protocol, wire, count, toll))
    return toll


async def _tried(protocol: Protocol, wire: Wire, count: int, toll: Toll) -> None:
    good, model = protocol.parts(GOOD), protocol.model()
    for number in range(count):
        parts = randomly(good, Random(number))
        await _try(protocol, wire, parts, model, toll)
    for parts in list(singly(good))[:count]:
        await _try(protocol, wire, parts, model, toll)


async def _try(protocol: Protocol, wire: Wire, parts: list[object], model: object, toll: Toll) -> None:
    wire.always = protocol.sent(*parts)
    try:
        answer = await outcome(model)  # type: ignore[arg-type]
    except Exception as error:
        raise Lost(f"{protocol.name}: {type(error).__name__}: {error} for {json.dumps(parts, default=str)[:2000]}") from error
    toll.tried += 1
    toll.replies += isinstance(answer, Completion)
    toll.failures += not isinstance(answer, Completion)


def mad_replies(count: int) -> int:
    """Parses that many mad replies to all kinds of prompt; how many were usable. Raises Lost."""
    asked = list(REQUESTS.values())
    return sum(_parsed(asked[number % len(asked)], number) for number in range(count))


def _parsed(request: Request, number: int) -> bool:
    chance = Random(number)
    kind = chance.choice(KINDS if number % 10 == 0 else SMALL)
    text = sanitize(mad(request, json.dumps(REPLIES[request.kind], ensure_ascii=False), kind, chance))
    try:
        reply, _ = parse_reply(PROMPTS[request.kind], request.variables, text, request.lang)
        reply.model_dump_json()
    except UnusableReply:
        return False
    except Exception as error:
        raise Lost(f"{request.kind}: {type(error).__name__}: {error} for {text[:2000]!r}") from error
    return True
