"""The page behind a reverse proxy that serves it below a path, of which the server knows nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from werkzeug.serving import make_server

from hometown.paths import WORLDS
from hometown.web.access import Access
from hometown.web.server import create_app
from tests.page.browsing import DESKTOP, begun, expect
from tests.page.conftest import Visit

PREFIX = "/town"


def serve_below_prefix(results: Path) -> str:
    """Serve a results folder below `PREFIX`, which the app never sees; return the address."""
    app = create_app(results, WORLDS, access=Access(token="secret"))

    def strip_prefix(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if not path.startswith(f"{PREFIX}/"):
            start_response("404 Not Found", [("Content-Type", "text/plain")])
            return [b"not below the prefix"]
        return app({**environ, "PATH_INFO": path.removeprefix(PREFIX)}, start_response)

    server = make_server("127.0.0.1", 0, strip_prefix, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}{PREFIX}/"


def test_all_that_a_page_asks_for_is_below_the_prefix(watched: Visit, results: Path) -> None:
    address = serve_below_prefix(results)
    page = watched(f"{address}edit?token=secret", DESKTOP, allowed=address)
    page.wait_for_url(f"{address}edit")
    page.get_by_role("link", name="Simulations").click()
    page.get_by_role("link", name="town-en", exact=True).click()
    begun(page)
    assert page.url.startswith(f"{address}?name=town-en")
    expect(page.locator("#resident-list img").first).to_be_visible()
    page.locator("#language").click()
    begun(page)
    assert page.url.startswith(f"{address}?")


def test_signing_in_leads_back_to_the_page(watched: Visit, results: Path) -> None:
    address = serve_below_prefix(results)
    page = watched(f"{address}sign-in", DESKTOP, allowed=address)
    page.locator("#secret").fill("secret")
    page.locator("button.primary").click()
    page.wait_for_url(address)
    expect(page.get_by_role("link", name="town-en", exact=True)).to_be_visible()
