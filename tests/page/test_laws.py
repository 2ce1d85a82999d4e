"""The rules of a town on the page: what is changed in fields becomes a patch, and the form can be
read by everybody.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hometown.storage.world_edit_log import EditPair, WorldEdit, add_edit
from tests.page.browsing import beside, fits, turn, until
from tests.page.looking import look
from tests.support.once import made_once
from tests.support.page_views import served
from tests.support.society import societal
from tests.support.town import MORNING, live, opened

EDIT = WorldEdit(
    MORNING,
    1,
    "Bread is dear.",
    '{"recipes":{"bake":{"minutes":36}}}',
    ("recipes/bake: minutes 40 → 36",),
    (),
    (EditPair(1, 512, 498), EditPair(2, 500, 500)),
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    def hour(folder: Path) -> None:
        beside(live, folder, 3, world=societal(folder))
        with opened(folder) as run:
            add_edit(run.file.parent, EDIT)

    return served(Path(made_once(tmp_path_factory, "page-edited-hour", hour)))


def test_what_is_changed_in_a_field_is_a_patch(visit: Any) -> None:
    page = visit("/?name=town&lang=en&paused=1")
    turn(page, "speak")
    page.select_option(".speak-form select >> nth=0", "law")
    until(page, "document.querySelector('.law select').options.length > 9")
    page.select_option(".law select", "fixtures/cafe/main/counter")
    page.get_by_label("shop · price · bread").fill("44")
    page.get_by_label("Sun").check()
    assert json.loads(page.locator(".law-patch").input_value()) == {
        "fixtures": {"cafe/main/counter": {"shop": {"sells": {"loaf": 44}}, "closed_on": ["sun"]}}
    }
    page.get_by_label("shop · price · bread").fill("30")
    page.get_by_label("Sun").uncheck()
    assert page.locator(".law-patch").input_value() == ""
    assert fits(page)
    assert look(page, "law") == []


def test_a_proposal_of_the_world_editor_is_shown_with_its_evidence(visit: Any) -> None:
    page = visit("/?name=town&lang=en&paused=1")
    turn(page, "town")
    until(page, "!document.querySelector('#edits').hidden")
    page.locator("#edits > summary").click()
    told = page.locator("#edits li.card").inner_text()
    assert "Bread is dear." in told
    assert "minutes 40 → 36" in told
    assert "51 % / 50 %, 50 % / 50 %" in told
    assert fits(page)
    assert look(page, "edits") == []
