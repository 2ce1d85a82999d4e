"""What residents are just saying, for whoever looks on: a small file beside the run that is no part of it.

A model that streams is heard while it writes. Its line counts once the step is committed; until then it stands here, is
replaced as it grows, and is gone with its step. Nothing ever reads it back into a run.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from re import compile as pattern

import orjson

_SAID = pattern(r'"say"\s*:\s*"((?:[^"\\]|\\.)*)')
"""The line within a reply's JSON, as far as it has come."""

RARELY = 0.2
"""Seconds between two writes."""


def speaking_file(folder: Path) -> Path:
    """The file beside a run's database."""
    return folder / "speaking.json"


def read_speaking(file: Path) -> tuple[dict[str, str], ...]:
    """Who is saying what to whom: `{resident, partner, text}` each; nothing where nobody is heard."""
    try:
        return tuple(orjson.loads(file.read_bytes()))
    except (OSError, ValueError):
        return ()


def said(reply: str) -> str:
    r"""What of a line can be made out in the beginning of a reply.

    >>> said('{"say": "Good mor')
    'Good mor'
    >>> said('{"say": "\\u65e9\\u'), said('{"s')
    ('早', '')
    """
    found = _SAID.search(reply)
    text = found[1] if found else ""
    for cut in range(min(6, len(text)) + 1):  # an escape may have come in half
        with suppress(ValueError):
            return str(orjson.loads(f'"{text[: len(text) - cut]}"'))
    return ""


class Speaking:
    """What is being said in the step under way. A file that cannot be written is nobody's loss."""

    def __init__(self, folder: Path) -> None:
        self._file = speaking_file(folder)
        self._lines: dict[str, dict[str, str]] = {}
        self._written = 0.0

    def hear(self, who: str, partner: str, reply: str) -> None:
        """`reply` is what has come of a reply's JSON by now."""
        text = said(reply)
        if not text:
            return
        self._lines.pop(partner, None)
        self._lines[who] = {"resident": who, "partner": partner, "text": text}
        now = time.monotonic()
        if now - self._written >= RARELY:
            self._written = now
            self._write()

    def clear(self) -> None:
        """The step is over; its lines are in the run now."""
        self._lines.clear()
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    def _write(self) -> None:
        unfinished = self._file.with_suffix(".new")
        with suppress(OSError):
            unfinished.write_bytes(orjson.dumps(list(self._lines.values())))
            unfinished.replace(self._file)
