"""A forecast: some days of the town's present state, lived by rules alone, with and without a
change of its rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from hometown.clock import DAY
from hometown.society.enactment import replace_rules
from hometown.society.rule_life import STEP_MINUTES, RuleLife
from hometown.world.book.amend import Entries
from hometown.world.book.book import Book
from hometown.world.book.parts import FULL
from hometown.world.matter import Stock, kind_of
from hometown.world.moving_in import read_latecomers
from hometown.world.rows import Row
from hometown.world.state import State
from hometown.world.world import World

STEPS_A_DAY = DAY // STEP_MINUTES

SAMPLE_STEPS = 3
"""The number of steps between two samples of the town."""

SOCIETY_ROWS = (
    "stock",
    "item",
    "counter",
    "hired",
    "deed",
    "process",
    "needs",
    "skills",
    "shop",
    "weather",
    "aim",
    "course",
    "barred",
    "seen",
    "clock",
    "board",
)
"""The kinds of rows that a life by rules uses."""


@dataclass
class Scenario:
    """The course of a simulated town.

    Attributes:
        empty: The time at which each need was first at 0, and the resident.
        none_since: The time since which there are no goods of a kind.
        lowest: The lowest level of each need, by day.
        prices: The highest price of each kind at the end of each day.
        stocks: The number of goods of each kind at the end of each day.
    """

    empty: dict[str, tuple[datetime, str]] = field(default_factory=dict)
    none_since: dict[str, datetime] = field(default_factory=dict)
    lowest: list[dict[str, int]] = field(default_factory=list)
    prices: list[dict[str, int]] = field(default_factory=list)
    stocks: list[dict[str, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Forecast:
    """The forecast for a town with a change and without, from `begins` on."""

    begins: datetime
    before: Book
    after: Book
    changed: Scenario = field(default_factory=Scenario)
    unchanged: Scenario = field(default_factory=Scenario)

    def days_until(self, moment: datetime) -> float:
        return (moment - self.begins).total_seconds() / 86400


def snapshot_society(world: World, state: State) -> tuple[dict[str, Row], dict[str, str]]:
    """Return the rows of a town's society, and the arenas of the residents who are in town."""
    rows = {key: row for key, row in state.rows.items() if key.partition("/")[0] in SOCIETY_ROWS}
    maze = world.maze
    places = {
        who: maze.arena_at(state.body(who).tile) or persona.home
        for who, persona in world.personas.items()
        if not state.is_away(who) and not persona.is_visitor
    }
    return rows, places


def forecast_days(
    world: World,
    after: Book,
    entries: Entries,
    rows: Mapping[str, Row],
    places: Mapping[str, str],
    days: int,
    seed: int,
) -> Iterator[Forecast]:
    """Yield the same forecast after each simulated day, which it then includes.

    Args:
        world: The town, with its rules before the change.
        after: The rules after it.
        entries: The entries of the change, which may move residents in.
        rows: The rows of the town's society at the beginning.
        places: The arenas of the residents who are in town.
        days: The number of days.
        seed: The seed of both courses.
    """
    assert world.book is not None
    lives = [
        RuleLife(world.book, world.start, seed, world.walk_minutes, rows, places) for _ in range(2)
    ]
    outlook = Forecast(lives[0].state.clock.now, world.book, after)
    lives[0].carry_out(replace_rules(lives[0].society, after, entries))
    lives[0].book = after
    for who, persona in read_latecomers(world, entries).items():
        lives[0].move_in(who, persona.home, entries)
    for _ in range(days):
        for life, course in zip(lives, (outlook.changed, outlook.unchanged), strict=True):
            _live_a_day(life, course)
        yield outlook


def _live_a_day(life: RuleLife, course: Scenario) -> None:
    """Simulate a day and record in `course` its lowest levels, and the prices and stocks at its
    end.
    """
    lowest = dict.fromkeys(life.book.needs, FULL)
    for step in range(1, STEPS_A_DAY + 1):
        life.step()
        if step % SAMPLE_STEPS == 0:
            _sample(life, course, lowest)
    course.lowest.append(lowest)
    course.prices.append(life.prices)
    there = count_stocks(life.state)
    course.stocks.append({kind: there[kind] for kind in life.book.kinds})


def _sample(life: RuleLife, course: Scenario, lowest: dict[str, int]) -> None:
    """Record the present levels in `lowest`, and in `course` needs that are at 0 for the first time
    and kinds of which there are none.
    """
    now, there = life.state.clock.now, count_stocks(life.state)
    for who in life.people:
        for need, level in life.society.levels(who).items():
            lowest[need] = min(lowest[need], level)
            if not level and need not in course.empty:
                course.empty[need] = (now, who)
    for kind in life.book.kinds:
        if there[kind]:
            course.none_since.pop(kind, None)
        else:
            course.none_since.setdefault(kind, now)


def count_stocks(state: State) -> Counter[str]:
    """Return the number of goods of each kind in all holders together."""
    there: Counter[str] = Counter()
    for row in state.rows.values():
        if isinstance(row, Stock):
            for name, count in row.goods:
                there[kind_of(name)] += count
    return there
