"""What the page tells of gatherings and goals is what the run has of them."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any, cast

from hometown.history.blocks import VIEWS
from hometown.history.occasions import gatherings
from hometown.history.reader import RunReader
from hometown.history.residents import goals_of
from hometown.memory.action import Action
from hometown.world.goal import Goal, Goals
from hometown.world.occasion import Guest, Occasion

SIX = datetime(2025, 2, 13, 6)
NOON = SIX + timedelta(hours=6)


class Kept:
    """A run of two game hours beyond noon, as far as it is read here."""

    ticks = 60
    versions_or = RunReader.versions_or

    def __init__(self, rows: dict[str, Any]) -> None:
        self.rows = rows

    def last_step(self) -> int:
        return 48

    def moment(self, step: int) -> datetime:
        return SIX + timedelta(minutes=10 * step)

    def tick(self, moment: datetime) -> int:
        return int((moment - SIX).total_seconds()) // 10

    def row(self, key: str, step: int) -> Any:
        return self.rows.get(key)

    def rows_below(self, kind: str, last: int) -> list[tuple[str, int, Any]]:
        return [(key, 1, row) for key, row in self.rows.items() if key.startswith(f"{kind}/")]

    def versions(self, key: str, first: int, last: int) -> list[tuple[int, Any]]:
        return [(7, self.rows[key])] if key in self.rows else []


def test_gatherings_are_told_with_who_came_who_came_late_and_who_stayed_away() -> None:
    guests = (
        Guest("ann", SIX, part="gives", came=NOON),
        Guest("bob", SIX, "ann", "comes", NOON + timedelta(minutes=25)),
        Guest("cat", SIX, "ann", "comes"),
        Guest("dan", NOON, "bob", "told"),
    )
    rows = {
        "occasion/tea": Occasion("tea", "cafe/main", NOON, 60, guests),
        "occasion/supper": Occasion(
            "supper", "cafe/main", NOON + timedelta(hours=8), 60, guests[:3]
        ),
        "occasion/two": Occasion("a walk", "park/green", NOON, 30, guests[:2]),
        "action/cat": Action("act", "reading", "home/living", 60),
    }
    tea, supper = gatherings(cast(RunReader, Kept(rows)))
    assert (tea["what"], tea["tick"], tea["end"]) == ("tea", 2160, 2520)
    assert [
        (guest["who"], guest["by"], guest["part"], guest["came"], guest["late"])
        for guest in tea["guests"]
    ] == [
        ("ann", "", "gives", 2160, False),
        ("bob", "ann", "comes", 2310, True),
        ("cat", "ann", "comes", None, False),
        ("dan", "bob", "told", None, False),
    ]
    assert tea["away"] == [{"who": "cat", "doing": "reading"}]
    assert (supper["what"], supper["away"]) == ("supper", []), (
        "what is yet to come has nobody who stayed away"
    )
    assert "occasions" in {view.address for view in VIEWS}


def test_goals_are_told_from_the_step_on_in_which_they_were_set() -> None:
    kept = Kept({"goals/ann": Goals((Goal("writing a waltz", date(2025, 2, 12), 2),))})
    assert goals_of(cast(RunReader, kept), "ann", 0, 48) == [
        (0, []),
        (7, [{"what": "writing a waltz", "since": "2025-02-12", "days": 2}]),
    ]
    assert goals_of(cast(RunReader, kept), "bob", 0, 48) == [(0, [])]
