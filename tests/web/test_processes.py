"""The page ends only processes that surely write a run, keeps what runs have printed, and shows why
one has failed.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from hometown.storage import lock as locks
from hometown.storage.lock import NOBODY, RunLock, holder_of, is_held, is_writer
from hometown.storage.run import RunFile
from hometown.storage.run_names import run_folder
from hometown.system import end_process, process_start_time
from hometown.web.process_logs import (
    MAX_LOG_BYTES,
    cause_of_stop,
    last_words,
    log_of,
    note_end,
    open_log,
)
from tests.support.days import lived_day, set_out
from tests.support.hang import waited_for
from tests.web.asking import ask


@pytest.fixture
def results(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Path:
    """A results folder with the run `town`, three steps old of six."""
    set_out(lived_day(tmp_path_factory), tmp_path, 3)
    with RunFile.open(tmp_path, "town", write=True) as run:
        run.set_planned_end(6)
    return tmp_path


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """A process that has nothing to do with any run."""
    with subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"]) as process:
        yield process
        process.kill()


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """This process writes the run in a folder, while the context lasts."""
    lock = RunLock(folder)
    lock.acquire()
    try:
        yield
    finally:
        lock.release()


def test_a_process_that_only_has_the_number_is_not_ended(
    results: Path, client: FlaskClient, bystander: subprocess.Popen[bytes]
) -> None:
    """As where the writer could not write its name, and a killed one has left a name whose number
    is another process's by now.
    """
    folder = run_folder(results, "town")
    lock = RunLock(folder)
    lock.acquire()
    try:
        for started in ("", "\nstarted 12345"):
            (folder / "run.holder").write_text(
                f"process {bystander.pid} on {socket.gethostname()} since 2025-01-01 00:00:00{started}"
            )
            reply = ask(client, "runs/town/pause")
            assert reply.status_code == 409
            assert str(bystander.pid) in reply.json["error"]
        assert bystander.poll() is None
    finally:
        lock.release()


def test_the_writer_is_known_by_when_it_was_started(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the kernel has no list of locks."""
    monkeypatch.setattr(locks, "lock_owners", lambda _: frozenset())
    folder = run_folder(results, "town")
    lock = RunLock(folder)
    lock.acquire()
    assert process_start_time(os.getpid())
    assert is_writer(folder, os.getpid())
    lock.release()
    assert not is_writer(folder, os.getpid())


