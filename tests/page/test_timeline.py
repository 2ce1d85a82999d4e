"""The timeline zooms into a range that is chosen on it, and keeps the user's own marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.page.browsing import PHONE, begun, expect, fits
from tests.page.conftest import Visit
from tests.page.looking import axe


@pytest.fixture(scope="module")
def results(lived: Path) -> Path:
    return lived


def test_a_range_is_chosen_seen_and_marked(visit: Visit) -> None:
    page = visit("/?name=lived-en&lang=en&step=13&paused=1", PHONE, reduced_motion="reduce")
    begun(page)
    page.keyboard.press("[")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("]")
    page.click("#time-open")
    menu = page.locator("#time-menu")
    expect(menu).to_contain_text("Thu 08:00 to Thu 09:00")
    menu.get_by_role("button", name="Show the range").click()
    expect(page.locator("#scrub")).to_have_attribute("min", str(2 * 360))
    expect(page.locator("#scrub")).to_have_attribute("max", str(3 * 360))
    menu.get_by_role("textbox").fill("zz")
    page.keyboard.press("Enter")
    expect(menu.locator("li")).to_contain_text("zz")
    expect(page.locator("#scrub")).to_have_attribute("min", str(2 * 360))
    assert axe(page) == []
    assert fits(page)
    page.reload()
    begun(page)
    page.click("#time-open")
    menu.locator(".moment").click()
    expect(page.locator("#hour")).to_have_text("09:00")
