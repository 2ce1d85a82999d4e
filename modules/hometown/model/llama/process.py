"""The process that runs llama.cpp, seen from its parent: started, waited for, stopped; its output
is read as long as it lives.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import threading
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from hometown.model.llama import serve
from hometown.model.llama.log import Log

COMMAND = (sys.executable, "-P", serve.__file__)
"""Without the script's own folder on the path, whose modules are none of the child's."""

LONGEST_TIME = 16
"""Characters before the letter that says how serious a line of llama.cpp's log is."""


@dataclass(frozen=True)
class Order:
    """What a process is to serve. `context` is in tokens, for each of `slots` concurrent requests;
    `needed` is in bytes, as is `cached`, the RAM for earlier prompts that no slot knows any more,
    at most.

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
    """Where a process serves, as the root of llama.cpp's server, and the key that it wants."""

    root: str
    key: str = field(repr=False)

    @property
    def url(self) -> str:
        """Where it speaks OpenAI's protocol."""
        return f"{self.root}/v1"


@dataclass
class Child:
    """One process. `report` is what it says of itself once: `{"address": …, "guided": …}` or
    `{"failure": …}`; an empty one if it ends before that.

    A thread starts the process, reads its output and waits for its end: on Linux the process ends
    with the thread that started it, so that thread has to last as long.
    """

    order: Order
    log: Log
    key: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    report: Future[dict[str, Any]] = field(default_factory=Future)
    error: str = ""
    """The first line of the log that tells an error, without its time; the first is the cause of
    those that follow.
    """

    _process: subprocess.Popen[bytes] | None = None
    _stopped: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self) -> None:
        """Start the process, without waiting for anything."""
        self.thread = threading.Thread(target=self._live, name="llama.cpp", daemon=True)
        self.thread.start()

    @property
    def ended(self) -> int | None:
        """The exit code (the negative number of a signal); None while it lives, has yet to start,
        or has not been seen to end.
        """
        return self._process.returncode if self._process else None

    @property
    def address(self) -> Address | None:
        """Where it serves; None before it does, and if it never did."""
        report = self.report.result() if self.report.done() else {}
        return Address(report["address"], self.key) if "address" in report else None

    @property
    def guided(self) -> bool:
        """Return whether its grammars are those of llguidance, which can be JSON schemas with
        separators of their own.
        """
        return self.report.done() and bool(self.report.result().get("guided"))

    @property
    def died(self) -> bool:
        """Return whether it has ended of itself."""
        return self.ended is not None and not self._stopped

    @property
    def over(self) -> bool:
        """Return whether it has ended, or was told to."""
        return self._stopped or self.ended is not None

    def stop(self) -> None:
        """End the process at once. It keeps nothing that could be lost."""
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
                self._hear(line.decode("utf-8", errors="replace").rstrip())
            process.wait()
        except OSError as error:
            self.log.add(str(error))
        finally:
            if not self.report.done():
                self.report.set_result({})

    def _hear(self, line: str) -> None:
        logged, mark, report = line.partition(serve.MARK)
        if mark and not self.report.done():
            self.report.set_result(json.loads(report))
            line = logged
        time, error, what = line.partition(" E ")
        if error and not self.error and len(time) < LONGEST_TIME:
            self.error = " ".join(what.split())
        if line:
            self.log.add(line)


def log_file(folder: Path, order: Order) -> Path:
    """Where the log of a process lies, in the folder of a run."""
    return folder / f"llama-{Path(order.file).stem}.log"
