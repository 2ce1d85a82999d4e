"""Files and requests nested without end, or grown by aliases: one line, never a traceback, and at
once.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hometown.cli.main import run_hometown as hometown
from hometown.config import LARGEST, read_layer
from hometown.errors import BadInput, BadWorld
from hometown.paths import WORLDS
from hometown.study.experiment.spec_file import read_experiment
from hometown.unwieldy import MOST_LEVELS, is_unwieldy
from hometown.web.server import create_app
from hometown.world.load import load_world
from tests.support.unwieldy import ALIASES, nest_lists, nest_objects

DEPTHS = (MOST_LEVELS + 50, 900, 20_000, 90_000)


def test_levels_and_values_are_counted_as_often_as_they_stand_there() -> None:
    shared = ["x"] * 10
    assert not is_unwieldy([shared] * 10)
    assert is_unwieldy([shared] * 10, most=50)
    assert not is_unwieldy(json.loads(nest_objects(MOST_LEVELS)))
    assert is_unwieldy(json.loads(nest_objects(MOST_LEVELS + 1)))


def refused(read: Callable[[Path], object], file: Path, text: str) -> None:
    file.write_text(text, "utf-8")
    with pytest.raises(BadInput) as caught:
        read(file)
    assert len(caught.value.lines) == 1
    assert "nested too deeply" in caught.value.lines[0]


@pytest.mark.parametrize("depth", DEPTHS)
def test_settings_and_experiments_are_refused_in_a_line(tmp_path: Path, depth: int) -> None:
    refused(read_layer, tmp_path / "settings.json", f'{{"think": {nest_objects(depth)}}}')
    refused(read_experiment, tmp_path / "experiment.json", f'{{"settings": {nest_objects(depth)}}}')
    if depth <= 20_000:
        refused(read_experiment, tmp_path / "experiment.yaml", f"settings: {nest_lists(depth)}")


def test_aliases_that_double_are_refused_at_once(tmp_path: Path) -> None:
    refused(read_experiment, tmp_path / "experiment.yaml", ALIASES)


@pytest.mark.parametrize(
    ("name", "read"), [("settings.json", read_layer), ("experiment.yaml", read_experiment)]
)
def test_a_file_larger_than_any_is_not_read(
    tmp_path: Path, name: str, read: Callable[[Path], object]
) -> None:
    (tmp_path / name).write_text(" " * (LARGEST + 1), "utf-8")
    with pytest.raises(BadInput, match="more than the 1 MB that are read"):
        read(tmp_path / name)


def test_the_command_line_says_so_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "deep.json").write_text(nest_objects(20_000), "utf-8")
    for arguments in (
        ["experiment", str(tmp_path / "deep.json")],
        ["run", "x", "--config", str(tmp_path / "deep.json")],
    ):
        assert hometown([*arguments, "--results", str(tmp_path), "--lang", "en"]) == 2
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_world_is_refused_in_a_line(tmp_path: Path, depth: int) -> None:
    copy = Path(shutil.copytree(WORLDS / "minitown", tmp_path / "deep"))
    world = (copy / "world.json").read_text("utf-8").rstrip().removesuffix("}")
    (copy / "world.json").write_text(f'{world}, "settings": {nest_objects(depth)}}}', "utf-8")
    with pytest.raises(BadWorld) as caught:
        load_world(copy, "en")
    assert caught.value.lines == ["deep/world.json: is nested too deeply; flatten it"]


@pytest.mark.parametrize("depth", DEPTHS)
def test_the_api_takes_it_for_no_object(tmp_path: Path, depth: int) -> None:
    client = create_app(tmp_path, WORLDS).test_client()
    for method, path in (
        ("POST", "/api/v1/runs"),
        ("PUT", "/api/v1/worlds/x/residents/y"),
        ("POST", "/api/v1/worlds"),
    ):
        response = client.open(
            path, method=method, data=nest_objects(depth), content_type="application/json"
        )
        assert 400 <= response.status_code < 500
