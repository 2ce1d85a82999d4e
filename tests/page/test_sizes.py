"""What fits on the screen: nothing is cut off on a small one, and a phone on its side belongs to
the town.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.browsing import AREAS, PHONE, begun, expect, fits, turn

TABLET = {"width": 1024, "height": 768}
SIDEWAYS = {"width": 844, "height": 390}
DESKTOP = {"width": 1280, "height": 800}

CUT = """[...document.querySelectorAll('.tab')].filter((tab) => { const [at, bar] = [tab, tab.parentElement].map((one) => one.getBoundingClientRect());
  return tab.checkVisibility() && (at.left < bar.left - 1 || at.right > bar.right + 1); }).map((tab) => tab.textContent)"""
"""The tabs that are not wholly in sight."""


def test_every_tab_is_in_sight(visit: Any) -> None:
    """In English, whose words are wider."""
    page = visit("/?name=town-en&lang=en&step=1&paused=1", TABLET)
    begun(page)
    for size in (TABLET, SIDEWAYS, DESKTOP):
        page.set_viewport_size(size)
        for tab in AREAS:
            turn(page, tab)
            assert page.evaluate(CUT) == []
        assert fits(page)
    turn(page, "speak")
    expect(page.get_by_role("tab", name="Step in")).to_have_attribute("aria-selected", "true")


def test_a_phone_on_its_side_shows_the_town(visit: Any) -> None:
    page = visit("/?name=town-en&step=1&zoom=2", SIDEWAYS)
    begun(page)
    assert page.locator("#stage").bounding_box()["height"] > SIDEWAYS["height"] / 2
    expect(page.locator("#minimap")).to_be_hidden()
    page.keyboard.press("p")
    expect(page.locator("#lecture-bar")).to_be_visible()
    stage, zoom, lecture = (
        page.locator(part).bounding_box() for part in ("#stage", ".zoom", "#lecture-bar")
    )
    assert zoom["y"] + zoom["height"] <= stage["y"] + stage["height"], "a class sees all buttons"
    assert lecture["x"] + lecture["width"] <= zoom["x"], "none lies on another"


def test_the_small_map_shows_what_is_out_of_sight(visit: Any) -> None:
    page = visit("/?name=town-en&step=1&zoom=2&paused=1", DESKTOP)
    begun(page)
    expect(page.locator("#minimap")).to_be_visible()
    page.click("#zoom-fit")
    expect(page.locator("#minimap")).to_be_hidden()
    page.click("#zoom-in")
    page.click("#zoom-in")
    expect(page.locator("#minimap")).to_be_visible()


def test_help_is_for_hands_or_for_keys(visit: Any) -> None:
    page = visit(
        "/?name=town-en&step=1", {"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    begun(page)
    page.tap("#help-open")
    expect(page.locator(".gestures")).to_contain_text("Pinch")
    expect(page.locator(".keys")).to_be_hidden()
    page = visit("/?name=town-en&step=1", DESKTOP)
    begun(page)
    page.click("#help-open")
    expect(page.locator(".keys")).to_be_visible()
    expect(page.locator(".gestures")).to_be_hidden()


@pytest.mark.parametrize("open_it", ["?", "click"])
def test_help_opens_at_its_beginning(visit: Any, open_it: str) -> None:
    page = visit("/?name=town-en&step=1", {"width": 1280, "height": 500})
    begun(page)
    page.click("#help-open") if open_it == "click" else page.keyboard.press("?")
    expect(page.locator("#help h2")).to_be_focused()
    assert page.locator("#help").evaluate("help => help.scrollTop") == 0


def test_on_a_phone_the_class_takes_a_row_and_the_lessons_are_linked(visit: Any) -> None:
    page = visit("/?name=town-en&step=1&class=1&lang=en", PHONE)
    expect(page.locator("#lecture-bar .quiet").last).to_be_visible()
    tops = {
        box["y"]
        for one in page.locator("#lecture-bar .quiet:visible").all()
        if (box := one.bounding_box())
    }
    assert len(tops) == 1
    page = visit("/?lang=en", PHONE)
    expect(page.locator("header [href='#lessons']")).to_be_visible()
    assert fits(page)
