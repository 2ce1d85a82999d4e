"""Patterns of words in place of regular expressions: what they match, what old worlds had, and that
no text takes long.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from hometown.authoring.lint import lint
from hometown.errors import BadWorld
from hometown.paths import DATA, WORLDS
from hometown.world.load import load_world
from hometown.world.word_patterns import compile_pattern, read_patterns, translate_regex

MATCHES = {
    "phone": (["a telephone"], ["a fax"]),
    "<cake": (["two cakes"], ["pancake"]),
    "<jam>": (["jam tart"], ["jammed", "pyjamas jams"]),
    "radio>": (["a radio"], ["radios"]),
    "put* out": (["putting out", "put out"], ["input of output"]),
    "{weekday}": (["on {weekday}"], ["on weekday"]),
    "茶": (["泡茶"], ["咖啡"]),
}


@pytest.mark.parametrize("pattern", MATCHES)
def test_a_pattern_matches_its_words(pattern: str) -> None:
    fitting, others = MATCHES[pattern]
    regex = re.compile(compile_pattern(pattern))
    assert [bool(regex.search(text)) for text in [*fitting, *others]] == [True] * len(fitting) + [
        False
    ] * len(others)


@pytest.mark.parametrize(
    "regex",
    [
        r"\bjam\b",
        r"minutes?\b",
        "worr(y|ie)",
        "put(ting)? out",
        r"e-?mail",
        r"\{weekday\}",
        r"shout\w* match",
        "a|b(c|d)?",
    ],
)
def test_a_regular_expression_that_lists_words_is_translated(regex: str) -> None:
    texts = [
        *"abc",
        "jam",
        "jams",
        "pyjamas",
        "a minute ",
        "minutes",
        "minuted",
        "worry",
        "worries",
        "put out",
        "putting out",
        "email",
        "e-mail",
        "ac",
        "bd",
    ]
    texts += ["{weekday}", "weekday", "shouting match", "shout match", ""]
    translated = re.compile("|".join(map(compile_pattern, translate_regex(regex))))
    assert [bool(translated.search(text)) for text in texts] == [
        bool(re.search(regex, text)) for text in texts
    ]


@pytest.mark.parametrize(
    "text",
    [
        r"(\w+\s?)+$x",
        "(a*)*b",
        ".*",
        "^phone",
        "phone$",
        "[ab]c",
        "a{9}",
        "(?=x)",
        "(" * 5000,
        "x\\",
        "a" * 101,
        "",
        "<>",
        "*",
    ],
)
def test_all_else_is_refused_in_a_line_that_says_what_to_write(text: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        read_patterns([text])
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def with_lacks(tmp_path: Path, *words: str) -> Path:
    copy = Path(shutil.copytree(WORLDS / "minitown", tmp_path / "old"))
    world = json.loads((copy / "world.json").read_text("utf-8"))
    (copy / "world.json").write_text(
        json.dumps(world | {"lacks": {"en": list(words), "zh": ["手机"]}}), "utf-8"
    )
    return copy


def test_an_old_world_is_read_with_a_warning_that_names_the_patterns_to_write(
    tmp_path: Path,
) -> None:
    folder = with_lacks(tmp_path, r"\bphones?\b", "radio")
    assert re.search(load_world(folder, "en").lacks, "two phones")
    warnings = [
        problem.line for problem in lint(folder).problems if "regular expression" in problem.line
    ]
    assert len(warnings) == 1
    assert "'<phones>', '<phone>'" in warnings[0]


def test_what_cannot_be_translated_is_refused_in_a_world_and_left_out_of_a_run(
    tmp_path: Path,
) -> None:
    folder = with_lacks(tmp_path, r"(\w+\s?)+$x", "radio")
    with pytest.raises(
        BadWorld, match=r"world.json: lacks: .*is a regular expression, which a world cannot have"
    ):
        load_world(folder, "en")
    assert load_world(folder, "en", from_run=True).lacks == "radio"


def test_shipped_content_has_none() -> None:
    lists = [
        json.loads(file.read_text("utf-8")).get("lacks", {}) for file in WORLDS.glob("*/world.json")
    ]
    lists += [
        part["words"]
        for part in json.loads((DATA / "society" / "temperaments.json").read_text("utf-8")).values()
    ]
    assert lists
    assert all(read_patterns(words)[1] == [] for texts in lists for words in texts.values())
