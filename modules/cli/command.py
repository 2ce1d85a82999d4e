"""What the three commands share: a parser that speaks in one line, and the way from an error to an exit code."""

from __future__ import annotations

import argparse
import difflib
import os
import sqlite3
import sys
from collections.abc import Callable
from typing import NoReturn

from modules.errors import BadInput, HometownError

INTERRUPTED = 130
"""Exit code of a command that was stopped by Ctrl-C, as shells have it."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line each, without the usage block.

    Raises BadInput instead of leaving the process.
    """

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(prog=prog, description=description, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message} (see {self.prog} --help)")

    def parse(self, argv: list[str]) -> argparse.Namespace:
        """The options in `argv`; an unknown one is refused together with the likely one."""
        options, unknown = self.parse_known_args(argv)
        if unknown:
            known = [name for action in self._actions for name in action.option_strings]
            likely = difflib.get_close_matches(unknown[0].split("=")[0], known, n=1)
            self.error(f"unknown option {unknown[0]!r}" + (f", did you mean {likely[0]}?" if likely else ""))
        return options


def whole(low: int, high: int | None = None) -> Callable[[str], int]:
    """A converter for `add_argument(type=…)`: whole numbers from `low` to `high`, if there is an upper end."""
    right = f"a whole number from {low}" + (f" to {high}" if high is not None else " up")

    def convert(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not {right}") from None
        if value < low or (high is not None and value > high):
            raise argparse.ArgumentTypeError(f"{text!r} is not {right}")
        return value

    return convert


def guarded(command: Callable[[], int]) -> int:
    """Runs a command and gives its exit code. What went wrong goes to stderr, one line for each fault."""
    try:
        return command()
    except HometownError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except sqlite3.DatabaseError as error:  # found while reading, in a part of the file that nothing had looked at before
        print(f"the run's database is damaged ({error}): --check NAME says what of it is sound", file=sys.stderr)
        return BadInput.exit_code
    except BrokenPipeError:
        # Whoever read our output has seen enough; keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
