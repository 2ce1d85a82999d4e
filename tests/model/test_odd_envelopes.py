"""Whatever a server sends around a reply: a call that failed, or a reply, never another exception."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hometown.errors import ModelUnavailable
from hometown.model.llm import Completion
from tests.support.odd_envelopes import FEW_ODD, RAW, randomly, singly
from tests.support.protocols import GOOD, PROTOCOLS, Protocol, outcome
from tests.support.simulated import CUT, Sent, Wire
from tests.support.simulated_time import simulate

pytestmark = pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)


WRONG: tuple[tuple[tuple[Any, ...], Any], ...] = (
    (("choices",), 5),
    (("choices",), [5]),
    (("choices", 0, "delta"), "many"),
    (("choices", 0, "message"), "many"),
    (("usage",), "many"),
    (("choices", 0, "delta", "content"), [{"type": "text", "text": "hello"}]),
    (("choices", 0, "message", "content"), [1]),
    (("usage", "prompt_tokens"), 2.0**64),
    (("usage", "completion_tokens"), "10"),
    (("usage", "prompt_tokens_details"), []),
    (("timings",), [1]),
    (("timings", "prompt_ms"), "fast"),
    (("error",), 5),
    (("error",), {"message": "out of memory", "code": 500}),
    (("message",), []),
    (("message", "content"), ["a"]),
    (("done",), "yes"),
    (("eval_count",), 1e30),
    (("prompt_eval_count",), {}),
    (("eval_duration",), True),
    (("error",), ["x"]),
    (("error",), "\x1b[2J\u202e sk-secret" * 999),
    (("error",), {"error": {"message": [{}]}}),
)
"""Where a value of another type, or out of all proportion, makes a response unusable."""


def replaced(part: Any, path: tuple[Any, ...], odd: Any) -> bool:
    """Puts a value in its place, if the part has one; errors may stand in any."""
    *way, last = path
    try:
        for key in way:
            part = part[key]
        found = last in part or last == "error"
    except (LookupError, TypeError):
        return False
    if found:
        part[last] = odd
    return bool(found)


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    return Wire(monkeypatch)


def test_a_good_response_is_read(protocol: Protocol, wire: Wire) -> None:
    wire.answers = [protocol.reply()]
    completion = simulate(outcome(protocol.model()))
    assert isinstance(completion, Completion)
    assert (completion.text, completion.prompt_tokens, completion.reply_tokens) == (GOOD, 100, 10)


def test_each_odd_value_at_each_place(protocol: Protocol, wire: Wire) -> None:
    async def all_of_them() -> list[Completion | ModelUnavailable]:
        model, outcomes = protocol.model(), []
        for parts in singly(protocol.parts(GOOD), FEW_ODD):
            wire.always = protocol.sent(*parts)
            outcomes.append(await outcome(model))
        return outcomes

    outcomes = simulate(all_of_them())
    kinds = {type(one) for one in outcomes}
    assert Completion in kinds, "what is of no importance may be odd"
    assert len(kinds) > 1
    assert len(outcomes) > 100


def test_what_matters_must_be_as_published(protocol: Protocol, wire: Wire) -> None:
    """Each of `WRONG` that this protocol has a field for."""

    async def each() -> int:
        tried = 0
        for path, odd in WRONG:
            parts = protocol.parts(GOOD)
            if not sum(replaced(part, path, odd) for part in parts):
                continue
            wire.always, tried = protocol.sent(*parts), tried + 1
            assert isinstance(await outcome(protocol.model()), ModelUnavailable), path
        return tried

    assert simulate(each()) > 6


def test_counts_that_are_null_or_missing_are_unknown(protocol: Protocol, wire: Wire) -> None:
    parts = protocol.parts(GOOD)
    for part in parts:
        part.pop("timings", None)
        part |= {
            name: None
            for name in (
                "usage",
                "prompt_eval_count",
                "eval_count",
                "prompt_eval_duration",
                "eval_duration",
            )
            if name in part
        }
    wire.answers = [protocol.sent(*parts)]
    assert simulate(outcome(protocol.model())) == Completion(GOOD, 0, 0)


@pytest.mark.parametrize("status", [200, 400, 404, 500])
def test_bodies_that_are_no_json_of_this_protocol(
    protocol: Protocol, wire: Wire, status: int
) -> None:
    async def each() -> None:
        for body in RAW:
            wire.always = Sent([body], status, protocol.reply().kind)
            assert isinstance(await outcome(protocol.model()), ModelUnavailable), body

    simulate(each())


def test_a_stream_that_is_cut_is_no_reply(protocol: Protocol, wire: Wire) -> None:
    """After each of its parts, by a lost connection or by an end that looks orderly."""

    async def cut_everywhere() -> None:
        model, parts = protocol.model(), list(protocol.reply().parts)
        finishing = 1 if protocol.name == "whole" else 3
        for at in range(len(parts)):
            wire.always = Sent([*parts[:at], CUT], kind=protocol.reply().kind)
            assert isinstance(await outcome(model), ModelUnavailable)
            wire.always = Sent(parts[:at], kind=protocol.reply().kind)
            assert isinstance(
                await outcome(model), Completion if at >= finishing else ModelUnavailable
            )

    simulate(cut_everywhere())


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(chance=st.integers(0, 2**32))
def test_several_odd_values_at_once(protocol: Protocol, wire: Wire, chance: int) -> None:
    random = Random(chance)
    wire.always = protocol.sent(*randomly(protocol.parts(GOOD), random))
    simulate(outcome(protocol.model()))
