"""How news spread, as the diary tells it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hometown.export.news_chapter import NewsChapter
from hometown.history.names import Names
from hometown.history.reader import RunReader
from tests.support.days import STEPS, lived_day


def test_a_line_that_several_overheard_is_told_once(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with RunReader.open(lived_day(tmp_path_factory), "town") as run:
        news = NewsChapter(run, Names.of(run), STEPS)
        memory = next(
            one for one in run.memories(1, STEPS, ("event",)) if one.concept.predicate == "overhear"
        )
        talk = run.conversation(memory.concept.talk)
        another = next(
            who for who in run.residents if talk and who not in {memory.who, *talk.people}
        )
        (told,) = (
            line for line in news._tell_spread("", [memory, replace(memory, who=another)]) if line
        )
        said = (
            next(line.text for line in talk.lines if line.text in memory.concept.text)
            if talk
            else ""
        )
        people = ", ".join(map(news.names.person, (memory.who, another)))
    assert told.endswith(
        f"· **{news.names.person(memory.concept.subject)}**, overheard by {people}: “{said}”"
    )
