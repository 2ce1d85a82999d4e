"""Runs as processes of their own, which outlive the server: started by the command `hometown`,
found again by the lock of their run.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from hometown.storage.lock import NOBODY, holder_of, is_held, is_writer
from hometown.storage.run_names import run_folder
from hometown.system import end_process, own_environment
from hometown.web.answers import Wrong
from hometown.web.process_logs import last_words, log_of, note_end, open_log

START_SECONDS = 60.0
"""Seconds to wait for the start of a run; a model that takes longer to load keeps loading."""

END_SECONDS = 20.0
"""Seconds to wait for the end of a process; it ends between two replies."""

CHECK_SECONDS = 0.05
"""Seconds between two checks."""


class Processes:
    """The processes that write runs below a results folder, from this server or others."""

    def __init__(self, results: Path, worlds: Path) -> None:
        self._results, self._worlds = results, worlds
        self._lock = threading.Lock()

    def start(self, name: str, arguments: Sequence[str], seconds: float = START_SECONDS) -> None:
        """Start `hometown` with these arguments, which write the run `name`, and return when the
        run is being written, or has ended well, or after some seconds.

        Raises:
            Wrong: 409, with the process's output if it fails, or if a process writes the run
                already.
        """
        folder = run_folder(self._results, name)
        with self._lock:
            if is_held(folder):
                raise Wrong(409, "“{name}” is running: stop it first.", name=name)
            log = log_of(self._results, folder.name)
            before = holder_of(folder)  # left by a process that was killed
            process = self._spawn(arguments, log)
            self._await(
                lambda: (
                    process.poll() is not None
                    or (is_held(folder) and holder_of(folder) not in (before, NOBODY))
                ),
                seconds,
            )
        if process.poll():
            raise Wrong(409, "It did not start: {reason}.", reason=last_words(log) or "–")

    def pause(self, name: str) -> None:
        """End the process that writes a run; it can continue from its last step.

        Raises:
            Wrong: 409, if no process writes it, or one on another machine or of an unsure number, or
                if it does not end within `END_SECONDS`.
        """
        folder = run_folder(self._results, name)
        # It may be about to write its name.
        self._await(lambda: not is_held(folder) or holder_of(folder) != NOBODY, END_SECONDS)
        host, number = holder_of(folder) if is_held(folder) else NOBODY
        if number in (0, os.getpid()):  # the server itself, while it renames a run
            raise Wrong(409, "“{name}” is not running.", name=name)
        if host != socket.gethostname():
            raise Wrong(
                409, "“{name}” is run by the machine {host}: pause it there.", name=name, host=host
            )
        if (
            is_held(folder)
            and not end_process(number, lambda: is_writer(folder, number))
            and is_held(folder)
        ):
            raise Wrong(
                409,
                "“{name}” is in use, but not surely by process {process}, which run.holder "
                "names: end the program that has it open by hand.",
                name=name,
                process=number,
            )
        if not self._await(lambda: not is_held(folder), END_SECONDS):
            raise Wrong(409, "“{name}” is still ending: look again in a moment.", name=name)

    def _spawn(self, arguments: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
        """Start `hometown` in a process of its own that outlives this one, with its output and exit
        code in a log.
        """
        places = [f"--results={self._results.absolute()}", f"--worlds={self._worlds.absolute()}"]
        environment = own_environment() | {"PYTHONIOENCODING": "utf-8"}
        with open_log(log) as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "hometown", *arguments, *places],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environment,
                start_new_session=True,
            )
        threading.Thread(
            target=lambda: note_end(log, process.wait()), name=f"run-{process.pid}", daemon=True
        ).start()
        return process

    @staticmethod
    def _await(is_done: Callable[[], bool], seconds: float) -> bool:
        """Wait until a condition holds, for some seconds at most; return True if it does."""
        end = time.monotonic() + seconds
        while not (done := is_done()) and time.monotonic() < end:
            time.sleep(CHECK_SECONDS)
        return done