def test_a_lock_that_a_child_has_inherited_is_nobody_elses(
    results: Path, bystander: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel lists the number of the process that took the lock, which may be another's by
    now.
    """
    monkeypatch.setattr(locks, "lock_owners", lambda _: frozenset({bystander.pid}))
    folder = run_folder(results, "town")
    with writing(folder):
        note = f"process {bystander.pid} on here since 2025-01-01 00:00:00\nstarted 12345"
        (folder / "run.holder").write_text(note)
        assert not is_writer(folder, bystander.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists locks")
def test_a_lock_that_is_a_link_is_held_by_no_process(
    results: Path, bystander: subprocess.Popen[bytes]
) -> None:
    """A run from a stranger may name any process, and link to any file that it has locked."""
    folder, elsewhere = run_folder(results, "town"), results / "elsewhere"
    elsewhere.mkdir()
    with writing(elsewhere):
        (folder / "run.lock").unlink(missing_ok=True)
        (folder / "run.lock").symlink_to(elsewhere / "run.lock")
        (folder / "run.holder").write_text(f"process {os.getpid()} on here since 2025-01-01")
        assert not is_writer(folder, os.getpid())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
@pytest.mark.parametrize("number", ["9" * 10, "9" * 5000])
def test_a_note_that_is_no_note_names_nobody(number: str, results: Path) -> None:
    """A pipe used to be waited for without end, and a huge number to be an error of the server."""
    folder = run_folder(results, "town")
    note = folder / "run.holder"
    with writing(folder):
        note.write_text(f"process {number} on here since 2025-01-01 00:00:00")
        assert not is_writer(folder, holder_of(folder)[1])
        assert not end_process(holder_of(folder)[1], lambda: False)
        note.unlink()
        os.mkfifo(note)
        assert holder_of(folder) == NOBODY


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists locks")
def test_the_writer_is_known_by_the_kernel(
    results: Path, bystander: subprocess.Popen[bytes]
) -> None:
    """Where a run's name file is of an earlier version."""
    folder = run_folder(results, "town")
    lock = RunLock(folder)
    lock.acquire()
    (folder / "run.holder").write_text(f"process {os.getpid()} on here since 2025-01-01 00:00:00")
    assert is_writer(folder, os.getpid())
    assert not is_writer(folder, bystander.pid)
    lock.release()


def test_a_run_that_fails_shows_why_and_keeps_what_it_printed(
    results: Path, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    spawn = subprocess.Popen
    holds = f"import sys, time; sys.path[:0] = {sys.path!r}\nfrom pathlib import Path\nfrom hometown.storage.lock import RunLock\n"
    holds += f"lock = RunLock(Path({str(run_folder(results, 'town'))!r}))\nlock.acquire()\nprint('step 4', flush=True)\n"
    fails = (
        holds
        + "time.sleep(0.5)\nlock.release()\nprint('the server has been silent for too long.')\nsys.exit(3)"
    )
    monkeypatch.setattr(
        subprocess, "Popen", lambda _, **how: spawn([sys.executable, "-S", "-c", fails], **how)
    )
    for time in (1, 2):
        assert ask(client, "runs/town/go").status_code == 200
        waited_for(lambda: bool(cause_of_stop(results, "town")))
        assert log_of(results, "town").read_text().count("step 4") == time
    assert cause_of_stop(results, "town") == "the server has been silent for too long"
    assert "It stopped: the server has been silent for too long" in client.get("/?lang=en").text
    assert (
        b'"cause":"the server has been silent for too long"'
        in client.get("/api/v1/runs/town/live").data
    )


@pytest.mark.parametrize(
    ("code", "cause"), [(0, ""), (130, ""), (3, "no model"), (-9, "no model (exit code -9)")]
)
def test_a_cause_is_what_was_said_last(code: int, cause: str, results: Path) -> None:
    with open_log(log_of(results, "town")) as log:
        log.write(b"step 1\nno model.\n")
    assert last_words(log_of(results, "town")) == "no model"
    assert cause_of_stop(results, "town") == ""
    note_end(log_of(results, "town"), code)
    assert cause_of_stop(results, "town") == cause
    os.utime(run_folder(results, "town") / "run.sqlite", (2**31, 2**31))
    assert cause_of_stop(results, "town") == "", "somebody else has lived it since then"


@pytest.mark.parametrize(
    ("printed", "cause"),
    [
        ("the world is called --- begun again", "the world is called --- begun again"),
        ("\x1b[31mred \u202eback", "\\x1b[31mred \\u202eback"),
        ("", "(exit code 3)"),
    ],
)
def test_what_a_session_prints_is_not_taken_for_a_line_of_the_log(
    printed: str, cause: str, results: Path
) -> None:
    with open_log(log_of(results, "town")) as log:
        log.write(printed.encode())
    note_end(log_of(results, "town"), 3)
    assert cause_of_stop(results, "town") == cause


def test_a_log_is_bounded_and_no_link(results: Path) -> None:
    log, precious = log_of(results, "town"), results / "precious"
    precious.write_text("mine")
    log.parent.mkdir()
    log.symlink_to(precious)
    open_log(log).close()
    assert precious.read_text() == "mine"
    log.write_bytes(b"x" * (MAX_LOG_BYTES + 1))
    open_log(log).close()
    assert log.stat().st_size < 100
    assert log.with_name("town.log.1").stat().st_size > MAX_LOG_BYTES
    log.unlink()
    log.symlink_to(precious)
    note_end(log, 1)
    assert (last_words(log), cause_of_stop(results, "town"), precious.read_text()) == (
        "",
        "",
        "mine",
    )


def test_a_run_that_is_not_held_has_no_writer(results: Path) -> None:
    assert not is_held(run_folder(results, "town"))
    assert not is_writer(run_folder(results, "town"), os.getpid())
