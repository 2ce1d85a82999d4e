"""When Python looks for cycles of objects that nobody needs any more, in a process that lives a town.

By default it looks through all objects whenever a quarter of them are new. A town of a thousand keeps millions that live as long as it does, and at the
height of a step it has as many that are gone at its end: most of its time would go by with looking.
"""

from __future__ import annotations

import gc

YOUNG = 50_000
"""Objects made, less those gone, after which the new ones are looked through; Python's own is 700."""


def look_rarely() -> None:
    """Leaves alone what the process holds now, and looks less often through what comes. Call it when the town is there, before its first step."""
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
