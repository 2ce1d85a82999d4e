"""People: what is sent to them names no condition, and what they send back becomes rankings and
answers.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from hometown.cli.main import run_hometown as hometown
from hometown.errors import BadInput
from hometown.study.experiment import people_pages
from hometown.study.experiment.analysis import analyse
from hometown.study.experiment.interview_ledgers import Ledger
from hometown.study.experiment.people_pages import collect, rankings_of_people
from hometown.study.experiment.running import prepare, write_all
from hometown.study.experiment.spec_file import read_experiment
from hometown.study.experiment.tables import read_table
from tests.support.experiments import lived_once, small

HIDDEN = ("control", "reminded", "forgetful", "no-plan", "full", "none", "trunk")


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lived_once(tmp_path_factory)


def data_of(page: Path) -> dict[str, Any]:
    (text,) = re.findall(
        r'<script id="data" type="application/json">(.*?)</script>',
        page.read_text("utf-8"),
        re.DOTALL,
    )
    found: dict[str, Any] = json.loads(text)
    return found


def sent_back(
    folder: Path, kind: str, done: dict[str, Any], rater: str = "12-34", **more: Any
) -> Path:
    study = data_of(folder / f"{kind}.html")["study"]
    file = folder / f"sent-{kind}.json"
    file.write_text(
        json.dumps(
            {
                "format": "hometown-people-1",
                "study": study,
                "kind": kind,
                "rater": rater,
                "done": done,
            }
            | more
        ),
        "utf-8",
    )
    return file


@pytest.mark.parametrize("kind", ["rank", "write"])
def test_the_page_names_no_condition_seed_or_run(lived: Path, kind: str) -> None:
    data = data_of(lived / "experiments" / "small" / f"{kind}.html")
    ids = {data["study"], *data["residents"], *(block["id"] for block in data["blocks"])}
    ids |= {answer["id"] for block in data["blocks"] for answer in block["answers"]}
    assert all(re.fullmatch("[0-9a-f]{16}", each) for each in ids)
    assert set(data) == {"study", "kind", "words", "residents", "blocks"}
    assert all(set(block) == {"id", "resident", "question", "answers"} for block in data["blocks"])
    assert not any(f'"{word}"' in json.dumps(data) for word in HIDDEN)
    assert len(data["blocks"]) > 25
    assert all((len(block["answers"]) > 1) == (kind == "rank") for block in data["blocks"])


def test_answers_do_not_stand_in_the_order_of_the_conditions(lived: Path) -> None:
    data = data_of(lived / "experiments" / "small" / "rank.html")
    assert all(
        block["answers"] == sorted(block["answers"], key=lambda answer: answer["id"])
        for block in data["blocks"]
    )


def test_what_comes_back_becomes_rankings_and_answers(lived: Path, tmp_path: Path) -> None:
    results = Path(shutil.copytree(lived, tmp_path / "results"))
    folder, given = results / "experiments" / "small", read_experiment(small(results))
    plans = prepare(given, folder, Path("worlds")).runs
    blocks = data_of(folder / "rank.html")["blocks"]
    texts = {answer["id"]: answer["text"] for block in blocks for answer in block["answers"]}
    done = {
        block["id"]: sorted(
            (answer["id"] for answer in block["answers"]),
            key=lambda each: (-len(texts[each]), each),
        )
        for block in blocks
    }
    for rater in ("12-34", "56-78"):
        assert collect(sent_back(folder, "rank", done, rater), given, plans, folder) == len(blocks)
    answers = {
        block["id"]: "I would rather bake."
        for block in data_of(folder / "write.html")["blocks"][:3]
    }
    collect(sent_back(folder, "write", answers), given, plans, folder)
    collect(
        sent_back(folder, "write", dict.fromkeys(answers, "Somebody was there before."), "99-99"),
        given,
        plans,
        folder,
    )
    write_all(given, plans, folder, "en")
    people = [row for row in read_table(folder, "rankings") if row["judge"] == "people"]
    assert {row["access"] for row in people} == {"full", "no-plan", "none"}
    assert {row["rater"] for row in read_table(folder, "people")} == {"12-34", "56-78"}
    found = analyse(folder)
    assert {control.name for control in found.judge} >= {"people"}
    assert {ranked.judge for ranked in found.rankings} == {"model", "people"}
    assert "as ranked by people" in (folder / "report.md").read_text("utf-8")
    human = [row for row in read_table(folder, "answers") if row["access"] == "human"]
    assert [row["answer"] for row in human] == ["I would rather bake."] * 3


def test_a_file_opens_the_ledger_of_rankings_once(
    lived: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(lived / "experiments" / "small", tmp_path / "small"))
    given, opened = read_experiment(small(tmp_path)), []
    plans = prepare(given, folder, Path("worlds")).runs
    done = {
        block["id"]: [answer["id"] for answer in block["answers"]]
        for block in data_of(folder / "rank.html")["blocks"]
    }

    def open_rankings(folder: Path) -> Ledger:
        opened.append(folder)
        return rankings_of_people(folder)

    monkeypatch.setattr(people_pages, "rankings_of_people", open_rankings)
    assert collect(sent_back(folder, "rank", done), given, plans, folder) == len(done)
    assert len(opened) == 1
    assert len(rankings_of_people(folder).entries) == len(done)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "x"}, "is not a file that rank.html or write.html has saved"),
        ({"rater": "../x"}, "is not a file that rank.html or write.html has saved"),
        ({"study": "0" * 16}, "belongs to another experiment"),
        ({"done": {"nothing": []}}, "has an answer to 'nothing', which was not asked"),
        ({"done": {"BLOCK": ["x"]}}, "has a ranking that isn't one of the answers that were shown"),
        ({"done": {"BLOCK": 5}}, "has a ranking that isn't one of the answers that were shown"),
    ],
)
def test_what_was_not_asked_is_refused(
    lived: Path, tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    folder = Path(shutil.copytree(lived / "experiments" / "small", tmp_path / "small"))
    given = read_experiment(small(tmp_path))
    plans = prepare(given, folder, Path("worlds")).runs
    block = data_of(folder / "rank.html")["blocks"][0]["id"]
    changed = json.loads(json.dumps(change).replace("BLOCK", block))
    with pytest.raises(BadInput, match=re.escape(message)):
        collect(sent_back(folder, "rank", **({"done": {}} | changed)), given, plans, folder)
    assert not (folder / "people" / "rankings.jsonl").exists()


def test_the_command_takes_files_in(
    lived: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.json").write_text("[]", "utf-8")
    assert (
        hometown(
            [
                "experiment",
                str(small(tmp_path)),
                "--results",
                str(lived),
                "--collect",
                str(tmp_path / "x.json"),
                "--lang",
                "en",
            ]
        )
        == 2
    )
    assert "x.json: is not a file that rank.html or write.html has saved" in capsys.readouterr().err
