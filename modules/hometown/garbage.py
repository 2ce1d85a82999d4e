"""When Python looks for cycles of objects that nobody needs any more, in a process that lives a
town.

By default it looks through all objects whenever a quarter of them are new. A town of a thousand
keeps millions that live as long as it does, and at the height of a step it has as many that are
gone at its end: a fifth of its time would go by with looking.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

YOUNG = 50_000
"""Objects made, less those gone, after which the new ones are looked through between two steps;
Python's own is 700, at any time.
"""

WITHIN_A_STEP = 2_000_000
"""The same within a step, whose minds and prompts are all gone at its end without being looked for.
"""

GENERATION = 20
"""Collections of one generation of objects after which the next older one is looked through, too.
"""


@contextmanager
def rare_collections() -> Iterator[Callable[[], None]]:
    """Meanwhile, what the process holds now is left alone, and what comes is looked through less
    often. Gives what to call between two steps.

    To be entered once the town is there, before its next step.
    """
    usual = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(WITHIN_A_STEP, GENERATION, GENERATION)
    try:
        yield _look_through
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()


def _look_through() -> None:
    young, *older = gc.get_count()
    if young > YOUNG:
        gc.collect(
            max(
                (generation for generation, count in enumerate(older, 1) if count > GENERATION),
                default=0,
            )
        )
