"""The rules of a town on the page: what is changed in fields becomes a patch, and the form can be
read by everybody.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.page.browsing import beside, fits, turn, until
from tests.page.looking import look
from tests.support.once import made_once
from tests.support.page_views import served
from tests.support.society import societal
from tests.support.town import live


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = made_once(
        tmp_path_factory,
        "page-society-hour",
        lambda folder: beside(live, folder, 3, world=societal(folder)),
    )
    return served(Path(made))


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
