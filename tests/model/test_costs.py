"""What was really read: cached and read tokens and times, as each server reports them, from the
reply to the statistics.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest
from pydantic import TypeAdapter

from hometown.model.llm import Completion
from hometown.model.stats import Stats
from hometown.records import Attempt, Call, Retrieval
from tests.support.protocols import ASKED, GOOD, PROTOCOLS, TIMINGS, USAGE, Protocol
from tests.support.simulated import Wire
from tests.support.simulated_time import simulate


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    return Wire(monkeypatch)


def completion(protocol: Protocol, wire: Wire, parts: list[dict[str, Any]]) -> Completion:
    wire.answers = [protocol.sent(*parts)]
    return simulate(protocol.model().complete(ASKED, seed=1))


@pytest.mark.parametrize("protocol", PROTOCOLS[:2], ids=lambda protocol: protocol.name)
@pytest.mark.parametrize(
    ("usage", "timings", "costs"),
    [
        (USAGE, TIMINGS, (100, 10, 60, 20.0, 250.0)),
        (None, TIMINGS, (100, 10, 60, 20.0, 250.0)),
        (USAGE, None, (100, 10, 60, 0, 0)),
        (
            {"prompt_tokens": 100, "completion_tokens": 10},
            {"cache_n": -1, "prompt_n": 100, "prompt_ms": 9},
            (100, 10, 0, 9, 0),
        ),
        (
            {"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details": None},
            None,
            (100, 10, 0, 0, 0),
        ),
        (
            {"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 9}},
            None,
            (5, 0, 5, 0, 0),
        ),
    ],
)
def test_openai_and_llama_cpp(
    protocol: Protocol, wire: Wire, usage: Any, timings: Any, costs: tuple[float, ...]
) -> None:
    parts = protocol.parts(GOOD)
    for part in parts:
        for name, value in (("usage", usage), ("timings", timings)):
            if name in part:
                part[name] = value
    assert completion(protocol, wire, parts) == Completion(GOOD, *costs)  # type: ignore[arg-type]


def test_ollama(wire: Wire) -> None:
    ollama = PROTOCOLS[2]
    assert completion(ollama, wire, ollama.parts(GOOD)) == Completion(GOOD, 100, 10, 0, 20.0, 250.0)
    *pieces, end = ollama.parts(GOOD)
    without = {name: value for name, value in end.items() if not name.startswith("prompt_")}
    assert completion(ollama, wire, [*pieces, without]) == Completion(GOOD, 0, 10, 0, 0.0, 250.0), (
        "older ones count no prompt that was in the cache"
    )


def test_statistics_add_up_what_was_reported() -> None:
    first, second = (
        Attempt("no", "unusable", cached_tokens=10, read_ms=100.0, write_ms=50.0),
        Attempt("yes", cached_tokens=90, read_ms=20.0, write_ms=30.0),
    )
    call = Call(1, "ida", "react", 0, "m", "retried", "{}", (first, second), (), (), 200, 20, 300.0)
    silent = Call(1, "tom", "react", 0, "m", "ok", "{}", (Attempt("yes"),), (), (), 70, 7, 90.0)
    total = Stats([call, silent]).total
    assert (total.prompt_tokens, total.cached_tokens, total.read_tokens, total.reply_tokens) == (
        270,
        100,
        170,
        27,
    )
    assert (total.timed_read, total.read_ms, total.timed_written, total.write_ms) == (
        100,
        120.0,
        20,
        80.0,
    ), "rates leave out what was not timed"


def test_stats_count_by_model_and_kind() -> None:
    retrieved = (Retrieval(1, 0.5, 0.1, 0.2, 0.3),)
    base = Call(1, "ida", "react", 0, "m", "ok", "{}", (), (), retrieved, 10, 2, 1.5)
    mended = replace(base, kind="place", attempts=(Attempt("{}", mended=("sorted", "merged")),))
    stats = Stats(
        [base, replace(base, outcome="fallback"), replace(base, outcome="retried"), mended, mended]
    )
    snapshot = stats.snapshot()
    assert (snapshot["calls"], snapshot["ok"], snapshot["retried"], snapshot["fallback"]) == (
        5,
        3,
        1,
        1,
    )
    counts = {
        "ok": 1,
        "retried": 1,
        "fallback": 1,
        "prompt_tokens": 30,
        "reply_tokens": 6,
        "ms": 4.5,
        "shortened": 0,
        "mended": {},
    }
    assert counts.items() <= snapshot["by_model"]["m"]["react"].items()
    assert snapshot["by_model"]["m"]["place"]["mended"] == {"sorted": 2, "merged": 2}
    assert snapshot["mended"] == {"sorted": 2, "merged": 2}
    assert stats.total.fallback_share == 0.2
    assert Stats().total.fallback_share == 0
    assert orjson.loads(orjson.dumps(snapshot)) == snapshot


def test_attempts_of_older_runs_are_read() -> None:
    (attempt,) = TypeAdapter(tuple[Attempt, ...]).validate_json(b'[{"text": "hello", "error": ""}]')
    assert attempt == Attempt("hello")
    assert TypeAdapter(Attempt).validate_json(
        orjson.dumps(Attempt("a", "b", True, 1, 2.5, 3.5))
    ) == Attempt("a", "b", True, 1, 2.5, 3.5)
