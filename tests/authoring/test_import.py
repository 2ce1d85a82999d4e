"""`--import-world`: towns of other systems become worlds that load, have no errors, and live;
faults write nothing.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from hometown.authoring.importing.importer import convert_world
from hometown.authoring.lint import lint
from hometown.authoring.starter import make_world
from hometown.cli.start import main
from hometown.errors import BadInput, BadWorld
from hometown.world.load import load_world
from tests.support.elsewhere import PEOPLE_ZH, PLAN, blocked, write_matrices, write_maze
from tests.support.mornings import live_morning
from tests.world.test_load import ODD, spots

pytest.importorskip("PIL.Image")


def activities(world: Any, who: str) -> dict[str, str]:
    return {habit.activity: habit.place for habit in world.personas[who].habits}


def test_a_maze_becomes_a_world(tmp_path: Path) -> None:
    imported = convert_world(write_maze(tmp_path / "there"), "here", "zh", tmp_path / "worlds")
    assert lint(imported.folder).problems == []
    world = load_world(imported.folder, "zh")
    assert world.langs == ("zh",)
    assert {"街角咖啡馆/咖啡馆/柜台", "磨坊小屋/卧室/床", "青草公园/公园/公园花园"} <= set(
        world.things
    )
    assert world.things["磨坊小屋/厨房/烹饪区"].tags >= {"cook", "stove"}
    assert not world.arenas["磨坊小屋/卧室"].public
    assert world.place_name("街角咖啡馆/咖啡馆") == "街角咖啡馆"
    assert (
        world.personas["阿青"].wake,
        world.personas["阿青"].bed,
        world.personas["老柳"].wake,
    ) == (6 * 60, 22 * 60, 5 * 60)
    assert world.personas["阿青"].pronouns == ("她",)
    assert world.personas["阿青"].occupation == "街角咖啡馆的老板"
    assert activities(world, "阿青")["在柜台招呼客人"] == "街角咖啡馆/咖啡馆/柜台"
    assert activities(world, "老柳")["散步"].startswith("青草公园")
    assert activities(world, "老柳")["看书"].startswith("街角咖啡馆")
    assert world.personas["阿青"].relation_to("老柳")
    assert [seed.text for seed in world.personas["阿青"].seeds] == [
        "阿青想办一场音乐会。",
        "阿青还没告诉老柳。",
    ]
    assert live_morning(imported.folder, "zh", tmp_path) == 0


def test_what_blocked_the_way_still_does(tmp_path: Path) -> None:
    world = load_world(
        convert_world(write_maze(tmp_path / "there"), "here", "zh", tmp_path / "worlds").folder,
        "zh",
    )
    open_tiles = {
        (column, row)
        for row in range(len(PLAN))
        for column in range(len(PLAN[0]))
        if world.maze.walkable((column, row))
    }
    assert open_tiles <= {
        (column, row)
        for row in range(len(PLAN))
        for column in range(len(PLAN[0]))
        if not blocked(column, row)
    }
    assert not world.maze.walkable((8, 10))  # the pond, which nobody reaches
    assert world.maze.reachable((0, 0)) == open_tiles


def test_matrices_become_a_world(tmp_path: Path) -> None:
    imported = convert_world(write_matrices(tmp_path / "there"), "here", "en", tmp_path / "worlds")
    assert lint(imported.folder).problems == []
    world = load_world(imported.folder, "en")
    ann = world.personas["ann_mill"]
    assert (ann.name, ann.wake, ann.bed, ann.occupation) == (
        "Ann Mill",
        360,
        1380,
        "owner of the Corner Cafe",
    )
    assert (
        activities(world, "ann_mill")["serving customers at the counter"]
        == "corner_cafe/cafe/counter"
    )
    assert live_morning(imported.folder, "en", tmp_path) == 0


def test_a_map_without_people_gets_some(tmp_path: Path) -> None:
    imported = convert_world(write_maze(tmp_path / "there", []), "here", "zh", tmp_path / "worlds")
    world = load_world(imported.folder, "zh")
    assert len(world.personas) == 2
    assert any("invented" in line for line in imported.report.guessed)
    assert lint(imported.folder).errors == 0


def test_texts_of_another_language_are_told(tmp_path: Path) -> None:
    imported = convert_world(write_maze(tmp_path / "there"), "here", "en", tmp_path / "worlds")
    assert any("the texts look like Chinese" in str(line) for line in imported.report.guessed)


def broken(tmp_path: Path, **changes: Any) -> list[str]:
    folder = write_maze(tmp_path / "there", [{**PEOPLE_ZH[0], **changes}, PEOPLE_ZH[1]])
    with pytest.raises(BadWorld) as caught:
        convert_world(folder, "here", "zh", tmp_path / "worlds")
    assert not list((tmp_path / "worlds").iterdir())
    assert all("\n" not in line for line in caught.value.lines)
    return [*caught.value.lines]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        (
            {"home": ("磨坊小屋", "卧室里")},
            "living_area: '磨坊小屋 / 卧室里' is not a room of the map; did you mean '磨坊小屋 / 卧室'?",
        ),
        ({"home": ("街角咖啡馆", "咖啡馆")}, "there is no bed left in '街角咖啡馆'"),
        ({"age": "thirty"}, "age: is 'thirty'; it should be a number of years"),
        ({"learned": None}, "learned: is None; it should be a text"),
    ],
)
def test_faults_of_people_are_told_and_nothing_is_written(
    changes: dict[str, Any], text: str, tmp_path: Path
) -> None:
    assert any(text in line for line in broken(tmp_path, **changes))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda maze: maze.update(size=[0, 3]), "size: is [0, 3]; it should be [rows, columns]"),
        (lambda maze: maze.update(tiles={}), "tiles: is not a list of tiles"),
        (
            lambda maze: maze["tiles"][0].update(coord=[99, 0]),
            "tiles[0]: lies at (99, 0), beyond the map of 20 × 14",
        ),
        (lambda maze: maze["tiles"][0].update(coord="a"), "tiles[0]: has the coord 'a'"),
        (
            lambda maze: maze["tiles"][3].update(address=["a", "b", "c", "d"]),
            "tiles[3]: has an address of 4 parts",
        ),
    ],
)
def test_faults_of_a_maze_are_told_and_nothing_is_written(
    change: Any, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_maze(tmp_path / "there")
    maze = json.loads((folder / "maze.json").read_text("utf-8"))
    change(maze)
    (folder / "maze.json").write_text(json.dumps(maze), "utf-8")
    assert (
        main(
            [
                "--import-world",
                str(folder),
                "--name",
                "here",
                "--lang",
                "en",
                "--worlds",
                str(tmp_path / "worlds"),
            ]
        )
        == 2
    )
    assert text in capsys.readouterr().err
    assert not list((tmp_path / "worlds").iterdir())


def test_faults_of_matrices_are_told_all_at_once(tmp_path: Path) -> None:
    folder = write_matrices(tmp_path / "there")
    (folder / "matrix" / "maze" / "sector_maze.csv").write_text("0, 1", "utf-8")
    (folder / "matrix" / "special_blocks" / "arena_blocks.csv").unlink()
    with pytest.raises(BadWorld) as caught:
        convert_world(folder, "here", "en", tmp_path / "worlds")
    assert [line.split("there/")[1] for line in caught.value.lines] == [
        "maze/sector_maze.csv: holds 2 tiles, and maze_meta_info.json says 280",
        "special_blocks/arena_blocks.csv: is missing; the map needs it",
    ]


def test_what_is_no_world_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    for path, fault in (("empty", "nor a Tiled map"), ("nowhere", "does not exist")):
        assert (
            main(
                [
                    "--import-world",
                    str(tmp_path / path),
                    "--name",
                    "here",
                    "--worlds",
                    str(tmp_path / "worlds"),
                    "--lang",
                    "en",
                ]
            )
            == 2
        )
        assert fault in capsys.readouterr().err
    assert main(["--import-world", str(tmp_path), "--name", "a", "--lang", "en,zh"]) == 2


@pytest.mark.parametrize("name", ["maze.json", "agents/阿青/agent.json", "map.tmj"])
def test_whatever_stands_in_a_file_is_imported_or_told_in_lines(name: str, tmp_path: Path) -> None:
    stream = random.Random(name)
    there = (
        make_world("there", ("zh",), tmp_path)
        if name == "map.tmj"
        else write_maze(tmp_path / "there")
    )
    text = (there / name).read_text("utf-8")
    for number in range(10):
        content = json.loads(text)
        container, key = stream.choice(spots(content))
        container[key] = stream.choice(ODD)
        (there / name).write_text(json.dumps(content), "utf-8")
        try:
            convert_world(
                there / "map.tmj" if name == "map.tmj" else there,
                f"world{number}",
                "zh",
                tmp_path / "worlds",
            )
        except BadInput as error:
            assert str(error)  # noqa: PT017 – both outcomes are right


def test_never_over_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_maze(tmp_path / "there")
    say = [
        "--import-world",
        str(folder),
        "--name",
        "here",
        "--lang",
        "zh",
        "--worlds",
        str(tmp_path / "worlds"),
    ]
    assert main(say) == 0
    assert "2 位居民" in capsys.readouterr().out
    assert main(say) == 2
    assert "不会被覆盖" in capsys.readouterr().err
