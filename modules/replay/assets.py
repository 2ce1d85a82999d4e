"""The playback page's script and styles, each in one piece: fifty small files would keep its first picture waiting."""

from __future__ import annotations

from functools import lru_cache

from modules.paths import ROOT
from modules.replay.bundle import bundle

FRONTEND = ROOT / "frontend"

STYLES = ("base", "replay", "stage", "tabs", "intervene", "town", "cards", "people", "reading", "insight", "controls", "live", "phone")
"""In the order in which they hold; the later wins."""


def script(entry: str) -> str:
    """The script that does what a module of `frontend/js` does, with all that it imports, as it is on disk now."""
    return _bundled(entry, max(path.stat().st_mtime for path in (FRONTEND / "js").glob("*.js")))


def style() -> str:
    """The styles, as they are on disk now."""
    return "".join((FRONTEND / "css" / f"{name}.css").read_text(encoding="utf-8") for name in STYLES)


@lru_cache(maxsize=4)
def _bundled(entry: str, changed: float) -> str:
    """`changed` is when a module was last written: what is kept holds no longer."""
    return bundle(entry, lambda module: (FRONTEND / "js" / module).read_text(encoding="utf-8"))
