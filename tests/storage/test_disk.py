"""A disk that is full, out of reach or held by somebody else stops a run at its last whole step,
and nothing is lost.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections import namedtuple
from contextlib import closing
from pathlib import Path

import pytest

from hometown.cli.start import main
from hometown.game import Game
from hometown.paths import ROOT
from hometown.storage import disk_space
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of
from tests.support.hang import HANG
from tests.support.town import live

TOWN = (
    "--world",
    "minitown",
    "--llm",
    "scripted",
    "--residents",
    "2",
    "--seed",
    "3",
    "--start",
    "20250213-12:00",
    "--step",
    "16",
)
STOPPED = 3

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
from hometown.cli.start import main
sys.exit(main(sys.argv[2:]))
"""

Usage = namedtuple("Usage", "total used free")


def start(results: Path, *argv: str) -> int:
    return main([*argv, "--results", str(results), "--lang", "en"])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    results = tmp_path_factory.mktemp("whole")
    assert start(results, "--name", "town", *TOWN) == 0
    return digests(results)


def digests(results: Path) -> list[str]:
    with RunFile.open(results, "town") as run:
        return run.digests()


def goes_on(results: Path, whole: list[str], told: str) -> None:
    """What is there is whole, the user was told how to go on, and does so."""
    kept = digests(results)
    assert 0 < len(kept) < len(whole)
    assert kept == whole[: len(kept)]
    assert "--name town --resume" in told
    assert start(results, "--name", "town", "--resume") == 0
    assert digests(results) == whole


def run_limited(results: Path, limit: int, *argv: str) -> subprocess.CompletedProcess[str]:
    """`start.py` in a process whose files can't grow beyond so many bytes, as with a quota or on a
    full disk.
    """
    command = [
        sys.executable,
        "-c",
        LIMITED,
        str(limit),
        *argv,
        "--results",
        str(results),
        "--lang",
        "en",
    ]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=HANG, check=False
    )


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limits")
@pytest.mark.parametrize("kilobytes", [650, 1050])
def test_files_that_cannot_grow(kilobytes: int, tmp_path: Path, whole: list[str]) -> None:
    done = run_limited(tmp_path, kilobytes << 10, "--name", "town", *TOWN)
    assert done.returncode == STOPPED, done.stdout + done.stderr
    assert len(done.stderr.strip().splitlines()[-1:]) == 1
    assert "Traceback" not in done.stderr
    assert "can't be used" in done.stderr
    goes_on(tmp_path, whole, done.stdout)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limits")
def test_no_room_to_found_a_run(tmp_path: Path) -> None:
    done = run_limited(tmp_path, 20 << 10, "--name", "town", *TOWN)
    assert done.returncode == STOPPED
    assert f"run 'town' can't be created in {tmp_path / 'checkpoints'}: " in done.stderr
    assert list((tmp_path / "checkpoints").glob("*/*")) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limits")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--fork", "town@2", "--name", "other"), "run 'other' can't be created in "),
        (("--repair", "town"), "run.sqlite can't be copied for repair: "),
    ],
    ids=["fork", "repair"],
)
def test_no_room_for_a_copy(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    """It is told of the run that the user knows, and nothing is left of the copy."""
    assert start(tmp_path, "--name", "town", *TOWN[:-1], "2") == 0
    done = run_limited(tmp_path, 300 << 10, *words)
    assert done.returncode == STOPPED, done.stdout + done.stderr
    assert said in done.stderr
    assert "/." not in done.stderr
    folders = (path for path in (tmp_path / "checkpoints").iterdir() if path.is_dir())
    assert [path.name for path in folders] == ["town"]


def test_a_database_that_fills_up(
    tmp_path: Path,
    whole: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert start(tmp_path, "--name", "town", *TOWN[:-1], "2") == 0
    connect = RunFile.__init__

    def bounded(run: RunFile, file: Path, database: sqlite3.Connection, lock: object) -> None:
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {pages + 20}")
        connect(run, file, database, lock)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(RunFile, "__init__", bounded)
        assert start(tmp_path, "--name", "town", "--resume", "--step", "14") == STOPPED
    told = capsys.readouterr()
    assert "full" in told.err
    goes_on(tmp_path, whole, told.out)


def test_a_disk_that_is_as_good_as_full(
    tmp_path: Path,
    whole: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Warned of when it is foreseen, and stopped before SQLite would have to."""
    left = iter([10**9] * 8 + [disk_space.RESERVE + 10**5] * 4)
    monkeypatch.setattr(
        shutil, "disk_usage", lambda _: Usage(10**12, 0, next(left, disk_space.RESERVE - 1))
    )
    assert start(tmp_path, "--name", "town", *TOWN) == STOPPED
    told = capsys.readouterr()
    assert "may fill up" in told.err
    assert "must stay free" in told.err
    monkeypatch.undo()
    goes_on(tmp_path, whole, told.out)


def test_nothing_is_founded_where_there_is_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 0, 10**6))
    assert start(tmp_path, "--name", "town", *TOWN) == STOPPED
    assert "delete something" in capsys.readouterr().err
    assert not file_of(tmp_path, "town").exists()


def test_a_database_that_another_program_holds_for_long(
    tmp_path: Path,
    whole: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert start(tmp_path, "--name", "town", *TOWN[:-1], "4") == 0
    monkeypatch.setattr("hometown.storage.database._PATIENCE", 0.2)
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with closing(sqlite3.connect(file_of(tmp_path, "town"), isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            held.set()
            done.wait(HANG)

    holder = threading.Thread(target=hold)
    holder.start()
    assert held.wait(HANG)
    assert start(tmp_path, "--name", "town", "--resume", "--step", "12") == STOPPED
    done.set()
    holder.join()
    told = capsys.readouterr()
    assert "locked" in told.err
    assert digests(tmp_path) == whole[:5]
    assert "--name town --resume" in told.out


# two at once -------------------------------------------------------------------------------


HOLD = """
import sys
from pathlib import Path
from hometown.storage.run import Run
with Run.open(Path(sys.argv[1]), "town", write=True):
    print("open", flush=True)
    sys.stdin.read()
"""


def test_a_second_writer_is_told_who_holds_the_run_and_a_crash_lets_it_go(
    tmp_path: Path, whole: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert start(tmp_path, "--name", "town", *TOWN[:-1], "4") == 0
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        assert digests(tmp_path) == whole[:5], "a reader is not kept out"
        assert start(tmp_path, "--name", "town", "--resume", "--step", "12") == 2
        told = capsys.readouterr().err
        assert f"process {holder.pid} on " in told
        assert " since 20" in told
    finally:
        holder.kill()
        holder.communicate()
    assert start(tmp_path, "--name", "town", "--resume", "--step", "12") == 0
    assert digests(tmp_path) == whole


def test_readers_never_hold_up_the_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even one who reads in one transaction while the run goes on."""
    monkeypatch.setattr("hometown.storage.database._PATIENCE", 0.2)
    readers: list[RunFile] = []

    def read(game: Game) -> None:
        if not readers:
            readers.append(RunFile.open(tmp_path, "town"))
            readers[0].database.execute("BEGIN")
        assert readers[0].last.step == 1, "it sees what it began to see"

    live(tmp_path, 12, after_each=read)
    with readers[0] as reader:
        reader.database.execute("COMMIT")
        assert reader.last.step == 12
