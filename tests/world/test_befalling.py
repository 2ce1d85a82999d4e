"""Kinds of happenings and conditions: the same in both languages, recognised by words, and put
right by words.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hometown.errors import BadWorld
from hometown.language import LANGS, Lang
from hometown.paths import DATA, WORLDS
from hometown.text import word_pattern
from hometown.world.befalling import condition_kind, happening_kind, left_by_use
from hometown.world.load import load_world

STOVE, BED = frozenset({"cook", "stove"}), frozenset({"sleep", "bed"})


def test_the_kinds_are_the_same_in_each_language_but_for_their_words() -> None:
    en, zh = (json.loads((DATA / "befalling" / f"{lang}.json").read_bytes()) for lang in LANGS)
    worded = {
        "sound",
        "words",
        "righted",
        "remedy",
        "state",
        "over",
        "means",
        "helpers",
        "damage",
        "mending",
    }
    for kinds in ("happenings", "conditions"):
        for one, other in zip(en[kinds], zh[kinds], strict=True):
            assert {name: value for name, value in one.items() if name not in worded} == {
                name: value for name, value in other.items() if name not in worded
            }


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_due_about_a_condition_puts_it_right_and_what_use_leaves_is_a_condition(
    lang: Lang,
) -> None:
    for row in json.loads((DATA / "befalling" / f"{lang}.json").read_bytes())["conditions"]:
        righted = word_pattern(tuple(row["righted"]))
        assert righted.search(row["remedy"]), row["key"]
        assert (
            not row["state"]
            or condition_kind(row["state"], frozenset(row["tags"]), lang).key == row["key"]
        )


@pytest.mark.parametrize("lang", LANGS)
def test_a_happening_that_work_ends_has_means_and_one_that_leaves_damage_is_repaired(
    lang: Lang,
) -> None:
    raw = json.loads((DATA / "befalling" / f"{lang}.json").read_bytes())
    for row in [*raw["happenings"], raw["happening"]]:
        assert bool(row.get("effort")) == bool(row.get("means")), row["key"]
        assert bool(row.get("helpers")) == bool(row.get("help_minutes")), row["key"]
        assert bool(row.get("damage")) == bool(row.get("mending")) == bool(row.get("repair"))


@pytest.mark.parametrize(
    ("text", "lang", "kind"),
    [
        ("A fire breaks out in the kitchen", "en", "fire"),
        ("Fireworks over the park", "en", "festive"),
        ("The fire alarm goes off", "en", "alarm"),
        ("A siren wails", "en", "alarm"),
        ("A tree is planted", "en", ""),
        ("Somebody broke into the chemist's", "en", "crime"),
        ("breaking a ginger biscuit", "en", ""),
        ("Ann explores the pond, met by accident", "en", ""),
        ("setting the alarm clock over a shot of espresso", "en", ""),
        ("咖啡店着火了", "zh", "fire"),
        ("远处放起了烟花", "zh", "festive"),
        ("有人在读诗", "zh", ""),
        ("商量旅游行程", "zh", ""),
    ],
)
def test_a_happening_is_known_by_its_words(text: str, lang: Lang, kind: str) -> None:
    found = happening_kind(text, lang)
    assert (found.key if found else "") == kind


@pytest.mark.parametrize(
    ("lang", "texts"),
    [("en", ("broken", "does not work", "blocked")), ("zh", ("坏了", "堵住了", "漏水"))],
)
def test_what_is_broken_cannot_be_used_but_repaired(lang: Lang, texts: tuple[str, ...]) -> None:
    for text in texts:
        kind = condition_kind(text, STOVE, lang)
        assert kind.forbids
        assert kind.rights(kind.remedy)
        assert not kind.rights({"en": "cooking porridge", "zh": "煮粥"}[lang])


@pytest.mark.parametrize(
    ("lang", "text", "remedy"),
    [("en", "full of frogs", "cleaning it of frogs"), ("zh", "爬满了青蛙", "清理青蛙")],
)
def test_words_that_no_kind_knows_forbid_nothing_and_can_be_put_right(
    lang: Lang, text: str, remedy: str
) -> None:
    kind = condition_kind(text, STOVE, lang)
    assert (kind.key, kind.forbids, kind.weight) == ("", False, 0)
    assert kind.rights(remedy)


@pytest.mark.parametrize(("lang", "sleeping"), [("en", "sleeping"), ("zh", "睡觉")])
def test_sleep_leaves_a_bed_unmade_and_nothing_else(lang: Lang, sleeping: str) -> None:
    left = left_by_use(sleeping, BED, lang)
    assert left is not None
    assert left.dull
    assert condition_kind(left.state, BED, lang) == left
    assert left_by_use(sleeping, STOVE, lang) is None


OWN = {
    "key": "haunted",
    "words": {"en": ["haunted"], "zh": ["闹鬼"]},
    "tags": ["stove"],
    "remedy": {"en": "talking to the ghost of {thing}", "zh": "劝{thing}的鬼走"},
    "righted": {"en": ["ghost"], "zh": ["鬼"]},
}


def with_conditions(folder: Path, *conditions: dict[str, Any]) -> Path:
    """A copy of minitown with kinds of condition of its own."""
    copy = folder / "minitown"
    shutil.copytree(WORLDS / "minitown", copy)
    file = copy / "world.json"
    file.write_text(
        json.dumps(json.loads(file.read_text(encoding="utf-8")) | {"conditions": conditions}),
        encoding="utf-8",
    )
    return copy


@pytest.mark.parametrize(("lang", "text"), [("en", "haunted"), ("zh", "闹鬼了")])
def test_a_world_may_have_conditions_of_its_own(tmp_path: Path, lang: Lang, text: str) -> None:
    world = load_world(with_conditions(tmp_path, OWN), lang)
    kind = world.condition_kind("zhao_home/living/stove", text)
    assert (kind.key, kind.forbids, kind.rights(kind.remedy)) == ("haunted", True, True)
    assert world.condition_kind("chen_home/living/sofa", text).key == ""


def test_words_that_are_no_pattern_are_a_fault(tmp_path: Path) -> None:
    with pytest.raises(BadWorld, match=r"conditions\[0\].words.*is a regular expression"):
        load_world(
            with_conditions(tmp_path, OWN | {"words": {"en": ["(haunted"], "zh": ["鬼"]}}), "en"
        )
