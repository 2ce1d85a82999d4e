"""A class is shown the event that was staged: how it begins, is told on and ends; without one, the
highlights.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hometown.cli.commands import main
from hometown.history import shapes
from hometown.history.chapters import chapters
from hometown.history.highlights import highlights
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spread import Learning
from hometown.language import LANGS, Lang
from hometown.page.lesson_sheets import lesson_commands
from hometown.paths import WORLDS
from tests.support.days import FIRE, frightful_day, lived_day


@pytest.mark.parametrize("lang", LANGS)
def test_the_chapters_are_of_the_event(
    tmp_path_factory: pytest.TempPathFactory, lang: Lang
) -> None:
    with RunReader.open(frightful_day(tmp_path_factory, lang), "town") as run:
        found = chapters(run, Names.of(run, WORLDS))
        by_kind = {chapter["kind"]: chapter for chapter in found}
        begins, decision, ends = (by_kind[kind] for kind in ("begins", "decision", "ends"))
        assert begins["text"] == FIRE[lang]
        assert begins is found[0]
        assert begins["tick"] <= decision["tick"] < ends["tick"]
        assert {chapter["address"] for chapter in (begins, decision, ends)} == {begins["address"]}
        assert decision["text"]
        assert [chapter["tick"] for chapter in found] == sorted(each["tick"] for each in found)
        talks = [chapter["conversation"] for chapter in found if chapter["conversation"]]
        assert len(talks) == len(set(talks))
        for kind in ("told", "passed_on", "changed", "known"):
            if kind in by_kind:
                check_telling(run, by_kind[kind])


@pytest.mark.parametrize(("lang", "ways"), [("en", ["told", "passed_on"]), ("zh", ["told"])])
def test_the_lesson_of_a_stranger_shows_what_it_asks_for(
    tmp_path: Path, lang: Lang, ways: list[str]
) -> None:
    """If not, the lesson needs another seed: who sees the stranger decides what to do and tells
    others, in English also from mouth to mouth.
    """
    (town, _) = lesson_commands("stranger", lang)
    assert main([*town, "--results", str(tmp_path)]) == 0
    with RunReader.open(tmp_path, "stranger") as run:
        kinds = {chapter["kind"] for chapter in chapters(run, Names.of(run, WORLDS))}
    assert {"begins", "decision", "ends", *ways} <= kinds


def check_telling(run: RunReader, telling: shapes.ChapterView) -> None:
    """Check that a telling leads to the teller, the listener, and their conversation."""
    teller, listener = telling["who"]
    talk = run.conversation(telling["conversation"])
    assert talk is not None
    assert teller in talk.people
    assert telling["tick"] == run.tick(talk.started)
    assert telling["address"] == talk.address
    assert listener != teller


@pytest.mark.parametrize("changed", [False, True])
def test_a_run_without_an_event_has_the_news_that_change_or_its_highlights(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, changed: bool
) -> None:
    def find_changes(run: Any, names: Any, topic: Any, learned: list[Learning]) -> list[list[str]]:
        return [["nine"] if changed and each.teller else [] for each in learned]

    monkeypatch.setattr("hometown.history.chapters.find_changes", find_changes)
    with RunReader.open(lived_day(tmp_path_factory, "en", seed=3), "town") as run:
        names = Names.of(run, WORLDS)
        found = chapters(run, names)
        if changed:
            assert {each["kind"] for each in found} == {"changed", "known"}
            assert all(each["changed"] == ["nine"] for each in found if each["kind"] == "changed")
            check_telling(run, found[0])
        else:
            known = [(each["tick"], each["kind"], each["text"]) for each in highlights(run, names)]
            assert [(each["tick"], each["kind"], each["text"]) for each in found] == known
