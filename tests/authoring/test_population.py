"""Worlds whose residents are rows of a table."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from hometown.authoring.editing import residents_of
from hometown.authoring.lint import lint
from hometown.authoring.population.housed_rows import make_population
from hometown.authoring.population.people_table import PersonRow, read_people
from hometown.authoring.population.plausibility import find_implausible
from hometown.authoring.population.quotas import draw_rows, parse_quotas
from hometown.authoring.starter import make_world
from hometown.cli.main import run_hometown as hometown
from hometown.errors import BadInput, BadWorld
from hometown.paths import ROOT
from hometown.world.load import load_world
from tests.docs.test_docs import commands

DOCS = ROOT / "docs" / "worlds.md"

COMMAND = ["hometown", "world", "people"]

OCCUPATIONS = ("nurse", "teacher", "shopkeeper", "programmer", "carpenter", "cook", "gardener")
HEADER = ("age", "gender", "occupation", "traits", "region", "education")


def survey(folder: Path, count: int = 40) -> Path:
    """A table of people, of whom two are implausible."""
    rows = [
        (
            str(25 + number),
            ("woman", "man")[number % 2],
            OCCUPATIONS[number % len(OCCUPATIONS)],
            "warm, curious",
            ("north", "north", "south")[number % 3],
            ("school", "degree")[number // 2 % 2],
        )
        for number in range(count)
    ]
    rows[3] = ("12", "man", "judge", "stern", "north", "degree")
    rows[7] = ("30", "man", "retired baker", "calm", "north", "school")
    rows[11] = (*rows[11][:3], "", *rows[11][4:])  # nothing known of a person is no contradiction
    file = folder / "survey.csv"
    with file.open("w", encoding="utf-8", newline="") as written:
        csv.writer(written).writerows([HEADER, *rows])
    return file


def test_twenty_of_forty_rows_meet_quotas_and_live(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    survey(tmp_path)
    ((_, *words),) = [words for words in commands(DOCS) if words[:3] == COMMAND]
    worlds = ["--worlds", str(tmp_path / "worlds")]
    assert hometown([*words, *worlds, "--lang", "en"]) == 0
    shown = capsys.readouterr().out
    assert "line 5 is left out: the occupation 'judge' does not suit the age of 12" in shown
    assert "20 of 38 plausible rows were drawn" in shown
    folder = tmp_path / "worlds" / "sample"
    residents = residents_of(folder)
    assert len(residents) == len({each["name"]["en"] for each in residents.values()}) == 20
    assert Counter(each["pronouns"]["en"][0] for each in residents.values()) == {
        "she": 10,
        "he": 10,
    }
    learned = [each["learned"]["en"] for each in residents.values()]
    assert sum("Region: south." in text for text in learned) == 8
    assert not lint(folder).errors
    town = ["--world", "sample", "--lang", "en", "--llm", "scripted", "--embedding", "hash"]
    steps = ["--step", "12", "--results", str(tmp_path)]
    assert hometown(["run", "half", *town, *steps, *worlds]) == 0


def test_no_world_is_made_of_implausible_rows_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "people.csv"
    file.write_text("age,occupation\n12,judge\n", "utf-8")
    options = ["--name", "none", "--worlds", str(tmp_path), "--lang", "en"]
    assert hometown([*COMMAND[1:], str(file), *options]) == 2
    assert f"{file}: no row is plausible; correct those left out" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_the_same_seed_draws_the_same_rows(tmp_path: Path) -> None:
    rows = read_people(survey(tmp_path))
    quotas = parse_quotas(["education=degree:9", "Region=north:7,south:5"])
    drawn = draw_rows(rows, 12, quotas, 3)
    assert drawn == draw_rows(rows, 12, quotas, 3) != draw_rows(rows, 12, quotas, 4)
    assert sum(row.get("education") == "degree" for row in drawn) == 9
    assert Counter(row.get("region") for row in drawn) == {"north": 7, "south": 5}


@pytest.mark.parametrize(
    ("quotas", "fault"),
    [
        (["gender"], "'gender' is no quota: write COLUMN=VALUE:NUMBER"),
        (["gender=woman:ten"], "is no quota"),
        (["regoin=north:2"], "there is no column 'regoin' for a quota; did you mean 'region'?"),
        (["region=north:9,south:9"], "the quotas of region add up to 18, and --count is 12"),
        (["region=east:2"], "region has 'east' in 0 plausible rows, and the quota is 2"),
        (["region=north:9", "Region=south:9"], "the quotas of region add up to 18"),
        (["region=north:2", "region=north:3"], "region has two quotas for 'north', 2 and 3"),
        (["region=north:12", "occupation=cook:5"], "no 12 rows meet all quotas at once"),
    ],
)
def test_an_impossible_quota_is_explained(tmp_path: Path, quotas: list[str], fault: str) -> None:
    with pytest.raises(BadInput) as caught:
        draw_rows(read_people(survey(tmp_path)), 12, parse_quotas(quotas), 1)
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("age\n30", "it needs each of them once, among them age, occupation"),
        ("age,occupation\nold,cook", "line 2: age is 'old'; it should be a whole number"),
        ("age,occupation,gender\n30,cook,cat", "line 2: gender is 'cat'; it should be one of"),
        ("age,occupation\n", "has no rows"),
        (
            "age,occupation\n30,cook, baker,\n",
            "line 2: ' baker,' is left over behind the last column; put each value",
        ),
    ],
)
def test_a_faulty_table_is_explained(tmp_path: Path, text: str, fault: str) -> None:
    file = tmp_path / "people.csv"
    file.write_text(text, "utf-8")
    with pytest.raises(BadInput) as caught:
        read_people(file)
    assert fault in str(caught.value)


def test_the_table_in_the_docs_can_be_read(tmp_path: Path) -> None:
    (table,) = re.findall(r"```csv\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    file = tmp_path / "people.csv"
    file.write_text(table, "utf-8")
    rows = read_people(file)
    assert not find_implausible(rows, "en")
    assert rows[0].attributes == {"region": "north", "education": "degree"}


def test_empty_cells_behind_the_last_column_are_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("age,occupation\n30,cook,, \n", "utf-8")
    assert [row.cells for row in read_people(file)] == [{"age": "30", "occupation": "cook"}]


def test_a_quota_may_name_its_column_in_chinese(tmp_path: Path) -> None:
    assert parse_quotas(["性别=woman:1", "gender=man:2"]) == {"gender": {"woman": 1, "man": 2}}


def populate(tmp_path: Path, of: Path, row: str) -> Path:
    """Make a town of one person in the houses of a world, and return its folder."""
    file = tmp_path / "people.csv"
    file.write_text(f"name,age,gender,occupation,about\n{row}\n", "utf-8")
    return make_population(read_people(file), of.name, "new", of.parent, "en")


def test_a_name_with_a_backslash_stands_in_texts_as_it_is(tmp_path: Path) -> None:
    old = make_world("old", ["en"], tmp_path)
    folder = populate(tmp_path, old, r"Anna \d Bell,34,woman,nurse,She sings.")
    (anna,) = residents_of(folder).values()
    assert anna["learned"]["en"].startswith(r"Anna \d Bell sings.")


def test_bedrooms_in_groups_of_layers_are_named_and_maps_in_xml_are_refused(
    tmp_path: Path,
) -> None:
    old = make_world("old", ["en"], tmp_path)
    drawn = json.loads((old / "map.tmj").read_text("utf-8"))
    groups = [layer for layer in drawn["layers"] if layer["type"] == "objectgroup"]
    others = [layer for layer in drawn["layers"] if layer["type"] != "objectgroup"]
    group = {"type": "group", "name": "places", "layers": groups}
    (old / "map.tmj").write_text(json.dumps(drawn | {"layers": [*others, group]}), "utf-8")
    folder = populate(tmp_path, old, "Anna Bell,34,woman,nurse,She sings.")
    world = load_world(folder, "en")
    assert "Anna Bell" in world.arenas[world.personas["anna_bell"].home].name
    (old / "map.tmj").rename(old / "map.tmx")
    with pytest.raises(BadWorld, match=r"map\.tmx is in XML.*save it as map\.tmj in Tiled"):
        populate(tmp_path, old, "Anna Bell,34,woman,nurse,She sings.")


def test_contradictions_are_found_in_both_languages() -> None:
    cells = {"occupation": "nurse", "about": "He is 34 years old and likes his work."}
    (reasons,) = find_implausible([PersonRow(2, 43, "she", cells)], "en").values()
    assert [str(reason) for reason in reasons] == [
        "about says 34 years, and age 43",
        "about calls the person 'he', and gender says 'she'",
    ]
    rows = [
        PersonRow(2, 16, "he", {"occupation": "医生", "about": "她在医院上班。"}),
        PersonRow(3, 40, "she", {"occupation": "教师", "about": "她教了十五年书。她爱种花。"}),
        PersonRow(4, 40, "she", {"occupation": "教师", "about": "她教了十五年书。她爱种花。"}),
        PersonRow(5, 50, "she", {"occupation": "教师", "about": "她在这里住了十年。"}),
        PersonRow(6, 60, "she", {"occupation": "教师", "about": "她在这里住了十年。"}),
    ]
    found = find_implausible(rows, "zh")
    assert {line: len(reasons) for line, reasons in found.items()} == {2: 2, 4: 1}
