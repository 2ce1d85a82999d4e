"""A person walks into a living town on a phone: enters by the road, goes to a café, talks, leaves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from hometown.paths import WORLDS
from hometown.web.processes import Processes
from tests.page.browsing import PHONE, beside, expect
from tests.page.conftest import Visit
from tests.page.looking import look
from tests.support.town import live

MORNING = datetime(2025, 2, 13, 9, 0)
PACE_SECONDS = 3600
"""Pace at which steps are lived only because the visitor does something."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("visited")
    beside(live, folder, 1, start=MORNING)
    processes = Processes(folder, WORLDS)
    processes.start("town", ["resume", "town", "--step=100", f"--pace={PACE_SECONDS}"])
    yield folder
    processes.pause("town")


def test_a_person_walks_in_talks_and_leaves(visit: Visit) -> None:
    page = visit("/?name=town&lang=en", PHONE)
    page.evaluate("window.isTheSame = true")
    page.click("#walk-in")
    page.click("#door summary")
    page.get_by_role("button", name="Make a link").click()
    expect(page.get_by_label("Link by which others walk in")).to_have_value(re.compile("&visit="))
    assert look(page, "door", moving=True, schemes=["light"]) == []
    page.get_by_label("Your name").fill("Noor Haddad")
    page.click("#door .acts .primary")
    box = page.locator("#visit-box")
    expect(box.locator(".where")).to_contain_text("the streets")
    assert page.evaluate("window.isTheSame"), "the page has not been loaded anew"
    expect(page.locator("#resident-list li", has_text="Noor Haddad")).to_have_count(1)
    box.get_by_label("Go to a place").select_option("Starlight Café")
    expect(box.locator(".where")).to_contain_text("Starlight Café")
    box.get_by_role("button", name="Xiao Mei").click()
    box.get_by_label("Say something to Xiao Mei").fill("Good morning! Is this chair free?")
    box.get_by_label("The town goes on while I think").check()
    with page.expect_request(lambda sent: '"ends":true' in (sent.post_data or "")):
        box.get_by_role("button", name="Say", exact=True).click()
    expect(box.locator(".said li:not(.mine, .thinks)")).to_contain_text("Xiao Mei")
    assert look(page, "visit", moving=True, schemes=["dark"]) == []
    box.get_by_label("Say something to Xiao Mei").fill("a postcard from Haifa")
    box.get_by_role("button", name="Hand over").click()
    expect(box.locator(".said")).to_contain_text("🎁 a postcard from Haifa")
    box.get_by_role("button", name="Leave").click()
    expect(box).to_be_hidden()
    expect(page.locator("#walk-in")).to_be_visible()
