"""`--worlds FOLDER`: runs of worlds that lie elsewhere show their names, their map and their pictures."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from modules.cli.compress import main as compress
from modules.cli.replay import main as replay
from modules.paths import WORLDS
from modules.replay import serve
from modules.replay.server import create_app
from modules.world.load import load_world
from tests.synthetic_run import make_run

CAST = ["chen_siyuan", "lin_yue", "wang_fang"]
NAME = "Ada of Elsewhere"


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the world `elsewhere`, which is minitown but for the name of one who lives there."""
    folder = tmp_path_factory.mktemp("worlds")
    shutil.copytree(WORLDS / "minitown", folder / "elsewhere")
    persona = folder / "elsewhere" / "residents" / "chen_siyuan.json"
    told = json.loads(persona.read_text(encoding="utf-8"))
    persona.write_text(json.dumps(told | {"name": {"en": NAME, "zh": NAME}}), encoding="utf-8")
    assert load_world("elsewhere", "en", folder).personas["chen_siyuan"].name == NAME
    return folder


@pytest.fixture
def results(tmp_path: Path) -> Path:
    make_run(tmp_path, "away", world="elsewhere", residents=CAST)
    return tmp_path


def test_compress_finds_the_world(results: Path, worlds: Path) -> None:
    compressed = results / "compressed" / "away"
    assert compress(["--name", "away", "--results", str(results), "--worlds", str(worlds), "--html"]) == 0
    assert NAME in (compressed / "simulation.md").read_text(encoding="utf-8")
    assert '"map"' in (compressed / "replay.html").read_text(encoding="utf-8").partition('id="embedded">')[2].partition("</script>")[0]
    assert compress(["--name", "away", "--results", str(results), "--html"]) == 0
    assert NAME not in (compressed / "simulation.md").read_text(encoding="utf-8")
    assert '"map"' not in (compressed / "replay.html").read_text(encoding="utf-8").partition('id="embedded">')[2].partition("</script>")[0]


def test_replay_finds_the_world(results: Path, worlds: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    told: list[Any] = []

    def ask(listener: Any, results: Path, worlds: Path, names: list[str]) -> None:
        listener.close()
        told.append(create_app(results, worlds, names).test_client().get("/api/runs/away").json)

    monkeypatch.setattr(serve, "serve", ask)
    for folder in ([], ["--worlds", str(worlds)]):
        assert replay(["--port", "5392", "--results", str(results), *folder]) == 0
    away, found = told
    assert found["residents"][0]["name"] == NAME
    assert found["map"]
    assert away["map"] is None
    assert "5392" in capsys.readouterr().out
