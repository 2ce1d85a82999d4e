"""Residents from transcripts of interviews."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hometown.authoring.editing import residents_of
from hometown.authoring.lint import lint
from hometown.authoring.population.plausibility import find_implausible
from hometown.authoring.population.quotas import draw_rows, parse_quotas
from hometown.authoring.population.transcript_draft import draft_person
from hometown.authoring.population.transcripts import read_transcripts
from hometown.cli.main import run_hometown as hometown
from hometown.errors import BadInput
from hometown.language import Lang
from hometown.model.llm import Completion, Request
from tests.support.fake_models import Says

ANNA = """# Interview 7

Age: 34
Gender: woman

**Interviewer:** What do you do for a living?
**Anna Bell:** I work as a nurse at the hospital in the north. My brother helps where he can, and he sings.
**Interviewer:** I am a teacher. I love chess. I worry about trains. And you, in your free time?
**Anna Bell:** I love rowing on the lake, when the weather allows. I worry about the old boathouse.
"""

BEN = """Q: How old are you?
A: I'm 61, and I'm a retired carpenter.
Q: What do you do all day?
A: I feed the ducks in the park, and my wife tells me that I talk too much to strangers.
"""

LI = """姓名：李强

问：您多大年纪，做什么工作？
答：我今年52岁，是本地人。我是一名木匠，做了三十年家具。
问：平时有什么爱好？
答：我平时喜欢下棋。我担心老街要拆了。
"""


def folder_of(tmp_path: Path, **texts: str) -> Path:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    return folder


def test_what_a_person_says_is_kept_with_its_line_and_what_others_say_is_not(
    tmp_path: Path,
) -> None:
    anna, ben, li = read_transcripts(folder_of(tmp_path, anna=ANNA, ben=BEN, li=LI))
    assert {each.column: (each.value, *each.lines) for each in anna.values} == {
        "age": ("34", 3),
        "gender": ("woman", 4),
        "name": ("Anna Bell", 7),
        "occupation": ("nurse", 7),
        "interests": ("rowing on the lake", 9),
        "concern": ("In their own words: “I worry about the old boathouse.”", 9),
        "about": (
            "In an interview they said: “I work as a nurse at the hospital in the north. […] "
            "My brother helps where he can, and he sings. […] "
            "I love rowing on the lake, when the weather allows.”",
            7,
            9,
        ),
    }
    row = ben.to_row(2)
    assert (row.age, row.pronoun, row.get("occupation")) == (61, "they", "retired carpenter")
    assert not row.get("name")
    assert li.to_row(3).cells == {
        "name": "李强",
        "age": "52",
        "occupation": "木匠",
        "interests": "下棋",
        "concern": "用自己的话说：“我担心老街要拆了。”",
        "about": "访谈中自述：“我今年52岁，是本地人。……我是一名木匠，做了三十年家具。”",
    }


@pytest.mark.parametrize(("text", "lang"), [(ANNA, "en"), (BEN, "en"), (LI, "zh")])
def test_every_value_stands_in_the_transcript(text: str, lang: Lang, tmp_path: Path) -> None:
    (found,) = read_transcripts(folder_of(tmp_path, one=text))
    for value in found.values:
        quoted = value.value.partition("“")[2].rstrip("”") or value.value
        parts = quoted.replace("……", " […] ").split(" […] ")
        assert all(part in text for part in parts)
        assert parts[0] in text.splitlines()[value.lines[0] - 1]
    assert not find_implausible([found.to_row(1)], lang)


STAMPED = """Name: Anna Bell
Region: north
Age: 34
Occupation: nurse

[00:00:05] Interviewer: I worry about my old car, which I can hardly afford to repair.
[00:00:21] Anna Bell: I work at the hospital in the north.
[00:00:25] My brother helps where he can, and he sings in the choir.
00:00:30 Interviewer: I love chess myself.

Interviewer (0:35): My work is hard, too, and I can tell you that it never ends.
Anna Bell  0:41
I love rowing on the lake.
"""


def test_time_stamps_are_no_part_of_what_is_said(tmp_path: Path) -> None:
    (anna,) = read_transcripts(folder_of(tmp_path, anna=STAMPED))
    assert anna.spoken == (
        (7, "I work at the hospital in the north."),
        (8, "My brother helps where he can, and he sings in the choir."),
        (13, "I love rowing on the lake."),
    )
    assert anna.to_row(1).get("interests") == "rowing on the lake"


def test_a_colon_alone_makes_no_speaker(tmp_path: Path) -> None:
    text = """Age: 34
Occupation: nurse

