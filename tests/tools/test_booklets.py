"""Booklets of conversations for readers who don't know whose they are."""

from datetime import datetime
from pathlib import Path
from random import Random

from benchmarks.booklets import match_lengths, write_booklet
from hometown.world.conversation import Conversation, Line

NOON = datetime(2025, 2, 13, 12)


def talk_of(number: str, lines: int) -> Conversation:
    said = tuple(Line(("ana", "bo")[i % 2], f"line {i} of {number}") for i in range(lines))
    return Conversation(number, 1, "ana", "bo", "cafe/main", NOON, 5, said, "", "word")


def test_conversations_are_matched_by_length_each_once() -> None:
    pool = [talk_of("short", 2), talk_of("long", 9), talk_of("middle", 5)]
    models = [talk_of("a", 4), talk_of("b", 5)]
    assert [talk.id for talk in match_lengths(models, pool, Random(0))] == ["middle", "short"]


def test_booklet_hides_the_origins_that_the_key_holds(tmp_path: Path) -> None:
    write_booklet(tmp_path, "en", [talk_of("1-ana", 3)], [talk_of("2-ana", 3)])
    booklet = (tmp_path / "booklet_en.md").read_text()
    assert "A: line 0 of 1-ana" in booklet
    assert "B: line 1 of 2-ana" in booklet
    assert "ana:" not in booklet
    assert "stand-in" not in booklet
    key = (tmp_path / "key" / "key_en.csv").read_text().split()
    assert sorted(row.partition(",")[2] for row in key) == ["other,1-ana", "stand-in,2-ana"]
