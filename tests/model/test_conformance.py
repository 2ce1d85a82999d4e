"""The backends of this version, and the models of the tests, against the suite that all must pass."""

from __future__ import annotations

import pytest

from hometown.backends import choose_model
from hometown.errors import BadInput
from hometown.model.llm import LanguageModel
from hometown.settings import Settings
from tests.support.conformance import REQUESTS, ModelConformance, faults
from tests.support.fake_models import Canned, Reordering


class TestScripted(ModelConformance):
    @pytest.fixture
    async def model(self) -> LanguageModel:
        return (await choose_model("scripted", Settings()))[0]


class TestCanned(ModelConformance):
    @pytest.fixture
    def model(self) -> LanguageModel:
        return Canned()


class TestReordering(ModelConformance):
    @pytest.fixture
    def model(self) -> LanguageModel:
        return Reordering(Canned(), order=1)


def test_the_suite_notices_what_does_not_fit_a_schema() -> None:
    schema = REQUESTS["place", "en"].schema
    good = {"place": 1, "emoji": "🍞", "thing_state": ""}
    assert faults(good, schema) == []
    for wrong in (
        {"place": 0},
        {"place": 99},
        {"emoji": ""},
        {"emoji": 1},
        {"thing_state": "a" * 61},
        {"more": 1},
    ):
        assert faults({**good, **wrong}, schema)
    assert faults({"ratings": [True]}, REQUESTS["poignancy", "en"].schema)
    assert faults({"ratings": []}, REQUESTS["poignancy", "en"].schema)


async def test_auto_and_scripted_say_what_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")  # where nobody answers
    for spec in ("auto", "scripted"):
        for lang in ("en", "zh"):
            model, reason = await choose_model(spec, Settings(), lang)  # type: ignore[arg-type]
            assert model.name == "scripted"
            assert "no language model" in reason or "无语言模型" in reason


@pytest.mark.parametrize("spec", ["ollama:", "ollama", "gpt", "gpt:4", ""])
async def test_models_that_cannot_be_had_are_bad_input(spec: str) -> None:
    with pytest.raises(BadInput, match="--llm scripted") as caught:
        await choose_model(spec, Settings())
    assert repr(spec) in str(caught.value)
