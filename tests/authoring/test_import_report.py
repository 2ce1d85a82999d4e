"""What an import takes from its source, and what it reports: relations, histories, dates, times of
day, art, AI Town.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.importer import ImportedWorld, convert_world
from hometown.authoring.importing.javascript import constants
from hometown.authoring.lint import lint
from hometown.cli.start import main
from hometown.errors import BadWorld
from hometown.text import Phrase
from hometown.world.load import load_world
from tests.authoring.test_import import activities
from tests.support.ai_town import HIGH, WIDE, write_ai_town
from tests.support.elsewhere import PEOPLE_ZH, PLAN, write_matrices, write_maze
from tests.support.mornings import live_morning

Image = pytest.importorskip("PIL.Image")

HISTORY = """Name,Whisper
Ann Mill,"You are a close friend of Bo Reed; You have known your neighbor Cy for years, You like him; "
Somebody Else,You do not live here
"""


def write_two(folder: Path) -> Path:
    """Smallville's form with a second person, a first day and two histories."""
    write_matrices(folder)
    ann = folder / "personas" / "Ann Mill" / "bootstrap_memory"
    bo = folder / "personas" / "Bo Reed" / "bootstrap_memory"
    bo.mkdir(parents=True)
    scratch = json.loads((ann / "scratch.json").read_text("utf-8")) | {
        "name": "Bo Reed",
        "learned": "Bo Reed is a student, and he reads a lot.",
        "currently": "Bo Reed is writing a paper. He hands it in on February 20th.",
        "daily_plan_req": "Bo Reed reads in Green Park, has a class at ten at Corner Cafe, and works at the counter of Corner Cafe from half past one.",
        "living_area": "the Mill:Reed Cottage:bedroom",
        "vision_r": 8,
    }
    (bo / "scratch.json").write_text(json.dumps(scratch), "utf-8")
    (folder / "meta.json").write_text('{"start_date": "February 13, 2023"}', "utf-8")
    (folder / "agent_history_init_n2.csv").write_text(HISTORY, "utf-8-sig")
    (folder / "agent_history_init_n1.csv").write_text(
        "Name,Whisper\nAnn Mill,You are somebody\n", "utf-8"
    )
    (folder / "mill_history_init.csv").write_text(
        "Bo Reed,You want to hear Ann Mill's new song\n", "utf-8"
    )
    return folder


@pytest.fixture(scope="module")
def smallville(tmp_path_factory: pytest.TempPathFactory) -> ImportedWorld:
    root = tmp_path_factory.mktemp("smallville")
    return convert_world(write_two(root / "there"), "here", "en", root / "worlds")


def test_whispered_memories_come_in_the_third_person(smallville: ImportedWorld) -> None:
    ann = load_world(smallville.folder, "en").personas["ann_mill"]
    texts = [seed.text for seed in ann.seeds]
    assert "Ann Mill is a close friend of Bo Reed" in texts
    assert not [text for text in texts if "you" in text.lower().split()]
    assert next(seed for seed in ann.seeds if "close friend" in seed.text).about == ("bo_reed",)
    for given in (
        "2 memories that agent_history_init_n2.csv",
        "1 memory that mill_history_init.csv",
    ):
        assert any(given in line for line in smallville.report.came)
    assert any("agent_history_init_n1.csv: another file" in line for line in smallville.report.left)
    assert any("Somebody Else" in line for line in smallville.report.left)


def test_relations_follow_from_what_is_told(smallville: ImportedWorld) -> None:
    world = load_world(smallville.folder, "en")
    assert (
        world.personas["ann_mill"].relation_to("bo_reed"),
        world.personas["ann_mill"].closeness["bo_reed"],
    ) == ("a close friend", 8)
    assert world.personas["bo_reed"].relation_to("ann_mill") == "somebody one knows"
    assert world.acquaintance == "somebody from the same town, known by sight"
    assert any("2 relations, from texts" in line for line in smallville.report.guessed)
    assert any("known" in line or "knows everybody" in line for line in smallville.report.guessed)


def test_a_world_begins_with_its_source(smallville: ImportedWorld) -> None:
    assert f"{load_world(smallville.folder, 'en').start:%Y-%m-%d}" == "2023-02-13"
    assert any("2023-02-13" in line for line in smallville.report.came)


