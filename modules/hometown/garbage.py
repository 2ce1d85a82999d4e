"""When Python looks for cycles of objects that nobody needs any more, in a process that lives a town.

By default it looks through all objects whenever a quarter of them are new. A town of a thousand keeps millions that live as long as it does, and at the
height of a step it has as many that are gone at its end: a fifth of its time would go by with looking.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG = 50_000
"""Objects made, less those gone, after which the new ones are looked through; Python's own is 700."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Meanwhile, what the process holds now is left alone, and what comes is looked through less often.

    To be entered once the town is there, before its next step.
    """
    usual = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()
