"""Bodies: a level that is worked out when it is read is the one that adding up minute by minute
gives.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.society import START, farmstead
from hometown.society.bodies import MAX_LEVEL, change_needs, need_levels, satisfied_needs
from hometown.world.labour import Needs

BOOK = farmstead()


@given(
    begun=st.lists(st.integers(0, MAX_LEVEL), min_size=len(BOOK.needs), max_size=len(BOOK.needs)),
    asleep=st.booleans(),
    spans=st.lists(st.integers(0, 900), max_size=6),
)
@settings(max_examples=60)
def test_reading_in_between_changes_nothing(
    begun: list[int], asleep: bool, spans: list[int]
) -> None:
    body = Needs(tuple(zip(BOOK.needs, begun, strict=True)), START, asleep)
    now, read = START, body
    for minutes in spans:
        now += timedelta(minutes=minutes)
        read = change_needs(BOOK, read, now, {}, asleep)
    assert read.levels == change_needs(BOOK, body, now, {}, asleep).levels


def test_health_falls_from_the_minute_in_which_a_stomach_is_empty() -> None:
    body = change_needs(BOOK, satisfied_needs(BOOK, START), START, {"hunger": -958}, asleep=False)
    at = {hours: need_levels(BOOK, body, START + timedelta(hours=hours)) for hours in (0, 1, 2, 4)}
    assert [at[hours]["hunger"] for hours in at] == [42, 0, 0, 0]
    assert [at[hours]["health"] for hours in at] == [1000, 1000, 980, 940]
    fed = change_needs(BOOK, body, START + timedelta(hours=4), {"hunger": 350}, asleep=True)
    assert need_levels(BOOK, fed, START + timedelta(hours=9)) | {"fun": 0} == {
        "energy": 1000,
        "fun": 0,
        "health": 1000,
        "hunger": 260,
        "hygiene": 875,
    }


def test_a_need_that_stays_empty_drains_others_also_in_sleep() -> None:
    bored = BOOK.needs["fun"].model_copy(update={"asleep": 0, "at_zero": {"health": -50}})
    book = replace(BOOK, needs={**BOOK.needs, "fun": bored})
    levels = tuple((need, 0 if need == "fun" else MAX_LEVEL) for need in book.needs)
    for asleep in (False, True):
        body = Needs(levels, START, asleep)
        assert need_levels(book, body, START + timedelta(hours=2))["health"] == 900