def test_what_is_planned_for_a_time_is_done_then(smallville: ImportedWorld) -> None:
    bo = load_world(smallville.folder, "en").personas["bo_reed"]
    starts = {habit.start: habit for habit in bo.habits}
    assert starts[10 * 60].activity == "studying"
    assert starts[10 * 60].place.startswith("corner_cafe")
    assert starts[13 * 60 + 30].activity == "serving customers at the counter"


def test_keys_without_a_counterpart_are_told(smallville: ImportedWorld) -> None:
    assert any(
        line.startswith("vision_r of the residents' files") for line in smallville.report.left
    )


def test_the_report_lies_in_the_world_in_its_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    worlds = tmp_path / "worlds"
    argv = [
        "--import-world",
        str(write_maze(tmp_path / "there")),
        "--name",
        "here",
        "--lang",
        "zh",
        "--worlds",
        str(worlds),
    ]
    assert main(argv) == 0
    printed = capsys.readouterr().out
    text = (worlds / "here" / "import-report.md").read_text("utf-8")
    for heading in ("来自原数据的", "猜测的", "没有带来的"):
        assert heading in text
        assert heading in printed
    assert "2 位居民和他们的文字" in text
    assert "coord" in text


def test_a_long_report_is_shortened_on_the_screen() -> None:
    report = ImportReport(
        left=[Phrase("{names}: nobody can reach it", names=number) for number in range(20)]
    )
    lines = report.summary("report.md", "en")
    assert lines[0] == "What was left out:"
    assert lines[-1] == "  – 14 more, in report.md"
    assert len(lines) == 8


@pytest.mark.parametrize(
    ("currently", "start", "guessed"),
    [
        ("阿青3月8日要办音乐会。", "2025-03-07", "guessed"),
        ("阿青2月14日要办音乐会。", "2025-02-13", "guessed"),
        ("阿青2023年5月2日要办音乐会，2022年1月1日搬来。", "2023-05-01", "guessed"),
        ("阿青想办音乐会。", "2025-02-13", ""),
    ],
)
def test_dates_lie_ahead(currently: str, start: str, guessed: str, tmp_path: Path) -> None:
    folder = write_maze(
        tmp_path / "there", [{**PEOPLE_ZH[0], "currently": currently}, PEOPLE_ZH[1]]
    )
    imported = convert_world(folder, "here", "zh", tmp_path / "worlds")
    assert f"{load_world(imported.folder, 'zh').start:%Y-%m-%d}" == start
    assert any("the first day" in line for line in imported.report.guessed) == bool(guessed)
    assert any("2022-01-01" in line for line in imported.report.guessed) == ("2022" in currently)


def test_news_spreads_among_people_who_were_told_of_nobody(tmp_path: Path) -> None:
    people = [{**PEOPLE_ZH[0], "currently": "阿青想办一场音乐会，请大家都来。"}, PEOPLE_ZH[1]]
    imported = convert_world(
        write_maze(tmp_path / "there", people), "here", "zh", tmp_path / "worlds"
    )
    world = load_world(imported.folder, "zh")
    assert not world.personas["老柳"].relation_to("阿青") or world.acquaintance
    assert any(spreads(tmp_path, seed) for seed in range(1, 5))


def spreads(folder: Path, seed: int) -> bool:
    """Return True if the concert is heard of in one of the town's possible days; which matters a
    conversation comes to is a matter of chance.
    """
    name = f"day-{seed}"
    argv = ["--name", name, "--world", "here", "--worlds", str(folder / "worlds"), "--lang", "zh"]
    argv += ["--results", str(folder), "--llm", "scripted", "--seed", str(seed)]
    assert main([*argv, "--start", "20250213-08:00", "--step", "60"]) == 0
    return "音乐会" in told_to(folder, name, "老柳")


def told_to(results: Path, name: str, who: str) -> str:
    with closing(sqlite3.connect(results / "checkpoints" / name / "run.sqlite")) as database:
        return "\n".join(
            text
            for (text,) in database.execute("SELECT text FROM memories WHERE resident = ?", (who,))
        )


