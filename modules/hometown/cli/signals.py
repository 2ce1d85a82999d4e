"""Stopping a command by signals: once, at any moment, and within two seconds.

The first signal asks for a stop. It cancels the coroutine under way, or raises KeyboardInterrupt
where there is none; the signals that follow change nothing. A command that has not ended
`GRACE_SECONDS` seconds later is ended by a thread, however far it is: every step is a transaction,
so nothing that was saved is lost.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

T = TypeVar("T")

INTERRUPTED = 130
"""Exit code of a stopped command, as in shells."""

GRACE_SECONDS = 2.0
"""Seconds that a command has to end of itself."""

FAREWELL = 0.5
"""Seconds that its last words may take then; they are lost where its output is not read."""

STOPS = tuple(
    signal.Signals[name]
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if name in signal.Signals.__members__
)
"""Ctrl-C, a supervisor, a terminal that is closed, and Ctrl-Break on Windows."""


def _raise_interrupt() -> None:
    raise KeyboardInterrupt


def _only_flag() -> None:
    """Do nothing in place of an interrupt or a farewell; `Stop.asked` is set all the same."""


class Stop:
    """A stop that signals ask for. `farewell` is called before a command is ended that does not end
    of itself.
    """

    def __init__(self) -> None:
        self.asked = False
        self.farewell: Callable[[], object] = _only_flag
        self._interrupt: Callable[[], object] = _raise_interrupt
        self._before: dict[signal.Signals, Any] = {}
        self._over = threading.Event()

    def install(self) -> None:
        """Let signals ask for the stop, and start the thread that ends a command which does not end
        of itself. Raises ValueError outside the main thread.

        Ctrl-C is heard even where the parent process ignores it, as shells do for background jobs.
        A closed terminal is not, where `nohup` has it ignored.
        """
        self._bell, self._hearing = socket.socketpair()
        self._bell.setblocking(False)
        heard = [
            number
            for number in STOPS
            if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN
        ]
        threading.Thread(target=self._end_hard, name="stop", daemon=True).start()
        self._before = {number: signal.signal(number, self._ask) for number in heard}
        # Python's own handler for signals rings, even while the main thread is in a call that does
        # not return.
        self._woken = signal.set_wakeup_fd(self._bell.fileno(), warn_on_full_buffer=False)

    def uninstall(self) -> None:
        """Restore the handlers that signals had before."""
        self._over.set()
        signal.set_wakeup_fd(self._woken)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._bell.close()  # its thread hears that, and ends

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of a coroutine; raise KeyboardInterrupt once it has been cancelled by a
        stop.

        A KeyboardInterrupt in the midst of an event loop could lose the wake-up of a task, which
        would then be waited for in vain.
        """
        import asyncio

        before, self._interrupt = self._interrupt, _only_flag
        try:
            with asyncio.Runner() as runner:
                return runner.run(self._cancel_at_stop(work))
        except asyncio.CancelledError:
            if not self.asked:
                raise
            raise KeyboardInterrupt from None
        finally:
            self._interrupt = before

    @contextmanager
    def defer(self) -> Iterator[None]:
        """Let a stop wait for the end of the context, which raises KeyboardInterrupt then: packages
        in C may crash where their import is interrupted.
        """
        before, self._interrupt = self._interrupt, _only_flag
        try:
            yield
        finally:
            self._interrupt = before
        if self.asked:
            raise KeyboardInterrupt

    def disregard(self) -> None:
        """Let signals interrupt nothing any more: the command has its exit code, and the process
        ends.
        """
        self._interrupt = _only_flag
        if (
            self.asked
        ):  # Python would give those that follow their usual meaning back, before it has ended
            for number in STOPS:
                signal.signal(number, signal.SIG_IGN)

    async def _cancel_at_stop(self, work: Coroutine[Any, Any, T]) -> T:
        import asyncio

        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        self._interrupt = lambda: loop.call_soon_threadsafe(task.cancel)
        try:
            if self.asked:
                work.close()
                raise asyncio.CancelledError
            return await work
        finally:
            self._interrupt = _only_flag

    def _ask(self, number: int, _: object) -> None:
        """Handle a signal."""
        if not self.asked:
            self.asked = True
            with suppress(
                OSError
            ):  # where an event loop has put its own bell in place of ours, as on Windows
                self._bell.send(bytes([number]))
            self._interrupt()

    def _end_hard(self) -> None:
        """Wait for a signal that asks for a stop, in a thread of its own. End the process with the
        exit code `INTERRUPTED`, after `farewell`, if the command does not end within
        `GRACE_SECONDS` of it; return if it does, or if no stop is asked for before `uninstall`.
        """
        with self._hearing:
            while (heard := self._hearing.recv(1)) and heard[0] not in STOPS:
                pass
            if not heard or self._over.wait(GRACE_SECONDS):
                return
        leaving = threading.Thread(target=self.farewell, daemon=True)
        leaving.start()
        leaving.join(FAREWELL)
        os._exit(INTERRUPTED)


_current: Stop | None = None


def stop_process() -> Stop:
    """Return a new stop of this process, installed, which signals ask for up to its end. Raises
    ValueError outside the main thread.
    """
    global _current
    _current = Stop()
    _current.install()
    return _current


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Yield the stop that signals ask for while the context lasts: that of the process or of a
    context around this one, if there is any. Outside the main thread no signal asks for it.
    """
    global _current
    if threading.current_thread() is not threading.main_thread():
        yield Stop()
        return
    if _current is not None:
        yield _current
        return
    _current = stop = Stop()
    stop.install()
    try:
        yield stop
    finally:
        _current = None
        stop.uninstall()


def run_stoppable(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine; raise KeyboardInterrupt once it has been cancelled by a
    stop.
    """
    with stoppable() as stop:
        return stop.run(work)
