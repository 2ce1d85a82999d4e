"""What tests of the page share besides their fixtures (`conftest.py`): sizes, and knowing when the town stands."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

sync_api = pytest.importorskip("playwright.sync_api")
expect = sync_api.expect

T = TypeVar("T")

SECONDS = 30
"""How long anything that is waited for may take on a machine that is busy with other tests."""

expect.set_options(timeout=SECONDS * 1000)

CAST = ["chen_siyuan", "lin_yue", "wang_fang"]
"""Who lives in the runs `town-en` and `town-zh`."""

LIVED = 60
"""Steps of the runs `lived-en` and `lived-zh`."""

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}

sizes = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
languages = pytest.mark.parametrize("lang", ["en", "zh"])
ways = pytest.mark.parametrize(("size", "lang"), [(DESKTOP, "zh"), (PHONE, "en")], ids=["desktop-zh", "phone-en"])
"""Each size and each language, once. Whether all that is shown fits, `test_contrast.py` looks at in the other two pairs."""


def beside(work: Callable[..., T], *given: Any, **named: Any) -> T:
    """The result of work that needs an event loop of its own: in this thread, the browser's may be running."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(work, *given, **named).result()


def begun(page: Any) -> None:
    """Waits until the town is drawn."""
    expect(page.locator("#notice")).to_be_hidden()
    expect(page.locator("#hour")).not_to_be_empty()


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
