"""A session with its log: the user can stop it at any time, and the last line tells how to
continue.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hometown.cli.log_file import LogFile, PrintableFormatter
from hometown.cli.options import SessionOptions
from hometown.cli.signals import INTERRUPTED, stoppable
from hometown.cli.simulation import Simulation
from hometown.cli.suggest import how_to_continue
from hometown.cli.texts import Text
from hometown.errors import DiskTrouble, ModelUnavailable, OutputLost
from hometown.text import N_

if TYPE_CHECKING:
    from hometown.config import Layer

STOPPED = N_("Stopped; every complete step is saved. To continue:\n  {command}")

TO_CONTINUE = N_("To continue:\n  {command}")

NOT_KEPT = N_(
    "No run was kept, since it has no step yet. Start it with the same command once the fault below"
    " is mended, or with another model (--llm)."
)


def live_session(simulation: Simulation, layers: list[Layer], text: Text) -> int:
    """Simulate the town as far as the options say, and return the exit code. If something ends it
    earlier, the last line says how to continue; complete steps are saved.
    """
    with _logging(simulation.session, text), stoppable() as stop:
        stop.farewell = lambda: _leave_at_once(simulation, text)
        try:
            with stop.defer():  # it takes a while
                from hometown.cli.run_opening import beyond_recording
                from hometown.cli.step_loop import live_steps

                simulation = beyond_recording(simulation)
            return stop.run(live_steps(simulation, layers, text))
        except KeyboardInterrupt:
            _print_last("\n" + how_to_continue(simulation, text, STOPPED))
            return INTERRUPTED
        except ModelUnavailable:
            _print_last(how_to_continue(simulation, text, TO_CONTINUE, without_run=NOT_KEPT))
            raise
        except (DiskTrouble, MemoryError):
            _print_last(how_to_continue(simulation, text, TO_CONTINUE))
            raise
        except OutputLost:
            print(how_to_continue(simulation, text, TO_CONTINUE), file=sys.stderr)
            raise


def _leave_at_once(simulation: Simulation, text: Text) -> None:
    """Print how to continue and end the servers that would outlive this process."""
    _print_last("\n" + how_to_continue(simulation, text, STOPPED))
    from hometown.model.llama.llama_server import stop_all

    stop_all()


def _print_last(last: str) -> None:
    """Print how to continue, on stderr where stdout is gone: Ctrl-C ends the other programs of a
    pipe, too.
    """
    try:
        print(last, flush=True)
    except OutputLost:
        print(last, file=sys.stderr)


@contextmanager
def _logging(session: SessionOptions, text: Text) -> Iterator[None]:
    """Write log lines to the screen (`--verbose`) and to a file (`--log`) during the context."""
    # Else Python would print warnings into the bar.
    handlers: list[logging.Handler] = [logging.NullHandler()]
    if session.verbose:
        handlers.append(logging.StreamHandler(sys.stderr))
    if session.log:
        handlers.append(LogFile(session.log, text))
    logger = logging.getLogger("hometown")
    logger.setLevel(
        (session.verbose or "info").upper() if session.verbose or session.log else logging.CRITICAL
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
