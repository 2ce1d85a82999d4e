"""The book of a society: each mistake of an author is told in one line, which says where it is and
what would be right.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hometown.authoring.problems import Problems
from hometown.authoring.society_checks import check_society
from hometown.world.load import load_world
from tests.support.farmstead import farmstead, read
from tools.write_schema import FILES, FOLDER, schema

Edit = Callable[[dict[str, Any]], object]

LONG = {
    "says": {"en": ["wash"], "zh": ["洗漱"]},
    "at": "wash",
    "minutes": 600,
    "body": {"hygiene": 300},
}

WRENCH = {"name": {"en": "wrench", "zh": "扳手"}, "grams": 800, "tags": ["turns"], "item": True}


def without_hafting(files: dict[str, Any]) -> None:
    """Nobody mends sickles, or is to."""
    files["recipes"].pop("haft")
    for part in files["start"]["people"].values():
        part["duties"] = [duty for duty in part["duties"] if duty.get("keep") != "sickle"]


def with_nothing_sold(files: dict[str, Any]) -> None:
    """A board, in a town whose people keep nothing in a shop."""
    files["fixtures"]["green/well/notice_board"] = {"tags": ["board"]}
    for person in files["start"]["people"].values():
        person["duties"] = []


def with_a_wrench(files: dict[str, Any]) -> None:
    """Milling takes a tool that is nowhere."""
    files["kinds"]["wrench"] = WRENCH
    files["recipes"]["mill"]["tool"] = "turns"


MINT = {"take": {"grain": 1, "nature": "rest"}, "make": {"coin": 100}}
TOLL = {"take": {"coin": 2}, "make": {"coin": 1, "nature": "rest"}}

MISTAKES: list[tuple[Edit, str]] = [
    (
        lambda f: f["kinds"]["loaf"].update(weight=400),
        "kinds.json: loaf.weight: unknown key 'weight'; it should be one of closed, components, gives, grams, holds, item",
    ),
    (
        lambda f: f["kinds"]["loaf"]["name"].pop("zh"),
        "kinds.json: loaf.name: has no text in zh; add it beside en",
    ),
    (
        lambda f: f["kinds"]["loaf"].update(grams=0),
        "kinds.json: loaf.grams: Input should be greater than or equal to 1, not 0",
    ),
    (
        lambda f: f["kinds"]["loaf"].update(gives={"hungr": 350}),
        "kinds.json: loaf: there is no need 'hungr'; did you mean 'hunger'?",
    ),
    (lambda f: f["kinds"].update(loaf=400), "kinds.json: loaf: should hold one JSON object, { … }"),
    (
        lambda f: f["recipes"]["mill"]["take"].update(grian=1),
        "recipes.json: mill: there is no kind 'grian'; did you mean 'grain'?",
    ),
    (
        lambda f: f["recipes"]["mill"].update(make={"flour": 12}),
        "recipes.json: mill: takes 5000 g and makes 6000 g; change a number, or add nature as 'rest'",
    ),
    (
        lambda f: f["recipes"]["mill"].update(MINT),
        "mill: takes 0 and makes 100 (where it fails, 0) of the kind coin; leave coin out",
    ),
    (
        lambda f: f["recipes"]["mill"].update(TOLL),
        "mill: takes 2 and makes 1 (where it fails, 2) of the kind coin; leave coin out",
    ),
    (
        lambda f: f["recipes"]["mill"].update(make={"flour": "rest"}),
        "recipes.json: mill: leaves open how much flour it needs; only nature can be 'rest'",
    ),
    (
        lambda f: f["recipes"]["mill"].update(body={"energie": -3}),
        "recipes.json: mill: there is no need 'energie'; did you mean 'energy'?",
    ),
    (
        lambda f: f["recipes"]["mill"].update(tool="hammer"),
        "recipes.json: mill: there is no tag of kinds 'hammer'; it should be one of carries, cuts, drink",
    ),
    (
        lambda f: f["recipes"]["sow"].update(season=["sprung"]),
        "recipes.json: sow: there is no season 'sprung'; did you mean 'spring'?",
    ),
    (
        lambda f: f["recipes"]["sow"].pop("at"),
        "recipes.json: sow: goes on by itself, but nowhere; name a tag of fixtures in 'at'",
    ),
    (
        lambda f: f["recipes"]["idle"].pop("body"),
        "recipes.json: idle: makes nothing and meets no need, so nobody would do it",
    ),
    (
        lambda f: f["needs"]["calm"].update(met_by=["sit"]),
        "needs.json: calm: there is no recipe 'sit'",
    ),
    (
        lambda f: f["needs"]["calm"].update(met_by=[]),
        "needs.json: calm: falls, but nothing meets it; name recipes in 'met_by'",
    ),
    (
        lambda f: f["needs"]["calm"].update(met_by=["wash"]),
        "needs.json: calm: recipe 'wash' is said to meet it, but does not raise it",
    ),
    (
        lambda f: f["needs"]["calm"].update(low=100),
        "needs.json: calm: has the levels wakes 60, urgent 150, low 100, satisfied 800, which should rise",
    ),
    (
        lambda f: f["fixtures"].update({"mill/main/milstone": {}}),
        "fixtures.json: mill/main/milstone: there is no thing on the map 'mill/main/milstone'",
    ),
    (
        lambda f: f["fixtures"]["barn/main/loft"].update(owner="house:fram"),
        "loft: there is no house or resident 'house:fram'; did you mean 'house:farm'",
    ),
    (
        lambda f: f["fixtures"]["barn/main/bin"]["shop"].update(closes="05:00"),
        "fixtures.json: barn/main/bin: its shop closes before it opens",
    ),
    (
        lambda f: f["fixtures"]["barn/main/bin"]["shop"].update(opens="6"),
        "fixtures.json: barn/main/bin.shop.opens: '6' is not a time of day",
    ),
    (
        lambda f: f["calendar"].update(seasons={}),
        "calendar.json: seasons: Dictionary should have at least 1 item",
    ),
    (lambda f: f.update(calendar="{"), "calendar.json: line 1 column 2: is not valid JSON"),
    (
        lambda f: f["start"]["people"].pop("ada"),
        "start.json: people: 'ada' is missing, who lives in the town",
    ),
    (
        lambda f: f["start"]["people"]["ada"].update(house="frm"),
        "start.json: ada: there is no house 'frm'; did you mean 'farm'?",
    ),
    (
        lambda f: f["start"]["people"]["ada"].update(hous="farm"),
        "start.json: people.ada.hous: unknown key 'hous'; did you mean 'house'?",
    ),
    (
        lambda f: f["start"]["people"]["ada"]["duties"][0].update(doo=""),
        "ada.duties[0].doo: unknown key 'doo'; did you mean 'do'?",
    ),
    (
        lambda f: f["start"]["people"]["ada"].update(has={"grain": 90}),
        "start.json: ada: carries 45000 g, but a bag holds 40000 g; raise 'bag'",
    ),
    (
        lambda f: f["fixtures"]["barn/main/bin"]["shop"].update(open="06:00"),
        "barn/main/bin.shop.open: unknown key 'open'; did you mean 'opens'?",
    ),
    (
        lambda f: f["kinds"].update(nature={**f["kinds"]["loaf"], "grams": 2}),
        "kinds.json: nature: weighs 2 g, but is counted in grams; leave it at 1",
    ),
    (
        lambda f: f["start"]["stocks"].update({"barn/main/loft": {"sheaf": 900}}),
        "barn/main/loft: 450000 g lie there, but it holds 400000 g",
    ),
    (
        lambda f: f["start"]["people"]["ada"]["duties"].append(
            {"keep": "tin", "at": "barn/main/loft"}
        ),
        "is to keep 'tin' in stock, which no recipe makes",
    ),
    (
        lambda f: f["kinds"]["loaf"].update(wears=3),
        "kinds.json: loaf: has wears, which only an item can have; add 'item': true",
    ),
    (
        lambda f: f["kinds"]["basket"].update(leaves={"loaf": 3}),
        "kinds.json: basket: weighs 900 g and leaves 1200 g; let it leave less",
    ),
    (
        lambda f: f["kinds"]["basket"].update(leaves={"sickle": 1}),
        "kinds.json: basket: leaves 'sickle', which is an item; let it leave goods",
    ),
    (
        lambda f: f["kinds"]["tin"].update(holds=0),
        "kinds.json: tin: is closed, but holds nothing; add 'holds', or leave out 'closed'",
    ),
    (
        lambda f: f["recipes"]["reap"]["take"].update(sickle=1),
        "recipes.json: reap: takes 'sickle', which it needs as a tool",
    ),
    (
        lambda f: f["recipes"]["mill"]["take"].update(basket=1),
        "recipes.json: mill: takes 'basket', in which something might lie",
    ),
    (
        lambda f: f["start"]["stocks"].update({"ada > tin": {"loaf": 1}}),
        "start.json: ada > tin: there is no 'tin' in 'ada' at the start; put one there",
    ),
    (
        lambda f: f["start"]["stocks"]["farm/kitchen/larder > tin"].update(loaf=9),
        "larder > tin: 4320 g lie there, but it holds 2000 g; store less",
    ),
    (
        lambda f: f["fixtures"]["barn/main/bin"].update(closed=True),
        "fixtures.json: barn/main/bin: is a shop in which nobody could see what it sells",
    ),
    (
        lambda f: f["start"]["people"]["ada"]["duties"].append({"keep": "grain", "do": "sow"}),
        "ada: a duty has either 'keep', 'count' and 'at', or 'do'",
    ),
]


def with_own_need() -> dict[str, Any]:
    """The farmstead, and a need of its own with a recipe for it."""
    says = {"en": ["sit"], "zh": ["静坐"]}
    calm = {"name": {"en": "calm", "zh": "平静"}, "awake": -1, "asleep": 0, "met_by": ["idle"]}
    files = farmstead()
    files["needs"]["calm"] = calm
    files["recipes"]["idle"] = {"says": says, "minutes": 10, "body": {"calm": 50}}
    return files


@pytest.mark.parametrize(("spoil", "line"), MISTAKES, ids=[line[:60] for _, line in MISTAKES])
def test_a_mistake_is_told_in_a_line(spoil: Edit, line: str, tmp_path: Path) -> None:
    files = with_own_need()
    spoil(files)
    book, lines = read(files, tmp_path)
    assert book is None
    assert any(line in each for each in lines), lines
    assert all(each.startswith("farmstead/society/") for each in lines)


def test_a_society_without_mistakes_is_read(tmp_path: Path) -> None:
    book, lines = read(with_own_need(), tmp_path)
    assert lines == []
    assert set(book.needs) == {"calm", "energy", "fun", "health", "hunger", "hygiene"}, (
        "shared needs, and its own"
    )
    eat = book.recipes["eat/loaf"]
    assert (eat.inputs, eat.make, dict(eat.body)) == (
        (("loaf", 1),),
        (("nature", 400),),
        {"hunger": 350},
    ), "what a tag stands for"
    assert dict(book.recipes["sow"].take)["nature"] == 300 * 500 - 10 * 500, "what balances it"
    assert [book.season_on(day) for day in (0, 9, 10, 39, 40)] == [
        "spring",
        "spring",
        "summer",
        "winter",
        "spring",
    ]


@pytest.mark.parametrize(
    ("spoil", "warning"),
    [
        (
            lambda f: f["recipes"]["mill"].update(at="mil"),
            "recipes.json: mill: no fixture has the tag 'mil', so nobody can do it until one is placed; did you",
        ),
        (
            lambda f: f["recipes"]["mill"].update(least=5),
            "mill: needs 5 of the skill 'milling', of which nobody has more than 0, and nothing teaches it",
        ),
        (
            lambda f: f["fixtures"].pop("mill/main/millstone"),
            "hunger: 2886 of 9792 points a day can be supplied; the first level is 0 after 6.6 days. What gives way first: flour",
        ),
        (
            without_hafting,
            "reap: can be done 25 times, until the last sickle is worn out, and nothing makes another; add a recipe",
        ),
        (
            with_nothing_sold,
            "is a board at which no notice will ever hang, since nobody keeps anything in a shop; give somebody such a duty in start.json",
        ),
        (
            with_a_wrench,
            "mill: needs a tool with the tag 'turns', which nobody has and nothing makes; give somebody wrench in start.json",
        ),
        (
            lambda f: f["recipes"].update(wash=LONG),
            "meeting all needs takes 12322 minutes of work a day, and the residents have 7200",
        ),
    ],
)
def test_what_a_society_lacks_is_foretold(spoil: Edit, warning: str, tmp_path: Path) -> None:
    files = farmstead()
    for made, spoilt in ((farmstead(), False), (files, True)):
        if spoilt:
            spoil(made)
        book, lines = read(made, tmp_path)
        assert lines == []
        problems = Problems("farmstead")
        check_society(book, problems)
        told = [str(problem.line) for problem in problems.listed()]
        assert any(warning in line for line in told) == spoilt, told


def test_worlds_have_no_society_of_their_own_accord() -> None:
    assert load_world("minitown", "en").book is None


@pytest.mark.parametrize("name", FILES)
def test_editors_know_the_files_as_they_are(name: str) -> None:
    assert (FOLDER / f"{name}.json").read_text("utf-8") == schema(name), "make docs writes it"
