"""Nothing is written, or read, through a link that stands in a run's folder."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from hometown.cli.commands import main
from hometown.errors import BadRun
from hometown.storage.committed import note_step
from hometown.storage.live_speech import LiveSpeech
from hometown.storage.lock import RunLock
from hometown.storage.manage import delete_removed_runs, remove_run, rename_run, restore_run
from hometown.storage.run import RunFile
from hometown.storage.run_names import run_folder, run_names
from tests.support.storage_sample import sample_run

pytestmark = pytest.mark.skipif(
    os.name == "nt", reason="Windows lets only administrators make links"
)

BESIDE = (
    "run.sqlite",
    "run.sqlite-wal",
    "run.sqlite-shm",
    "run.sqlite-journal",
    "run.lock",
    "run.holder",
    "run.committed",
    "inbox.jsonl",
    "inbox.lock",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a run, three steps old."""
    sample_run(tmp_path, 3).close()
    return run_folder(tmp_path, "sample")


@pytest.fixture
def precious(tmp_path: Path) -> Path:
    file = tmp_path / "precious"
    file.write_text("mine")
    return file


@pytest.mark.parametrize("name", BESIDE)
@pytest.mark.parametrize("command", ["resume", "check", "repair", "rename"])
def test_a_run_with_a_link_among_its_files_is_refused_in_one_line(
    name: str,
    command: str,
    folder: Path,
    precious: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(precious)
    if command == "rename":
        with pytest.raises(BadRun, match=f"lead elsewhere.*{name}"):
            rename_run(tmp_path, "sample", "other")
    else:
        assert main([command, "sample", "--results", str(tmp_path)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert precious.read_text() == "mine"


def test_a_pipe_in_a_run_is_refused_and_nobody_waits_for_it(folder: Path, tmp_path: Path) -> None:
    (folder / "run.holder").unlink(missing_ok=True)
    os.mkfifo(folder / "run.holder")
    with pytest.raises(BadRun, match=r"run\.holder"):
        RunFile.open(tmp_path, "sample")


def test_side_files_replace_a_link_that_has_come_meanwhile(folder: Path, precious: Path) -> None:
    (folder / "run.holder").symlink_to(precious)
    (folder / "run.committed").symlink_to(precious)
    (folder / "run.committed.new").symlink_to(precious)
    (folder / "speaking.json").symlink_to(precious)
    lock = RunLock(folder)
    lock.acquire()
    note_step(folder, 3, "digest")
    LiveSpeech(folder).hear("ana", "bo", "Good morning")
    assert not any(
        (folder / name).is_symlink() for name in ("run.holder", "run.committed", "speaking.json")
    )
    lock.release()
    assert precious.read_text() == "mine"


def test_a_linked_run_is_read_and_not_written(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    shutil.move(folder, elsewhere)
    folder.symlink_to(elsewhere)
    with RunFile.open(tmp_path, "sample") as run:
        assert run.last.step == 3
    with pytest.raises(BadRun, match="through a link runs are only read"):
        RunFile.open(tmp_path, "sample", write=True)
    with pytest.raises(BadRun, match="through a link"):
        rename_run(tmp_path, "sample", "other")
    assert run_names(tmp_path) == ["sample"]


def test_a_linked_run_is_removed_without_what_it_leads_to(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    shutil.move(folder, elsewhere)
    folder.symlink_to(elsewhere)
    remove_run(tmp_path, "sample")
    restore_run(tmp_path, "sample")
    assert folder.is_symlink()
    remove_run(tmp_path, "sample")
    monkeypatch.setattr("hometown.files.is_alive", lambda process: False)
    delete_removed_runs(tmp_path)
    assert [path.name for path in folder.parent.iterdir() if path.name.startswith(".gone")] == []
    assert (elsewhere / "run.sqlite").is_file()


def test_a_run_with_links_among_its_files_can_be_removed(
    folder: Path, precious: Path, tmp_path: Path
) -> None:
    (folder / "run.lock").unlink(missing_ok=True)
    (folder / "run.lock").symlink_to(precious)
    remove_run(tmp_path, "sample")
    assert run_names(tmp_path) == []
    assert precious.read_text() == "mine"


def test_a_backup_of_hard_links_is_not_written_through(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, folder.with_name("backup"), copy_function=os.link)
    with pytest.raises(BadRun, match="2 names on this disk"):
        RunFile.open(tmp_path, "backup", write=True)
    with RunFile.open(tmp_path, "backup") as run:
        assert run.last.step == 3
