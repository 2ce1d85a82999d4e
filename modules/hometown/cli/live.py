"""A session as its user meets it: it logs, it can be stopped at any time, and it ends with a line
that says how to continue.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hometown.cli.log_file import LogFile, PrintableFormatter
from hometown.cli.options import Options
from hometown.cli.signals import INTERRUPTED, stoppable
from hometown.cli.suggest import how_to_continue
from hometown.cli.text import Text
from hometown.errors import DiskTrouble, ModelUnavailable, OutputLost

if TYPE_CHECKING:
    from hometown.config import Layer


def live_session(options: Options, layers: list[Layer], text: Text) -> int:
    """Lives the town as far as the options say. Whatever ends it earlier leaves a line that says
    how to continue; what isn't committed never was.
    """
    with _logging(options, text), stoppable() as stop:
        stop.farewell = lambda: _leave_at_once(options, text)
        try:
            with stop.deferred():  # it takes a while
                from hometown.cli.steps import live_steps

            return stop.run(live_steps(options, layers, text))
        except KeyboardInterrupt:
            _take_leave("\n" + how_to_continue(options, text, "stopped"))
            return INTERRUPTED
        except (ModelUnavailable, DiskTrouble, MemoryError):
            _take_leave(how_to_continue(options, text, "to_continue"))
            raise
        except OutputLost:
            print(how_to_continue(options, text, "to_continue"), file=sys.stderr)
            raise


def _leave_at_once(options: Options, text: Text) -> None:
    """Say how to continue and end what would outlive this process, which ends in a moment."""
    _take_leave("\n" + how_to_continue(options, text, "stopped"))
    from hometown.model.llama.llama_server import stop_all

    stop_all()


def _take_leave(last: str) -> None:
    """Prints how to continue, on stderr where stdout is gone: Ctrl-C ends the other programs of a
    pipe, too.
    """
    try:
        print(last, flush=True)
    except OutputLost:
        print(last, file=sys.stderr)


@contextmanager
def _logging(options: Options, text: Text) -> Iterator[None]:
    """Log lines go to the screen (`--verbose`) and to a file (`--log`), while the context lasts."""
    handlers: list[logging.Handler] = [
        logging.NullHandler()
    ]  # else Python would print warnings into the bar
    if options.verbose:
        handlers.append(logging.StreamHandler(sys.stderr))
    if options.log:
        handlers.append(LogFile(options.log, text))
    logger = logging.getLogger("hometown")
    logger.setLevel(
        (options.verbose or "info").upper() if options.verbose or options.log else logging.CRITICAL
    )
    for handler in handlers:
        handler.setFormatter(PrintableFormatter())
        logger.addHandler(handler)
    try:
        yield
    finally:
        for handler in handlers:
            logger.removeHandler(handler)
            handler.close()
