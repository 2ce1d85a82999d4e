"""The rules of the bench agree with readers of a sample."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.rated_replies import (
    QUESTIONS,
    add_ratings,
    agreement_lines,
    kappa_of,
    read_sample,
    write_booklet,
    write_sample,
)
from hometown.bench.rules import RULES, faults_of
from hometown.language import LANGS
from hometown.prompt.catalogue import PROMPTS

SAMPLE = read_sample()


def test_the_sample_holds_all_kinds_both_languages_and_several_minds() -> None:
    assert len(SAMPLE) >= 120
    assert {each.reply.kind for each in SAMPLE} == set(PROMPTS)
    langs = Counter(each.reply.lang for each in SAMPLE)
    assert min(langs[lang] for lang in LANGS) >= 60
    assert len({each.mind for each in SAMPLE}) >= 5
    assert QUESTIONS.keys() == RULES.keys()


def test_a_prompt_is_either_seen_or_held_out() -> None:
    seen, held_out = (
        {each.reply.messages for each in SAMPLE if each.is_held_out == is_held_out}
        for is_held_out in (False, True)
    )
    assert not seen & held_out
    assert len(held_out) >= 40


def test_rules_find_faults_where_the_reader_does() -> None:
    pairs = [
        (bool(faults_of(each.reply)), bool(each.ratings["A"]))
        for each in SAMPLE
        if each.is_held_out
    ]
    kappa = kappa_of(pairs)
    assert kappa is not None
    assert kappa > 0.6
    assert not any(faults_of(each.reply) for each in SAMPLE if each.mind == "written by hand")


def test_a_booklet_names_neither_minds_nor_ratings(tmp_path: Path) -> None:
    write_booklet(tmp_path, SAMPLE)
    booklet = (tmp_path / "booklet.md").read_text("utf-8")
    assert booklet.count("**Reply:**") == len(SAMPLE)
    assert "This is the simulation" not in booklet
    assert not any(mind in booklet for mind in {each.mind for each in SAMPLE})
    assert all(f"`{name}`" in booklet for name in QUESTIONS)


def test_another_reader_is_added_and_compared(tmp_path: Path) -> None:
    write_booklet(tmp_path, SAMPLE[:2])
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("number,faults\n1,echo repetition\n2,\n", "utf-8")
    sample = add_ratings(SAMPLE[:2], "B", sheet)
    assert [each.ratings["B"] for each in sample] == [["echo", "repetition"], []]
    write_sample(sample, tmp_path / "rated.jsonl.xz")
    again = read_sample(tmp_path / "rated.jsonl.xz")
    assert [each.ratings for each in again] == [each.ratings for each in sample]
    lines = list(agreement_lines(again))
    assert any(line.startswith("all, 2 replies: readers A and B") for line in lines)
    sheet.write_text("number,faults\n1,dull\n2,\n", "utf-8")
    with pytest.raises(ValueError, match=r"\['dull'\].*2 replies"):
        add_ratings(SAMPLE[:2], "B", sheet)
