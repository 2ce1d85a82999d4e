"""What is wrong with what a page shows: words too faint, controls out of reach, anything too wide,
and all that axe finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.page.browsing import FRAMES, fits, settled

HERE = Path(__file__).parent
AXE = HERE.parents[1] / ".venv/node/node_modules/axe-core/axe.min.js"
"""axe-core, as `make` installs it where there is npm."""

FAINT = (HERE / "faint.js").read_text(encoding="utf-8")
"""Gives the texts in sight that are too faint, each with what draws it and its contrast."""

UNREACHED = """() => [...document.querySelectorAll('button, a[href], input, select, summary, [role=tab]')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && !one.closest('dialog:not([open])'))
  .filter((one) => (one.tabIndex < 0 && one.getAttribute('role') !== 'tab')
    || !(one.getAttribute('aria-label') || one.labels?.length || one.innerText?.trim() || one.title))
  .map((one) => one.outerHTML.slice(0, 120))"""
"""Controls in sight that the tabulator key passes by, or that have no name. Of the tabs only the
chosen one is in its row: arrows lead to the others.
"""

FINDINGS = """() => axe.run({ resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } }).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html }) => html.slice(0, 120))]))"""
"""Each rule of axe that is broken and where, of whatever impact; contrast is measured by `FAINT`,
in both colour schemes.
"""


SCHEMES = ("light", "dark")


def look(
    page: Any,
    where: str,
    moving: bool = False,
    schemes: Sequence[str] = SCHEMES,
    with_axe: bool = True,
) -> list[Any]:
    """Return the faults of the visible page in these colour schemes.

    Args:
        moving: Something moves by itself, so that the page never comes to rest.
        with_axe: Also return the faults that axe finds, which do not depend on the scheme.
    """
    wrong: list[Any] = []
    for number, scheme in enumerate(schemes):
        page.emulate_media(color_scheme=scheme)
        if moving:
            page.evaluate(FRAMES)
        else:  # in a second scheme, plots are drawn anew, of data that is there already
            settled(page, 2 if number else 4)
        assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") == (
            scheme == "dark"
        )
        wrong += [(where, scheme, one) for one in page.evaluate(FAINT)]
    wrong += [(where, one) for one in page.evaluate(UNREACHED)]
    if not fits(page):
        wrong.append((where, "wider than the screen"))
    return wrong or [(where, one) for one in (axe(page) if with_axe else ())]


def axe(page: Any) -> list[Any]:
    """What axe finds. Skip this test where it is not installed."""
    if not AXE.is_file():
        pytest.skip("needs axe-core: make installs it where there is npm, which comes with Node.js")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[Any] = page.evaluate(FINDINGS)
    return found
