"""An experiment on a model that can do little: it comes to its end, says what could not be used,
and refuses such a judge.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from hometown.cli.main import run_hometown as hometown
from hometown.study.experiment.analysis import analyse
from tests.support.experiments import small
from tests.support.fake_openai import FakeOpenAI

FILE = """
name: poor
question: Does it end?
town: {world: minitown, residents: [Wang Fang, Lin Yue], until: "3"}
llm: "openai:town-7b"
settings: {llm: {max_fallback_share: 1.0}}
seeds: [1]
conditions: {town: {}, other: {settings: {percept: {vision_r: 4}}}}
interviews:
  - {questionnaire: believability, access: [full, no-plan, none], questions: 6}
judge: "openai:town-7b"
primary: {measure: claims.fallbacks}
"""


class Poor(FakeOpenAI):
    """Fails at all that a town asks and at a part of the questions; as a judge, it takes answers in
    the order in which they are shown.
    """

    def reply(self, body: dict[str, Any]) -> str:
        text = str(body["messages"])
        if '"order"' in text:
            count = text.rpartition("The answers:")[2].count("I am ")
            return json.dumps({"reason": "It comes first.", "order": list(range(1, count + 1))})
        number = crc32(
            next(one["content"] for one in body["messages"] if one["role"] == "user").encode()
        )  # the same, however often it is asked
        return (
            json.dumps({"evidence": [], "answer": f"I am {number}.", "knows": "yes"})
            if '"knows"' in text and number % 4
            else "{}"
        )


def test_it_ends_shows_its_fallbacks_and_does_not_admit_its_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Poor() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert (
            hometown(
                [
                    "experiment",
                    str(small(tmp_path, FILE)),
                    "--results",
                    str(tmp_path),
                    "--lang",
                    "en",
                ]
            )
            == 0
        ), capsys.readouterr().err
    folder = tmp_path / "experiments" / "poor"
    results = analyse(folder)
    assert results.models == ("openai:town-7b",)
    assert not results.scripted
    values = {
        (outcome.measure, outcome.condition): outcome.estimate.value for outcome in results.outcomes
    }
    assert values["cost.fallbacks", "town"] > 0.5
    assert 0.0 < values["claims.fallbacks", "town"] < 0.7
    assert not results.is_admitted
    assert "position" in {control.name for control in results.judge if not control.has_passed}
    report = (folder / "report.md").read_text("utf-8")
    assert "not admitted" in report
    assert "The judge is the model that has answered" in report
    assert "| answers at the end that were not usable, share |" in report
    shares = {
        what: float(share)
        for share, what in re.findall(
            r"> \*\*In town, ([\d.]+) % of all (.*?) could not be used", report
        )
    }
    assert shares["answers in interviews at the end"] == pytest.approx(
        100 * values["claims.fallbacks", "town"], abs=0.1
    )
    assert shares["the replies of which the town consists"] > 50
    assert "no language model" not in (folder / "figures" / "primary.svg").read_text("utf-8")
    contrast = next(each for each in results.contrasts if each.measure == "claims.fallbacks")
    assert contrast.p == 1.0, "one seed shows nothing"
