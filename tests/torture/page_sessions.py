"""Lives runs in sessions that the page starts and that end in many ways: the page shows the cause
of each failure, and no session loses what an earlier one has printed.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from markupsafe import escape
from werkzeug.test import TestResponse

from hometown.language import LANGS
from hometown.paths import WORLDS
from hometown.storage.checksum import seal_meta
from hometown.storage.lock import is_held
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of, run_folder
from hometown.text import printable
from hometown.web import process_logs
from hometown.web.access import Access
from hometown.web.process_logs import log_of
from hometown.web.server import create_app
from tests.support.dead_server import dead_server
from tests.support.hang import waited_for
from tests.support.town import live
from tests.torture.cases import Lost, case
from tests.web.asking import ask, signed_in

RUN = "town"

MOST_SESSIONS = 4
"""Sessions of a run in a row."""

REAL_EVERY = 10
"""One in so many cases has sessions of Hometown itself, which take seconds each."""

SMALL_LOG_BYTES = 3000
"""Size of a log after which some cases begin a new one."""

MODEL = "openai:town-7b"

ENDED = "--- ended with exit code "
"""The beginning of the line that notes the end of a session."""

SESSION = """
import os, sys, time
sys.path[:0] = {path!r}
from pathlib import Path
from hometown.storage.checksum import seal_meta
from hometown.storage.lock import RunLock
out = sys.stdout.buffer
out.write({first!r})
out.flush()
if {flag!r}:
    lock = RunLock(Path({folder!r}))
    lock.acquire()
    while not os.path.exists({flag!r}):
        time.sleep(0.005)
out.write({last!r})
out.flush()
if {code!r} < 0:
    os.kill(os.getpid(), -{code!r})
os._exit({code!r})
"""
"""A session as short as can be: it writes a run until there is a file `flag`, and says its last
words. Without a flag it fails before it writes anything.
"""

WORDS = (
    "no model server answers at http://localhost:11434",
    "磁盘已满，已完成的步骤都保留着",
    "<script>alert(1)</script> & <b>bold</b>",
    "--- ended with exit code 0",
    "the world is called --- begun again",
    "\x1b[31mred\x1b[0m and \u202eback",
    "{reason} %s {0}",
    "word " * 400,
    "x" * 40_000,
)
"""What a session may say last."""

CODES = (0, 130, 1, 2, 3, 3, 3, 141, -int(signal.SIGTERM), -int(getattr(signal, "SIGKILL", 9)))

GOOD = (0, 130)
"""Exit codes of sessions that have come to their end, or were stopped."""


@dataclass
class Toll:
    """Sessions by exit code; how many causes were shown, and how many sessions were Hometown's."""

    codes: Counter[int] = field(default_factory=Counter)
    causes: int = 0
    real: int = 0


def stopped(folder: Path, count: int, first: int = 0) -> Toll:
    """Live so many runs in sessions that the page starts. Raises Lost where the page does not show
    the cause of a stop, or what a session has printed is gone.
    """
    toll = Toll()
    _found(folder / "original")
    for number in range(first, first + count):
        with case("causes", number):
            results = folder / str(number)
            shutil.copytree(folder / "original", results)
            page = _Page(results, Random(number), toll)
            if number % REAL_EVERY == REAL_EVERY - 1:
                page.live_really()
            else:
                page.live()
            shutil.rmtree(results)
    return toll


def _found(results: Path) -> None:
    """Live a run on the scripted model, and let it name another one."""
    live(results, 1, name=RUN)
    with RunFile.open(results, RUN, write=True) as run:
        run.set_planned_end(9)
    with closing(sqlite3.connect(file_of(results, RUN))) as database, database:
        database.execute(
            "UPDATE meta SET value = CAST(replace(CAST(value AS TEXT), ?, ?) AS BLOB)"
            " WHERE key = 'manifest'",
            ('"llm":"scripted"', f'"llm":"{MODEL}"'),
        )
        seal_meta(database)


