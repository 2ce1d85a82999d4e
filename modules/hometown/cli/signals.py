"""Stopping a command by signals."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager


@contextmanager
def stoppable() -> Iterator[None]:
    """Ctrl-C and SIGTERM raise KeyboardInterrupt in what is under way; asyncio cancels it at its next wait.

    Ctrl-C works even where the parent process ignores it, as shells do for background jobs.
    """
    with _handled({signal.SIGINT: signal.default_int_handler, signal.SIGTERM: lambda *_: signal.raise_signal(signal.SIGINT)}):
        yield


@contextmanager
def unbroken() -> Iterator[None]:
    """Ctrl-C and SIGTERM wait until the context ends, and raise KeyboardInterrupt then: in it they would leave something half made."""
    arrived: list[int] = []
    with _handled(dict.fromkeys((signal.SIGINT, signal.SIGTERM), lambda number, _: arrived.append(number))):
        yield
    if arrived:
        raise KeyboardInterrupt


@contextmanager
def _handled(handlers: Mapping[signal.Signals, Callable[..., object]]) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)
