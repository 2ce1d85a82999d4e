"""The process that runs llama.cpp, as its parent sees it: started, awaited, stopped, its output
read.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import threading
import weakref
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from hometown.model.llama import child_main
from hometown.model.llama.log import LlamaLog

COMMAND = (sys.executable, "-P", child_main.__file__)
"""`-P` keeps the script's own folder off the path, since its modules are not meant for the child.
"""

LONGEST_TIME = 16
"""Characters before the letter of the severity in a line of llama.cpp's log, at most."""


@dataclass(frozen=True)
class LlamaOptions:
    """The options of a process. `context` is in tokens, for each of `slots` concurrent requests;
    `needed` is in bytes, and so is `cached`, the most RAM for earlier prompts that are in no slot
    any more.

    `threads` 0 and `gpu_layers` -1 leave the choice to llama.cpp.
    """

    file: str
    slots: int
    context: int
    needed: int
    threads: int = 0
    gpu_layers: int = -1
    embedding: bool = False
    cached: int = 0


@dataclass(frozen=True)
class Address:
    """The root URL of llama.cpp's server, and the key that it requires."""

    root: str
    key: str = field(repr=False)

    @property
    def url(self) -> str:
        """The URL under which the server speaks OpenAI's protocol."""
        return f"{self.root}/v1"


_threads: weakref.WeakSet[threading.Thread] = weakref.WeakSet()
"""The threads of all processes, each of which lasts as long as its process."""


def await_ends(seconds: float) -> None:
    """Wait until the processes that were stopped are gone, each so many seconds at most."""
    for thread in list(_threads):
        thread.join(seconds)


@dataclass
class Child:
    """One process. `report` is its only message: `{"address": …, "guided": …}` or `{"failure": …}`,
    or empty if the process ends before that.

    A thread starts the process, reads its output and waits for its end. On Linux the process ends
    with the thread that started it, so the thread must live as long.
    """

    order: LlamaOptions
    log: LlamaLog
    key: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    report: Future[dict[str, Any]] = field(default_factory=Future)
    error: str = ""
    """The first error in the log, without its time; later errors follow from the first."""

    _process: subprocess.Popen[bytes] | None = None
    _stopped: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self) -> None:
        """Start the process, without waiting for anything."""
        self.thread = threading.Thread(target=self._live, name="llama.cpp", daemon=True)
        _threads.add(self.thread)
        self.thread.start()

    @property
    def exit_code(self) -> int | None:
        """The exit code (negative for a signal), or None while the process is not known to have
        ended.
        """
        return self._process.returncode if self._process else None

    @property
    def address(self) -> Address | None:
        """The address of the server, or None while it does not serve."""
        report = self.report.result() if self.report.done() else {}
        return Address(report["address"], self.key) if "address" in report else None

    @property
    def guided(self) -> bool:
        """Return True if its grammars are those of llguidance, which accept JSON schemas with their
        own separators.
        """
        return self.report.done() and bool(self.report.result().get("guided"))

    @property
    def has_died(self) -> bool:
        """Return True if it ended without being stopped."""
        return self.exit_code is not None and not self._stopped

    @property
    def has_ended(self) -> bool:
        """Return True if it has ended or was stopped."""
        return self._stopped or self.exit_code is not None

    def stop(self) -> None:
        """Kill the process. It holds nothing that could be lost."""
        with self._lock:
            self._stopped = True
            if self._process:
                self._process.kill()

    def _live(self) -> None:
        try:
            with self._lock:
                if self._stopped:
                    return
                self._process = process = subprocess.Popen(
                    COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
                )
            assert process.stdin
            assert process.stdout
            order = asdict(self.order) | {"key": self.key, "parent": os.getpid()}
            process.stdin.write(json.dumps(order).encode() + b"\n")
            process.stdin.flush()  # left open: its end is the sign that this process has ended
            for line in process.stdout:
                self._handle_line(line.decode("utf-8", errors="replace").rstrip())
            process.wait()
        except OSError as error:
            self.log.add(str(error))
        finally:
            if not self.report.done():
                self.report.set_result({})

    def _handle_line(self, line: str) -> None:
        logged, mark, report = line.partition(child_main.MARK)
        if mark and not self.report.done():
            self.report.set_result(json.loads(report))
            line = logged
        time, error, what = line.partition(" E ")
        if error and not self.error and len(time) < LONGEST_TIME:
            self.error = " ".join(what.split())
        if line:
            self.log.add(line)


def log_file(folder: Path, order: LlamaOptions) -> Path:
    """Return the path of a process's log in the folder of a run."""
    return folder / f"llama-{Path(order.file).stem}.log"
