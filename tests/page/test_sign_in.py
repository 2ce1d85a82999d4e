"""Signing in with a real browser: by the printed address, by the form, and by a link on another
site.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hometown.web.access import Access
from tests.page.browsing import DESKTOP, PHONE, expect, fits
from tests.page.conftest import Visit
from tests.page.windows import Windows
from tests.support import page_views
from tests.support.page_texts import PageTexts

Serve = Callable[[Access], str]


@pytest.fixture
def served(results: Path) -> Serve:
    """Starts a server with its rules of access, and returns its address."""
    return lambda access: page_views.served(results, access=access)


def test_the_printed_address_is_opened_once(watched: Visit, served: Serve) -> None:
    address = served(Access(token="a-token"))
    page: Any = watched(
        f"{address}/?name=town-en&lang=en&step=1&token=a-token", DESKTOP, allowed=address
    )
    assert page.url.startswith(f"{address}/?name=town-en&lang=en&step=1")
    assert "token" not in page.url
    expect(page.locator("#hour")).not_to_be_empty()
    assert page.evaluate("document.cookie") == "", "no script can read it"
    page.goto(f"{address}/?lang=en")
    expect(page.locator("[data-act=new-town]")).to_have_count(1)


@pytest.mark.parametrize(("size", "lang"), [(DESKTOP, "en"), (PHONE, "zh")])
def test_a_password_is_entered(windows: Windows, served: Serve, size: Any, lang: str) -> None:
    address, words = served(Access(password="sesame")), PageTexts(lang)
    page: Any = windows._browser.new_page(
        viewport=size
    )  # not watched: a browser notes each refusal as an error
    page.goto(f"{address}/sign-in?lang={lang}")
    page.get_by_label(words["Password"]).fill("open")
    page.get_by_role("button", name=words["Sign in"]).click()
    expect(page.get_by_role("alert")).to_have_text(
        words["That is not right. Check it and try again."]
    )
    assert fits(page)
    page.get_by_label(words["Password"]).fill("sesame")
    page.get_by_role("button", name=words["Sign in"]).click()
    expect(page.locator("[data-run]").first).to_be_visible()
    page.close()
