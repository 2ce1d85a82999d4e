"""What the program prints, wherever that goes: to a terminal of any encoding, into a pipe that
somebody closes, onto a disk that is full.

While `readable_output` lasts, what an encoding lacks is written in ASCII, and control characters
are shown and not obeyed. Output that can't be written ends the command with an exit code that says
so; messages on stderr that can't be written are dropped, since nobody is left to tell.
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
"""For what an encoding lacks; everything else is written by its number."""

_HANDLER = "hometown.readable"


class Output:
    """A stream for text that can always be written. Where `required`, a failure raises OutputLost,
    once; else it is ignored.
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
        """A carriage return at the beginning is a progress bar's."""
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
                raise _lost(error) from error


def _lost(error: OSError) -> OutputLost:
    if error.errno in PIPE_CLOSED:
        return OutputClosed("the output was closed by the program that read it")
    return OutputLost("can't write the output: {reason}", reason=reason_of(error))


def _discard(stream: TextIO) -> None:
    """Sends what is still in the stream's buffer to nowhere, so that Python does not fail on it
    when it exits.
    """
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _lookalike(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end].translate(LOOKALIKES)
    return lacking.encode("ascii", "backslashreplace").decode("ascii"), error.end


@contextmanager
def readable_output() -> Iterator[None]:
    """Makes stdout and stderr fit for any text while the context lasts; a stream that is closed
    swallows everything.
    """
    codecs.register_error(_HANDLER, _lookalike)
    before = sys.stdout, sys.stderr
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        sys.stdout = cast(TextIO, Output(before[0] or nowhere, required=True))
        sys.stderr = cast(TextIO, Output(before[1] or nowhere, required=False))
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before
