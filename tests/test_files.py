"""Files appear whole or not at all, what killed processes leave behind goes, and locks tell the
truth.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hometown import files
from hometown.authoring.folder import new_world_folder
from hometown.cli.start import main
from hometown.errors import BadRun
from hometown.files import atomic_write, temporary_folder
from hometown.paths import ROOT
from hometown.storage import lock, manage
from hometown.storage.lock import RunLock, is_held
from hometown.storage.run import RunFile
from hometown.storage.run_names import LONGEST_PATH, run_folder, run_names
from hometown.system import is_alive, is_locked
from tests.support.storage_sample import sample_run


@pytest.fixture(scope="module")
def dead() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def mark(process: int) -> str:
    """The mark that a process of this machine leaves in names."""
    return files.owner_mark().replace(str(os.getpid()), str(process), 1)


def test_processes_are_told_from_dead_ones(dead: int) -> None:
    assert is_alive(os.getpid())
    assert not is_alive(dead)


def test_what_a_killed_process_left_is_removed_and_nothing_else(dead: int, tmp_path: Path) -> None:
    ours = {
        ".movement.json.1",
        f".new-{files.owner_mark()}-abc",
        ".movement.json.bak",
        ".other.json.77",
        "movement.json.4",
    }
    foreign = {f".new-{dead}.00000000-abc", f".new-{dead}-abc"}
    for name in (*ours, *foreign, f".movement.json.{mark(dead)}"):
        (tmp_path / name).write_text("x")
    (tmp_path / f".new-{mark(dead)}-abc/inner").mkdir(parents=True)
    with atomic_write(tmp_path / "movement.json") as file:
        file.write(b"{}")
    with temporary_folder(tmp_path, "new") as folder:
        assert list(folder.iterdir()) == []
    assert {path.name for path in tmp_path.iterdir()} == {*ours, *foreign, "movement.json"}


def test_a_file_that_is_written_twice_at_once_is_that_of_the_last_to_end(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "movement.json") as first:
        first.write(b"first")
        with atomic_write(tmp_path / "movement.json") as second:
            second.write(b"second")
        assert (tmp_path / "movement.json").read_bytes() == b"second"
    assert (tmp_path / "movement.json").read_bytes() == b"first"
    assert [path.name for path in tmp_path.iterdir()] == ["movement.json"]


def test_what_a_process_of_another_container_left_is_removed_when_it_is_old(
    dead: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its number means nothing here: it may well be alive there."""
    left = tmp_path / f".draft-{dead}.00000000-abc"
    left.mkdir()
    files.remove_leftovers(tmp_path, ".draft-")
    assert left.exists()
    monkeypatch.setattr(files, "FORGOTTEN", -1.0)
    files.remove_leftovers(tmp_path, ".draft-")
    assert not left.exists()


def test_a_new_world_removes_what_a_killed_one_left(dead: int, tmp_path: Path) -> None:
    (tmp_path / f".new-{mark(dead)}-abc/town").mkdir(parents=True)
    with new_world_folder(tmp_path, "town") as folder:
        (folder / "world.json").write_text("{}")
    assert [path.name for path in tmp_path.iterdir()] == ["town"]


def test_a_full_disk_is_told_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("hometown.files.os.fsync", full)
    with (
        pytest.raises(OSError, match="No space left") as raised,
        atomic_write(tmp_path / "movement.json") as file,
    ):
        file.write(b"{}")
    assert raised.value.filename == str(tmp_path / "movement.json")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_the_place_of_the_file_is_told_with_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    with pytest.raises(OSError) as raised, atomic_write(tmp_path / "pictures") as file:  # noqa: PT011 – its kind depends on the system
        file.write(b"{}")
    assert raised.value.filename == str(tmp_path / "pictures")
    assert [path.name for path in tmp_path.iterdir()] == ["pictures"]


# locks ---------------------------------------------------------------------------------------


