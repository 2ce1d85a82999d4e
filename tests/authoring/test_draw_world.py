"""Plain text becomes a town: a plan in characters, with meanings and people, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hometown.authoring.importing.importer import convert_world
from hometown.authoring.lint import lint
from hometown.cli.commands import main
from hometown.errors import BadWorld
from hometown.paths import ROOT
from hometown.world.load import load_world
from hometown.world.world import World
from tests.support.mornings import live_morning

pytest.importorskip("PIL.Image")

TOWN_ZH = """\
柳巷

########
#b....k#
#..A...+::
########

A  柳宅 / 卧室
b  床
k  灶台

阿柳，34，A
阿柳是一名面包师，她喜欢热闹。
作息：早上5点起床，晚上9点睡觉。
"""


def example() -> str:
    """Return the town in docs/worlds.md."""
    text = (ROOT / "docs" / "worlds.md").read_text("utf-8")
    found = re.search(r"```text\n(Willow Lane\n.*?)```", text, re.S)
    assert found
    return found[1]


def draw(text: str, folder: Path) -> list[str]:
    """Return the faults of a text."""
    path = folder / "town.txt"
    path.write_text(text, "utf-8")
    with pytest.raises(BadWorld) as caught:
        convert_world(path, "town", None, folder / "worlds")
    return [str(line) for line in caught.value.lines]


def test_the_example_of_the_docs_is_drawn_and_lives(tmp_path: Path) -> None:
    path = tmp_path / "willow_lane.txt"
    path.write_text(example(), "utf-8")
    assert main(["world", "draw", str(path), "--worlds", str(tmp_path / "worlds")]) == 0
    folder = tmp_path / "worlds" / "willow_lane"
    assert lint(folder).problems == []
    world = load_world(folder, "en")
    assert (world.name, [who.name for who in world.personas.values()]) == (
        "Willow Lane",
        ["Ada Reed", "Ben Mill"],
    )
    assert set(world.sectors) - {"outdoors"} == {
        "rose_cottage",
        "mill_house",
        "corner_café",
        "duck_green",
    }
    ada = world.personas["ada_reed"]
    assert (ada.age, ada.wake, ada.sleeps) == (34, 300, "rose_cottage/bedroom/bed")
    assert "outdoor" in world.arenas["duck_green/duck_green"].tags
    assert set(ada.relations or ()) == {"ben_mill"}
    assert live_morning(folder, "en", tmp_path) == 0


def test_a_town_in_chinese(tmp_path: Path) -> None:
    path = tmp_path / "柳巷.txt"
    path.write_text(TOWN_ZH, "utf-8")
    imported = convert_world(path, "here", None, tmp_path / "worlds")
    world = load_world(imported.folder, "zh")
    assert world.name == "柳巷"
    assert world.personas["阿柳"].wake == 300
    assert world.things["柳宅/卧室/灶台"].tags >= {"cook"}


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("b  bed\n", "", "line 4 column 2: 'b' has no meaning"),
        (
            "Ben Mill, 61, D",
            "Ben Mill, 61, Mill Hose",
            "'Mill Hose' is no room of the plan; did you mean 'Mill House",
        ),
        (".^^..####", ".k^..####", "'stove' is in no room or place"),
        ("b  bed", "bd bed", "'bd bed' is no meaning; write one letter or digit and its name"),
        ("Ben Mill, 61, D", "Ben Mill", "is neither a plan, nor meanings of letters, nor a person"),
        ("#", ".", "has no plan"),
        ("+##########", "###########", "nobody can reach 'Mill House / bedroom'; draw a door"),
        ("Ada Reed, 34, A", "Ada Reed, 34, E", "there is no bed left in 'Corner Café'"),
    ],
)
def test_faults_of_a_text_are_told_by_line(old: str, new: str, fault: str, tmp_path: Path) -> None:
    lines = draw(example().replace(old, new), tmp_path)
    assert any(fault in line for line in lines), lines
    assert all(line.startswith(f"{tmp_path.name}/town.txt: ") or "map" in line for line in lines)


TWO_HOUSES = """\
Two Houses

########
#b..A..#
#......#
####+###
........
..~.....
........
....#+######
....#k..B..#
....#b.....#
....########

A  Rose Cottage / bedroom
B  Mill House / kitchen
b  bed
k  stove
"""


def test_blank_rows_of_a_plan_are_open_ground(tmp_path: Path) -> None:
    def build(name: str, text: str) -> World:
        path = tmp_path / f"{name}.txt"
        path.write_text(text, "utf-8")
        return load_world(convert_world(path, name, None, tmp_path / "worlds").folder, "en")

    signs = build("signs", TWO_HOUSES)
    blanks = build("blanks", TWO_HOUSES.replace("........\n", "\n").replace("..~.....", "  ~"))
    assert blanks.maze.size == signs.maze.size
    assert {address: thing.tiles for address, thing in blanks.things.items()} == {
        address: thing.tiles for address, thing in signs.things.items()
    }


def test_what_is_no_text_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["world", "draw", str(tmp_path / "a.txt"), "--worlds", str(tmp_path)]) == 2
    assert "is no text file (.txt, .md) with a plan" in capsys.readouterr().err
