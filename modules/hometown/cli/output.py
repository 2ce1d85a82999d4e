"""The program's output: to a terminal of any encoding, into a pipe that may be closed, onto a disk
that may be full.

While `readable_output` lasts, characters that an encoding lacks are written in ASCII, and control
characters are shown and not obeyed. Output that can't be written ends the command with an exit code
of its own; messages on stderr that can't be written are dropped.
"""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

from hometown.errors import OutputClosed, OutputLost, reason_of
from hometown.system import PIPE_CLOSED
from hometown.text import printable

LOOKALIKES = str.maketrans(
    {
        "✓": "+",
        "✗": "x",
        "→": "->",
        "…": "...",
        "–": "-",
        "—": "-",
        "’": "'",
        "“": '"',
        "”": '"',
        "×": "x",
    }
)
"""ASCII for characters that an encoding may lack; all others are written by their numbers."""

_HANDLER = "hometown.readable"


class Output:
    """A stream that accepts any text. If it is `required`, a failure raises OutputLost once; else it
    is ignored.
    """

    def __init__(self, stream: TextIO, *, required: bool) -> None:
        self._stream = stream
        self._required = required
        self._lost = False
        self._encoding = getattr(stream, "encoding", None) or "utf-8"

    def write(self, text: str) -> int:
        self._attempt(lambda: self._stream.write(self._readable(text)))
        return len(text)

    def flush(self) -> None:
        self._attempt(self._stream.flush)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _readable(self, text: str) -> str:
        """Return the text in printable characters; a first carriage return is a progress bar's."""
        back = "\r" if text.startswith("\r") else ""
        return (
            (back + printable(text[len(back) :]))
            .encode(self._encoding, _HANDLER)
            .decode(self._encoding)
        )

    def _attempt(self, work: Callable[[], object]) -> None:
        if self._lost:
            return
        try:
            work()
        except OSError as error:
            self._lost = True
            _discard(self._stream)
            if self._required:
                raise _output_lost(error) from error


def _output_lost(error: OSError) -> OutputLost:
    if error.errno in PIPE_CLOSED:
        return OutputClosed("the output was closed by the program that read it")
    return OutputLost("can't write the output: {reason}", reason=reason_of(error))


def _discard(stream: TextIO) -> None:
    """Discard the rest of the stream's buffer, so that Python does not fail on it at exit."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def _lookalike(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end].translate(LOOKALIKES)
    return lacking.encode("ascii", "backslashreplace").decode("ascii"), error.end


@contextmanager
def readable_output() -> Iterator[None]:
    """Make stdout and stderr accept any text during the context; a closed stream discards it."""
    codecs.register_error(_HANDLER, _lookalike)
    before = sys.stdout, sys.stderr
    with open(os.devnull, "w", encoding="utf-8") as null:
        sys.stdout = cast(TextIO, Output(before[0] or null, required=True))
        sys.stderr = cast(TextIO, Output(before[1] or null, required=False))
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before
