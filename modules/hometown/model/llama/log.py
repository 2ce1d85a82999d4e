"""The log of llama.cpp: its last lines in memory, and all of them in a file once the run is known."""

from __future__ import annotations

import logging
import threading
from collections import deque
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from hometown.system import open_unlinked

MAX_LINES = 500
"""Lines kept in memory until the file is known."""

MAX_BYTES = 2_000_000
"""Bytes after which a new file is started; the previous one is kept."""


class LlamaLog:
    """Lines of successive processes. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=MAX_LINES)
        self._file: _File | None = None
        self._lock = threading.Lock()

    def add(self, line: str) -> None:
        """Append a line, to the file as well if there is one."""
        with self._lock:
            self._lines.append(line)
            if self._file:
                self._file.emit(_record(line))

    def write_to(self, file: Path) -> None:
        """Write all further lines to `file`, after those in memory."""
        with self._lock:
            if self._file:
                if Path(self._file.baseFilename) == file.absolute():
                    return
                self._file.close()
            self._file = _File(
                file, maxBytes=MAX_BYTES, backupCount=1, encoding="utf-8", delay=True
            )
            for line in self._lines:
                self._file.emit(_record(line))


def _record(line: str) -> logging.LogRecord:
    return logging.LogRecord("llama.cpp", logging.INFO, "", 0, line, None, None)


class _File(RotatingFileHandler):
    """A log file that no run depends on: lines that cannot be written are dropped. Links are not
    followed.
    """

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding=self.encoding, opener=open_unlinked)

    def handleError(self, record: logging.LogRecord) -> None: ...
