"""What the three commands share: a parser that speaks in one line, and the way from an error to an exit code."""

from __future__ import annotations

import argparse
import difflib
import os
import sqlite3
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from modules.errors import BadInput, HometownError, reason_of
from modules.text import Phrase
from modules.world.world import Lang

INTERRUPTED = 130
"""Exit code of a command that was stopped by Ctrl-C, as shells have it."""


class _Help(argparse.RawDescriptionHelpFormatter):
    """`usage` is the word for it."""

    def __init__(self, prog: str, usage: str) -> None:
        super().__init__(prog)
        self._usage = usage

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, prefix or self._usage)


class Parser(argparse.ArgumentParser):
    """An argument parser that speaks the user's language, and whose complaints are one line each, without the usage block.

    Raises BadInput instead of leaving the process.
    """

    def __init__(self, prog: str, description: str, lang: Lang) -> None:
        form = partial(_Help, usage=Phrase("usage: ").said(lang))
        super().__init__(prog=prog, description=description, allow_abbrev=False, exit_on_error=False, formatter_class=form, add_help=False)
        self._optionals.title = Phrase("options").said(lang)
        self.add_argument("-h", "--help", action="help", help=Phrase("show this and leave").said(lang))

    def error(self, message: str) -> NoReturn:
        raise BadInput("{complaint} (see {program} --help)", complaint=Phrase(message), program=self.prog)

    def parse(self, argv: list[str]) -> argparse.Namespace:
        """The options in `argv`; an unknown one is refused together with the likely one."""
        try:
            options, unknown = self.parse_known_args(argv)
        except argparse.ArgumentError as error:
            self.error(_of_option(error.argument_name, Phrase(error.message)))
        if unknown:
            known = [name for action in self._actions for name in action.option_strings]
            likely = difflib.get_close_matches(unknown[0].split("=")[0], known, n=1)
            hint = Phrase(", did you mean {likely}?", likely=likely[0]) if likely else ""
            self.error(Phrase("unknown option {option!r}{hint}", option=unknown[0], hint=hint))
        return options

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """The value of an option; converters raise BadInput, and here it is said which option that is about."""
        try:
            return super()._get_value(action, arg_string)
        except BadInput as error:
            self.error(_of_option("/".join(action.option_strings), error.lines[0]))


def _of_option(option: str | None, fault: Phrase) -> Phrase:
    return Phrase("argument {option}: {fault}", option=option, fault=fault)


def whole(low: int, high: int | None = None) -> Callable[[str], int]:
    """A converter for `add_argument(type=…)`: whole numbers from `low` to `high`, if there is an upper end."""
    right = Phrase("a whole number from {low} up", low=low) if high is None else Phrase("a whole number from {low} to {high}", low=low, high=high)

    def convert(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise BadInput("{text!r} is not {right}", text=text, right=right) from None
        if value < low or (high is not None and value > high):
            raise BadInput("{text!r} is not {right}", text=text, right=right)
        return value

    return convert


def guarded(command: Callable[[], int], lang: Lang) -> int:
    """Runs a command and gives its exit code. What went wrong goes to stderr in a language, one line for each fault."""
    try:
        return command()
    except HometownError as error:
        print(error.said(lang), file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except sqlite3.DatabaseError as error:  # found while reading, in a part of the file that nothing had looked at before
        print(Phrase("the run's database is damaged ({reason}): --check NAME says what of it is sound", reason=reason_of(error)).said(lang), file=sys.stderr)
        return BadInput.exit_code
    except BrokenPipeError:
        # Whoever read our output has seen enough; keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
