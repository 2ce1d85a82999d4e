"""Tunes Python's cycle collector for a process that simulates a town.

By default it examines all objects whenever a quarter of them are new. A town of a thousand keeps
millions that live as long as it does, and within a step makes as many that are gone at its end: the
collector would take a fifth of the time.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

YOUNG = 50_000
"""New objects, net of deleted ones, after which the garbage collector examines them between two
steps; Python's default is 700, at any time.
"""

AT_THE_START = 100_000
"""The same when a process starts: imports create nearly as many objects, which all stay."""

WITHIN_A_STEP = 2_000_000
"""New objects, net of deleted ones, after which the garbage collector examines them within a step,
whose minds and prompts are deleted at its end without a collection.
"""

GENERATION = 20
"""Collections of one generation of objects after which the next older generation is examined, too.
"""


@contextmanager
def tune_collector() -> Iterator[Callable[[], None]]:
    """Exempt all present objects from collection, and examine new ones less often, while the
    context lasts. It yields a function to be called between two steps.

    Enter it once the town exists, before its next step.
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
