"""The sample of claims, its booklets for readers, and their answers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.claim_items import judge_by_rule
from benchmarks.rated_claims import (
    PAGE,
    PER_QUESTION,
    add_ratings,
    agreement_table,
    compare_answers,
    items_of,
    kappa_of,
    read_sample,
    write_booklet,
)

SAMPLE = read_sample()


def test_each_language_has_as_many_lines_as_residents() -> None:
    counts = Counter((each.item.lang, each.item.kind) for each in SAMPLE)
    assert set(counts.values()) == {PER_QUESTION}
    assert len(counts) == 4


def test_a_reader_who_agrees_with_the_rules_has_a_kappa_of_one(tmp_path: Path) -> None:
    answers = tmp_path / "claims_en.answers"
    verdicts = [judge_by_rule(each.item) for each in items_of(SAMPLE, "en")]
    answers.write_text("\n".join(f"{at} {each}" for at, each in enumerate(verdicts, 1)), "utf-8")
    rated = add_ratings(SAMPLE, "en", "X", answers)
    for kind in ("line", "resident"):
        pairs = compare_answers(rated, "en", kind, "X")
        assert len(pairs) == PER_QUESTION
        assert kappa_of(pairs) == 1


def test_an_answer_that_cannot_be_and_a_missing_one_are_named(tmp_path: Path) -> None:
    answers = tmp_path / "claims_zh.answers"
    answers.write_text("1 perhaps\n", "utf-8")
    with pytest.raises(ValueError, match=r"no answer for \[2, 3.*not possible: \['1 perhaps'\]"):
        add_ratings(SAMPLE, "zh", "X", answers)


def test_a_booklet_shows_no_verdicts(tmp_path: Path) -> None:
    items = items_of(SAMPLE, "en")
    write_booklet(tmp_path / "claims_en.md", items, "en")
    text = (tmp_path / "claims_en.md").read_text("utf-8")
    assert text.count("\n## ") == len(items)
    assert "asserts" not in text.partition("\n## 1\n")[2]


def test_the_manual_has_the_agreement() -> None:
    assert "\n".join(agreement_table(SAMPLE)) in PAGE.read_text("utf-8")
