"""Visitors of a town in real browsers, for `python -m benchmarks.visits --browsers`: each opens the
link of a visit, walks in, and walks, speaks and hands things over by the controls of the page.

Many stand for browsers on other machines: Chromium runs at the lowest priority (SCHED_IDLE, where
the system has it), so that it takes from the town only the processor time that would be idle. One
alone has the usual priority, as a phone has a processor of its own.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Any

PHONE = {"width": 390, "height": 844}
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
GUEST = "Guest"
"""The first word of the names of all visitors, who wait for no answers of each other."""

PATIENCE_MS = 20_000
"""Milliseconds to wait for what a page should show, with the stand-in."""

ROUND_MS = 1000
"""Milliseconds between the acts of two visitors."""

NOTE_TAKEN = """window.taken = []; const send = window.fetch;
  window.fetch = async (address, how) => { const answer = await send(address, how);
    if (how?.method === 'POST' && /visits\\/visitor/.test(address) && answer.ok) window.taken.push((await answer.clone().json()).number);
    return answer; }"""
"""Notes the numbers of the acts that the server has taken."""

ANSWER = "#visit-box .said li:not(.mine, .thinks)"


class Browsers:
    """The browsers of visitors of one town; `taken` are the numbers of the acts that the server has
    taken from them, `walked_in` and `answered` are seconds, and `errors` are those of the pages. They
    wait `patience_ms` for what a page should show.
    """

    def __init__(self, link: str, patience_ms: int = PATIENCE_MS) -> None:
        self._link = link
        self.patience_ms = patience_ms
        self.taken: list[int] = []
        self.walked_in: list[float] = []
        self.answered: list[float] = []
        self.errors: list[str] = []
        self.over = threading.Event()

    def note_error(self, error: Any) -> None:
        """Note and print an error of a page."""
        self.errors.append(str(error))
        print(error, file=sys.stderr)

    def visit(self, visitors: int) -> None:
        """Let visitors act in turns until all is over, and leave."""
        from playwright.sync_api import sync_playwright

        with _lowest_priority() if visitors > 1 else nullcontext():
            playwright = sync_playwright().start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        visits = [_Visit(self, browser, at) for at in range(visitors)]
        for visit in visits:
            visit.walk_in(self._link)
        while not self.over.is_set():
            for visit in visits:
                visit.act()
        for visit in visits:
            visit.leave()
        browser.close()
        playwright.stop()


@contextmanager
def _lowest_priority() -> Iterator[None]:
    """Give the processes that this thread starts meanwhile the lowest priority."""
    if sys.platform != "linux":
        yield
        return
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    yield
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


class _Visit:
    """A visitor in a browser of their own, with their own chances."""

    def __init__(self, browsers: Browsers, browser: Any, number: int) -> None:
        self._browsers, self._number = browsers, number
        self._chance = random.Random(number)
        self._page = browser.new_context(viewport=PHONE).new_page()
        self._page.set_default_timeout(browsers.patience_ms)
        self._page.add_init_script(NOTE_TAKEN)
        self._page.on("pageerror", browsers.note_error)

    def walk_in(self, link: str) -> None:
        """Open the link and enter the town under a name."""
        page, begun = self._page, time.monotonic()
        page.goto(f"{link}&lang=en")
        page.click("#walk-in")
        page.get_by_label("Your name").fill(f"{GUEST} {chr(65 + self._number)}")
        page.click("#door .acts .primary")
        page.locator("#visit-box .where").filter(has_text="·").wait_for()
        self._browsers.walked_in.append(time.monotonic() - begun)

    def act(self) -> None:
        """Do one thing; nothing where the page does not offer it, as while the town rests."""
        from playwright.sync_api import TimeoutError as NotOffered

        with suppress(NotOffered):
            self._choose()
        self._page.wait_for_timeout(ROUND_MS)
        self._note_taken()

    def _choose(self) -> None:
        page = self._page
        free = page.locator("#visit-box .near button:not(:disabled)").filter(has_not_text=GUEST)
        near = free.count()
        if not near or self._chance.random() < 0.3:
            places = page.locator("#visit-box select")
            offered = places.locator("option").count()
            places.select_option(index=self._chance.randrange(1, max(2, offered)))
            return
        other = free.nth(self._chance.randrange(near))
        if other.get_attribute("aria-pressed") != "true":
            other.click()
        if self._chance.random() < 0.2:
            page.locator("#visit-box .speech input").fill("a postcard")
            page.get_by_role("button", name="Hand over").click()
        else:
            self._speak()

    def _speak(self) -> None:
        """Say something, and wait for the answer, if the resident still can give one."""
        page, heard = self._page, self._page.locator(ANSWER).count()
        page.locator("#visit-box .check input").check()
        page.locator("#visit-box .speech input").fill("Good day! How is your day?")
        begun = time.monotonic()
        page.get_by_role("button", name="Say", exact=True).click()
        page.locator(ANSWER).nth(heard).wait_for()
        self._browsers.answered.append(time.monotonic() - begun)

    def leave(self) -> None:
        """Leave the town, unless the page does not offer it."""
        from playwright.sync_api import TimeoutError as NotOffered

        with suppress(NotOffered):
            self._page.get_by_role("button", name="Leave").click()
        self._page.wait_for_timeout(ROUND_MS)
        self._note_taken()

    def _note_taken(self) -> None:
        """Note the acts that the server has taken since the last note."""
        self._browsers.taken += self._page.evaluate("window.taken.splice(0)")
