"""What `pip install` gives: the package with its data and page, and a command that works in any
folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
from email.parser import HeaderParser
from pathlib import Path
from zipfile import ZipFile

import pytest

import hometown
from hometown.paths import ROOT
from tests.support.installation import Installation, build_wheel, install_beside, smoke


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installation(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return install_beside(wheel, tmp_path_factory.mktemp("installed") / "environment")


def test_it_is_light(wheel: Path) -> None:
    """At most 15 MB."""
    assert wheel.stat().st_size < 15_000_000


def test_it_carries_data_page_and_types(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for folder, carried in (("data", "_data"), ("frontend", "_frontend")):
        tracked = subprocess.run(
            ["git", "ls-files", "-z", folder], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split("\0")
        files = [name for name in tracked if name and (ROOT / name).exists()]
        assert files
        assert {f"hometown/{carried}{name.removeprefix(folder)}" for name in files} <= names
    assert "hometown/py.typed" in names


def test_it_names_its_version_licences_and_packages(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        fields = HeaderParser().parsestr(archive.read(metadata).decode())
    assert fields["Version"] == hometown.__version__
    assert fields.get_all("License-File") == ["LICENSE", "NOTICE"]
    assert set(fields.get_all("Provides-Extra") or ()) == {
        "books",
        "ci",
        "dev",
        "e5",
        "files",
        "huggingface",
        "llama",
        "mcp",
        "notebook",
        "ray",
        "study",
        "tables",
    }
    needed = [line for line in fields.get_all("Requires-Dist") or () if "extra ==" not in line]
    assert not any("torch" in line or "transformers" in line for line in needed)
    assert any(line.startswith("flask") for line in needed)


def test_it_works_outside_the_checkout(installation: Installation) -> None:
    smoke(installation)


def test_the_runs_of_a_user_are_in_the_platforms_folder(
    installation: Installation, tmp_path: Path
) -> None:
    """Without HOMETOWN_HOME."""
    code = "from hometown import paths; print(paths.RESULTS, paths.CONFIG, paths.USER_WORLDS, sep='\\n')"
    named = {
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path / "share"),
        "PATH": os.environ["PATH"],
    }
    printed = subprocess.run(
        [installation.python, "-c", code],
        env=named,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    folders = [Path(line) for line in printed.splitlines()]
    assert [folder.name for folder in folders] == ["results", "config.json", "worlds"]
    assert all(folder.is_relative_to(tmp_path) for folder in folders)


def test_a_checkout_keeps_what_is_made_in_it(tmp_path: Path) -> None:
    code = "from hometown import paths; print(paths.RESULTS)"
    environment = os.environ | {"HOMETOWN_HOME": str(tmp_path), "PYTHONPATH": str(ROOT / "modules")}
    printed = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert Path(printed.strip()) == ROOT / "results"
