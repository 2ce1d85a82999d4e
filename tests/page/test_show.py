"""Left alone, the page shows what is worth seeing: a tour once, then the director's choice; whoever
touches anything takes over.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.page.browsing import DESKTOP, FRAMES, PHONE, expect, fits, until
from tests.page.conftest import Visit
from tests.page.looking import axe, look

CAPTION = "document.querySelector('#caption')"
PRESSED = "document.querySelector('#direct').getAttribute('aria-pressed') === 'true'"
SPEAKING = "[...document.querySelectorAll('.bubble')].some((bubble) => !bubble.hidden)"


@pytest.fixture(scope="module")
def results(lived: Path) -> Path:
    return lived


def opened(visit: Visit, size: dict[str, int] = DESKTOP, lang: str = "en") -> Any:
    page = visit(f"/?name=lived-{lang}&lang={lang}", size)
    until(page, f"!{CAPTION}.hidden && {SPEAKING}")
    return page


@pytest.mark.parametrize(
    ("size", "lang"), [(DESKTOP, "en"), (PHONE, "zh")], ids=["desktop-en", "phone-zh"]
)
def test_the_tour_is_shown_once(visit: Visit, size: dict[str, int], lang: str) -> None:
    page = opened(visit, size, lang)
    stops = page.locator("#caption .dots i")
    assert stops.count() >= 2
    assert fits(page)
    page.locator("#caption button").first.click()
    expect(page.locator("#caption .dots i.past")).to_have_count(2)
    expect(page.locator("#panel-why")).to_be_visible()
    assert axe(page) == []
    page.locator("#caption button").last.click()
    expect(page.locator("#caption")).to_be_hidden()
    page.goto(page.url.split("?")[0] + f"?name=lived-{lang}&lang={lang}")
    until(page, f"!{CAPTION}.hidden && {PRESSED}")
    expect(stops).to_have_count(0)


TOUCHES: list[Callable[[Any], Any]] = [
    lambda page: page.keyboard.press("d"),
    lambda page: page.keyboard.press("ArrowRight"),
    lambda page: page.keyboard.press("f"),
    lambda page: page.click("#zoom-in"),
]


def test_whoever_moves_the_camera_or_the_clock_takes_over(visit: Visit) -> None:
    page = opened(visit)
    for touch in TOUCHES:
        page.keyboard.press("Escape")
        if not page.evaluate(PRESSED):
            page.keyboard.press("c")
        until(page, f"{PRESSED} && !{CAPTION}.hidden")
        touch(page)
        until(page, f"!({PRESSED}) && {CAPTION}.hidden")


def test_an_address_that_names_a_moment_is_left_alone(visit: Visit) -> None:
    page = visit("/?name=lived-en&lang=en&step=20")
    until(
        page,
        "performance.getEntriesByType('resource').some(({ name, responseEnd }) => name.endsWith('/scenes') && responseEnd)",
    )
    page.evaluate(FRAMES)
    expect(page.locator("#caption")).to_be_hidden()


def test_a_sentence_is_followed_from_mouth_to_mouth(visit: Visit) -> None:
    page = visit(
        "/?name=lived-en&lang=en&tab=insight&plot=spread&topic=story%3Dsong_night&paused=1", DESKTOP
    )
    page.click(".ride")
    caption, tellings = page.locator("#caption"), page.locator(".tree li li").count()
    expect(caption.locator("b")).to_have_text("Xiao Mei knows it first")
    expect(caption.locator(".dots i")).to_have_count(tellings + 1)
    caption.locator("button").first.click()
    expect(caption.locator("b")).to_contain_text("Xiao Mei → ")
    expect(caption.locator("mark").first).to_be_visible()
    page.keyboard.press("d")
    expect(caption).to_be_hidden()


@pytest.mark.parametrize(
    ("size", "lang"), [(DESKTOP, "zh"), (PHONE, "en")], ids=["desktop-zh", "phone-en"]
)
def test_a_class_sees_the_town_alone_and_its_chapters_by_remote_control(
    visit: Visit, size: dict[str, int], lang: str
) -> None:
    page = visit(f"/?name=lived-{lang}&lang={lang}&step=30&paused=1", size)
    until(page, "document.querySelector('#notice').hidden")
    page.keyboard.press("p")
    expect(page.locator("#panel")).to_be_hidden()
    chapters = page.evaluate(
        "fetch(location.pathname + `api/v1/runs/${document.body.dataset.name}/chapters`).then(reply => reply.json())"
    )
    where = page.locator("#lecture-bar [role=status]")
    expect(where).to_contain_text(str(len(chapters)))
    for key, at in (("PageDown", 0), ("PageDown", 1), ("PageUp", 0), ("PageUp", 0)):
        page.keyboard.press(key)
        expect(where).to_contain_text(f"{at + 1}")
        expect(page.locator("#caption .words")).to_contain_text(chapters[at]["text"])
        expect(page.locator("#caption .question")).to_be_visible()
    assert look(page, "class", moving=True) == []
    page.locator("#lecture-bar button").nth(2).click()
    page.select_option("#questions select", "rumour")
    expect(page.locator("#questions .asked li")).to_have_count(7)
    page.select_option("#questions select", "")
    assert look(page, "questions", moving=True) == []
    page.locator("#questions .chapter").nth(1).click()
    expect(page.locator("#questions")).to_be_hidden()
    expect(page.locator("#caption .words")).to_contain_text(chapters[1]["text"])
    page.locator("#lecture-bar button").nth(3).click()
    expect(page.locator("#news-tree .knower").first).to_be_visible()
    assert look(page, "news-tree", moving=True) == []
    page.keyboard.press("Escape")
    page.locator("#lecture-bar button").nth(4).click()
    expect(page.locator("#phones pre")).to_have_text("hometown replay --host 0.0.0.0")
    assert look(page, "phones", moving=True) == []
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("#lecture-bar")).to_be_visible()
    page.click("#lecture-end .primary")
    expect(page.locator("#lecture-bar")).to_be_hidden()
    expect(page.locator("#panel")).to_be_visible()


def test_a_class_is_told_of_a_town_in_another_language(visit: Visit) -> None:
    page = visit("/?name=lived-zh&lang=en&class=1")
    expect(page.locator("#lecture-bar .foreign")).to_have_text(
        "The residents of this town speak Chinese."
    )
