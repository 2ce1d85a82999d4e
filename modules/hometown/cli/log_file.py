"""The file of `--log`. A run does not end because its log can't be written."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from pathlib import Path

from hometown.cli.texts import Text
from hometown.errors import BadInput, reason_of
from hometown.text import printable

LOG_LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class PrintableFormatter(logging.Formatter):
    """A formatter that shows control characters in texts of models, worlds and users."""

    def __init__(self) -> None:
        super().__init__(LOG_LINE)

    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record))


class LogFile(logging.FileHandler):
    """A file that log lines are appended to; after a failure, it prints a warning and writes no more.

    Raises:
        BadInput: The file can't be opened.
    """

    def __init__(self, file: Path, text: Text) -> None:
        try:
            super().__init__(file, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise BadInput(
                "can't write the log {file}: {reason}; name another file with --log",
                file=file,
                reason=reason_of(error),
            ) from None
        self._text = text
        self._failed = False

    def emit(self, record: logging.LogRecord) -> None:
        if not self._failed:
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:
        """Print a warning about the error under way; `emit` calls this."""
        self._failed = True
        reason = reason_of(error) if isinstance(error := sys.exc_info()[1], Exception) else ""
        print(
            self._text(
                "The log {file} can't be written any more ({reason}); the run continues "
                "without it.",
                file=self.baseFilename,
                reason=reason,
            ),
            file=sys.stderr,
        )

    def close(self) -> None:
        with suppress(OSError):  # lines that could not be written are lost
            super().close()
