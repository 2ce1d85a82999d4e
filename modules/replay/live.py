"""A run followed as it goes: each step when it has been committed, and words while they are spoken, as server-sent events.

One thread looks at a run for all who watch it, and only while somebody does. It looks at the files' sizes and times, so that
it holds nothing open in a run that is being written; the database is opened for a moment when they have changed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from modules.errors import BadRun
from modules.replay.reader import RunReader
from modules.storage.lock import is_held
from modules.storage.names import file_of
from modules.storage.speaking import read_speaking, speaking_file

EVERY = 0.5
"""Seconds between two looks."""

KEEP_ALIVE = 15.0
"""Seconds after which a comment is sent, so that nothing on the way takes the line for dead."""


@dataclass(frozen=True)
class News:
    """What a look has found: the last step, whether it is the last that was planned, whether a process writes the run, and what is being said."""

    steps: int
    finished: bool
    running: bool
    speaking: tuple[dict[str, str], ...] = ()


@dataclass
class Watch:
    """The latest news of one run, and how many wait for more. `number` counts the news."""

    changed: threading.Condition = field(default_factory=threading.Condition)
    news: News | None = None
    number: int = 0
    viewers: int = 0


class Live:
    """The runs that are being watched, below a results folder."""

    def __init__(self, results: Path) -> None:
        self._results = results
        self._watches: dict[str, Watch] = {}
        self._lock = threading.Lock()

    def events(self, name: str) -> Iterator[bytes]:
        """Server-sent events of a run that exists, from what is now until nobody writes it any more."""
        watch = self._enter(name)
        try:
            before: News | None = None
            number = 0
            while True:
                with watch.changed:
                    watch.changed.wait_for(lambda seen=number: watch.number != seen, timeout=KEEP_ALIVE)  # type: ignore[misc]
                    news, same, number = watch.news, watch.number == number, watch.number
                if same or news is None:
                    yield b": still here\n\n"
                    continue
                yield from told(before, news)
                before = news
                if not news.running:
                    yield event("end", {"finished": news.finished})
                    return
        finally:
            self._leave(name, watch)

    def _enter(self, name: str) -> Watch:
        with self._lock:
            watch = self._watches.get(name)
            if watch is None:
                watch = self._watches[name] = Watch()
                threading.Thread(target=self._follow, args=(name, watch), name=f"live-{name}", daemon=True).start()
            watch.viewers += 1
            return watch

    def _leave(self, name: str, watch: Watch) -> None:
        with self._lock:
            watch.viewers -= 1
            if not watch.viewers and self._watches.get(name) is watch:
                del self._watches[name]

    def _follow(self, name: str, watch: Watch) -> None:
        """Looks until nobody watches, or nothing more will come."""
        look = _looker(self._results, name)
        while self._watches.get(name) is watch:
            news = look()
            with watch.changed:
                if news != watch.news:
                    watch.news, watch.number = news, watch.number + 1
                    watch.changed.notify_all()
            if not news.running:
                with self._lock:
                    self._watches.pop(name, None)
                return
            time.sleep(EVERY)


def _looker(results: Path, name: str) -> Callable[[], News]:
    """A function that tells how the run stands, and reads its database only where a file has changed."""
    file = file_of(results, name)
    marks: tuple[Any, ...] = ()
    known = (0, False)

    def look() -> News:
        nonlocal marks, known
        running = is_held(file.parent)  # before the steps: the last one is seen, then
        now = tuple(_mark(one) for one in (file, file.with_name(f"{file.name}-wal")))
        if now != marks or not running:
            try:
                with RunReader.open(results, name) as run:
                    known = (run.last_step(), run.last_step() >= run.planned_end())
            except BadRun:  # removed, or damaged, while somebody looked on
                return News(known[0], known[1], running=False)
            marks = now
        return News(*known, running, read_speaking(speaking_file(file.parent)) if running else ())

    return look


def _mark(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def told(before: News | None, news: News) -> Iterator[bytes]:
    """The events that lead from one news to the next."""
    if before is None or (before.steps, before.finished) != (news.steps, news.finished):
        yield event("step", {"step": news.steps, "finished": news.finished, "running": news.running})
    if news.speaking or (before and before.speaking):
        yield event("speaking", list(news.speaking))


def event(kind: str, data: Any) -> bytes:
    """One server-sent event.

    >>> event("step", {"step": 3})
    b'event: step\\ndata: {"step":3}\\n\\n'
    """
    return b"event: " + kind.encode() + b"\ndata: " + orjson.dumps(data) + b"\n\n"
