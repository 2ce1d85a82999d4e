"""The output of the processes that the page started: one file per run, to which each session
appends.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from hometown.storage.run_names import file_of
from hometown.system import open_plain, open_unlinked
from hometown.text import printable

LOG_FOLDER = "logs"
"""Folder of the logs, below the results folder."""

MAX_LOG_BYTES = 1_000_000
"""Maximum size in bytes of a log; the next session begins a new one, and the one before is kept."""

TAIL = 16_384
"""Number of bytes at the end of a log that are searched for the last words of a session."""

MAX_LAST_WORDS = 500
"""Maximum number of characters of last words."""

SUCCESS_CODES = (0, 130)
"""Exit codes of a session that finished, or was stopped."""

_BEGUN, _ENDED = "--- begun ", "--- ended with exit code "

_BEGUN_LINE = re.compile(rf"{_BEGUN}\d+-\d\d-\d\d \d\d:\d\d:\d\d")
_ENDED_LINE = re.compile(rf"{_ENDED}(-?\d+)")


def log_of(results: Path, name: str) -> Path:
    """Return the log of a run."""
    return results / LOG_FOLDER / f"{name}.log"


def open_log(log: Path) -> BinaryIO:
    """Open a log for a new session, and write the time at which it begins. A link, or another path
    that is no file, is removed first; a log that is too long is renamed.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    if log.is_symlink() or (log.exists() and not log.is_file()):
        log.unlink()
    elif log.exists() and log.stat().st_size > MAX_LOG_BYTES:
        log.replace(log.with_name(f"{log.name}.1"))
    opened = open(log, "ab", opener=open_unlinked)  # noqa: SIM115 (the caller closes it)
    opened.write(f"{_BEGUN}{datetime.now():%Y-%m-%d %H:%M:%S}\n".encode())
    opened.flush()
    return opened


def note_end(log: Path, code: int) -> None:
    """Write the exit code of the session, if its log is still there."""
    with suppress(OSError), open(log, "r+b", opener=open_unlinked) as opened:
        opened.seek(0, os.SEEK_END)
        opened.write(f"\n{_ENDED}{code}\n".encode())


def last_words(log: Path) -> str:
    """Return the last line of the last session's output; "" where there is none."""
    return _last_session(log)[0]


def cause_of_stop(results: Path, name: str) -> str:
    """Return the reason why the last session of a run failed, in its own last words; "" if it did
    not fail, or another session has written the run since then.
    """
    log, file = log_of(results, name), file_of(results, name)
    words, code = _last_session(log)
    if code is None or code in SUCCESS_CODES:
        return ""
    with suppress(OSError):
        written = [
            path.stat().st_mtime
            for path in (file, file.with_name(f"{file.name}-wal"))
            if path.exists()
        ]
        if log.stat().st_mtime < max(written, default=0.0):
            return ""
        if code < 0 or not words:
            return f"{words} (exit code {code})".lstrip()
        return words
    return ""


def _last_session(log: Path) -> tuple[str, int | None]:
    """Return the last line of a log's last session, at most `MAX_LAST_WORDS` characters, and its
    exit code, None if not known (yet); ("", None) without a log.
    """
    try:
        with open_plain(log) as opened:
            opened.seek(max(0, os.fstat(opened.fileno()).st_size - TAIL))
            lines = re.findall(r"\S.*", opened.read().decode("utf-8", errors="replace"))
    except OSError:
        return "", None
    ended = _ENDED_LINE.fullmatch(lines[-1]) if lines else None
    if ended:
        lines.pop()
    words = lines[-1].strip() if lines and not _BEGUN_LINE.fullmatch(lines[-1]) else ""
    return printable(words[:MAX_LAST_WORDS].rstrip(".")), int(ended[1]) if ended else None