def test_looking_at_a_lock_does_not_take_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where somebody looks at the very moment at which a run is opened."""
    fcntl = pytest.importorskip("fcntl")
    sample_run(tmp_path, 1).close()
    folder = run_folder(tmp_path, "sample")
    looking = os.open(folder / "run.lock", os.O_RDONLY)
    fcntl.flock(looking, fcntl.LOCK_SH)
    waited: list[float] = []

    def look_away(seconds: float) -> None:
        waited.append(seconds)
        fcntl.flock(looking, fcntl.LOCK_UN)

    monkeypatch.setattr("hometown.storage.lock.sleep", look_away)
    assert not is_locked(folder / "run.lock"), "who looks doesn't see others who look"
    with RunFile.open(tmp_path, "sample", write=True):
        assert waited == [lock._LOOK]
        assert is_held(folder)
        with pytest.raises(BadRun, match=f"in use by process {os.getpid()}"):
            RunLock(folder).acquire()
    assert len(waited) == 1, "where somebody writes, nobody waits"
    assert not is_held(folder)
    os.close(looking)


@pytest.fixture
def unwritable() -> Iterator[Path]:
    """A results folder that can't be written, with a run as a killed process leaves it, without its
    `-shm` file.
    """
    with tempfile.TemporaryDirectory() as outside, sample_run(Path(outside) / "open", 3):
        results = Path(outside) / "copy"
        shutil.copytree(Path(outside) / "open", results)
        folder = run_folder(results, "sample")
        (folder / "run.sqlite-shm").unlink()
        Path(outside).chmod(0o755)
        for path in (folder, *folder.iterdir()):
            path.chmod(0o555)
        root = os.name == "posix" and os.geteuid() == 0
        if root:
            os.seteuid(65534)  # root may write anywhere
            if not os.access(ROOT / "data", os.X_OK, effective_ids=True):
                os.seteuid(0)
                pytest.skip(
                    "needs a checkout that other accounts may read, as root may write anywhere: chmod a+rx the folders above it"
                )
        try:
            yield results
        finally:
            if root:
                os.seteuid(0)
            folder.chmod(0o755)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no folders of this kind")
def test_a_killed_run_on_a_disk_that_cannot_be_written_is_not_in_progress(
    unwritable: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run_folder(unwritable, "sample")
    assert (folder / "run.holder").exists()
    assert not is_held(folder)
    assert main(["--digest", "sample", "--results", str(unwritable), "--lang", "en"]) == 2
    assert "copy the folder to another disk" in capsys.readouterr().err


@pytest.mark.parametrize("moves", [True, False])
def test_a_run_is_locked_until_it_is_moved(
    moves: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows a locked folder can't be moved; but neither can one that somebody else has just
    opened.
    """
    sample_run(tmp_path, 1).close()
    monkeypatch.setattr(manage, "MOVES_LOCKED_FOLDERS", moves)
    held: list[bool] = []
    rename = Path.rename

    def watched(path: Path, target: Path) -> Path:
        held.append(is_locked(path / "run.lock"))
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", watched)
    manage.rename_run(tmp_path, "sample", "other")
    manage.remove_run(tmp_path, "other")
    assert held == [moves, moves]
    assert run_names(tmp_path) == []


def folders(root: Path) -> list[str]:
    return sorted(path.name for path in (root / "checkpoints").iterdir() if path.is_dir())


def test_a_removed_run_can_be_put_back_by_who_removed_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample_run(tmp_path, 1).close()
    manage.remove_run(tmp_path, "sample")
    assert run_names(tmp_path) == []
    manage.restore_run(tmp_path, "sample")
    with pytest.raises(BadRun, match="was not removed"):
        manage.restore_run(tmp_path, "sample")
    assert main(["--check", "sample", "--results", str(tmp_path)]) == 0
    manage.remove_run(tmp_path, "sample")
    sample_run(tmp_path, 1).close()
    with pytest.raises(BadRun, match="sample"):
        manage.restore_run(tmp_path, "sample")
    manage.remove_run(tmp_path, "sample")
    assert len(folders(tmp_path)) == 1, "of one name, the last that was removed is kept"
    manage.delete_removed_runs(tmp_path)
    assert len(folders(tmp_path)) == 1
    monkeypatch.setattr(files, "is_alive", lambda process: False)
    manage.delete_removed_runs(tmp_path)
    assert folders(tmp_path) == []


def test_a_path_that_is_too_long_is_told_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In bytes; up to the limit it works."""
    room = (
        LONGEST_PATH - len(os.fsencode(tmp_path)) - len("/checkpoints/.new-12345678/run.sqlite") - 1
    )
    deep = tmp_path / "".join(
        "/" if at % 100 == 99 and at < room - 1 else "d" for at in range(room)
    )
    sample_run(deep, 1).close()
    with pytest.raises(
        BadRun, match=f"path of {LONGEST_PATH + 3} bytes, and SQLite opens {LONGEST_PATH} at most"
    ):
        sample_run(deep.with_name(deep.name + "é1"), 1)
    assert main(["--check", "sample", "--results", str(deep)]) == 0
    long = deep.with_name(deep.name + "d" * 40)
    run_folder(deep, "sample").parent.parent.rename(long)
    assert main(["--check", "sample", "--results", str(long), "--lang", "en"]) == 2
    assert "use a shorter --results" in capsys.readouterr().err
