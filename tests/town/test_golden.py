"""Runs made by earlier versions are still runs: they fold, compress, fork and open in the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hometown.cli.start import main
from hometown.export.write import export_run
from hometown.paths import DATA
from hometown.storage.manifest import ENGINE
from hometown.storage.run import RunFile
from hometown.storage.table_schema import SCHEMA_VERSION
from hometown.storage.world_copy import world_files, world_id, world_note
from hometown.web.server import create_app
from tests.support.golden import PRESENT, VERSIONS, put_golden
from tools.make_golden import GOLDEN, NAME

LARGEST = 520_000
"""Bytes; three fifths of them are the pictures of the world that the run carries."""

STEPS = 6


@pytest.fixture(params=VERSIONS)
def results(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A results folder with a golden run in it."""
    assert put_golden(tmp_path, request.param).stat().st_size < LARGEST
    return tmp_path


def test_there_is_one_of_the_present_format() -> None:
    assert (GOLDEN / PRESENT / "run.sqlite").exists(), "python -m tools.make_golden makes it"


def test_it_goes_on_and_then_carries_its_world(results: Path) -> None:
    with RunFile.open(results, NAME) as run:
        digests = run.digests()
    assert main(["--name", NAME, "--resume", "--step", "1", "--results", str(results)]) == 0
    with RunFile.open(results, NAME) as run:
        assert run.digests()[:-1] == digests
        assert "world.json" in world_files(run) or world_note(run)
        (version,) = run.database.execute("PRAGMA user_version").fetchone()
        assert version == SCHEMA_VERSION


def test_it_folds(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And is thought again, as long as engine and world are those of then."""
    with RunFile.open(results, NAME) as run:
        rehearsed = bool(world_id(run)) and run.manifest.engine == ENGINE
    assert main(["--verify", NAME, "--results", str(results), "--lang", "en"]) == 0
    output = capsys.readouterr().out
    assert f"the effects of {STEPS} steps produce the recorded states" in output
    if rehearsed:
        assert f"{STEPS} steps are thought as recorded" in output
    assert main(["--check", NAME, "--results", str(results), "--lang", "en"]) == 0


def test_it_compresses(results: Path) -> None:
    files = {path.name: path.read_text("utf-8") for path in export_run(results, NAME)}
    assert json.loads(files["movement.json"])
    assert "Lin Yue" in files["simulation.md"]


def test_it_opens_in_the_page(results: Path) -> None:
    client = create_app(results, DATA / "worlds").test_client()
    assert client.get(f"/?name={NAME}").status_code == 200
    assert client.get(f"/api/v1/runs/{NAME}").get_json()
    assert client.get(f"/api/v1/runs/{NAME}/frames?from=1&to={STEPS}").status_code == 200
    assert client.get(f"/api/v1/runs/{NAME}/conversations?from=1&to={STEPS}").get_json()


def test_it_is_lived_on_from_any_step(results: Path) -> None:
    assert (
        main(
            [
                "--fork",
                f"{NAME}@{STEPS // 2}",
                "--name",
                "other",
                "--step",
                "1",
                "--results",
                str(results),
            ]
        )
        == 0
    )
    with RunFile.open(results, "other") as run:
        assert run.last.step == STEPS // 2 + 1
