"""Somebody moves in, on the page: described in words, looked at, and sent; and whoever has moved in
is seen from then on.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.page.browsing import beside, expect, fits, turn, until
from tests.page.looking import look
from tests.support.moving import COMES, LAST, morning
from tests.support.once import made_once
from tests.support.page_views import served


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = made_once(tmp_path_factory, "page-moving", lambda folder: beside(morning, folder))
    return served(Path(shutil.copytree(made, tmp_path_factory.mktemp("moving") / "results")))


@pytest.mark.parametrize(("step", "doing"), [(COMES - 2, "out of town"), (LAST, "")])
def test_whoever_has_moved_in_is_seen_from_then_on(visit: Any, step: int, doing: str) -> None:
    page = visit(f"/?name=town&lang=en&paused=1&step={step}")
    row = page.locator("#resident-list li").last
    expect(row).to_contain_text("Mira Voss")
    expect(row).to_contain_text(doing)
    assert row.locator("img").get_attribute("src").startswith("data:image/png"), (
        "she has a face though nobody has drawn her"
    )
    row.click()
    assert fits(page)
    assert look(page, "moved in") == []


def test_somebody_is_described_in_words_and_sent(visit: Any) -> None:
    page = visit("/?name=town&lang=en&paused=1")
    turn(page, "speak")
    page.select_option(".speak-form select >> nth=0", "settle")
    page.locator(".law input[type=text] >> nth=0").fill(
        "Rosa Bell, a baker of 41, moves in with Lin Yue"
    )
    page.get_by_text("Draft", exact=True).click()
    until(page, "document.querySelector('.law-patch').value.includes('Rosa')")
    assert (
        json.loads(page.locator(".law-patch").input_value())["residents"]["rosa_bell"]["home"]
        == "lin_home/bedroom"
    )
    expect(page.locator(".law-found")).to_contain_text("Rosa Bell, 41, lin_home/bedroom")
    page.get_by_text("Check it", exact=True).click()
    expect(page.locator(".law-found")).to_contain_text("That can be.")
    assert look(page, "settle") == []
    page.get_by_text("Add intervention", exact=True).click()
    expect(page.locator(".speak-list")).to_contain_text("From now on, Rosa Bell, baker, lives at")
    assert page.locator(".law-patch").input_value() == ""
