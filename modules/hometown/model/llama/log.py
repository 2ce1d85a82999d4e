"""What llama.cpp logs: its last lines in memory, and all of them in a file, once it is known beside
which run.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from hometown.system import NO_LINKS

KEPT = 500
"""Lines kept in memory for the file that is not known yet."""

LARGEST = 2_000_000
"""Bytes of a file, after which a new one is begun; the one before is kept."""


class Log:
    """Lines of one process after the other. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=KEPT)
        self._file: _File | None = None
        self._lock = threading.Lock()

    def add(self, line: str) -> None:
        """Add a line, to the file as well if there is one."""
        with self._lock:
            self._lines.append(line)
            if self._file:
                self._file.emit(_record(line))

    def keep(self, file: Path) -> None:
        """From now on, lines go to `file`, and those that are in memory first."""
        with self._lock:
            if self._file:
                if Path(self._file.baseFilename) == file.absolute():
                    return
                self._file.close()
            self._file = _File(file, maxBytes=LARGEST, backupCount=1, encoding="utf-8", delay=True)
            for line in self._lines:
                self._file.emit(_record(line))


def _record(line: str) -> logging.LogRecord:
    return logging.LogRecord("llama.cpp", logging.INFO, "", 0, line, None, None)


class _File(RotatingFileHandler):
    """A file that no run depends on: what can't be written is left out. A link is not followed."""

    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | NO_LINKS
        return open(
            self.baseFilename,
            "a",
            encoding=self.encoding,
            opener=lambda name, _: os.open(name, flags, 0o666),
        )

    def handleError(self, record: logging.LogRecord) -> None: ...
