"""A lock for drawing pictures of towns one at a time, so that large ones do not add up in
memory.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from hometown.errors import BadWorld, reason_of
from hometown.web.answers import Wrong

_LOCK = threading.Lock()


@contextmanager
def drawing() -> Iterator[None]:
    """Hold the lock for drawing.

    Raises:
        Wrong: 409, if a world's map or its pictures can't be shown.
    """
    with _LOCK:
        try:
            yield
        except BadWorld as error:
            raise Wrong(409, "That is not possible: {reason}.", reason=error) from error
        except (OSError, MemoryError) as error:
            raise Wrong(409, "That is not possible: {reason}.", reason=reason_of(error)) from error
