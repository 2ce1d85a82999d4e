"""Stopping a command by signals."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stoppable() -> Iterator[None]:
    """Ctrl-C and SIGTERM raise KeyboardInterrupt in what is under way; asyncio cancels it at its next wait.

    Ctrl-C works even where the parent process ignores it, as shells do for background jobs.
    """
    handlers = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: lambda *_: signal.raise_signal(signal.SIGINT)}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)
