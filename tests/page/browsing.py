"""What tests of the page share besides their fixtures (`conftest.py`): sizes, and knowing when the town stands."""

from __future__ import annotations

import time
from typing import Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api")
expect = sync_api.expect

CAST = ["chen_siyuan", "lin_yue", "wang_fang"]
"""Who lives in the runs `town-en` and `town-zh`."""

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}

sizes = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
languages = pytest.mark.parametrize("lang", ["en", "zh"])


def begun(page: Any) -> None:
    """Waits until the town is drawn."""
    expect(page.locator("#notice")).to_be_hidden(timeout=15_000)
    expect(page.locator("#hour")).not_to_be_empty()


def until(page: Any, script: str, seconds: float = 15) -> None:
    """Waits until a script gives true; the page's policy forbids Playwright's own way of waiting."""
    end = time.monotonic() + seconds
    while not page.evaluate(script):
        assert time.monotonic() < end, script
        page.wait_for_timeout(50)
