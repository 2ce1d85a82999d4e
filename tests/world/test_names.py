"""Names: bounded, visible, composed, and no two in a town that look the same. Runs carry what
worlds were before.
"""

from __future__ import annotations

import json
import shutil
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from hometown.errors import BadInput, BadWorld
from hometown.language import Lang
from hometown.name import LONGEST_NAME, lookalike_key, name_fault
from hometown.paths import WORLDS
from hometown.storage.run_names import check_name
from hometown.world.load import load_world
from hometown.world.resident_names import drop_mentions, drop_names, name_kin, named_residents
from hometown.world.resolve import parse_intervention

FINE = (
    "Isabella Rodriguez",
    "Zoë O'Hara-Lin",
    "María de los Ángeles Hernández García",
    "伊莎贝拉·罗德里格斯",
    "Dr. Chen (senior)",
    "R2-D2",
    "ß",
)
FAULTY = {
    "": "empty",
    " Ann": "spaces",
    "Ann  Lee": "spaces",
    "a" * (LONGEST_NAME + 1): "characters",
    "a\x01b": "U+0001",
    "a\nb": "U+000A",
    "a\u202eb": "U+202E",
    "a\u200bb": "U+200B",
    "a\u00adb": "U+00AD",
    "a\u3164": "U+3164",
    "a\ufe0f": "U+FE0F",
    "a\u00a0b": "U+00A0",
    "a\ud800": "U+D800",
    "a\U000e0041": "U+E0041",
    "--": "neither",
    "a\u0300\u0301\u0302\u0303": "marks",
}


@pytest.mark.parametrize("name", FINE)
def test_what_people_are_called_is_a_name(name: str) -> None:
    assert name_fault(name) is None


@pytest.mark.parametrize("name", FAULTY)
def test_what_deceives_or_breaks_sentences_is_none(name: str) -> None:
    fault = name_fault(name)
    assert fault is not None
    assert FAULTY[name] in fault


def test_names_that_look_the_same_are_told() -> None:
    same = [
        ("Tom Moreno", "tom  moreno"),
        ("Tom", "\u0422\u043e\u043c"),
        ("Ann", "Ａnn"),
        ("Zoe\u0301", "Zoé"),
        ("ﬁn", "fin"),
    ]
    assert all(lookalike_key(one) == lookalike_key(other) for one, other in same)
    assert len({lookalike_key(name) for name in FINE}) == len(FINE)


def renamed(tmp_path: Path, who: str, name: str, lang: Lang = "en") -> Path:
    """A copy of minitown in which a resident has another name."""
    copy = Path(shutil.copytree(WORLDS / "minitown", tmp_path / "named"))
    file = copy / "residents" / f"{who}.json"
    person: dict[str, Any] = json.loads(file.read_text("utf-8"))
    person["name"][lang] = name
    file.write_text(json.dumps(person), "utf-8")
    return copy


@pytest.mark.parametrize("name", ["Lin\u202eYue", "L" * 300, "\x1b[2JLin"])
def test_a_world_with_such_a_name_is_refused_in_a_line_and_a_run_that_carries_it_opens(
    tmp_path: Path, name: str
) -> None:
    folder = renamed(tmp_path, "lin_yue", name)
    with pytest.raises(BadWorld) as caught:
        load_world(folder, "en")
    assert [line.split(": ")[:2] for line in caught.value.lines] == [
        ["named/residents/lin_yue.json", "name"]
    ]
    assert load_world(folder, "en", from_run=True).personas["lin_yue"].name == name


def test_two_residents_who_look_the_same_are_refused(tmp_path: Path) -> None:
    folder = renamed(tmp_path, "lin_yue", "W\u0430ng Fang")
    with pytest.raises(BadWorld, match=r"lin_yue.json|wang_fang.json"):
        load_world(folder, "en")
    load_world(folder, "en", from_run=True)


def test_a_name_in_decomposed_form_is_composed(tmp_path: Path) -> None:
    folder = renamed(tmp_path, "lin_yue", unicodedata.normalize("NFD", "Zoë Lin"))
    assert load_world(folder, "en").personas["lin_yue"].name == "Zoë Lin"


@pytest.mark.parametrize("name", ["a\u202eb", "x" * 61, "a\u200bb"])
def test_a_thing_that_is_placed_has_a_name_too(name: str) -> None:
    world = load_world("minitown", "en")
    with pytest.raises(BadInput):
        parse_intervention("place", f"cafe/main: {name}", world)


@pytest.mark.parametrize(
    ("lang", "text", "named"),
    [
        ("en", "ginger tea for her grandfather", "ginger tea for Zhao Gang"),
        ("en", "Lin Yue's grandfather", "Lin Yue's grandfather"),
        ("zh", "给爷爷冲姜汤", "给赵刚冲姜汤"),
        ("zh", "林悦的爷爷", "林悦的爷爷"),
    ],
)
def test_a_term_of_kinship_names_the_resident_meant(lang: Lang, text: str, named: str) -> None:
    assert name_kin(load_world("minitown", lang), "xiao_mei", text) == named


@pytest.mark.parametrize(
    ("lang", "name", "text"),
    [("en", "Wang Fang Lee", "Tea with Wang Fang Lee"), ("zh", "王芳芳", "和王芳芳喝茶")],
)
def test_a_name_within_another_one_is_not_its_bearer_s(
    tmp_path: Path, lang: Lang, name: str, text: str
) -> None:
    world = load_world(renamed(tmp_path, "lin_yue", name, lang), lang)
    assert named_residents(world, text) == ("lin_yue",)
    within = world.personas["wang_fang"].name
    assert drop_mentions(world, text, lambda who: who != "wang_fang", [within]) == text


def test_only_whole_words_are_dropped_as_names() -> None:
    world = load_world("minitown", "en")
    text = "Linen for Lin Yue"
    assert drop_names(world, [text], ["lin_yue"]) == ["Linen for "]


def test_a_run_cannot_be_called_by_what_cannot_be_seen() -> None:
    with pytest.raises(BadInput, match="can't be the name of a run"):
        check_name("a\u3164")
