"""How long calls and servers are waited for, in simulated time: what is given up, what is asked
again, and who is not to blame.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hometown.errors import CallFailed, ModelUnavailable
from hometown.model import connection
from hometown.model.caller import Caller
from hometown.model.llm import Completion
from hometown.model.retrying import TRIES, RetryingModel
from hometown.prompt.catalogue import PROMPTS
from tests.support.conformance import REQUESTS, TEMPLATES
from tests.support.fake_models import HashEmbeddings, PocketJournal, PocketTable
from tests.support.prompt_samples import SAMPLES
from tests.support.protocols import ASKED, OK, PROTOCOLS, Protocol
from tests.support.simulated import CUT, Endless, Part, Pause, Sent, Wire, jump
from tests.support.simulated_time import simulate

OTHER = REQUESTS["poignancy", "en"]
LIMIT = 120.0
"""Seconds after which a server is given up."""


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    return Wire(monkeypatch)


@pytest.fixture(params=PROTOCOLS, ids=lambda protocol: protocol.name)
def protocol(request: pytest.FixtureRequest) -> Protocol:
    kept: Protocol = request.param
    return kept


class Waiting:
    """A model that is waited for, what the user is told, and how long it took."""

    def __init__(self, protocol: Protocol, **llm: Any) -> None:
        self.told: list[str] = []
        self.seconds = 0.0
        self.model = RetryingModel(
            protocol.model(**llm), protocol.settings(**llm), self.told.append
        )

    async def ask(self, request: Any = ASKED) -> Completion | BaseException:
        (answer,) = await asyncio.gather(
            self.model.complete(request, seed=1), return_exceptions=True
        )
        self.seconds = asyncio.get_running_loop().time()
        return answer


def is_probe(body: dict[str, Any]) -> bool:
    return len(body["messages"]) == 1


def asks_for_an_utterance(body: dict[str, Any]) -> bool:
    return bool(body["messages"][-1]["content"] == ASKED.messages[-1].content)


FAILURES = ("500", "400", "cut", "misshapen", "silent", "endless", "redirect", "compressed")


def failing(protocol: Protocol, how: str) -> Sent:
    sent = {
        "500": protocol.refusal(500, "the grammar could not be compiled"),
        "400": protocol.refusal(400, "the grammar could not be parsed"),
        "cut": Sent([protocol.piece("{"), CUT], kind=protocol.reply().kind),
        "misshapen": Sent([b'{"choices": 5, "message": 5}']),
        "silent": Sent([Pause(10**6)]),
        "endless": Sent(Endless(protocol.piece("."), Pause(0.5)), kind=protocol.reply().kind),
        "redirect": Sent([b""], 307, headers={"location": "http://elsewhere.example/v1"}),
        "compressed": Sent(Endless(b"\0" * 1000), headers={"content-encoding": "gzip"}),
    }
    return sent[how]


@pytest.mark.parametrize("how", FAILURES)
def test_a_prompt_that_always_fails_is_given_up_and_the_server_is_not(
    protocol: Protocol, wire: Wire, how: str
) -> None:
    """It is alone, so that only a probe can tell the two apart."""
    wire.answer = lambda body: protocol.reply(OK) if is_probe(body) else failing(protocol, how)
    waiting = Waiting(protocol)
    assert isinstance(simulate(waiting.ask()), CallFailed)
    assert 1 <= len([body for body in wire.bodies() if not is_probe(body)]) <= 6 * TRIES, (
        "forms of asking are tried as well"
    )
    assert waiting.seconds < 2 * ASKED.max_tokens / 0.5 + 3 * LIMIT
    assert waiting.told[-1].endswith("the prompt's fallback is used")
    assert "(utterance)" in waiting.told[-1]


@pytest.mark.parametrize("how", FAILURES)
def test_a_server_that_fails_everybody_is_given_up(
    protocol: Protocol, wire: Wire, how: str
) -> None:
    wire.answer = lambda body: failing(protocol, how)
    waiting = Waiting(protocol)
    failure = simulate(waiting.ask())
    assert isinstance(failure, ModelUnavailable)
    assert not isinstance(failure, CallFailed)
    assert waiting.seconds < 2 * ASKED.max_tokens / 0.5 + 4 * LIMIT
    assert str(failure).isprintable()


def test_other_calls_go_on_and_are_proof_enough(protocol: Protocol, wire: Wire) -> None:
    async def town() -> Completion | BaseException:
        async def others() -> None:
            while True:
                assert isinstance(await waiting.model.complete(OTHER, seed=1), Completion)
                await asyncio.sleep(0.2)

        going_on = asyncio.create_task(others())
        answer = await waiting.ask()
        assert not going_on.done()
        going_on.cancel()
        return answer

    wire.answer = lambda body: (
        protocol.refusal(500, "no") if asks_for_an_utterance(body) else protocol.reply()
    )
    waiting = Waiting(protocol)
    assert isinstance(simulate(town()), CallFailed)
    assert not any(map(is_probe, wire.bodies()))
    assert sum(map(asks_for_an_utterance, wire.bodies())) == TRIES


def test_an_overloaded_server_is_waited_for_longer_than_one_that_fails(
    protocol: Protocol, wire: Wire
) -> None:
    wire.answers = [protocol.refusal(429, "too many requests", **{"retry-after": "3"})] * (
        TRIES + 2
    )
    wire.always = protocol.reply()
    waiting = Waiting(protocol)
    assert isinstance(simulate(waiting.ask()), Completion)
    assert waiting.seconds >= 3 * (TRIES + 2)


def test_silence_is_asked_again_once_before_the_server_is_given_up(
    protocol: Protocol, wire: Wire
) -> None:
    silent = Sent([Pause(10**6)])
    wire.answers = [silent, protocol.reply()]
    waiting = Waiting(protocol)
    assert isinstance(simulate(waiting.ask()), Completion)
    assert LIMIT <= waiting.seconds < LIMIT + 20
    assert len(waiting.told) == 1
    wire.requests.clear()
    wire.always = silent
    waiting = Waiting(protocol)
    failure = simulate(waiting.ask())
    assert "has sent nothing for 120 s (llm.give_up_after); gave up after 120 s" in str(failure)
    assert 2 * LIMIT <= waiting.seconds < 2 * LIMIT + 60
    assert [is_probe(body) for body in wire.bodies()] == [False, False, True]


@pytest.mark.parametrize("where", range(3))
def test_time_in_which_this_process_was_stopped_is_nobodys_silence(
    protocol: Protocol, wire: Wire, where: int
) -> None:
    parts: list[Part] = list(protocol.reply().parts)
    wire.answers = [
        Sent(
            [*parts[:where], Pause(100), Pause(10**5, suspended=True), Pause(15), *parts[where:]],
            kind=protocol.reply().kind,
        )
    ]
    waiting = Waiting(protocol)
    assert isinstance(simulate(waiting.ask()), Completion)
    assert waiting.told == []


def test_a_stop_while_an_outage_is_waited_out_does_not_end_the_run(
    protocol: Protocol, wire: Wire
) -> None:
    wire.answers = [protocol.refusal(503, "loading")] * 8
    wire.always = protocol.reply()
    waiting = Waiting(protocol)
    tell = waiting.told.append
    waiting.model._policy._notify = lambda line: (tell(line), jump(10**4))[0]
    assert isinstance(simulate(waiting.ask()), Completion)


def test_an_endless_reply_ends_at_the_slowest_rate(protocol: Protocol, wire: Wire) -> None:
    wire.answers = [failing(protocol, "endless"), protocol.reply()]
    waiting = Waiting(protocol, min_tokens_per_second=2)
    assert isinstance(simulate(waiting.ask()), Completion)
    limit = LIMIT if protocol.name == "whole" else ASKED.max_tokens / 2
    assert limit <= waiting.seconds <= limit + 5
    if protocol.name != "whole":
        assert f"within {limit:g} s (llm.min_tokens_per_second)" in waiting.told[0]


@pytest.mark.parametrize("flood", [b'{"x": ', b"\n", b": nothing\n\n", b" "])
def test_a_flood_is_cut_while_it_is_read(
    protocol: Protocol, wire: Wire, monkeypatch: pytest.MonkeyPatch, flood: bytes
) -> None:
    monkeypatch.setattr(connection, "LARGEST_RESPONSE", 1 << 20)
    endless = Endless(flood * (4096 // len(flood)))
    wire.answers = [Sent(endless, kind=protocol.reply().kind), protocol.reply()]
    waiting = Waiting(protocol)
    assert isinstance(simulate(waiting.ask()), Completion)
    assert endless.sent <= 300
    assert (
        "sent a response of more than" in waiting.told[0] or "sent invalid JSON" in waiting.told[0]
    )


def test_a_reply_without_end_is_cut_at_its_longest(protocol: Protocol, wire: Wire) -> None:
    endless = Endless(protocol.piece("lamp " * 100))
    wire.answers = [Sent(endless, kind=protocol.reply().kind), protocol.reply()]
    waiting = Waiting(protocol)
    assert isinstance(simulate(waiting.ask()), Completion)
    assert protocol.name == "whole" or endless.sent < 100


def test_an_error_without_end_is_not_read_to_it(protocol: Protocol, wire: Wire) -> None:
    endless = Endless(b"no " * 1000)
    wire.answers = [Sent(endless, 500), protocol.reply()]
    assert isinstance(simulate(Waiting(protocol).ask()), Completion)
    assert endless.sent < 50


def test_a_call_that_is_given_up_is_a_fallback_counted_and_kept(wire: Wire) -> None:
    protocol, journal = PROTOCOLS[0], PocketJournal()
    wire.answer = lambda body: protocol.reply(OK) if is_probe(body) else protocol.refusal(500, "no")

    async def asked(told: list[str]) -> Any:
        settings = protocol.settings()
        model = RetryingModel(protocol.model(), settings, told.append)
        caller = Caller(model, HashEmbeddings(), TEMPLATES["en"], journal, PocketTable(), settings)
        _, call, _ = await caller.ask(
            PROMPTS["utterance"], SAMPLES["utterance"], step=3, who="ida", ordinal=0, seed=1
        )
        return call, caller.stats.total

    told: list[str] = []
    call, total = simulate(asked(told))
    assert (call.outcome, total.fallback, total.calls) == ("fallback", 1, 1)
    (attempt,) = call.attempts
    assert attempt.failed
    assert "gave no reply" in attempt.error
    assert "127.0.0.1" not in attempt.error, "the server is the machine's, not the run's"
    assert told
    wire.requests.clear()
    again, _ = simulate(asked([]))
    assert (again.outcome, again.attempts) == ("fallback", call.attempts)
    assert wire.requests == []
