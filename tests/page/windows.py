"""Windows of a browser that tests use one after another: to open one takes four times as long as to
load the page.
"""

from __future__ import annotations

import os
from typing import Any

from tests.page.browsing import DESKTOP, REQUESTS, SECONDS

BROKEN_OFF = "net::ERR_ABORTED"
"""What a browser gives up: when its page is left, and when another moment is wanted by then."""

READ_OFTEN = "Canvas2D: Multiple readback operations"
"""How Chromium begins its advice to whoever reads a canvas again and again, as only tests do."""

NOT_USED_YET = "was preloaded using link preload but not used within a few seconds"
"""What Chromium says of a file that a page has asked for early and, on a busy machine, uses late.
`test_preload.py` sees that it is used.
"""

CALM = """window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 100);
window.cancelAnimationFrame = clearTimeout;"""
"""Draw ten frames a second instead of sixty: the page draws all the time, and other tests need the
processor.
"""

SLOW = os.environ.get("HOMETOWN_SLOW_PAGE", "")
"""Set, the processor is so many times slower and each answer comes up to a second and a half late:
what a test took for there, may not be yet.
"""

LATE = """const fetched = window.fetch;
window.fetch = async (...asked) => { await new Promise((done) => setTimeout(done, 1500 * Math.random())); return fetched(...asked); };"""


class Window:
    """One page in a context of its own, and what goes wrong in it while it is watched."""

    def __init__(self, browser: Any, **kind: Any) -> None:
        context = browser.new_context(**kind)
        context.add_init_script(CALM)
        self.page = context.new_page()
        if SLOW:
            context.add_init_script(LATE)
            context.new_cdp_session(self.page).send(
                "Emulation.setCPUThrottlingRate", {"rate": int(SLOW)}
            )
        self.page.set_default_timeout(SECONDS * 1000)
        self.trouble: list[str] = []
        self._allowed: str | None = None
        self._waiting = REQUESTS.setdefault(self.page, set())
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self._note(str(error)))
        self.page.on("request", self._asked)
        self.page.on("requestfinished", lambda request: self._waiting.discard(request))
        self.page.on("requestfailed", self._failed)

    def _heard(self, message: Any) -> None:
        if (
            message.type in ("error", "warning")
            and not message.text.startswith(READ_OFTEN)
            and NOT_USED_YET not in message.text
        ):
            self._note(message.text)

    def open(self, url: str, size: dict[str, int], allowed: str, media: dict[str, str]) -> Any:
        """Watches how an address is loaded, and all that happens then. Every request must begin
        with `allowed`.
        """
        self._allowed = allowed
        self._waiting.clear()
        self.page.set_viewport_size(size)
        self.page.emulate_media(**media)
        self.page.goto(url)
        return self.page

    def leave(self) -> list[str]:
        """What has gone wrong since it was opened. Nothing of it is left for the next one."""
        self._allowed = None
        self.page.unroute_all()
        self.page.evaluate("localStorage.clear()")
        self.page.mouse.move(0, 0)
        self.page.goto("about:blank")
        trouble, self.trouble = self.trouble, []
        return trouble

    def _note(self, what: str) -> None:
        if self._allowed is not None:
            self.trouble.append(what)

    def _asked(self, request: Any) -> None:
        if request.resource_type != "eventsource":
            self._waiting.add(request)
        if not request.url.startswith(self._allowed or ""):
            self._note(request.url)

    def _failed(self, request: Any) -> None:
        self._waiting.discard(request)
        if request.failure != BROKEN_OFF:
            self._note(f"failed: {request.url}")


class Windows:
    """All windows of a browser, by what they were made with. A test gets one that it does not have
    yet.
    """

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._free: dict[frozenset[tuple[str, Any]], list[Window]] = {}
        self._taken: list[tuple[frozenset[tuple[str, Any]], Window]] = []

    def open(
        self,
        url: str,
        size: dict[str, int] = DESKTOP,
        *,
        allowed: str = "",
        color_scheme: str = "light",
        reduced_motion: str = "no-preference",
        **kind: Any,
    ) -> Any:
        """A page that has loaded the address, in a window of this kind (options of Playwright's
        contexts).
        """
        key = frozenset(kind.items())
        free = self._free.setdefault(key, [])
        window = free.pop() if free else Window(self._browser, **kind)
        self._taken.append((key, window))
        media = {"color_scheme": color_scheme, "reduced_motion": reduced_motion}
        return window.open(url, size, allowed or url.partition("?")[0], media)

    def leave(self) -> list[str]:
        """Frees the windows of a test, and gives what went wrong in them."""
        trouble = []
        for key, window in self._taken:
            trouble += window.leave()
            self._free[key].append(window)
        self._taken.clear()
        return trouble
