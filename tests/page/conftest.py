"""Fixtures of the page's tests: runs, a server of them, a browser, and `visit`, which opens pages and watches them."""

from __future__ import annotations

import re
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from modules.paths import DATA
from modules.replay.serve import serve
from tests.page.browsing import CAST, DESKTOP, sync_api
from tests.synthetic_run import make_run

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run"]

BROKEN_OFF = re.compile(r"/(live|thumbnail|frames\?.*)$")
"""What a browser gives up: when its page is left, and when another moment is wanted by then."""

Visit = Callable[..., Any]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with the runs `town-en` and `town-zh` in minitown, and `mapless`, whose world is gone."""
    folder = tmp_path_factory.mktemp("results")
    for lang in ("en", "zh"):
        make_run(folder, f"town-{lang}", world="minitown", lang=lang, residents=CAST)
    make_run(folder, "mapless")
    return folder


@pytest.fixture(scope="module")
def address(results: Path) -> str:
    """Where these runs are served."""
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, args=(listener, results, DATA / "worlds"), daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for a module: kept longer, its event loop would stand in the way of asynchronous tests."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def watched(browser: Any) -> Iterator[Visit]:
    """Opens an address in a context of its own; at the end of the test nothing may have gone wrong in it.

    `watched(url, size, allowed=prefix, **context)`: every request must begin with `allowed`; with an empty one there may be none
    but for the page itself.
    """
    trouble: list[str] = []
    contexts: list[Any] = []

    def open_page(url: str, size: dict[str, int] = DESKTOP, *, allowed: str = "", **more: Any) -> Any:
        context = browser.new_context(viewport=size, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        mine = allowed or url.partition("?")[0]
        page.on("console", lambda message: trouble.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith(mine) else trouble.append(request.url))
        page.on(
            "requestfailed",
            lambda request: None if request.failure == "net::ERR_ABORTED" and BROKEN_OFF.search(request.url) else trouble.append(f"failed: {request.url}"),
        )
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert trouble == []


@pytest.fixture
def visit(watched: Visit, address: str) -> Visit:
    """`visit("/?name=town-en&step=1", PHONE)`: a page of the server, which may ask nobody else for anything."""
    return lambda path, size=DESKTOP, **more: watched(address + path, size, allowed=address, **more)