Interviewer: Before we start, two remarks.
One more thing: I worry about the time, so please keep your answers short if you can.
Anna Bell: My motto is simple.
There is one rule I live by: I never leave the hospital before the last patient has eaten.
"""
    (anna,) = read_transcripts(folder_of(tmp_path, anna=text))
    row = anna.to_row(1)
    assert (row.get("name"), row.get("concern")) == ("Anna Bell", "")
    assert [line for line, _ in anna.spoken] == [6, 7]
    assert "There is one rule I live by: I never leave" in row.get("about")


def test_the_first_paragraph_may_name_columns_without_a_meaning(tmp_path: Path) -> None:
    anna, ben = read_transcripts(
        folder_of(tmp_path, anna=STAMPED, ben=f"Age: 60\n受教育程度: school\n{BEN}")
    )
    rows = [anna.to_row(1), ben.to_row(2)]
    assert rows[0].attributes == {"region": "north"}
    assert rows[1].attributes == {"受教育程度": "school"}
    assert (rows[1].age, rows[1].get("occupation")) == (60, "retired carpenter")
    assert draw_rows(rows, 1, parse_quotas(["受教育程度=school:1"]), 1) == rows[1:]


def test_people_of_transcripts_live_in_a_town(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of(tmp_path, anna=ANNA, ben=BEN, cat=ANNA.replace("34", "12"))
    worlds = tmp_path / "worlds"
    command = ["world", "people", str(folder), "--name", "heard", "--worlds", str(worlds)]
    assert hometown([*command, "--map", "minitown", "--lang", "en"]) == 0
    shown = capsys.readouterr().out
    assert "cat.md is left out: the occupation" in shown or "cat.md is left out: name" in shown
    residents = residents_of(worlds / "heard").values()
    assert {each["age"] for each in residents} == {34, 61}
    assert not lint(worlds / "heard").errors
    sources = json.loads((worlds / "heard" / "sources.json").read_bytes())
    assert sources["ben.md"]["age"] == {"value": "61", "lines": [2]}
    town = ["--world", "heard", "--lang", "en", "--llm", "scripted", "--embedding", "hash"]
    steps = ["--step", "2", "--results", str(tmp_path), "--worlds", str(worlds)]
    assert hometown(["run", "heard", *town, *steps]) == 0


def test_transcripts_without_what_is_needed_are_explained(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, empty="", young=BEN.replace("I'm 61", "Old"))
    with pytest.raises(BadInput) as caught:
        read_transcripts(folder)
    assert str(caught.value).count("\n") == 2
    assert "empty.md: no occupation is found; begin the file with a line such as" in str(
        caught.value
    )
    assert "young.md: no age is found" in str(caught.value)
    with pytest.raises(BadInput, match="has no transcripts"):
        read_transcripts(tmp_path)


class Reader:
    """A model that names facts of a transcript, some of which do not hold."""

    name = "reader"

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        facts = [
            ("occupation", 7, "a nurse at the hospital", ""),
            ("occupation", 6, "What do you do", ""),
            ("interests", 9, "Rowing", ""),
            ("interests", 9, "sailing on the lake", ""),
            ("about", 7, "My brother helps where he can", ""),
            ("traits", 7, "My brother helps where he can", "close to family"),
            ("traits", 9, "I never worry", "careless"),
            ("concern", 8, "I worry about trains.", ""),
        ]
        names = ("column", "line", "quote", "words")
        content = {"facts": [dict(zip(names, fact, strict=True)) for fact in facts]}
        assert "7: I work as a nurse" in request.messages[0].content
        assert "I am a teacher" not in request.messages[0].content
        return Completion(json.dumps(content), 7, 3)


async def test_facts_that_a_model_names_count_only_where_the_person_says_them(
    tmp_path: Path,
) -> None:
    (anna,) = read_transcripts(folder_of(tmp_path, anna=ANNA))
    drafted = await draft_person(anna, Reader())
    assert {each.column: (each.value, *each.lines) for each in drafted.values} == {
        "age": ("34", 3),
        "gender": ("woman", 4),
        "name": ("Anna Bell", 7),
        "occupation": ("a nurse at the hospital", 7),
        "interests": ("Rowing", 9),
        "about": ("In an interview they said: “My brother helps where he can”", 7),
        "traits": ("close to family", 7),
        "concern": ("In their own words: “I worry about the old boathouse.”", 9),
    }


@pytest.mark.parametrize("reply", ["no JSON", "{}", '{"facts": [{"column": "age"}]}'])
async def test_a_reply_that_cannot_be_read_leaves_what_the_rules_find(
    reply: str, tmp_path: Path
) -> None:
    (ben,) = read_transcripts(folder_of(tmp_path, ben=BEN))
    drafted = await draft_person(ben, Says(reply))
    assert drafted.values == ben.values
