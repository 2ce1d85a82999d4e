"""Streams and silence, in simulated time: who still sends is waited for, who has stopped is not,
and calls do not wait for each other.
"""

from __future__ import annotations

import asyncio

import pytest

from hometown.errors import ModelBusy, ModelUnavailable
from hometown.model.llm import Completion, LanguageModel, Request
from hometown.model.retrying import LONGEST_WAIT, RetryingModel
from hometown.settings import Settings
from tests.support.conformance import REQUESTS
from tests.support.fake_models import Canned
from tests.support.protocols import ASKED, GOOD, PROTOCOLS, Protocol
from tests.support.simulated import Part, Pause, Sent, Wire
from tests.support.simulated_time import simulate

LIMIT = 120.0
"""Seconds of silence after which a server is taken to have stalled."""

SILENT = Sent([Pause(10**6)])

streamed = pytest.mark.parametrize(
    "protocol",
    [protocol for protocol in PROTOCOLS if protocol.name != "whole"],
    ids=lambda protocol: protocol.name,
)
every = pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    return Wire(monkeypatch)


def spread_out(protocol: Protocol, seconds: float, text: str = GOOD) -> Sent:
    """A good response that pauses before each of its parts."""
    parts: list[Part] = [
        each for part in protocol.reply(text).parts for each in (Pause(seconds), part)
    ]
    return Sent(parts, kind=protocol.reply().kind)


def timed(
    model: LanguageModel, *requests: Request
) -> tuple[list[Completion | BaseException], float]:
    """The outcomes of requests made at once, and the seconds until the last."""

    async def ask() -> tuple[list[Completion | BaseException], float]:
        answers = await asyncio.gather(
            *(model.complete(request, seed=1) for request in requests), return_exceptions=True
        )
        return answers, asyncio.get_running_loop().time()

    return simulate(ask())


@streamed
def test_a_server_that_still_writes_is_not_cut_off_and_its_tokens_are_counted(
    protocol: Protocol, wire: Wire
) -> None:
    wire.answers = [spread_out(protocol, LIMIT - 1)]
    (completion,), seconds = timed(protocol.model(min_tokens_per_second=0.1), ASKED)
    assert isinstance(completion, Completion)
    assert (completion.text, completion.prompt_tokens, completion.reply_tokens) == (GOOD, 100, 10)
    assert seconds > 2 * LIMIT


@streamed
def test_a_server_that_has_stopped_sending_is_noticed(protocol: Protocol, wire: Wire) -> None:
    wire.answers = [
        Sent([Pause(LIMIT - 1), protocol.piece("lamp"), *SILENT.parts], kind=protocol.reply().kind)
    ]
    (failure,), seconds = timed(protocol.model(), ASKED)
    assert isinstance(failure, ModelBusy)
    assert "has sent nothing for 120 s (llm.give_up_after)" in str(failure)
    assert seconds == pytest.approx(2 * LIMIT - 1)


@every
def test_a_server_that_hangs_from_the_first_call_on_is_given_up_as_well(
    protocol: Protocol, wire: Wire
) -> None:
    wire.answers = [SILENT]
    (failure,), seconds = timed(protocol.model(give_up_after=20), ASKED)
    assert isinstance(failure, ModelBusy)
    assert "has sent nothing for 20 s (llm.give_up_after)" in str(failure)
    assert seconds == pytest.approx(20)


@every
@pytest.mark.parametrize(
    ("timeout", "give_up_after"), [(20, 120), (300, 0)], ids=["the shorter one", "the only one"]
)
def test_a_late_answer_is_not_waited_for(
    protocol: Protocol, wire: Wire, timeout: float, give_up_after: float
) -> None:
    wire.answers = [SILENT]
    (failure,), seconds = timed(protocol.model(timeout=timeout, give_up_after=give_up_after), ASKED)
    assert isinstance(failure, ModelBusy)
    assert f"has sent nothing for {timeout} s (machine.timeout_seconds)" in str(failure)
    assert seconds == pytest.approx(timeout)


@every
def test_with_a_limit_of_0_only_the_timeout_counts(protocol: Protocol, wire: Wire) -> None:
    wire.answers = [Sent([Pause(LIMIT + 1), *protocol.reply().parts], kind=protocol.reply().kind)]
    (completion,), _ = timed(protocol.model(give_up_after=0), ASKED)
    assert isinstance(completion, Completion)


@streamed
def test_a_call_that_waits_behind_others_is_not_taken_for_a_dead_one(
    protocol: Protocol, wire: Wire
) -> None:
    late = Sent([Pause(2 * LIMIT), *protocol.reply().parts], kind=protocol.reply().kind)
    wire.answers = [late]
    (alone,), _ = timed(protocol.model(), ASKED)
    assert isinstance(alone, ModelBusy), "the first part comes too late, and nothing else does"
    wire.answers = [spread_out(protocol, LIMIT - 1), late]
    answers, _ = timed(protocol.model(min_tokens_per_second=0.1), ASKED, ASKED)
    assert [type(answer) for answer in answers] == [Completion, Completion]


@every
def test_calls_are_under_way_at_once(protocol: Protocol, wire: Wire) -> None:
    wire.always = Sent([Pause(10), *protocol.reply().parts], kind=protocol.reply().kind)
    answers, seconds = timed(protocol.model(), *[ASKED] * 8)
    assert {type(answer) for answer in answers} == {Completion}
    assert seconds == pytest.approx(10)


@every
def test_patience_ends_for_all_at_the_same_time(protocol: Protocol, wire: Wire) -> None:
    wire.always = protocol.refusal(503, "loading")
    told: list[str] = []
    answers, seconds = timed(
        RetryingModel(protocol.model(), protocol.settings(), told.append), *[ASKED] * 4
    )
    for failure in answers:
        assert isinstance(failure, ModelUnavailable)
        assert not isinstance(failure, ModelBusy)
        assert "gave up after 120 s (llm.give_up_after)" in str(failure)
    assert LIMIT <= seconds < LIMIT + LONGEST_WAIT
    (alone,), _ = timed(
        RetryingModel(protocol.model(), protocol.settings(), (only := list[str]()).append), ASKED
    )
    assert isinstance(alone, ModelUnavailable)
    assert len(told) < 2 * len(only), "one line for each wait, not for each call"


def test_patience_ends_where_less_is_left_than_anybody_would_wait(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Waits of 0.5, 1, 2, 4 and 8 s, and half a thousandth: repeating the call without waiting
    would take no time, for ever.
    """
    protocol = PROTOCOLS[0]
    wire.always = protocol.refusal(503, "loading")
    model = RetryingModel(
        protocol.model(), protocol.settings(give_up_after=15.5005), lambda _: None
    )
    monkeypatch.setattr(model._policy._random, "uniform", lambda least, most: most)
    (failure,), seconds = timed(model, ASKED)
    assert isinstance(failure, ModelUnavailable)
    assert not isinstance(failure, ModelBusy)
    assert seconds == pytest.approx(15.5)


def test_patience_is_told_how_long_to_wait() -> None:
    class Waits(Canned):
        async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
            if not self.requests:
                self.requests.append(request)
                raise ModelBusy("wait", retry_after=7)
            return await super().complete(request, seed=seed)

    (completion,), seconds = timed(
        RetryingModel(Waits(), Settings(), lambda _: None), REQUESTS["utterance", "en"]
    )
    assert isinstance(completion, Completion)
    assert seconds == pytest.approx(7)
