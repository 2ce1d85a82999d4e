"""A diary says of its run what is true of it: who or what decided, and what was written before."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometown.export.diary_report import origin_key
from hometown.history.report_wording import REPORT_TEXTS
from hometown.storage.run import RunFile
from tests.support.golden import PRESENT, put_golden
from tools.make_golden import NAME


@pytest.mark.parametrize(
    ("llm", "freedom", "key"),
    [
        ("scripted", "auto", "what_this_is_scripted"),
        ("ollama:qwen3:8b", "auto", "what_this_is"),
        ("ollama:qwen3:1.7b", "auto", "what_this_is_near_habit"),
        ("ollama:qwen3:1.7b", "free", "what_this_is"),
        ("ollama:qwen3:8b with place=ollama:a", "habits", "what_this_is_near_habit"),
    ],
)
def test_only_a_model_that_plans_freely_has_nothing_written_for_it(
    tmp_path: Path, llm: str, freedom: str, key: str
) -> None:
    put_golden(tmp_path, PRESENT)
    with RunFile.open(tmp_path, NAME) as run:
        manifest = run.manifest
    asked = manifest.settings.llm.model_copy(update={"freedom": freedom})
    settings = manifest.settings.model_copy(update={"llm": asked})
    changed = manifest.model_copy(update={"llm": llm, "settings": settings})
    assert origin_key(changed) == key
    assert ("nothing they do was written in advance" in REPORT_TEXTS[key]) == (
        key == "what_this_is"
    )