# art ---------------------------------------------------------------------------------------


def test_figures_that_come_along_are_used(tmp_path: Path) -> None:
    folder = write_maze(tmp_path / "there")
    sheet = Image.new("RGBA", (96, 128), (1, 2, 3, 255))
    sheet.save(folder / "agents" / "阿青" / "texture.png")
    Image.new("RGBA", (7, 7)).save(folder / "agents" / "老柳" / "texture.png")
    imported = convert_world(folder, "here", "zh", tmp_path / "worlds")
    assert Image.open(imported.folder / "sprites" / "阿青.png").tobytes() == sheet.tobytes()
    assert Image.open(imported.folder / "portraits" / "阿青.png").getpixel((50, 50)) == (
        1,
        2,
        3,
        255,
    )
    assert Image.open(imported.folder / "sprites" / "老柳.png").height > 7
    assert any(line == "the sprites of 阿青" for line in imported.report.came)
    assert any("sprites of 老柳" in line for line in imported.report.left)


def test_the_map_that_the_source_plays_on_is_used(tmp_path: Path) -> None:
    folder = write_maze(tmp_path / "there")
    width, height = len(PLAN[0]), len(PLAN)
    (folder / "tilemap").mkdir()
    tiles = Image.new("RGBA", (64, 32), (10, 20, 30, 255))
    tiles.paste((200, 100, 50, 255), (32, 0, 64, 32))
    tiles.save(folder / "tilemap" / "ground.png")
    cells = [1] * (width * height)
    cells[1] = 2 | 0x80000000
    layer = {"type": "tilelayer", "visible": True, "opacity": 1}
    drawn = {
        "orientation": "orthogonal",
        "width": width,
        "height": height,
        "tilewidth": 32,
        "tileheight": 32,
        "layers": [
            {**layer, "name": "Bottom Ground", "data": cells},
            {**layer, "name": "Arena Blocks", "data": [2] * len(cells)},
            {**layer, "name": "Foreground L1", "data": [0] * (len(cells) - 1) + [2]},
        ],
        "tilesets": [
            {
                "firstgid": 1,
                "name": "g",
                "image": "map_assets/far/ground.png",
                "tilewidth": 32,
                "tileheight": 32,
                "columns": 2,
                "tilecount": 2,
            }
        ],
    }
    (folder / "tilemap" / "tilemap.json").write_text(json.dumps(drawn), "utf-8")
    imported = convert_world(folder, "here", "zh", tmp_path / "worlds")
    assert any("2 layers of tilemap.json" in line for line in imported.report.came)
    kept = json.loads((imported.folder / "map.tmj").read_text("utf-8"))
    layers = {
        layer["name"]: layer["data"] for layer in kept["layers"] if layer["type"] == "tilelayer"
    }
    assert set(layers) == {"art 0", "foreground", "collision"}
    assert layers["art 0"][1] == layers["foreground"][-1] | 0x80000000 != layers["art 0"][0]
    assert lint(imported.folder).errors == 0


def test_a_map_without_its_images_is_drawn_by_us(tmp_path: Path) -> None:
    imported = convert_world(write_maze(tmp_path / "there"), "here", "zh", tmp_path / "worlds")
    assert (imported.folder / "tileset.png").is_file()
    assert any("drawn in our tiles" in line for line in imported.report.left)


# AI Town -----------------------------------------------------------------------------------


