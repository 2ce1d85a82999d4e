"""The world editor: once a day a change is drafted, tried on paired copies, and proposed or entered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hometown.history.edited_rules import show_world_edits
from hometown.history.reader import RunReader
from hometown.model.embedding import make_embedder
from hometown.model.llm import Completion, Request
from hometown.paths import DATA
from hometown.prompt.law_drafts import BookEntry
from hometown.prompt.world_edits import WorldEditVars
from hometown.scripted.lawmaking import answer_world_edit
from hometown.scripted.model import ScriptedModel
from hometown.session import Session
from hometown.settings import Machine
from hometown.storage.world_edit_log import WorldEdit, read_edits
from hometown.study.laws import world_editor
from hometown.study.laws.world_editor import WorldEditor
from hometown.town import open_editor
from tests.support.prompt_samples import SAMPLES
from tests.support.society import SOCIETY, societal
from tests.support.town import live, opened

PRICE = {"entry": "fixtures/cafe/main/counter", "key": "shop.sells.loaf", "value": "33"}
FAMINE = {"entry": "needs/hunger", "key": "awake", "value": "-900"}
MINT = {"entry": "recipes/bake", "key": "make", "value": '{"loaf": 12, "coin": 100}'}
MIDNIGHT = datetime(2025, 2, 14, 0, 5)


class Editing(ScriptedModel):
    """The stand-in, as an editor that always wants the same change."""

    def __init__(self, change: dict[str, str]) -> None:
        self.change = change

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        assert request.kind == "world_edit"
        reply = {"why": "Bread is cheap.", "changes": [self.change]}
        return Completion(json.dumps(reply), 1, 1)


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world_editor, "TRIAL_DAYS", 1)


def edited(
    folder: Path,
    change: dict[str, str],
    allows: str,
    needs: Mapping[str, Any] = SOCIETY["needs"],
) -> tuple[WorldEdit | None, int]:
    """What becomes of a change on a day, and how many laws wait then."""
    live(folder, 1, world=societal(folder, needs=needs), settings={"world_editor": allows})
    with opened(folder) as run:
        embedder = make_embedder("hash", run.manifest.settings.add_machine(Machine()))
        session = Session(run, societal(folder), Editing(change), embedder, Machine())
        editor = open_editor(session, session.model)
        assert isinstance(editor, WorldEditor)
        assert asyncio.run(editor.edit(datetime(2025, 2, 13, 6, 10))) is None, "within a day"
        edit = asyncio.run(editor.edit(MIDNIGHT))
        assert asyncio.run(editor.edit(MIDNIGHT)) is None, "once a day"
        assert edit is None or read_edits(run.file.parent) == [edit]
        return edit, len(run.inbox.interventions())


@pytest.mark.parametrize(("allows", "laws"), [("propose", 0), ("enter", 1)])
def test_a_harmless_change_is_proposed_or_entered(tmp_path: Path, allows: str, laws: int) -> None:
    edit, waiting = edited(tmp_path, PRICE, allows)
    assert edit
    assert (edit.harms, len(edit.pairs), bool(edit.entered), waiting) == ((), 3, laws > 0, laws)
    with opened(tmp_path) as run:
        (shown,) = show_world_edits(RunReader(run))
    assert shown["why"] == "Bread is cheap."
    assert any("33" in line for line in shown["changes"])


def test_a_change_is_tried_in_a_society_without_vital_needs(tmp_path: Path) -> None:
    shared = json.loads((DATA / "society" / "needs.json").read_text("utf-8"))
    needs = {
        need: {name: value for name, value in part.items() if name != "at_zero"}
        for need, part in (shared | SOCIETY["needs"]).items()
    }
    edit, _ = edited(tmp_path, PRICE, "enter", needs)
    assert edit
    assert edit.harms == ()
    assert {(pair.changed, pair.unchanged) for pair in edit.pairs} == {(1000, 1000)}


@pytest.mark.parametrize(("change", "harm"), [(FAMINE, "food"), (MINT, "coin")])
def test_a_harmful_change_is_never_entered(
    tmp_path: Path, change: dict[str, str], harm: str
) -> None:
    edit, waiting = edited(tmp_path, change, "enter")
    assert edit
    assert waiting == edit.entered == 0
    assert any(harm in line for line in edit.harms), edit.harms


def test_the_editor_is_off_unless_the_settings_say_otherwise(tmp_path: Path) -> None:
    live(tmp_path, 1, world=societal(tmp_path))
    with opened(tmp_path) as run:
        embedder = make_embedder("hash", run.manifest.settings.add_machine(Machine()))
        session = Session(run, societal(tmp_path), ScriptedModel(), embedder, Machine())
        assert open_editor(session, session.model) is None


def test_the_stand_in_shortens_the_work_for_what_has_grown_dear() -> None:
    sample = SAMPLES["world_edit"]
    assert isinstance(sample, WorldEditVars)
    bake = BookEntry("recipes/bake", ("bake",), '{"minutes":40,"make":{"loaf":12}}')
    dear = replace(sample, entries=(bake,), faults="")
    (change,) = answer_world_edit(replace(dear, earlier=()), Random(1), "en").changes
    assert (change.entry, change.key, change.value) == ("recipes/bake", "minutes", "36")
    assert answer_world_edit(dear, Random(1), "en").changes == [], "it was proposed before"
