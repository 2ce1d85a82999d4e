"""On every tab, words stand out from their ground (contrast AA, in both colour schemes), keys reach
what can be clicked, and axe finds nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hometown.language import Lang
from tests.page.browsing import DESKTOP, LIVED, PHONE, begun, expect, turn
from tests.page.conftest import Visit
from tests.page.looking import axe, look
from tests.page.test_insight import PLOTS

TABS = ("resident", "conversations", "diary", "insight", "ask", "speak")
SECTIONS = 5


@pytest.fixture(scope="module")
def results(lived: Path) -> Path:
    return lived


def walk(page: Any, lang: Lang, see: Callable[[Any, str], list[Any]]) -> list[Any]:
    """Open every tab and all that it shows; return the faults that `see` finds there."""
    wrong = look(page, "town")
    for tab in TABS:
        turn(page, tab)
        wrong += see(page, tab)
        if tab == "resident":
            page.locator(".offer").first.click()
            for section in range(SECTIONS):
                page.locator("#panel-resident > .segments button").nth(section).click()
                wrong += see(page, f"resident {section}")
        if tab == "conversations":
            page.locator("#panel-conversations details.lines summary").first.click()
            wrong += see(page, "lines")
            page.locator("#panel-conversations .why-button").first.click()
            expect(page.locator("#panel-why blockquote")).to_be_visible()
            wrong += see(page, "because")
        if tab == "insight":
            wrong += [one for plot in PLOTS for one in plotted(page, plot, lang, see)]
    return wrong


def plotted(page: Any, plot: str, lang: Lang, see: Callable[[Any, str], list[Any]]) -> list[Any]:
    page.click(f"[data-plot={plot}]")
    if plot == "spread":
        page.fill(".insight input[type=search]", {"en": "reading", "zh": "读书"}[lang])
        page.press(".insight input[type=search]", "Enter")
        expect(page.locator(".tree li").first).to_be_visible()
    return see(page, plot)


@pytest.mark.parametrize(
    ("size", "lang", "scheme"),
    [(DESKTOP, "en", "light"), (PHONE, "zh", "dark")],
    ids=["desktop-en", "phone-zh"],
)
def test_every_word_is_seen_and_every_control_reached(
    visit: Visit, size: dict[str, int], lang: Lang, scheme: str
) -> None:
    """The town and the help are looked at in both schemes. Each tab is so in one of them on each
    page, since its colours are those of all sizes and languages; and by axe on the wide page, since
    a tab's elements are the same on a phone.
    """
    page = visit(
        f"/?name=lived-{lang}&step={LIVED // 2}&lang={lang}", size, reduced_motion="reduce"
    )
    begun(page)
    if size == PHONE:
        page.click("#panel-toggle")
    see = partial(look, schemes=[scheme], with_axe=size == DESKTOP)
    assert walk(page, lang, see) == []
    page.click("#help-open")
    assert look(page, "help") == []


def test_what_lies_over_the_town_is_seen(visit: Visit) -> None:
    page = visit(
        f"/?name=lived-zh&step={LIVED // 2}&lang=zh&paused=1", DESKTOP, reduced_motion="reduce"
    )
    begun(page)
    page.click("#find")
    page.fill("#finder input", "星光咖啡店")
    expect(page.locator("#found [role=option]").first).to_be_visible()
    wrong = look(page, "finder")
    page.press("#finder input", "Enter")
    expect(page.locator("#place-card")).to_be_visible()
    wrong += look(page, "place")
    for opener, shown in (("#share-open", "#share-picture"), ("#gazette-open", "#gazette .lead")):
        page.click(opener)
        expect(page.locator(shown)).to_be_visible()
        wrong += look(page, opener)
        page.keyboard.press("Escape")
    page.click("#eye")
    expect(page.locator("#eye-line")).to_be_visible()
    assert wrong + look(page, "eye") == []


def test_the_list_of_runs_is_seen(visit: Visit) -> None:
    page = visit("/?lang=en", reduced_motion="reduce")
    assert look(page, "index") == []
    page.click("[data-act=remove]")
    assert look(page, "remove") == []


def test_the_eye_for_faint_words_is_not_blind(visit: Visit) -> None:
    page = visit("/?lang=en")
    page.evaluate("document.querySelector('h2').style.opacity = 0.3")
    assert look(page, "index")


def test_axe_is_not_blind(visit: Visit) -> None:
    """The pages that other modules open are looked at there: a class, questions, new town, Step in,
    two towns, editor, painter, an experiment's.
    """
    page = visit("/?lang=en")
    page.evaluate("document.querySelector('main').setAttribute('role', 'nonsense')")
    assert "aria-roles" in {rule for rule, *_ in axe(page)}


def test_what_has_the_focus_is_seen(visit: Visit) -> None:
    page = visit(f"/?name=lived-en&step={LIVED}&lang=en", reduced_motion="reduce")
    begun(page)
    styles = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        styles.add(page.evaluate("getComputedStyle(document.activeElement).outlineStyle"))
    assert "none" not in styles


def test_why_lies_over_what_stays_in_sight_of_the_dialogue(visit: Visit) -> None:
    page = visit(f"/?name=lived-en&step={LIVED}&lang=en&paused=1", DESKTOP, reduced_motion="reduce")
    begun(page)
    turn(page, "conversations")
    page.locator("#panel-conversations .why-button").first.click()
    expect(page.locator("#panel-why blockquote")).to_be_visible()
    covering = page.locator(".overlay").evaluate(
        """over => { for (const one of document.querySelectorAll('[inert]')) one.inert = false; // what is inert is never found
        const { left, right, top, bottom } = over.getBoundingClientRect();
        const points = Array.from({ length: 20 }, (_, at) => top + (bottom - top) * (at + 0.5) / 20);
        return points.every(y => over.contains(document.elementFromPoint((left + right) / 2, y))); }"""
    )
    assert covering
