"""What trials have found of a model decides for which prompts its residents plan freely."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hometown.model.size import freedom_in
from hometown.model.trials import FINDINGS, add_findings, keep_findings, pays, tried_freedom
from hometown.paths import TRIALS
from hometown.settings import Settings
from hometown.shares import Share

SMALL, LARGE = "ollama:qwen3:1.7b", "ollama:qwen3:8b"


def test_a_trial_decides_by_kind_of_prompt_and_language(tmp_path: Path) -> None:
    found = {"wake_up": Share(3, 4), "react": Share(2, 4), "reconsider": Share(2, 2)}
    keep_findings(tmp_path, SMALL, "en", found)
    assert tried_freedom(tmp_path, SMALL, "en") == {"wake_up": "free", "react": "habits"}
    assert tried_freedom(tmp_path, SMALL, "zh") == {}
    assert tried_freedom(tmp_path, LARGE, "en") == {}


def test_a_later_trial_replaces_the_kinds_that_it_has_asked(tmp_path: Path) -> None:
    keep_findings(tmp_path, SMALL, "en", {"wake_up": Share(0, 4), "react": Share(4, 4)})
    keep_findings(tmp_path, SMALL, "en", {"wake_up": Share(4, 4)})
    assert tried_freedom(tmp_path, SMALL, "en") == {"wake_up": "free", "react": "free"}


@pytest.mark.parametrize(
    "found",
    ["{", "[]"]
    + [
        json.dumps({SMALL: by_lang})
        for by_lang in (5, {"en": 5}, {"en": {"react": "free"}}, {"en": {"react": [4]}})
    ],
)
def test_damaged_findings_count_as_none(found: str, tmp_path: Path) -> None:
    (tmp_path / FINDINGS).write_text(found)
    assert tried_freedom(tmp_path, SMALL, "en") == {}
    keep_findings(tmp_path, SMALL, "en", {"react": Share(4, 4)})
    assert tried_freedom(tmp_path, SMALL, "en") == {"react": "free"}


def test_a_trial_comes_before_the_size_in_a_name(tmp_path: Path) -> None:
    keep_findings(tmp_path / TRIALS, SMALL, "en", {"wake_up": Share(4, 4)})
    keep_findings(tmp_path / TRIALS, LARGE, "en", {"wake_up": Share(0, 4)})
    for name, tried, untried in ((SMALL, "free", "habits"), (LARGE, "habits", "free")):
        llm = add_findings(Settings(), tmp_path, f"{name} with react={name}", "en").llm
        assert freedom_in(llm, name, "wake_up") == tried
        assert freedom_in(llm, name, "react") == untried


def test_what_the_user_sets_comes_before_a_trial(tmp_path: Path) -> None:
    keep_findings(tmp_path / TRIALS, LARGE, "en", {"wake_up": Share(0, 4), "react": Share(0, 4)})
    given = Settings.model_validate({"llm": {"tried": {LARGE: {"wake_up": "free"}}}})
    llm = add_findings(given, tmp_path, LARGE, "en").llm
    assert llm.tried == {LARGE: {"wake_up": "free", "react": "habits"}}
    free = Settings.model_validate({"llm": {"freedom": "free"}})
    assert freedom_in(add_findings(free, tmp_path, LARGE, "en").llm, LARGE, "wake_up") == "free"


def test_a_run_lets_a_model_think_where_a_trial_has_found_that_it_pays(tmp_path: Path) -> None:
    plain = {"wake_up": Share(4, 4), "schedule_daily": Share(1, 4), "currently": Share(1, 2)}
    thoughtful = {"wake_up": Share(4, 4), "schedule_daily": Share(3, 4), "currently": Share(2, 2)}
    keep_findings(tmp_path / TRIALS, LARGE, "en", plain)
    keep_findings(tmp_path / TRIALS, LARGE, "en", thoughtful, thinks=True)
    llm = add_findings(Settings(), tmp_path, LARGE, "en").llm
    assert llm.thinking == ["schedule_daily"], "too few replies decide nothing"
    assert freedom_in(llm, LARGE, "schedule_daily") == "free", "as far as it goes after thinking"
    assert add_findings(Settings(), tmp_path, LARGE, "zh").llm.thinking == []
    given = Settings.model_validate({"llm": {"thinking": ["wake_up"]}})
    assert add_findings(given, tmp_path, LARGE, "en").llm.thinking == ["wake_up"]
    never = Settings.model_validate({"llm": {"thinking": []}})
    llm = add_findings(never, tmp_path, LARGE, "en").llm
    assert (llm.thinking, llm.tried[LARGE]["schedule_daily"]) == ([], "habits")


def test_thinking_pays_where_more_replies_are_faultless() -> None:
    assert pays(Share(5, 10), Share(6, 10))
    assert not pays(Share(50, 100), Share(59, 100))
    assert not pays(None, Share(4, 4))
