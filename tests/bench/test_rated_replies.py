"""The rules of the bench agree with readers of a sample."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from benchmarks import rated_replies
from benchmarks.minds_table import PAGE
from benchmarks.rated_replies import (
    BLIND_READERS,
    QUESTIONS,
    add_ratings,
    agreement_lines,
    agreements_held_out,
    compare,
    kappa_in_words,
    kappa_of,
    ratings_of,
    read_sample,
    score_name,
    write_booklet,
    write_sample,
)
from hometown.bench.model_bench import BRIEF_KINDS, Trial, Verdict, select_items
from hometown.bench.reader_agreement import (
    ReaderAgreement,
    is_measured,
    measured_scores,
    read_agreements,
)
from hometown.bench.rules import RULES, faults_of
from hometown.bench.score_tables import table_of_models
from hometown.language import LANGS
from hometown.prompt.catalogue import PROMPTS
from hometown.scripted.model import ScriptedModel

SAMPLE = read_sample()

UNRATED_KINDS = {"happening", "measure", "director", "stranger", "night_gist", "world_edit"}
"""Kinds of prompt that were added after the readers rated the sample; the scores that the rules
measure are known of the others only.
"""


def test_the_sample_holds_all_kinds_both_languages_and_several_minds() -> None:
    assert len(SAMPLE) >= 120
    assert {each.reply.kind for each in SAMPLE} == set(PROMPTS) - UNRATED_KINDS
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


def test_the_stored_agreement_is_that_of_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rated_replies, "RESAMPLES", 2)
    found, page = agreements_held_out(SAMPLE), PAGE.read_text("utf-8")
    assert {score: [_figures(each) for each in both] for score, both in found.items()} == {
        score: [_figures(each) for each in both] for score, both in read_agreements().items()
    }
    for score, both in read_agreements().items():
        row = next(line for line in page.splitlines() if f"| {score_name(score)} |" in line)
        assert all(kappa_in_words(each) in row for each in both)
        assert row.endswith("| measured |" if is_measured(both) else "| not measured |")


def _figures(found: ReaderAgreement) -> tuple[int, int, float | None]:
    return found.by_rule, found.by_reader, found.kappa


def test_a_score_is_measured_where_all_readers_agree_on_enough_replies() -> None:
    assert measured_scores() >= {"any", "unusable", "speaks_for_others", "broken_words"}
    good = ReaderAgreement("echo", 12, 14, 0.7, 0.5, 0.9)
    assert is_measured([good, good])
    assert not is_measured([good, replace(good, kappa=0.5)])
    assert not is_measured([good, replace(good, by_reader=9)])
    assert not is_measured([replace(good, kappa=None)])


def test_a_table_gives_no_figure_of_a_score_that_is_not_measured() -> None:
    verdicts = asyncio.run(_verdicts())
    table = "\n".join(table_of_models({"scripted": verdicts}, str))
    assert re.search(r"\| echo of the prompt \| not measured \(κ 0.\d\d\) \|", table)
    assert "| wrong language | not measured |" in table
    assert re.search(r"\| speaking for others \| 0 % \(", table)


async def _verdicts() -> list[Verdict]:
    with TemporaryDirectory() as folder:
        trial = Trial(ScriptedModel(), Path(folder))
        return await trial.ask(select_items(4, BRIEF_KINDS), lambda verdict: None)


def test_an_interval_holds_the_figure_and_is_the_same_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rated_replies, "RESAMPLES", 40)
    some = [each for each in SAMPLE if each.is_held_out]
    one, other = (ratings_of(some, reader) for reader in BLIND_READERS)
    found = next(compare(some, one, other))
    assert found == next(compare(some, one, other))
    assert found.kappa is not None
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.kappa <= found.high


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
