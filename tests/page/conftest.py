"""Fixtures of the page's tests: runs, a server of them, a browser, and `visit`, which opens pages
and watches them.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.page.browsing import CAST, DESKTOP, LIVED, beside, sync_api
from tests.page.windows import Windows
from tests.support.days import THOUGHTFUL, set_out, thoughtful_day
from tests.support.needs import require_chromium
from tests.support.once import made_once
from tests.support.page_views import served
from tests.support.synthetic_run import make_run
from tests.support.town import live, minitown

QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]
ONE_RENDERER = [
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process",
    "--renderer-process-limit=1",
]
"""Pages of all addresses are drawn by one process, as to start another one takes longer than what
most tests do.
"""

Visit = Callable[..., Any]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with the runs `town-en` and `town-zh` in minitown, and `mapless`, whose
    world is gone.
    """
    made = made_once(tmp_path_factory, "page-runs", make_runs)
    return Path(
        shutil.copytree(made, tmp_path_factory.mktemp("page") / "results")
    )  # some modules change theirs


def make_runs(folder: Path) -> None:
    for lang in ("en", "zh"):
        make_run(folder, f"town-{lang}", world="minitown", lang=lang, residents=CAST)
    make_run(folder, "mapless")


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with `lived-en` and `lived-zh`: minitown's morning, with talks, agreements
    and reflections.
    """
    made = made_once(
        tmp_path_factory, "page-lived", lambda folder: live_runs(folder, tmp_path_factory)
    )
    return Path(shutil.copytree(made, tmp_path_factory.mktemp("lived") / "results"))


def live_runs(folder: Path, factory: pytest.TempPathFactory) -> None:
    set_out(beside(thoughtful_day, factory), folder, LIVED, "lived-en")
    beside(live, folder, LIVED, world=minitown("zh"), name="lived-zh", settings=THOUGHTFUL)


@pytest.fixture(scope="module")
def address(results: Path) -> str:
    """Where these runs are served."""
    return served(results)


@pytest.fixture(scope="package")
def windows() -> Iterator[Windows]:
    """The windows of one browser."""
    chromium = require_chromium()
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET + ONE_RENDERER)
        yield Windows(browser)
        browser.close()


@pytest.fixture
def watched(windows: Windows) -> Iterator[Visit]:
    """Opens an address in a window of its own; at the end of the test nothing may have gone wrong
    in it.

    `watched(url, size, allowed=prefix, **context)`: every request must begin with `allowed`; with
    an empty one there may be none but for the page itself.
    """
    yield windows.open
    assert windows.leave() == []


@pytest.fixture
def visit(watched: Visit, address: str) -> Visit:
    """`visit("/?name=town-en&step=1", PHONE)`: a page of the server, which may ask nobody else for
    anything.
    """
    return lambda path, size=DESKTOP, **more: watched(address + path, size, allowed=address, **more)
