"""A run shows the world that it carries; one that carries none finds it in `--worlds FOLDER`, with
names, map and pictures.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hometown.cli.compress import main as compress
from hometown.cli.replay import main as replay
from hometown.cli.start import main as start
from hometown.paths import WORLDS
from hometown.storage.run import RunFile
from hometown.storage.world_copy import world_files
from hometown.web import serve
from hometown.web.server import create_app
from hometown.world.load import list_worlds, load_world
from hometown.world.snapshot import snapshot
from tests.support.synthetic_run import make_run

CAST = ["chen_siyuan", "lin_yue", "wang_fang"]
NAME = "Ada of Elsewhere"


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the world `elsewhere`, which is minitown but for the name of one who lives
    there.
    """
    folder = tmp_path_factory.mktemp("worlds")
    shutil.copytree(WORLDS / "minitown", folder / "elsewhere")
    persona = folder / "elsewhere" / "residents" / "chen_siyuan.json"
    definition = json.loads(persona.read_text(encoding="utf-8"))
    persona.write_text(
        json.dumps(definition | {"name": {"en": NAME, "zh": NAME}}), encoding="utf-8"
    )
    assert load_world("elsewhere", "en", folder).personas["chen_siyuan"].name == NAME
    return folder


@pytest.fixture
def results(tmp_path: Path) -> Path:
    make_run(tmp_path, "away", world="elsewhere", residents=CAST)
    return tmp_path


def compressed(results: Path, name: str, *argv: str) -> dict[str, str]:
    """What `compress.py --html` writes, by file."""
    assert compress(["--name", name, "--results", str(results), "--html", *argv]) == 0
    return {
        file.name: file.read_text(encoding="utf-8")
        for file in (results / "compressed" / name).iterdir()
    }


def has_map(page: str) -> bool:
    return '"map"' in page.partition('id="embedded">')[2].partition("</script>")[0]


def lived(tmp_path: Path, worlds: Path) -> Path:
    """A results folder with the run `away`, lived in a copy of the world that is gone by now."""
    shutil.copytree(worlds, tmp_path / "worlds")
    town = [
        "--name",
        "away",
        "--world",
        "elsewhere",
        "--worlds",
        str(tmp_path / "worlds"),
        "--residents",
        "2",
        "--lang",
        "en",
        "--llm",
        "scripted",
    ]
    assert start([*town, "--step", "3", "--results", str(tmp_path)]) == 0
    shutil.rmtree(tmp_path / "worlds")
    return tmp_path


def test_a_run_shows_exports_and_verifies_itself_when_its_world_is_gone(
    tmp_path: Path, worlds: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = lived(tmp_path, worlds)
    files = compressed(results, "away")
    assert NAME in files["simulation.md"]
    assert has_map(files["replay.html"])
    spread = json.loads(files["spread.json"])
    assert len(spread["storylines"]) == 3
    assert spread["network"]["start"] > 0
    client = create_app(results, WORLDS).test_client()
    run = client.get("/api/v1/runs/away").get_json()
    assert run["residents"][0]["name"] == NAME
    images = [
        tileset["image"] for tileset in client.get("/api/v1/runs/away/map").get_json()["tilesets"]
    ]
    pictures = [
        *(f"/api/v1/runs/away/{image}" for image in images),
        *(one["sprite"] for one in run["residents"]),
    ]
    assert {client.get(picture).status_code for picture in pictures} == {200}
    assert client.get("/api/v1/runs/away/thumbnail").status_code == 200
    capsys.readouterr()
    assert start(["--verify", "away", "--results", str(results), "--lang", "en"]) == 0
    assert "3 steps are thought as recorded" in capsys.readouterr().out


def test_a_run_without_its_world_lives_on_is_forked_and_told_things(
    tmp_path: Path, worlds: Path
) -> None:
    results = lived(tmp_path, worlds)
    assert start(["--name", "away", "--tell", f"{NAME}: sing", "--results", str(results)]) == 0
    assert start(["--name", "away", "--resume", "--step", "1", "--results", str(results)]) == 0
    assert (
        start(["--name", "twin", "--fork", "away@2", "--step", "1", "--results", str(results)]) == 0
    )
    with RunFile.open(results, "away") as run, RunFile.open(results, "twin") as twin:
        assert world_files(run) == world_files(twin) == snapshot(worlds / "elsewhere")


def test_a_world_that_has_changed_since_is_told_and_not_used(
    tmp_path: Path, worlds: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = lived(tmp_path, worlds)
    other = tmp_path / "worlds"
    shutil.copytree(worlds, other)
    file = other / "elsewhere" / "residents" / "chen_siyuan.json"
    file.write_text(
        file.read_text(encoding="utf-8").replace(NAME, "Somebody Else"), encoding="utf-8"
    )
    capsys.readouterr()
    for command in (["--verify", "away"], ["--name", "away", "--resume", "--step", "1"]):
        assert (
            start([*command, "--results", str(results), "--worlds", str(other), "--lang", "en"])
            == 0
        )
        assert (
            "world 'elsewhere' has changed since run 'away' began: the run uses its own copy"
            in capsys.readouterr().out
        )
    assert NAME in compressed(results, "away", "--worlds", str(other))["simulation.md"]


def test_worlds_of_a_folder_are_added_to_the_built_in_ones(worlds: Path, tmp_path: Path) -> None:
    assert list_worlds(worlds) == sorted(["elsewhere", *list_worlds()])
    assert load_world("minitown", "en", worlds).folder == WORLDS / "minitown"
    shutil.copytree(worlds / "elsewhere", tmp_path / "minitown")
    assert load_world("minitown", "en", tmp_path).personas["chen_siyuan"].name == NAME


def test_compress_finds_the_world_of_an_older_run(
    results: Path, worlds: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = compressed(results, "away", "--worlds", str(worlds))
    assert NAME in files["simulation.md"]
    assert has_map(files["replay.html"])
    assert capsys.readouterr().err == ""
    files = compressed(results, "away")
    assert NAME not in files["simulation.md"]
    assert not has_map(files["replay.html"])
    assert json.loads(files["spread.json"])["network"] is None
    assert json.loads(files["spread.json"])["storylines"] is None
    assert "there is no world 'elsewhere'" in capsys.readouterr().err


def test_replay_finds_the_world_of_an_older_run(
    results: Path, worlds: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers: list[Any] = []

    def ask(
        listener: Any, results: Path, worlds: Path, names: list[str], access: Any, desk: Any
    ) -> None:
        listener.close()
        client = create_app(results, worlds, names, access, desk).test_client()
        answers.append(
            client.get(
                "/api/v1/runs/away", headers={"Authorization": f"Bearer {access.token}"}
            ).json
        )

    monkeypatch.setattr(serve, "serve", ask)
    for folder in ([], ["--worlds", str(worlds)]):
        assert replay(["--port", "5392", "--results", str(results), *folder]) == 0
    away, restored = answers
    assert restored["residents"][0]["name"] == NAME
    assert restored["map"]
    assert away["map"] is None
    assert "5392" in capsys.readouterr().out
