"""A run that goes on while somebody looks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hometown.storage.live_speech import LiveSpeech
from hometown.storage.lock import RunLock
from hometown.storage.run_names import run_folder
from tests.page.browsing import (
    CAST,
    cut,
    expect,
    on_phone,
    until,
)
from tests.support.synthetic_run import make_run

CARET_FOLLOWS = """(() => { document.querySelector('.bubble.speaking').hidden = false;
  const [words, caret] = ['.words', '.caret'].map((one) => document.querySelector('.bubble.speaking ' + one).getBoundingClientRect());
  return caret.left >= words.right && caret.top < words.bottom && caret.bottom > words.top; })()"""
"""Whether the mark of who writes stands behind the last word, where the line has one row; wherever
on the map.
"""


@on_phone
def test_the_newest_moment_is_kept_to(
    visit: Any, results: Path, tmp_path: Path, size: dict[str, int], lang: str
) -> None:
    name = f"live-{lang}-{size['width']}"
    whole = make_run(tmp_path, name, world="minitown", lang=lang, residents=CAST)
    growing = make_run(results, name, world="minitown", lang=lang, residents=CAST)
    cut(growing)
    lock, speaking = RunLock(run_folder(results, name)), LiveSpeech(run_folder(results, name))
    lock.acquire()
    try:
        page = visit(f"/?name={name}&step=1&lang={lang}", size)
        page.click("#live")
        expect(page.locator("#live")).to_have_attribute("aria-pressed", "true")
        until(page, "document.querySelector('#hour').textContent >= '06:10'")
        speaking.hear("lin_yue", "wang_fang", "<b>Good</b> mor")
        expect(page.locator(".bubble.speaking .words")).to_have_text("<b>Good</b> mor")
        expect(page.locator(".bubble.speaking b")).to_have_text(
            {"en": "Lin Yue", "zh": "林悦"}[lang]
        )
        assert page.evaluate(CARET_FOLLOWS)
        speaking.clear()
        cut(growing, whole)
        expect(page.locator(".bubble.speaking")).to_have_count(0)
        until(page, "document.querySelector('#hour').textContent >= '06:25'")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#live")).to_have_attribute("aria-pressed", "false")
    finally:
        lock.release()
    expect(page.locator("#live")).to_be_hidden()


@pytest.mark.parametrize("name", ["town-en"])
def test_a_run_that_is_over_is_not_live(visit: Any, name: str) -> None:
    page = visit(f"/?name={name}&step=1")
    expect(page.locator("#hour")).not_to_be_empty()
    expect(page.locator("#live")).to_be_hidden()


def test_a_running_town_opens_at_its_newest_moment(
    visit: Any, results: Path, tmp_path: Path
) -> None:
    name = "live-open"
    whole = make_run(tmp_path, name, world="minitown", residents=CAST)
    growing = make_run(results, name, world="minitown", residents=CAST)
    cut(growing)
    lock = RunLock(run_folder(results, name))
    lock.acquire()
    try:
        page = visit(f"/?name={name}&lang=en")
        expect(page.locator("#live")).to_have_attribute("aria-pressed", "true")
        cut(growing, whole)
        until(page, "document.querySelector('#hour').textContent >= '06:25'")
    finally:
        lock.release()
