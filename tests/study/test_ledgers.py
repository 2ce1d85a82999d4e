"""The ledgers of interviews: changed by hand, with questions that lack answers, and with answers of
people.
"""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from hometown.errors import BadInput
from hometown.study.experiment.asking import AnswerKey, sheets_of
from hometown.study.experiment.interview_ledgers import Ledger, open_ledgers
from hometown.study.experiment.people_pages import Case, Ids, collect
from hometown.study.experiment.run_plans import RunPlan
from hometown.study.experiment.spec import Experiment


def test_a_ledger_that_an_editor_has_saved_is_read_whole(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "a.jsonl")
    ledger.put(("q", 1), {"answer": "So."})
    ledger.put(("q", 2), {"answer": "No."})
    saved = b"\xef\xbb\xbf" + (tmp_path / "a.jsonl").read_bytes().replace(b"\n", b"\r\n")
    (tmp_path / "a.jsonl").write_bytes(saved)
    assert Ledger(tmp_path / "a.jsonl").entries == ledger.entries
    assert (tmp_path / "a.jsonl").read_bytes() == saved


@pytest.mark.parametrize("line", [b"{", b'{"a": 1}', b"[]", b"5", b'{"key": 5}', b""])
def test_a_line_that_is_no_entry_is_named_and_the_ledger_left_as_it_is(
    tmp_path: Path, line: bytes
) -> None:
    changed = b'{"key": ["q", 1]}\n' + line + b'\n{"key": ["q", 2]}\n'
    (tmp_path / "a.jsonl").write_bytes(changed)
    with pytest.raises(BadInput, match=r"a\.jsonl, line 2: is no entry of a ledger"):
        Ledger(tmp_path / "a.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == changed


@pytest.mark.parametrize(
    "given",
    [
        {"full": "fallback", "no-reflection": "ok", "none": "ok"},
        {"no-reflection": "ok", "no-plan": "ok", "none": "ok"},
    ],
)
def test_a_question_that_nobody_answered_with_full_access_is_ranked(
    tmp_path: Path, given: dict[str, str]
) -> None:
    experiment = Experiment.model_validate(
        {
            "name": "x",
            "question": "?",
            "town": {"world": "minitown", "until": "10"},
            "seeds": [1],
            "conditions": {"a": {}},
            "primary": {"measure": "cost.calls"},
            "judge": "scripted",
            "interviews": [{"questionnaire": "believability", "access": list(given)}],
        }
    )
    plan, ledger = RunPlan("a-1", "a", 1, 10), open_ledgers(tmp_path, "a-1").answers
    for access, outcome in given.items():
        ledger.put(
            AnswerKey("believability", "end", 10, access, "lin_yue", "name", ""),
            {"text": "Who are you?", "answer": access, "outcome": outcome, "options": ""},
        )
    ((_, step, sheet),) = sheets_of(experiment, plan, ledger)
    assert set(sheet.answers) == {access for access, outcome in given.items() if outcome == "ok"}
    file = tmp_path / "sent.json"
    ids = Ids(tmp_path)
    file.write_bytes(
        orjson.dumps(
            {
                "format": "hometown-people-1",
                "study": ids.of("study"),
                "kind": "write",
                "rater": "12-34",
                "done": {ids.block(Case(plan, step, sheet)): "Lin Yue."},
            }
        )
    )
    assert collect(file, experiment, [plan], tmp_path) == 1
    ((_, _, sheet),) = sheets_of(experiment, plan, open_ledgers(tmp_path, "a-1").answers)
    assert sheet.answers["human"] == "Lin Yue."
