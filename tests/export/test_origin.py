"""A diary says of its run what is true of it: where the days of its residents come from, and which
of them were written before.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hometown.export.diary_preface import HABITUAL, origin_of
from hometown.export.diary_report import write_diary
from hometown.export.table_export import TABLES
from hometown.history.habitual import habitual_activities, planner_of
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.report_wording import REPORT_TEXTS
from hometown.history.residents import resident
from hometown.storage.manifest import Manifest
from tests.support.golden import PRESENT, put_golden
from tools.make_golden import NAME

SMALL, LARGE = "ollama:qwen3:1.7b", "ollama:qwen3:8b"
FREE = dict.fromkeys(("schedule_init", "schedule_daily", "schedule_decompose"), "free")


def changed(manifest: Manifest, llm: str, /, **settings: Any) -> Manifest:
    """Return the manifest of a run on another model, with other settings of some sections."""
    sections = {
        name: getattr(manifest.settings, name).model_copy(update=given)
        for name, given in settings.items()
    }
    return manifest.model_copy(
        update={"llm": llm, "settings": manifest.settings.model_copy(update=sections)}
    )


@pytest.mark.parametrize(
    ("llm", "settings", "key"),
    [
        ("scripted", {}, "rules"),
        (LARGE, {}, "model"),
        (SMALL, {}, "habits"),
        (SMALL, {"llm": {"freedom": "free"}}, "model"),
        (f"{LARGE} with place=ollama:a", {"llm": {"freedom": "habits"}}, "habits"),
        (SMALL, {"llm": {"tried": {SMALL: FREE}}}, "model"),
        (LARGE, {"llm": {"tried": {LARGE: FREE | {"schedule_daily": "habits"}}}}, "habits"),
        (LARGE, {"faculties": {"plan": False}}, "habits"),
    ],
)
def test_only_a_model_that_plans_freely_has_nothing_written_for_it(
    tmp_path: Path, llm: str, settings: dict[str, Any], key: str
) -> None:
    put_golden(tmp_path, PRESENT)
    with RunReader.open(tmp_path, NAME) as run:
        names = Names.of(run)
        manifest = changed(run.manifest, llm, **settings)
        assert origin_of(manifest, names, run.residents) == (f"what_this_is_{key}", "")
        for who in run.residents:
            assert planner_of(manifest, names.world, who) == key
            assert bool(habitual_activities(manifest, names.world, who)) == (key != "model")


def test_only_of_free_models_it_is_said_that_nothing_was_written_before() -> None:
    saying = [key for key, text in REPORT_TEXTS.items() if "nothing they do" in text]
    assert saying == ["what_this_is_model"]


def test_a_diary_names_those_whose_days_come_from_elsewhere(tmp_path: Path) -> None:
    put_golden(tmp_path, PRESENT)
    with RunReader.open(tmp_path, NAME) as run:
        names = Names.of(run)
        first, *others = run.residents
        manifest = changed(run.manifest, LARGE, detail={"background": [first]})
        key, sources = origin_of(manifest, names, run.residents)
    assert key == "what_this_is_mixed"
    assert sources == "; ".join(
        (
            REPORT_TEXTS["source_model"].format(names=names.people(others)),
            REPORT_TEXTS["source_rules"].format(names=names.person(first)),
        )
    )


def test_what_stands_in_a_habit_is_marked_in_diary_tables_and_page(tmp_path: Path) -> None:
    put_golden(tmp_path, PRESENT)
    with RunReader.open(tmp_path, NAME) as run:
        names, last = Names.of(run), run.last_step()
        write_diary(run, names, tmp_path / "diary.md", last)
        actions = next(table for table in TABLES if table.name == "actions")
        rows = [dict(zip(actions.columns, row, strict=True)) for row in actions.rows(run, 0, last)]
        blocks = {who: resident(run, names, who, 1, last) for who in run.residents}
    habitual = {row["activity"] for row in rows if row["habitual"]}
    assert habitual
    for row in rows:
        assert row["habitual"] == (row["activity"] in blocks[row["resident"]]["habits"])
    text = (tmp_path / "diary.md").read_text("utf-8")
    assert f"are marked {HABITUAL}." in text
    assert any(f"{activity} {HABITUAL}" in text for activity in habitual)
