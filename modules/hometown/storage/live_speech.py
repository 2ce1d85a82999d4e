"""The lines that residents are speaking at this moment, for spectators: a small file beside the run
that is not part of it.

With a model that streams, a line can be followed while it is written. It counts once the step is
committed; until then it is kept here, replaced as it grows, and removed with its step. It is never
read back into a run.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import orjson

from hometown.storage.side_files import replace_file

WRITE_INTERVAL = 0.2
"""Seconds between two writes, at least."""


def live_speech_file(folder: Path) -> Path:
    """Return the path of the file, beside a run's database, with the lines that are being spoken."""
    return folder / "speaking.json"


def read_live_speech(file: Path) -> tuple[dict[str, str], ...]:
    """Return the lines being spoken, `{resident, partner, text}` each, a line between a visitor and
    a resident with `complete` when it is; none without a readable file.
    """
    try:
        return tuple(orjson.loads(file.read_bytes()))
    except (OSError, ValueError):
        return ()


class LiveSpeech:
    """The lines being spoken in the step under way. A file that cannot be written is no error."""

    def __init__(self, folder: Path) -> None:
        self._file = live_speech_file(folder)
        self._lines: dict[str, dict[str, str]] = {}
        self._written = 0.0

    def hear(self, who: str, partner: str, text: str, *, complete: bool = False) -> None:
        """Receive the text that `who` has said to `partner` so far; it replaces the line of each of
        the two. Write the file, at once if the line is `complete`, or else WRITE_INTERVAL seconds
        after the last time at the earliest.
        """
        if not text:
            return
        self._lines.pop(partner, None)
        self._lines[who] = {"resident": who, "partner": partner, "text": text}
        if complete:
            self._lines[who]["complete"] = "true"
        now = time.monotonic()
        if complete or now - self._written >= WRITE_INTERVAL:
            self._written = now
            self._write()

    def clear(self) -> None:
        """Remove the lines, since their step is committed."""
        self._lines.clear()
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    def _write(self) -> None:
        with suppress(OSError):
            replace_file(self._file, orjson.dumps(list(self._lines.values())))
