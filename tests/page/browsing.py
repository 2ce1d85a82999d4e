"""What tests of the page share besides their fixtures (`conftest.py`): sizes, and knowing when the
town stands.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import pytest

sync_api = pytest.importorskip("playwright.sync_api")
expect = sync_api.expect

T = TypeVar("T")

SECONDS = 120
"""How long anything that is waited for may take, on however busy a machine: it takes less than a
second. Only what never comes takes longer.
"""

FRAMES = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const town = document.querySelector('#town'), small = document.createElement('canvas');
  if (town) small.getContext('2d').drawImage(town, 0, 0, small.width, small.height);
  done(small.toDataURL()); })))"""
"""A small picture of the town once two frames have been drawn."""

LOOK = """() => new Promise((done) =>
  setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 250))"""
"""Ends after the open tab has looked for the moment shown (`REFRESH` of `tabs.js`)."""

BY_HAND = """() => new Promise((done) => { let now, waiting = [];
  window.requestAnimationFrame = (callback) => waiting.push(callback);
  window.draw = (frames, look = () => {}) => { for (let at = 0; at < frames; at++) {
    const due = waiting; waiting = []; now += 1000 / 60; due.forEach((callback) => callback(now)); look(now); } };
  setTimeout(() => { now = performance.now(); done(); }, 100); })"""
"""From now on, a 60th of a second passes for the page with each frame that is drawn, and frames are
drawn by `draw`; the one that the page had asked for before comes first.
"""

expect.set_options(timeout=SECONDS * 1000)

REQUESTS: WeakKeyDictionary[Any, set[Any]] = WeakKeyDictionary()
"""The requests of each page that are under way, but for the live stream, which has no end."""

CAST = ["chen_siyuan", "lin_yue", "wang_fang"]
"""Who lives in the runs `town-en` and `town-zh`."""

LIVED = 60
"""Steps of the runs `lived-en` and `lived-zh`."""

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}

on_desktop = pytest.mark.parametrize(("size", "lang"), [(DESKTOP, "zh")], ids=["desktop-zh"])
on_phone = pytest.mark.parametrize(("size", "lang"), [(PHONE, "en")], ids=["phone-en"])
"""One size and one language. A function of the page is tested in one of the two ways, about as many
in each; whether all that is shown fits, is translated and can be reached, `test_contrast.py` checks
in the other two pairs, on every tab.
"""

ways = pytest.mark.parametrize(
    ("size", "lang"), [(DESKTOP, "zh"), (PHONE, "en")], ids=["desktop-zh", "phone-en"]
)
"""Both ways, for the functions that everybody uses: the town is played, a resident is known."""


def beside(work: Callable[..., T], *given: Any, **named: Any) -> T:
    """The result of work that needs an event loop of its own: in this thread, the browser's may be
    running.
    """
    with ThreadPoolExecutor(1) as other:
        return other.submit(work, *given, **named).result()


def begun(page: Any) -> None:
    """Waits until the town is drawn."""
    expect(page.locator("#notice")).to_be_hidden()
    expect(page.locator("#hour")).not_to_be_empty()


def settled(page: Any, looks: int = 4) -> None:
    """Waits until the page has all that it asked for and the town no longer changes from look to
    look, where nothing moves by itself.
    """
    seen: list[tuple[int, str]] = []
    end = time.monotonic() + SECONDS
    while len(seen) < looks or {*seen[-looks:]} != {(0, seen[-1][1])}:
        assert time.monotonic() < end, "it does not come to rest"
        seen.append((unanswered(page), page.evaluate(FRAMES)))


def answered(page: Any) -> None:
    """Waits until the open tab shows the moment chosen: it looks for a new one several times a
    second, and asks for what it doesn't know.
    """
    page.evaluate(LOOK)
    end = time.monotonic() + SECONDS
    while unanswered(page):
        assert time.monotonic() < end, "a request is not answered"
        page.wait_for_timeout(20)
    page.evaluate(LOOK)


LAST_STEP = ("steps", "state", "trajectories", "conversations", "memories")
"""Tables whose rows belong to a step."""


def cut(file: Path, whole: Path | None = None) -> None:
    """Takes step 3 from a run, or gives it back from a whole one."""
    with sqlite3.connect(file) as database:
        if whole:
            database.execute("ATTACH ? AS whole", (str(whole),))
        for table in LAST_STEP:
            database.execute(
                f"INSERT INTO {table} SELECT * FROM whole.{table} WHERE step = 3"
                if whole
                else f"DELETE FROM {table} WHERE step = 3"
            )


AREAS = {
    "town": "town",
    "speak": "town",
    "resident": "person",
    "diary": "person",
    "ask": "person",
    "conversations": "story",
    "insight": "story",
}
"""The area that each tab is in."""


def turn(page: Any, tab: str) -> None:
    """Opens a tab by hand: first its area, then the tab itself, where the area has several."""
    page.click(f"#tab-area-{AREAS[tab]}")
    if page.locator(f"#tab-{tab}").is_visible():
        page.click(f"#tab-{tab}")


def unanswered(page: Any) -> int:
    """How many requests of a page are under way."""
    return len(REQUESTS.setdefault(page, set()))


@contextmanager
def requests_of(page: Any) -> Iterator[list[Any]]:
    """What a page requests meanwhile. Its window is used by later tests, so nothing listens on."""
    requests: list[Any] = []

    def note(request: Any) -> None:
        requests.append(request)

    page.on("request", note)
    yield requests
    page.remove_listener("request", note)


def fits(page: Any) -> bool:
    """Whether nothing is wider than the screen."""
    wide: bool = page.evaluate(
        "document.documentElement.scrollWidth <= innerWidth && [...document.querySelectorAll('.tab-panel')].every(one => one.scrollWidth <= one.clientWidth)"
    )
    return wide


def until(page: Any, script: str, seconds: float = SECONDS) -> None:
    """Waits until a script gives true; the page's policy forbids Playwright's own way of waiting."""
    end = time.monotonic() + seconds
    while not page.evaluate(script):
        assert time.monotonic() < end, script
        page.wait_for_timeout(20)
