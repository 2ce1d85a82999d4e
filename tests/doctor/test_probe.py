"""The examination of a model server by itself, in simulated time: what it measures, and what it
concludes from that.
"""

from __future__ import annotations

import asyncio
import json

import pytest

from hometown.doctor import probe
from hometown.doctor.model_servers import Answer, Described
from hometown.doctor.probe import Check, Findings, Probe, best_slots, notes
from hometown.language import Lang
from hometown.settings import Settings
from tests.support.simulated_time import simulate

SHORT = 500
"""Characters that no question but those that measure speed has."""


class FakeServer:
    """Answers `slots` questions at once, each after so many seconds; the first long one takes
    `cold` seconds more.
    """

    backend, where, corrected = "ollama", "here", ""

    def __init__(self, *, slots: int = 8, seconds: float = 0.5, cold: float = 0.0) -> None:
        self.seconds, self.cold = seconds, cold
        self.questions: list[str] = []
        self._gate = asyncio.Semaphore(slots)

    async def version(self) -> str:
        return "1"

    async def models(self) -> list[str]:
        return ["m"]

    async def describe(self, model: str) -> Described:
        return Described(40960, "8B")

    async def gpu_share(self, model: str) -> float | None:
        return 1.0

    async def learn(self, model: str, lang: Lang) -> None:
        return None

    async def ask(self, model: str, question: str, lang: Lang) -> Answer:
        self.questions.append(question)
        first = len(question) > SHORT and sum(len(one) > SHORT for one in self.questions) == 1
        async with self._gate:
            await asyncio.sleep(self.seconds + self.cold * first)
        line = "早上好，今天好吗？" if lang == "zh" else "Good morning, how are you?"
        return Answer(json.dumps({"say": line, "end": False}), False, 1000, 40)

    async def close(self) -> None: ...


def examined(server: FakeServer) -> tuple[Findings, float]:
    """What was found, and how many seconds that took."""

    async def examine() -> tuple[Findings, float]:
        return await Probe(
            [server], "m", Settings(), "en", "en"
        ).examine(), asyncio.get_running_loop().time()

    return simulate(examine())


def check(findings: Findings, name: str) -> Check:
    return next(one for one in findings.checks if one.name == name)


@pytest.mark.parametrize("slots", [1, 2, 4, 8])
@pytest.mark.parametrize("cold", [0.0, 6.0])
def test_it_finds_as_many_slots_as_there_are(slots: int, cold: float) -> None:
    findings, _ = examined(FakeServer(slots=slots, cold=cold))
    assert findings.slots == slots
    verdict = check(findings, "slots")
    assert verdict.ok == (slots > 1)
    assert bool(verdict.fix) != verdict.ok
    assert f"OLLAMA_NUM_PARALLEL={slots}" in verdict.detail
    assert findings.writing == pytest.approx(slots * examined(FakeServer(slots=1))[0].writing)


def test_what_is_measured_has_not_been_read_before() -> None:
    server = FakeServer()
    examined(server)
    measured = [question for question in server.questions if len(question) > SHORT]
    assert len(measured) == 1 + 1 + 2 + 4 + 8
    assert len({question[:20] for question in measured}) == len(measured)


def test_a_slow_server_is_measured_as_far_as_there_is_time() -> None:
    findings, seconds = examined(FakeServer(slots=1, seconds=4))
    assert seconds < probe.SECONDS
    assert findings.slots == 1
    assert "4 at once" in check(findings, "speed").detail
    assert "8 at once" not in check(findings, "speed").detail


def test_it_ends_in_time() -> None:
    findings, seconds = examined(FakeServer(seconds=1000))
    assert seconds == pytest.approx(probe.SECONDS)
    assert "no answer" in check(findings, "structured").detail
    assert not check(findings, "structured").ok


def test_the_best_slots_are_the_most_that_still_gain() -> None:
    assert best_slots({1: 10}) == 1
    assert best_slots({1: 10, 2: 19, 4: 30, 8: 31}) == 4
    assert best_slots({1: 10, 2: 10, 4: 30}) == 1


def test_the_measured_prompt_is_about_as_long_as_the_usual_one() -> None:
    assert 3500 < len(notes(8, 3)) < 7000
