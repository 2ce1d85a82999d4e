"""A network drive cannot hold a write-ahead log, so a run there has a rollback journal."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from hometown.cli.commands import main
from hometown.errors import BadRun
from hometown.storage.run import RunFile
from hometown.storage.run_names import run_folder, run_names
from hometown.system import network_type
from tests.support.storage_sample import sample_run

NEW = (
    "--world",
    "minitown",
    "--lang",
    "en",
    "--llm",
    "scripted",
    "--residents",
    "2",
    "--start",
    "20250213-08:00",
    "--step",
    "4",
)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hometown.storage.database.network_type", lambda path: "nfs4")


@pytest.mark.skipif(os.name == "nt", reason="Windows is asked for the kind of a drive")
def test_a_drive_is_known_by_its_type(tmp_path: Path) -> None:
    device = tmp_path.stat().st_dev
    number = f"{os.major(device)}:{os.minor(device)}"
    mounts = tmp_path / "mountinfo"
    for kind, found in (
        ("nfs4", "nfs4"),
        ("cifs", "cifs"),
        ("fuse.sshfs", "fuse.sshfs"),
        ("ext4", ""),
        ("tmpfs", ""),
    ):
        mounts.write_text(
            f"22 1 0:999 / /other rw - nfs4 host:/ rw\n23 1 {number} / {tmp_path} rw,relatime shared:1 - {kind} source rw\n"
        )
        assert network_type(tmp_path, mounts) == found
    assert network_type(tmp_path, tmp_path / "none") == ""
    mounts.write_text("torn\n23 1 - \n")
    assert network_type(tmp_path, mounts) == ""


@pytest.mark.usefixtures("network")
def test_a_run_on_a_network_drive_is_lived_read_and_resumed_without_a_wal(tmp_path: Path) -> None:
    assert main(["run", "town", *NEW, "--results", str(tmp_path)]) == 0
    with RunFile.open(tmp_path, "town", write=True) as run:
        modes = [run.database.execute("PRAGMA journal_mode").fetchone()[0]]
        run.set_planned_end(5)
        with RunFile.open(tmp_path, "town") as reader:
            assert (reader.last.step, reader.planned_end) == (4, 5)
        assert not [
            file.name
            for file in run_folder(tmp_path, "town").iterdir()
            if file.name.endswith(("-wal", "-shm"))
        ]
    assert modes == ["delete"]
    assert main(["resume", "town", "--results", str(tmp_path)]) == 0
    assert main(["verify", "town", "--results", str(tmp_path)]) == 0


def test_a_run_that_was_not_closed_is_refused_on_a_network_drive(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with sample_run(tmp_path / "local", 3):
        shutil.copytree(tmp_path / "local", tmp_path / "drive")
    request.getfixturevalue("network")
    with pytest.raises(BadRun, match=r"network drive \(nfs4\).*copy its folder to a local disk"):
        RunFile.open(tmp_path / "drive", "sample")


@pytest.mark.parametrize("command", ["check", "repair", "verify", "export", "resume"])
def test_every_command_refuses_a_run_that_was_not_closed(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], network: None
) -> None:
    """Repairing used to read the write-ahead log all the same."""
    sample_run(tmp_path, 3).close()
    (run_folder(tmp_path, "sample") / "run.sqlite-wal").write_bytes(b"steps")
    assert main([command, "sample", "--lang", "en", "--results", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert "network drive (nfs4)" in said.err
    assert not said.out
    assert run_names(tmp_path) == ["sample"]
