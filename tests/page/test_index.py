"""The list of runs: pictures, state, and changes after asking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hometown.page import lesson_sheets
from hometown.storage.lock import RunLock, is_held
from hometown.storage.manage import remove_run
from hometown.storage.run_names import file_of, run_folder
from hometown.web import library
from tests.page.browsing import (
    begun,
    cut,
    expect,
    on_desktop,
    on_phone,
    until,
    ways,
)
from tests.support.hang import waited_for
from tests.support.lesson import write_lesson
from tests.support.page_views import served
from tests.support.synthetic_run import make_run


@ways
def test_runs_are_shown(visit: Any, size: dict[str, int], lang: str) -> None:
    page = visit(f"/?lang={lang}", size)
    card = page.locator("[data-run=town-en]")
    card.scroll_into_view_if_needed()
    expect(card.locator(".state")).to_have_text("finished" if lang == "en" else "已结束")
    until(page, "document.querySelector('[data-run=town-en] img').naturalWidth > 0")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@on_phone
def test_renaming_and_removing(visit: Any, results: Path, size: dict[str, int], lang: str) -> None:
    make_run(results, "draft")
    page = visit(f"/?lang={lang}", size)
    page.click("[data-run=draft] [data-act=rename]")
    page.fill("#rename input", "town-en" if lang == "en" else "town-zh")
    with page.expect_response("**/name"):
        page.press("#rename input", "Escape")
        page.click("[data-run=draft] [data-act=rename]")
        page.fill("#rename input", "第二稿")
        page.press("#rename input", "Enter")
    page.wait_for_selector("[data-run=第二稿]")
    page.wait_for_load_state()
    assert run_folder(results, "第二稿").exists()
    page.click("[data-run=第二稿] [data-act=remove]")
    expect(page.locator("#remove .which")).to_have_text("第二稿")
    page.click("#remove .close")
    assert run_folder(results, "第二稿").exists()
    page.click("[data-run=第二稿] [data-act=remove]")
    page.click("#remove .danger")
    expect(page.locator("[data-run=第二稿]")).to_have_count(0)
    assert not run_folder(results, "第二稿").exists()
    page.click("#undo button")
    expect(page.locator("[data-run=第二稿]")).to_have_count(1)
    expect(page.locator("#undo button")).to_have_count(0)
    assert run_folder(results, "第二稿").exists()
    remove_run(results, "第二稿")


def test_the_list_is_sorted_and_sifted(visit: Any, results: Path) -> None:
    for name in ("Alma", "Zoe"):
        make_run(results, name)
    page = visit("/?lang=en")
    seen = "[...document.querySelectorAll('.runs > li')].filter((item) => !item.hidden).map((item) => item.querySelector('.card').dataset.run)"
    page.select_option("#sift select", "name")
    assert page.evaluate(seen) == sorted(page.evaluate(seen), key=str.casefold)
    page.fill("#sift [type=search]", "ALMA")
    assert page.evaluate(seen) == ["Alma"]
    page.fill("#sift [type=search]", "nothing of the kind")
    assert page.evaluate(seen) == []
    expect(page.locator(".sifted")).to_be_visible()


def test_a_long_list_has_pages_and_is_searched(
    visit: Any, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "PER_PAGE", 2)
    for name in ("page-a", "page-b", "page-c"):
        make_run(results, name)
    page = visit("/?lang=en")
    page.click("[rel=next]")
    expect(page.locator("[rel=prev]")).to_be_visible()
    page.goto(page.url.partition("?")[0] + "?lang=en&query=page-")
    expect(page.locator("#sift [type=search]")).to_have_value("page-")
    expect(page.locator(".card")).to_have_count(2)
    page.fill("#sift [type=search]", "page-b")
    page.press("#sift [type=search]", "Enter")
    expect(page.locator(".card")).to_have_count(1)
    page.fill("#sift [type=search]", "nothing")
    page.press("#sift [type=search]", "Enter")
    expect(page.locator(".sifted")).to_be_visible()
    page.fill("#sift [type=search]", "")
    page.press("#sift [type=search]", "Enter")
    expect(page.locator("[rel=next]")).to_be_visible()


def test_a_running_one_cannot_be_touched(visit: Any, results: Path) -> None:
    make_run(results, "going")
    lock = RunLock(run_folder(results, "going"))
    lock.acquire()
    page = visit("/")
    expect(page.locator("#living [data-run=going] .state")).to_have_text("running")
    expect(page.locator("#recordings [data-run=going]")).to_have_count(0)
    page.evaluate("window.kept = document.querySelector('[data-run=town-en]')")
    expect(page.locator("[data-run=going] [data-act=remove]")).to_be_disabled()
    lock.release()
    expect(page.locator("#recordings [data-run=going] .state")).to_have_text("finished")
    expect(page.locator("#living")).to_be_hidden()
    assert page.evaluate("window.kept.isConnected"), "what has not changed keeps its place"


def test_the_list_keeps_up(visit: Any, results: Path) -> None:
    older = make_run(results, "older")
    cut(older)
    page = visit("/?lang=en")
    card = page.locator("[data-run=older]")
    expect(card.locator(".steps")).to_have_text("2 of 3")
    expect(card).to_contain_text("06:20")
    page.focus("[data-run=older] [data-act=rename]")
    cut(older, make_run(results, "newer"))
    expect(page.locator("[data-run=newer] .steps")).to_have_text("3 of 3")
    expect(card.locator(".steps")).to_have_text("3 of 3")
    expect(card).to_contain_text("06:30")
    until(
        page,
        "document.activeElement.dataset.act === 'rename' && document.activeElement.closest('[data-run]').dataset.run === 'older'",
    )


@on_desktop
def test_the_latest_stories_stand_first_and_lead_to_their_moment(
    watched: Any, lived: Path, size: dict[str, int], lang: str
) -> None:
    address = served(lived)
    page = watched(f"{address}/?lang={lang}", size, allowed=address)
    story = page.locator(".story").first
    expect(page.locator("#stories")).not_to_have_attribute("aria-busy", "true")
    until(page, "document.querySelector('.story .scene').naturalWidth > 0")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    kicker = story.locator(".kicker").inner_text()
    story.locator("h3 a").click()
    begun(page)
    assert f"name=lived-{lang}" in page.url
    expect(page.locator("#hour")).to_have_text(kicker[-5:])


def test_towns_that_nobody_has_lived_in_have_no_stories(visit: Any) -> None:
    page = visit("/?lang=en&query=nobody")
    expect(page.locator("#stories")).to_have_count(0)


def test_a_lesson_is_prepared_and_opened_for_the_class(
    visit: Any, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lesson_sheets, "LESSONS", write_lesson(tmp_path / "lessons"))
    page = visit("/?lang=en")
    page.click("[data-act=lesson]")
    begun(page)
    assert "name=drill-1" in page.url
    expect(page.locator("#lecture-bar")).to_be_visible()
    title = lesson_sheets.lessons("en")[0]["title"]
    expect(page.locator("#questions h2")).to_have_text(title)
    expect(page.locator(".title h1")).to_have_text(title)
    waited_for(lambda: file_of(results, "alone-1").is_file())
    waited_for(lambda: not is_held(run_folder(results, "alone-1")))
