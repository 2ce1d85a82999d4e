"""The page's script, styles and chart library, each bundled into one file: fifty small files would
delay the first frame.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from hometown.errors import BadInput
from hometown.page.bundle import bundle
from hometown.paths import FRONTEND

STYLES = (
    "fonts",
    "base",
    "replay",
    "stage",
    "caption",
    "place",
    "menu",
    "finder",
    "share",
    "tabs",
    "intervene",
    "ask",
    "town",
    "cards",
    "fields",
    "resident",
    "schedule",
    "memories",
    "why",
    "reading",
    "insight",
    "spread",
    "controls",
    "time_menu",
    "live",
    "visit",
    "gazette",
    "twin",
    "phone",
    "lecture",
)
"""The names of the styles, in the order of the cascade."""


def script(entry: str) -> str:
    """Return the module of `frontend/js` and its imports as one script, bundled again when one of
    the files has changed.
    """
    return _bundle(entry, max(path.stat().st_mtime for path in (FRONTEND / "js").rglob("*.js")))


def style() -> str:
    """Return the page's present styles."""
    return styles_of(*STYLES)


def styles_of(*names: str) -> str:
    """Return some of the styles in one text."""
    return "".join((FRONTEND / "css" / f"{name}.css").read_text(encoding="utf-8") for name in names)


def charts() -> bytes:
    """Return Chart.js, from the package chartkick.

    Raises:
        BadInput: The package is incomplete.
    """
    # Imports Flask, which a page without plots does not need.
    from chartkick.flask import (
        chartkick_blueprint,
    )

    file = Path(chartkick_blueprint.static_folder or "") / "Chart.bundle.js"
    if not file.is_file():
        raise BadInput(
            "the package chartkick lacks Chart.bundle.js, which draws the plots; reinstall it: pip install --force-reinstall chartkick"
        )
    return file.read_bytes()


@lru_cache(maxsize=4)
def _bundle(entry: str, changed: float) -> str:
    """Bundle a module, once for each `changed`, the time of the last change of any module."""
    return bundle(entry, lambda module: (FRONTEND / "js" / module).read_text(encoding="utf-8"))
