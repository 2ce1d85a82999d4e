"""`--check-world`: each kind of problem is reported in one line, all in one pass, and marked on a
picture.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hometown.authoring.lint import lint
from hometown.authoring.problems import Problems
from hometown.authoring.society_checks import check_society
from hometown.authoring.starter import make_world
from hometown.cli.commands import main as commands
from hometown.cli.start import main
from hometown.paths import WORLDS
from hometown.world.load import list_worlds, load_world
from hometown.world.snapshot import fingerprint
from tests.support.spoilt_worlds import Edit, edit

Image = pytest.importorskip("PIL.Image")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_world("town", ("en", "zh"), tmp_path_factory.mktemp("made"))


@pytest.fixture
def town(made: Path, tmp_path: Path) -> Path:
    """A new world, to be spoilt."""
    return Path(shutil.copytree(made, tmp_path / "worlds" / "town"))


def placed(drawn: dict[str, Any], name: str) -> dict[str, Any]:
    return next(
        item
        for layer in drawn["layers"]
        for item in layer.get("objects", ())
        if item["name"] == name
    )


def tag(drawn: dict[str, Any], name: str, value: str) -> None:
    next(field for field in placed(drawn, name)["properties"] if field["name"] == "tags").update(
        value=value
    )


def untag(drawn: dict[str, Any], *words: str) -> None:
    for layer in drawn["layers"]:
        for item in layer.get("objects", ()):
            for given in item["properties"]:
                if given["name"] == "tags":
                    given["value"] = ", ".join(
                        word for word in given["value"].split(", ") if word not in words
                    )


def block(drawn: dict[str, Any], *tiles: tuple[int, int]) -> None:
    layer = next(candidate for candidate in drawn["layers"] if candidate["name"] == "collision")
    for column, row in tiles:
        layer["data"][row * layer["width"] + column] = 1


def move(drawn: dict[str, Any], name: str, column: int, row: int) -> None:
    placed(drawn, name).update(x=column * 32, y=row * 32)


def test_a_new_world_has_nothing_wrong(town: Path) -> None:
    assert lint(town).problems == []


@pytest.mark.parametrize("world", list_worlds())
def test_the_worlds_that_ship_have_nothing_wrong(world: str) -> None:
    report = lint(WORLDS / world)
    assert report.errors == 0
    assert report.world is not None
    assert report.world.book is None or not report.problems


FOOD_TAGS = ("eat", "cook", "dining", "snack", "kitchen", "order", "cafe", "bake", "coffee")

PROBLEMS: list[tuple[str, Edit, str, str]] = [
    (
        "map.tmj",
        lambda m: block(m, (30, 12), (30, 13), (31, 11), (31, 14)),
        "warning",
        "2 walkable tiles from (31, 12) on cannot be reached",
    ),
    (
        "map.tmj",
        lambda m: block(m, (10, 10)),
        "error",
        "arenas object 'ada_house/living': cannot be reached on foot; give it a door",
    ),
    (
        "map.tmj",
        lambda m: move(m, "ada_house/living/sofa", 8, 10),
        "warning",
        "'ada_house/living/sofa': stands on a wall",
    ),
    (
        "map.tmj",
        lambda m: move(m, "park/green/bench", 4, 11),
        "error",
        "'park/green/bench': cannot be reached",
    ),
    (
        "map.tmj",
        lambda m: tag(m, "park/green/bench", ""),
        "warning",
        "'park/green/bench': has no tags",
    ),
    ("map.tmj", lambda m: untag(m, "sleep"), "error", "there are 0 beds for 2 residents"),
    ("map.tmj", lambda m: untag(m, "sleep"), "warning", "'ada_house': is a home without a bed"),
    (
        "map.tmj",
        lambda m: untag(m, *FOOD_TAGS),
        "warning",
        "'ada_house': is a home without a kitchen",
    ),
    ("map.tmj", lambda m: untag(m, *FOOD_TAGS), "warning", "nothing here is tagged eat or cook"),
    (
        "map.tmj",
        lambda m: untag(m, *FOOD_TAGS),
        "warning",
        "residents/ada.json: habits: never lead to a place with food on Monday, Tuesday",
    ),
    (
        "residents/ben.json",
        lambda r: r.update(name={"en": "Ada Brook", "zh": "艾达"}),
        "error",
        "name: 'Ada Brook' is also the name of 'ada'",
    ),
    (
        "residents/ben.json",
        lambda r: r.update(sleeps="ada_house/bedroom/bed"),
        "error",
        "'ada_house/bedroom/bed' is the bed of ada, ben and has 1 seats",
    ),
    (
        "residents/ben.json",
        lambda r: r.update(sleeps="ada_house/bedroom/bed"),
        "error",
        "is in another's room; name a bed in 'ben_house/bedroom'",
    ),
    (
        "residents/ben.json",
        lambda r: r["habits"][8].update(place="ada_house/bedroom/bed"),
        "error",
        "is not the bed of ben; name 'ben_house/bedroom/bed'",
    ),
    (
        "residents/ben.json",
        lambda r: r.update(relations={}) or r["habits"][8].update(place="ada_house/living/sofa"),
        "error",
        "'ada_house/living/sofa' is a private home of people whom ben does not know",
    ),
    (
        "residents/ben.json",
        lambda r: r["habits"][5].update(start="15:30", end="15:34"),
        "error",
        "takes 4 minutes, and on Monday there are 4 until 15:34",
    ),
    (
        "residents/ben.json",
        lambda r: r["habits"][5].update(start="15:30", end="15:37"),
        "warning",
        "takes 4 minutes, and on Monday there are only 7",
    ),
    (
        "residents/ben.json",
        lambda r: r.update(inate="x"),
        "error",
        "unknown key 'inate'; did you mean 'innate'?",
    ),
    ("world.json", lambda w: w["name"].pop("zh"), "error", "name: has no text in zh"),
]


@pytest.mark.parametrize(("file", "change", "level", "text"), PROBLEMS, ids=range(len(PROBLEMS)))
def test_a_problem_is_told_in_one_line(
    town: Path, file: str, change: Edit, level: str, text: str
) -> None:
    edit(town / file, change)
    problems = [(problem.level, problem.line) for problem in lint(town).problems]
    assert any(kind == level and text in line for kind, line in problems), problems
    assert all(line.startswith("town/") and "\n" not in line for _, line in problems)


def test_all_problems_are_told_at_once_and_marked(
    town: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(town / "residents" / "ada.json", lambda who: who.update(home="ada_house/bedrom", age=400))
    edit(town / "residents" / "ben.json", lambda who: who["habits"][0].update(place="bakery/mian"))
    edit(town / "map.tmj", lambda drawn: block(drawn, (10, 10)))
    picture = town.parent / "seen.png"
    assert (
        main(
            [
                "--check-world",
                "town",
                "--worlds",
                str(town.parent),
                "--lang",
                "en",
                "--out",
                str(picture),
            ]
        )
        == 2
    )
    output = capsys.readouterr().out
    for text in ("age", "bakery/mian", "ada_house/living", "  1 error "):
        assert text in output
    assert Image.open(picture).size == (33 * 16, 24 * 16)


def test_what_people_feel_is_checked_without_a_society(town: Path) -> None:
    (town / "society").mkdir()
    grudge = {
        "says": {"en": "resentful", "zh": "怀恨"},
        "when": {"quarreled": 300},
        "fades": 5,
        "pleasure": -20,
        "arousal": 0,
        "dominance": 10,
        "tone": "sour",
    }
    (town / "society" / "feelings.json").write_text(json.dumps({"grudge": grudge}), "utf-8")
    (town / "society" / "temperaments.json").write_text(
        json.dumps({"sunny": {"words": {"en": ["sunny", "("], "zh": ["阳光"]}, "pleasure": 120}}),
        "utf-8",
    )
    lines = [problem.line for problem in lint(town).problems]
    assert any(
        "society/feelings.json: grudge.tone: " in line and "'sour'" in line for line in lines
    )
    assert any(
        "society/temperaments.json: sunny.pleasure: " in line and "120" in line for line in lines
    )
    assert any(
        "society/temperaments.json: sunny.words: '(' is a regular expression" in line
        for line in lines
    )
    (town / "society" / "temperaments.json").unlink()
    (town / "society" / "feelings.json").write_text(
        json.dumps({"grudge": grudge | {"tone": "cold"}}), "utf-8"
    )
    assert [problem.line for problem in lint(town).problems] == [
        "town/society/feelings.json: grudge: there is no stir 'quarreled'; did you mean 'quarrelled'?"
    ]


def test_only_declared_languages_are_asked_for(tmp_path: Path) -> None:
    town = make_world("dorf", ("zh",), tmp_path)
    assert '"en"' not in (town / "residents" / "ada.json").read_text("utf-8")
    assert lint(town).problems == []
    assert main(["--check-world", str(town), "--out", str(tmp_path / "o.png")]) == 0


def test_a_world_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check-world", "minitwon"]) == 2
    assert "did you mean 'minitown'" in capsys.readouterr().err
    assert main(["--check-world", str(tmp_path), "--lang", "en", "--results", str(tmp_path)]) == 2
    assert "world.json: is missing" in capsys.readouterr().out
    assert main(["--check-world", "minitown", "--out", str(tmp_path)]) == 2
    assert "can't write" in capsys.readouterr().err
    assert main(["--check-world", "minitown", "--out", "map.jpg"]) == 2
    assert "let the name end in .png" in capsys.readouterr().err


def test_a_need_that_never_falls_names_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["world", "check", "farmstead", "--trial", "1", "--lang", "en"]
    assert commands([*words, "--out", str(tmp_path / "o.png")]) == 0
    assert "health 1000, food " in capsys.readouterr().out


def test_the_livelihood_of_a_society_is_proved(
    town: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = fingerprint(town)
    assert (
        commands(
            [
                "world",
                "check",
                str(town),
                "--trial",
                "1",
                "--lang",
                "en",
                "--out",
                str(tmp_path / "o.png"),
            ]
        )
        == 2
    )
    assert "world 'town' has no society to be tried" in capsys.readouterr().err
    society = {
        "kinds": {
            "tart": {
                "name": {"en": "tart", "zh": "馅饼"},
                "grams": 400,
                "tags": ["edible"],
                "gives": {"hunger": 400},
            }
        },
        "recipes": {
            "bake": {
                "says": {"en": ["bake"], "zh": ["烤"]},
                "at": "oven",
                "minutes": 600,
                "take": {"nature": "rest"},
                "make": {"tart": 6},
            }
        },
        "fixtures": {
            "bakery/main/oven": {"tags": ["oven"]},
            "ada_house/bathroom/shower": {"tags": ["wash"]},
        },
        "calendar": {"seasons": {"summer": {"name": {"en": "summer", "zh": "夏"}, "days": 90}}},
        "start": {
            "houses": {who: {"home": f"{who}_house/living"} for who in ("ada", "ben")},
            "people": {who: {"house": who} for who in ("ada", "ben")},
        },
    }
    (town / "society").mkdir()
    for name, content in society.items():
        (town / "society" / f"{name}.json").write_text(json.dumps(content), "utf-8")
    assert main(["--check-world", str(town), "--lang", "en", "--out", str(tmp_path / "o.png")]) == 0
    output = capsys.readouterr().out
    assert (
        "food: 2,400 can be supplied, 1,632 are used; 490 minutes of work a day; stores last 0.0 days; gives way first: oven"
        in " ".join(output.split())
    )
    assert fingerprint(town) != before
    assert (
        commands(
            [
                "world",
                "check",
                str(town),
                "--trial",
                "1",
                "--lang",
                "en",
                "--out",
                str(tmp_path / "o.png"),
            ]
        )
        == 0
    )
    assert re.search(
        r"\n +1  energy \d+ \(\w+.*\), enjoyment \d+ .*, food \d+ .*\n", capsys.readouterr().out
    )
    edit(town / "society" / "start.json", lambda start: start["people"].pop("ben"))
    assert main(["--check-world", str(town), "--lang", "zh", "--out", str(tmp_path / "o.png")]) == 2
    assert "society/start.json：people：缺少住在镇上的 'ben'" in capsys.readouterr().out


def test_where_something_grows_there_is_room_for_what_is_left_over() -> None:
    book, problems = load_world("farmstead", "en").book, Problems("farmstead")
    assert book
    tight = book.fixtures["garden/beds/upper"].model_copy(update={"holds": 11000})
    check_society(replace(book, fixtures={**book.fixtures, "garden/beds/upper": tight}), problems)
    (problem,) = problems.listed()
    assert (problem.level, problem.address) == ("warning", "garden/beds/upper")
    assert "holds 11000 g, and 'plant' makes 11000 g there; let it hold 12100 g" in problem.line
