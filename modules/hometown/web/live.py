"""Live updates of a run as server-sent events: each step when it has been committed, and dialogue
while it is streamed.

One thread polls a run for all viewers, only while there are any. It compares the files' sizes and
times and opens the database briefly when they have changed, so that nothing stays open in a run
that is being written.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from hometown.errors import BadRun
from hometown.history.reader import RunReader
from hometown.storage.committed import FILE as NOTE
from hometown.storage.live_speech import live_speech_file, read_live_speech
from hometown.storage.lock import is_held
from hometown.storage.run_names import file_of
from hometown.web.process_logs import cause_of_stop

POLL_SECONDS = 0.5
"""Seconds between two polls."""

KEEP_ALIVE_SECONDS = 15.0
"""Seconds after which a comment is sent, so that no proxy closes the connection as idle, and a
viewer who has left is detected.
"""

MOST_STREAMS = 24
"""Maximum number of viewers with a live stream, of all runs together: each of them occupies a
thread. Further ones poll.
"""

RETRY_MILLISECONDS = 4000
"""Milliseconds after which a browser polls again if there was no stream left."""


@dataclass(frozen=True)
class RunStatus:
    """The state of a run: its last step, whether that is the last one planned, whether a process
    writes the run, and the dialogue being spoken.
    """

    steps: int
    finished: bool
    running: bool
    speaking: tuple[dict[str, str], ...] = ()


@dataclass
class RunWatch:
    """The latest state of one run, and its number of viewers. `number` counts the states."""

    changed: threading.Condition = field(default_factory=threading.Condition)
    news: RunStatus | None = None
    number: int = 0
    viewers: int = 0


class Live:
    """The runs below a results folder that have viewers."""

    def __init__(self, results: Path) -> None:
        self._results = results
        self._watches: dict[str, RunWatch] = {}
        self._lock = threading.Lock()
        self._streams = threading.BoundedSemaphore(MOST_STREAMS)

    def events(self, name: str, seen: int | None = None) -> Iterator[bytes]:
        """Yield the server-sent events of an existing run, from its present state until no process
        writes it, to a viewer who has seen the steps up to `seen`. If there are too many viewers,
        yield only the present state, and the time after which to poll again.
        """
        if not self._streams.acquire(blocking=False):
            yield b"retry: %d\n" % RETRY_MILLISECONDS
            yield from events_between(None, _make_status_reader(self._results, name)(), seen)
            return
        try:
            yield from self._stream(name, seen)
        finally:
            self._streams.release()

    def _stream(self, name: str, seen: int | None) -> Iterator[bytes]:
        """Yield an event for each new state of a run, a comment where there is none for a while,
        and the end with the cause of a failure.
        """
        watch = self._enter(name)
        try:
            before: RunStatus | None = None
            number = 0
            while True:
                with watch.changed:
                    watch.changed.wait_for(
                        lambda seen=number: watch.number != seen,  # type: ignore[misc]
                        timeout=KEEP_ALIVE_SECONDS,
                    )
                    news = watch.news
                    is_same = watch.number == number
                    number = watch.number
                if is_same or news is None:
                    yield b": still here\n\n"
                    continue
                yield from events_between(before, news, seen)
                before = news
                if not news.running:
                    yield event(
                        "end",
                        {
                            "finished": news.finished,
                            "cause": "" if news.finished else cause_of_stop(self._results, name),
                        },
                    )
                    return
        finally:
            self._leave(name, watch)

    def _enter(self, name: str) -> RunWatch:
        """Count a viewer of a run, and return its watch; the first one starts the polling."""
        with self._lock:
            watch = self._watches.get(name)
            if watch is None:
                watch = self._watches[name] = RunWatch()
                threading.Thread(
                    target=self._follow, args=(name, watch), name=f"live-{name}", daemon=True
                ).start()
            watch.viewers += 1
            return watch

    def _leave(self, name: str, watch: RunWatch) -> None:
        """Count off a viewer; after the last one, the watch is dropped, which ends the polling."""
        with self._lock:
            watch.viewers -= 1
            if not watch.viewers and self._watches.get(name) is watch:
                del self._watches[name]

    def _follow(self, name: str, watch: RunWatch) -> None:
        """Poll the state of a run, and notify its viewers of each change, until there are none or
        no process writes the run.
        """
        read_status = _make_status_reader(self._results, name)
        while self._watches.get(name) is watch:
            news = read_status()
            with watch.changed:
                if news != watch.news:
                    watch.news, watch.number = news, watch.number + 1
                    watch.changed.notify_all()
            if not news.running:
                with self._lock:
                    self._watches.pop(name, None)
                return
            time.sleep(POLL_SECONDS)


def _make_status_reader(results: Path, name: str) -> Callable[[], RunStatus]:
    """Return a function that returns the present state of a run. While a process writes the run,
    the function opens the database only if one of the run's files has changed since its last call.
    """
    file = file_of(results, name)
    # A note is new after each commit, so that none is missed.
    watched = (
        file,
        file.with_name(f"{file.name}-wal"),
        file.with_name(NOTE),
    )
    marks: tuple[Any, ...] = ()
    known = (0, False)

    def read_status() -> RunStatus:
        nonlocal marks, known
        # Checked before the steps, so that the last step is not missed.
        running = is_held(file.parent)
        now = tuple(_mark(path) for path in watched)
        if now != marks or not running:
            try:
                with RunReader.open(results, name) as run:
                    known = (run.last_step(), run.last_step() >= run.planned_end())
            except BadRun:  # removed or damaged while it was watched
                return RunStatus(known[0], known[1], running=False)
            marks = now
        return RunStatus(
            *known, running, read_live_speech(live_speech_file(file.parent)) if running else ()
        )

    return read_status


def _mark(file: Path) -> tuple[int, ...] | None:
    """Return numbers that change whenever a file is written or replaced; None without the file."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def events_between(
    before: RunStatus | None, news: RunStatus, seen: int | None = None
) -> Iterator[bytes]:
    """Yield the events for the difference between two states of a run: `step` for new steps and an
    end, `speaking` while residents speak, and once when they have stopped. Without a state before,
    `seen` is the last step that the viewer knows from an earlier connection.
    """
    if before is None or (before.steps, before.finished) != (news.steps, news.finished):
        known = before.steps if before else seen
        if known is None or not 0 <= known <= news.steps:
            known = max(0, news.steps - 1)
        data = {
            "first": known + 1,
            "step": news.steps,
            "finished": news.finished,
            "running": news.running,
        }
        yield b"id: %d\n" % news.steps + event("step", data)
    if news.speaking or (before and before.speaking):
        yield event("speaking", list(news.speaking))


def event(kind: str, data: Any) -> bytes:
    """Return one server-sent event, of a kind and with its data in JSON.

    >>> event("step", {"step": 3})
    b'event: step\\ndata: {"step":3}\\n\\n'
    """
    return b"event: " + kind.encode() + b"\ndata: " + orjson.dumps(data) + b"\n\n"
