"""A day's story tells what changed, with names as a reader expects them, and quotes verbatim."""

from __future__ import annotations

import re

import pytest

from hometown.history.blocks import Blocks
from hometown.history.day_story import MAX_SENTENCES
from hometown.history.familiar import GivenNames, Mentions
from hometown.history.names import Names
from hometown.history.quotes import MAX_QUOTE_CHARACTERS, best_line, without_farewell
from hometown.history.reader import RunReader
from hometown.history.shapes import StorySentence
from hometown.paths import WORLDS
from hometown.text import nest_quotes
from hometown.world.conversation import Line
from tests.support.days import lived_day

DAY = "2025-02-13"


@pytest.fixture(scope="module", params=["en", "zh"])
def run(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> RunReader:
    return RunReader.open(lived_day(tmp_path_factory, request.param), "town")


def stories(run: RunReader) -> dict[str, list[list[StorySentence]]]:
    blocks = Blocks(run, Names.of(run, WORLDS))
    return {who: blocks.of_run(f"residents/{who}/diary/{DAY}")["story"] for who in run.residents}


def test_every_resident_has_a_short_story_in_order(run: RunReader) -> None:
    for paragraphs in stories(run).values():
        sentences = [sentence for paragraph in paragraphs for sentence in paragraph]
        assert 2 <= len(sentences) <= MAX_SENTENCES + 1
        ticks = [sentence["tick"] for sentence in sentences]
        assert ticks[1:] == sorted(ticks[1:])


def test_what_is_told_of_a_talk_happened_in_it(run: RunReader) -> None:
    told = 0
    for who, paragraphs in stories(run).items():
        for sentence in (each for paragraph in paragraphs for each in paragraph):
            if not sentence["conversation"]:
                continue
            talk = run.conversation(sentence["conversation"])
            assert talk is not None
            assert who in talk.people
            quoted = re.search("“([^”]{30,})”$", sentence["text"])
            if quoted:
                told += 1
                assert any(quoted[1] in nest_quotes(line.text) for line in talk.lines_for(who))
    assert told


def test_full_names_occur_once(run: RunReader) -> None:
    names = Names.of(run, WORLDS)
    given = GivenNames(names, run.residents).given
    for who, paragraphs in stories(run).items():
        text = " ".join(each["text"] for paragraph in paragraphs for each in paragraph)
        unquoted = re.sub("“[^”]*”", "", text)
        for other in run.residents:
            full = names.person(other)
            if given[other] != full:
                assert unquoted.count(full) <= (other != who)


def test_names_that_two_share_stay_whole() -> None:
    class Two(Names):
        def person(self, who: str) -> str:
            return {"a": "Mei Lin", "b": "Mei Xu", "d": "Eddy Lin"}[who]

    said = Mentions(GivenNames(Two(None), "abd"))
    text = "Mei Lin met Eddy Lin. Mei Lin and Mei Xu know Eddy Lin."
    shorter = "Mei Lin met Eddy Lin. Mei Lin and Mei Xu know Eddy."
    assert said.shorten(text) == shorter


def test_the_best_line_is_short_and_about_its_subject() -> None:
    class Party:
        def is_mentioned_in(self, text: str) -> bool:
            return "party" in text

    lines = [
        Line("ana", "You'll manage. The walk home. " + "Tomorrow there is a party.", ""),
        Line("bo", "Well, " + "and so on " * 40 + "at the party.", ""),
    ]
    about, best = best_line(lines, Party()), best_line(lines)
    assert about is not None
    assert (about.speaker, about.text.endswith("Tomorrow there is a party.")) == ("ana", True)
    assert best is not None
    assert len(best.text) <= MAX_QUOTE_CHARACTERS
    assert best_line(lines, hidden=lambda text: True) is None


def test_a_quotation_is_no_question_nor_a_farewell() -> None:
    lines = [
        Line("ana", "I have sold the old boat at last. And what are you doing the whole day?", ""),
        Line("bo", "Nothing.", ""),
        Line("ana", "Come along.", ""),
        Line("bo", "Another time, when there is less to be done in the garden, I must go.", ""),
        Line("ana", "Then goodbye, and give my very best regards to all of your family.", ""),
    ]
    best = best_line(without_farewell(lines))
    assert best is not None
    assert best.text == "I have sold the old boat at last."


def test_a_quotation_is_about_the_point_of_its_talk() -> None:
    lines = [
        Line("ana", "I have sold my boat at last.", ""),
        Line("bo", "You were in my dream last night, and you were the mayor of a lake.", ""),
    ]
    best = best_line(lines, point="Ana told Bo that she has sold her boat at last.")
    assert best is not None
    assert best.speaker == "ana"


def test_a_quotation_is_verbatim() -> None:
    spaced = Line("ana", "One  thing.\tAnother one!  And a third.", "")
    best = best_line([spaced])
    assert best is not None
    assert (best.speaker, best.text) == ("ana", spaced.text)
