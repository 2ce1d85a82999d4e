"""What the page asks for early, it uses. How soon, depends on the machine."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.page.browsing import DESKTOP, begun, requests_of, settled
from tests.page.conftest import Visit
from tests.page.windows import Windows

EARLY = re.compile(r'<link rel="preload"[^>]* href="([^"]+)">')
TOWN = "/?name=town-en&step=1&lang=en&paused=1"

UNUSED = (
    "The resource http://127.0.0.1:5000/frontend/fonts/nunito-sans.woff2 was preloaded using link preload but not used within a few seconds from the"
    " window's load event. Please make sure it has an appropriate `as` value and it is preloaded intentionally."
)


def test_the_page_itself_asks_for_each_file_that_is_preloaded(visit: Visit, address: str) -> None:
    """Without the hints, the same files are asked for: a hint for another file would only cost
    time.
    """
    page = visit(TOWN, reduced_motion="reduce")
    begun(page)
    hinted: list[str] = []

    def without_hints(route: Any) -> None:
        answer = route.fetch()
        hinted.extend(EARLY.findall(answer.text()))
        route.fulfill(response=answer, body=EARLY.sub("", answer.text()))

    page.route(lambda url: url.startswith(f"{address}/?name="), without_hints)
    with requests_of(page) as asked:
        page.reload()
        begun(page)
        settled(page)
    assert any("nunito" in one for one in hinted)
    assert {f"{address}/{one}" for one in hinted} <= {request.url for request in asked}


def test_each_file_that_is_preloaded_is_fetched_once(visit: Visit, address: str) -> None:
    """A hint of another kind than the use, as one without `crossorigin`, has the browser fetch a
    file twice.
    """
    page = visit(TOWN, reduced_motion="reduce")
    begun(page)
    with requests_of(page) as requests:
        page.reload()
        begun(page)
        settled(page)
    asked = [request.url for request in requests]
    hinted = [
        f"{address}/{one}"
        for one in page.evaluate(
            "[...document.querySelectorAll('link[rel=preload]')].map((one) => one.getAttribute('href'))"
        )
    ]
    assert len(hinted) >= 4
    assert {one: asked.count(one) for one in hinted} == dict.fromkeys(hinted, 1)


@pytest.mark.parametrize(("said", "noted"), [(UNUSED, []), ("something else", ["something else"])])
def test_a_warning_about_time_is_no_fault_of_a_page(
    windows: Windows, address: str, said: str, noted: list[str]
) -> None:
    page = windows.open(f"{address}/?lang=en", DESKTOP, allowed=address)
    page.evaluate("(text) => console.warn(text)", said)
    assert windows.leave() == noted
