"""The tab of questions: a conversation with a resident at the moment shown, of which the town knows
nothing.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hometown.export.write import export_run
from hometown.storage.run_names import run_folder
from tests.page.browsing import (
    LIVED,
    begun,
    expect,
    fits,
    on_phone,
    requests_of,
)
from tests.page.conftest import Visit
from tests.support.interviews import contents

QUESTIONS = {
    "en": ("Do you know about the reading circle?", "When is it?", "reading circle"),
    "zh": ("你知道读书会的事吗？", "什么时候？", "读书会"),
}
"""A question, one that goes on with it, and what both answers hold."""


REFUSING = """() => { window.answering = window.fetch;
window.fetch = async (path, init) => (init?.method === "POST" ? new Response('{"error": "Not now."}', { status: 409 }) : window.answering(path, init)); }"""
"""A server that refuses what it is asked to do. A real refusal would be in the browser's log, in
which nothing may be.
"""


@pytest.fixture(scope="module")
def results(lived: Path) -> Path:
    """The server shows the runs that have been lived."""
    return lived


def opened(visit: Visit, lang: str, step: int = LIVED, **more: Any) -> Any:
    page = visit(
        f"/?name=lived-{lang}&step={step}&lang={lang}&tab=ask&resident=wang_fang",
        **more,
        reduced_motion="reduce",
    )
    begun(page)
    if page.is_visible("#panel-toggle"):
        page.click("#panel-toggle")
    expect(page.locator(".ask-form .primary")).to_be_enabled()  # once the tab has a moment
    return page


def ask(page: Any, question: str, answers: int) -> Any:
    """The answer, which is the uppermost, once there are so many."""
    page.fill(".ask-form input", question)
    page.press(".ask-form input", "Enter")
    expect(page.locator(".ask-answer")).to_have_count(answers)
    expect(page.locator(".ask-form .primary")).to_be_enabled()
    return page.locator(".ask-exchange").first


@on_phone
def test_a_conversation(visit: Visit, results: Path, size: dict[str, int], lang: str) -> None:
    before = contents(run_folder(results, f"lived-{lang}"))
    page = opened(visit, lang, size=size)
    expect(page.locator(".ask-whom")).to_have_value("wang_fang")
    question, further, words = QUESTIONS[lang]
    first = ask(page, question, 1)
    expect(first.locator(".ask-answer")).to_contain_text(words)
    expect(first.locator(".ask-knows")).to_have_class("ask-knows yes")
    expect(first.locator("> .memories .memory").first).to_contain_text(words)
    expect(page.locator(".ask-form input")).to_have_value("")
    second = ask(page, further, 2)
    expect(second.locator(".ask-asked")).to_have_text(further)
    expect(second.locator(".ask-answer")).to_contain_text(words)
    second.locator("summary").click()
    expect(second.locator("details .memory .scores").first).to_be_visible()
    assert fits(page)
    assert contents(run_folder(results, f"lived-{lang}")) == before


def test_what_was_asked_later_is_not_known_before(visit: Visit) -> None:
    page = opened(visit, "en")
    with requests_of(page) as requests:
        ask(page, "Who are you?", 1)
        ask(page, "Where are you?", 2)
        page.locator("#scrub").fill("600")
        expect(page.locator(".ask-moment")).to_contain_text("07:40")
        ask(page, "And now?", 3)
    sent = [json.loads(each.post_data) for each in requests if "/questions" in each.url]
    assert [(one["step"], len(one["lines"])) for one in sent] == [
        (LIVED - 1, 0),
        (LIVED - 1, 1),
        (10, 0),
    ]
    page.locator(".ask-exchange").last.locator("> .facts .moment").click()
    expect(page.locator(".ask-moment")).to_contain_text("15:50")


def test_another_resident_begins_another_conversation(visit: Visit) -> None:
    page = opened(visit, "en")
    ask(page, "Who are you?", 1)
    page.select_option(".ask-whom", "lin_yue")
    expect(page.locator(".ask-exchange")).to_have_count(0)
    expect(ask(page, "Who are you?", 1).locator(".ask-answer")).to_contain_text("I am Lin Yue")
    page.click(".ask-send .link")
    expect(page.locator(".ask-none")).to_be_visible()


def test_an_answer_that_is_none_is_told_as_such(visit: Visit) -> None:
    page = opened(visit, "zh")
    answer = {
        "answer": "…",
        "knows": "unsure",
        "outcome": "fallback",
        "model": "tiny",
        "scripted": False,
        "cited": [],
        "retrieved": [],
    }
    page.route("**/questions?*", lambda route: route.fulfill(json=answer))
    told = ask(page, "?", 1)
    expect(told.locator(".ask-answer")).to_have_text("模型没有给出可用的回答。")
    expect(told.locator(".ask-knows")).to_have_count(0)
    expect(told.locator(".ask-source")).to_contain_text("tiny")


def test_what_is_refused_is_told_and_can_be_asked_again(visit: Visit) -> None:
    page = opened(visit, "en")
    page.evaluate(REFUSING)
    page.fill(".ask-form input", "Who are you?")
    page.press(".ask-form input", "Enter")
    expect(page.locator(".ask-status")).to_have_text("Not now.")
    expect(page.locator(".ask-exchange")).to_have_count(0)
    expect(page.locator(".ask-form input")).to_have_value("Who are you?")
    page.evaluate("() => { window.fetch = window.answering; }")
    page.click(".ask-form .primary")
    expect(page.locator(".ask-answer")).to_contain_text("I am Wang Fang")


def test_a_file_has_nobody_who_could_answer(watched: Visit, results: Path) -> None:
    file = export_run(results, "lived-en", html=True)[-1].as_uri()
    page = watched(f"{file}?tab=ask&lang=en", offline=True)
    begun(page)
    expect(page.locator("#tab-diary")).to_be_attached()
    expect(page.locator("#tab-ask")).to_have_count(0)
