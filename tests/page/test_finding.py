"""Whatever can be named is found and gone to: by Ctrl-K, and by a click on the map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.page.browsing import DESKTOP, PHONE, begun, expect, fits, settled, until
from tests.page.conftest import Visit

HOUR = "document.querySelector('#hour').textContent"
HITS = "[...document.querySelectorAll('#found [role=group]')].find((group) => group.ariaLabel === '%s')?.querySelectorAll('.hit')"
LOADED = "document.querySelector('#finder .note').textContent === ''"
"""All that was said and remembered has come, so that the list of what is found stays."""
OPEN = "document.querySelector('#finder').open"


@pytest.fixture(scope="module")
def results(lived: Path) -> Path:
    return lived


def opened(visit: Visit, size: dict[str, int], lang: str) -> Any:
    page = visit(f"/?name=lived-{lang}&lang={lang}&step=60&paused=1", size)
    begun(page)
    return page


def test_words_are_found_and_heard_by_keys_alone(visit: Visit) -> None:
    page = opened(visit, DESKTOP, "en")
    page.keyboard.press("Control+k")
    page.keyboard.type("you")
    until(page, f"{HITS % 'Words spoken'}?.length > 1 && {LOADED}")
    selected = "document.querySelector('.hit[aria-selected=true]')"
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    told = page.evaluate(f"{selected}.querySelector('small').textContent")
    assert page.evaluate(f"{selected}.querySelector('mark').textContent.toLowerCase()") == "you"
    page.keyboard.press("Enter")
    until(page, f"!{OPEN} && {told!r}.includes({HOUR})")


def test_a_place_tells_who_was_there_and_what_was_said(visit: Visit) -> None:
    page = opened(visit, PHONE, "zh")
    page.click("#find")
    page.fill("#finder input", "咖啡")
    until(page, f"{HITS % '地点与物件'}?.length > 0 && {LOADED}")
    page.locator("#found .hit").first.click()
    card = page.locator("#place-card")
    expect(card.locator("h2")).to_contain_text("咖啡")
    expect(card.locator("ul").nth(0).locator(".visit").first).to_be_visible()
    talk = card.locator("ul").nth(1).locator(".visit").first
    told = talk.locator("b").text_content()
    assert fits(page)
    talk.click()
    until(page, f"{told!r}.includes({HOUR})")
    card.locator(".head button").click()
    expect(card).to_be_hidden()


def test_a_click_on_the_map_opens_the_place_that_is_there(visit: Visit) -> None:
    page = opened(visit, DESKTOP, "en")
    page.keyboard.press("/")
    page.keyboard.type("caf")
    until(page, f"{HITS % 'Places and things'}?.length > 0 && {LOADED}")
    page.locator("#found .hit").first.click()
    name = page.locator("#place-card h2").text_content()
    page.keyboard.press("Escape")
    page.locator("#place-card .head button").click()
    settled(page)
    box = page.locator("#town").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("#place-card h2")).to_have_text(name)
