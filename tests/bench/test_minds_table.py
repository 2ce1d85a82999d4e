"""The table of minds in docs/models.md follows from the counts that are stored."""

from __future__ import annotations

import asyncio
from pathlib import Path

from benchmarks.minds_table import (
    PAGE,
    Score,
    keep_scores,
    read_scores,
    score_trial,
    table_of_scores,
    with_table,
    write_table,
)
from hometown.bench.model_bench import BRIEF_KINDS, Trial, select_items
from hometown.scripted.model import ScriptedModel


def test_the_page_holds_the_stored_scores() -> None:
    page = PAGE.read_text("utf-8")
    assert with_table(page, "scores of minds", table_of_scores(read_scores())) == page


def test_kept_replies_are_scored_by_language(tmp_path: Path) -> None:
    items, model = select_items(10, BRIEF_KINDS), ScriptedModel()
    asyncio.run(Trial(model, tmp_path).ask(items, lambda verdict: None))
    scores = list(score_trial(Trial(model, tmp_path), "scripted"))
    assert [(each.lang, each.replies) for each in scores] == [("en", 5), ("zh", 5)]
    assert all(each.unmended == 5 for each in scores)
    assert all(each.spoilt == 0 for each in scores)


def test_later_scores_replace_those_of_the_same_mind(tmp_path: Path) -> None:
    file, page = tmp_path / "scores.json", tmp_path / "page.md"
    first = Score("a:1b", "en", "p", 4, 2, 1, {"echo": 2})
    later = Score("a:1b", "en", "p", 8, 4, 2, {"broken_words": 6}, (1, 2), 0)
    keep_scores([first, Score("a:1b", "zh", "p", 1, 1, 1, {})], file)
    keep_scores([later], file)
    scores = read_scores(file)
    assert [(each.lang, each.replies) for each in scores] == [("en", 8), ("zh", 1)]
    page.write_text(
        "before\n<!-- scores of minds -->\nold\n<!-- end of scores -->\nafter\n", "utf-8"
    )
    write_table(scores, page)
    text = page.read_text("utf-8")
    assert "75 % (41–93)" in text
    assert "| 0 | 50 %" in text
    assert "old" not in text
    assert text.startswith("before\n")
    assert text.endswith("after\n")