def test_ai_town_becomes_a_world(tmp_path: Path) -> None:
    imported = convert_world(write_ai_town(tmp_path / "there"), "here", "en", tmp_path / "worlds")
    world = load_world(imported.folder, "en")
    assert world.maze.size == (WIDE, HIGH)
    assert not world.maze.walkable((3, 3))
    wren, oak = world.personas["wren"], world.personas["oak"]
    assert (wren.name, wren.occupation, wren.pronouns[0]) == ("Wren", "cheerful potter", "she")
    assert wren.currently == "Wren wants to give a party at her place."
    assert oak.learned == "Oak is a quiet forester who 'reads' a lot. He likes his trees."
    assert wren.relation_to("oak")
    assert {arena.split("/")[0] for arena in (wren.home, oak.home)} == {"wren_place", "oak_place"}
    assert activities(world, "wren")
    assert Image.open(imported.folder / "sprites" / "wren.png").getpixel((40, 10)) == (
        250,
        20,
        30,
        255,
    )
    drawn = json.loads((imported.folder / "map.tmj").read_text("utf-8"))
    assert [layer["name"] for layer in drawn["layers"][:4]] == [
        "layer 1",
        "layer 2",
        "furniture",
        "collision",
    ]
    assert drawn["tilesets"][1]["firstgid"] > drawn["tilesets"][0]["tilecount"]
    report = (imported.folder / "import-report.md").read_text("utf-8")
    for text in (
        "the map of brook.js, 24 × 20 tiles",
        "2 characters: Wren, Oak",
        "the sprites of Wren",
        "their ages",
        "1 animated pictures",
        "sprites of Oak",
    ):
        assert text in report
    assert lint(imported.folder).errors == 0
    assert live_morning(imported.folder, "en", tmp_path) == 0


def refused(folder: Path) -> list[Phrase]:
    with pytest.raises(BadWorld) as caught:
        convert_world(folder, "here", "en", folder.parent / "worlds")
    assert not list((folder.parent / "worlds").iterdir())
    return caught.value.lines


@pytest.mark.parametrize(
    ("file", "old", "new", "text"),
    [
        (
            "data/brook.js",
            "objmap = [[[",
            "objmap = [[[1], [",
            "bgtiles and objmap should be lists of layers of one size",
        ),
        (
            "data/brook.js",
            "bgtiles = [[[0",
            "bgtiles = [[['x'",
            "bgtiles and objmap should be lists of layers of one size",
        ),
        ("data/brook.js", "bgtiles", "tiles", "has 0 map modules with bgtiles"),
        ("data/characters.ts", "Descriptions = [", "Other = [", "describes nobody"),
        ("data/characters.ts", "Descriptions = [", "Descriptions = all; [", "describes nobody"),
        (
            "data/brook.js",
            "objmap = [[[-1",
            "objmap = [[[" + "[" * 5000 + "-1",
            "bgtiles and objmap should be",
        ),
    ],
)
def test_faults_of_ai_town_are_told(
    file: str, old: str, new: str, text: str, tmp_path: Path
) -> None:
    folder = write_ai_town(tmp_path / "there")
    before = (folder / file).read_text("utf-8")
    assert old in before
    (folder / file).write_text(before.replace(old, new, 1 if old != "bgtiles" else -1), "utf-8")
    assert any(text in line for line in refused(folder))


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("characters.ts", "export const characters = [", "export const characters = all; ["),
        ("spritesheets/wren.ts", '{"frames"', 'sheet; {"frames"'),
        ("spritesheets/wren.ts", '{"frames": {', '{"frames": sheet, "others": {'),
    ],
)
def test_figures_that_are_given_by_a_name_are_drawn(
    file: str, old: str, new: str, tmp_path: Path
) -> None:
    folder = write_ai_town(tmp_path / "there")
    text = (folder / "data" / file).read_text("utf-8")
    assert old in text
    (folder / "data" / file).write_text(text.replace(old, new), "utf-8")
    imported = convert_world(folder, "here", "en", tmp_path / "worlds")
    assert set(load_world(imported.folder, "en").personas) == {"wren", "oak"}


def test_too_little_ground_is_told(tmp_path: Path) -> None:
    folder = write_ai_town(tmp_path / "there")
    people = ", ".join(
        f"{{ name: 'P{number}', identity: 'P{number} is here.', plan: '' }}" for number in range(60)
    )
    (folder / "data" / "characters.ts").write_text(
        f"export const Descriptions = [{people}];", "utf-8"
    )
    assert any("has open ground for" in line for line in refused(folder))


@pytest.mark.parametrize(
    "text",
    [
        "export const a = [",
        "export const a = {",
        "export const a = `${x}`;",
        "export const a = " + "[" * 10**5,
        "export const a = 'x",
        "export const a = 1 +",
        "",
    ],
)
def test_what_is_no_constant_is_left_out(text: str) -> None:
    values: dict[str, Any] = constants(text)
    assert values == {}
