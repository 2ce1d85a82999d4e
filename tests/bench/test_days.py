"""The limits of acceptance tell good days from spoilt ones, on days for which no limit was set."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.days import SPOILERS, exchange, figures_of, read_days, spoil, write_days

DAYS = read_days()


def test_a_day_is_kept_in_each_language() -> None:
    assert {day[:2] for day in DAYS} == {"en", "zh"}
    assert all(figures_of(replies).lines >= 40 for replies in DAYS.values())


@pytest.mark.parametrize("day", DAYS)
def test_a_good_day_meets_the_limits(day: str) -> None:
    assert not list(figures_of(DAYS[day]).missed())


@pytest.mark.parametrize("name", SPOILERS)
@pytest.mark.parametrize("day", DAYS)
def test_a_spoilt_copy_of_a_good_day_does_not(day: str, name: str) -> None:
    assert "faulty_replies" in figures_of(spoil(DAYS[day], *SPOILERS[name])).missed()


@pytest.mark.parametrize("day", DAYS)
def test_replies_to_other_prompts_do_not_make_a_good_day(day: str) -> None:
    assert "faulty_replies" in figures_of(exchange(DAYS[day])).missed()


def test_extracts_are_read_as_they_were_written(tmp_path: Path) -> None:
    day = next(iter(DAYS.values()))[:9]
    write_days([day], tmp_path / "days.xz")
    (read,) = read_days(tmp_path / "days.xz").values()
    assert [reply.kind for reply in read if reply.kind == "utterance"] == [
        reply.kind for reply in day if reply.kind == "utterance"
    ]
    assert {reply.text for reply in read} <= {reply.text for reply in day}
