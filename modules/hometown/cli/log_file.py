"""The file of `--log`. A run does not end because its log can't be written."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from pathlib import Path

from hometown.cli.text import Text
from hometown.errors import BadInput, reason_of
from hometown.text import printable

LOG_LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class PrintableFormatter(logging.Formatter):
    """Shows control characters in what models, worlds and users have written."""

    def __init__(self) -> None:
        super().__init__(LOG_LINE)

    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record))


class LogFile(logging.FileHandler):
    """Appends to a file; once that fails it says so, and writes nothing more. Raises BadInput for a
    file that can't be opened.
    """

    def __init__(self, file: Path, text: Text) -> None:
        try:
            super().__init__(file, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise BadInput(
                "can't write the log {file}: {reason}", file=file, reason=reason_of(error)
            ) from None
        self._text = text
        self._failed = False

    def emit(self, record: logging.LogRecord) -> None:
        if not self._failed:
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:
        """Called by `emit` for the error that is being handled."""
        self._failed = True
        reason = reason_of(error) if isinstance(error := sys.exc_info()[1], Exception) else ""
        print(self._text("log_lost", file=self.baseFilename, reason=reason), file=sys.stderr)

    def close(self) -> None:
        with suppress(OSError):  # what could not be written before can't be now
            super().close()