class _Page:
    """The page of a run, and what it should show of it."""

    def __init__(self, results: Path, random: Random, toll: Toll) -> None:
        self._results, self._random, self._toll = results, random, toll
        self._folder = run_folder(results, RUN)
        self._client = signed_in(create_app(results, WORLDS, access=Access(token="a token")))
        self._log = log_of(results, RUN)
        self._printed: list[bytes] = []

    def live(self) -> None:
        """Live the run in some sessions, which print as much as they like."""
        largest = self._random.choice((process_logs.MAX_LOG_BYTES, SMALL_LOG_BYTES))
        with mock.patch.object(process_logs, "MAX_LOG_BYTES", largest):
            for number in range(self._random.randint(1, MOST_SESSIONS)):
                self._live_session(number, largest)

    def _live_session(self, number: int, largest: int) -> None:
        code, words = self._random.choice(CODES), self._random.choice(WORDS)
        fails_at_once = code > 0 and code not in GOOD and self._random.random() < 0.3
        flag = self._results / f"end-{number}"
        noise = self._random.randbytes(self._random.choice((0, 100, 5000))).hex()
        first = f"session {number}\n{noise}\n".encode()
        last = self._random.choice(("{}\n", "{}", "{}\n\n \n")).format(words).encode()
        script = SESSION.format(
            path=sys.path,
            first=first,
            last=last,
            code=code,
            folder=str(self._folder),
            flag="" if fails_at_once else str(flag),
        )
        if self._log.exists() and self._log.stat().st_size > largest:
            self._printed = []
        self._printed += [first, last]
        self._go_on([sys.executable, "-S", "-c", script], fails=fails_at_once)
        flag.touch()
        self._wait(code)
        self._toll.codes[code] += 1
        cause = "" if code in GOOD else words
        self._expect(cause, code)
        if self._random.random() < 0.3:
            self._live_elsewhere()

    def _go_on(self, command: list[str], *, fails: bool) -> None:
        spawn = subprocess.Popen
        with mock.patch.object(subprocess, "Popen", lambda _, **how: spawn(command, **how)):
            answer = ask(self._client, f"runs/{RUN}/go")
        if answer.status_code != (409 if fails else 200):
            raise Lost(f"Go on: {answer.status_code} {answer.text}")

    def _wait(self, code: int) -> None:
        """Wait for the end of the last session, and look whether all that was printed is kept."""
        waited_for(lambda: self._log.read_bytes().endswith(f"\n{ENDED}{code}\n".encode()))
        waited_for(lambda: not is_held(self._folder))
        rest = self._log.read_bytes()
        for printed in self._printed:
            _, found, rest = rest.partition(printed)
            if not found:
                raise Lost(f"the log has lost {printed[:200]!r}")

    def _expect(self, words: str, code: int) -> None:
        """Look for the cause in all that shows it; there is one where `words` are not empty."""
        entries: list[dict[str, Any]] = self._get("/api/v1/runs?page=1").json or []
        (entry,) = entries
        stream = self._get(f"/api/v1/runs/{RUN}/live").text
        end = json.loads(stream.partition("event: end\ndata: ")[2])
        cause, told = entry["cause"], f"{words[:200]!r} with exit code {code}"
        if end["cause"] != cause or bool(words) != bool(cause):
            raise Lost(f"{told} is shown as {cause!r}, and live as {end}")
        shown = cause.removesuffix(f" (exit code {code})")
        if words and (not shown or shown not in printable(words) or (code < 0) != (shown != cause)):
            raise Lost(f"{told} is shown as {cause!r}")
        for lang in LANGS:
            page = self._get(f"/?lang={lang}").text
            if str(escape(cause)) not in page or ("<" in cause and cause in page):
                raise Lost(f"the page does not show {cause!r} as a text")
        self._toll.causes += bool(cause)

    def _live_elsewhere(self) -> None:
        """Write the run with another program: what failed before is the past."""
        time.sleep(0.02)  # file systems round times
        with RunFile.open(self._results, RUN, write=True) as run:
            run.set_planned_end(run.planned_end + 1)
        self._expect("", 0)

    def live_really(self) -> None:
        """Go on twice while the model server is dead."""
        impatient = self._results / "impatient.json"
        impatient.write_text(json.dumps({"llm": {"give_up_after": 0.2}}), "utf-8")
        spawn = subprocess.Popen
        kind = self._random.choice(("closed", "hangs up", "overloaded"))
        with dead_server(kind) as address, mock.patch.dict(os.environ, OPENAI_BASE_URL=address):
            for number in range(2):
                started: list[subprocess.Popen[bytes]] = []

                def impatiently(command: list[str], **how: Any) -> subprocess.Popen[bytes]:
                    started.append(spawn([*command, "--config", str(impatient)], **how))  # noqa: B023
                    return started[-1]  # noqa: B023

                with mock.patch.object(subprocess, "Popen", impatiently):
                    answer = ask(self._client, f"runs/{RUN}/go")
                if answer.status_code not in (200, 409):
                    raise Lost(f"Go on: {answer.status_code} {answer.text}")
                self._wait(started[0].wait())
                text = self._log.read_text("utf-8")
                if "Traceback" in text or text.count("--- begun") != number + 1:
                    raise Lost(text)
                self._expect(text.rstrip().rpartition("\n")[0], started[0].wait())
                self._toll.codes[started[0].wait()] += 1
                self._toll.real += 1

    def _get(self, path: str) -> TestResponse:
        answer = self._client.get(path)
        if answer.status_code != 200:
            raise Lost(f"GET {path}: {answer.status_code} {answer.text[:500]}")
        return answer
