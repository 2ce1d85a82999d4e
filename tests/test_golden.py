"""Runs made by earlier versions are still runs: they fold, compress, fork and open in the page."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from modules.cli.compress import compress
from modules.cli.start import main
from modules.paths import DATA
from modules.replay.server import create_app
from modules.storage.manifest import ENGINE
from modules.storage.names import file_of
from modules.storage.run import Run
from modules.storage.schema import SCHEMA_VERSION
from tools.make_golden import GOLDEN, NAME

LARGEST = 150_000
STEPS = 6


@pytest.fixture(params=sorted(folder.name for folder in GOLDEN.iterdir()))
def results(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A results folder with a golden run in it."""
    file = file_of(tmp_path, NAME)
    file.parent.mkdir(parents=True)
    shutil.copyfile(GOLDEN / request.param / "run.sqlite", file)
    assert file.stat().st_size < LARGEST
    version, _, _ = request.param.partition("-")
    if int(version) < SCHEMA_VERSION:
        with Run.open(tmp_path, NAME, write=True):  # which brings it up to date
            pass
    return tmp_path


def test_there_is_one_of_the_present_format() -> None:
    assert (GOLDEN / f"{SCHEMA_VERSION}-{ENGINE}" / "run.sqlite").exists(), "python -m tools.make_golden makes it"


def test_it_folds(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And is thought again, as long as engine and world are those of then."""
    assert main(["--verify", NAME, "--results", str(results), "--lang", "en"]) == 0
    assert f"the effects of {STEPS} steps lead to the recorded states" in capsys.readouterr().out
    assert main(["--check", NAME, "--results", str(results), "--lang", "en"]) == 0


def test_it_compresses(results: Path) -> None:
    files = {path.name: path.read_text("utf-8") for path in compress(results, NAME)}
    assert json.loads(files["movement.json"])
    assert "Lin Yue" in files["simulation.md"]


def test_it_opens_in_the_page(results: Path) -> None:
    client = create_app(results, DATA / "worlds").test_client()
    assert client.get(f"/?name={NAME}").status_code == 200
    assert client.get(f"/api/runs/{NAME}").get_json()
    assert client.get(f"/api/runs/{NAME}/frames?from=1&to={STEPS}").status_code == 200
    assert client.get(f"/api/runs/{NAME}/conversations?from=1&to={STEPS}").get_json()


def test_it_is_lived_on_from_any_step(results: Path) -> None:
    assert main(["--fork", f"{NAME}@{STEPS // 2}", "--name", "other", "--step", "1", "--results", str(results)]) == 0
    with Run.open(results, "other") as run:
        assert run.last.step == STEPS // 2 + 1
