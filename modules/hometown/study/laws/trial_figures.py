"""The figures of a trial: a town with a law and without it, for a drawing of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hometown.language import Lang
from hometown.society.forecast import Forecast, Scenario
from hometown.world.book.book import COIN
from hometown.world.matter import NATURE

MAX_DRAWN_LINES = 4
"""Maximum number of lines of prices and of stocks in a drawing: those that differ most."""

TrialLine = dict[str, Any]


def figures(outlook: Forecast, lang: Lang) -> dict[str, list[TrialLine]]:
    """Return lines with a name, and a value for each day, `changed` with the law and `unchanged`
    without: the lowest levels of vital needs, and those prices and stocks that differ most, up to
    `MAX_DRAWN_LINES` of each.
    """
    needs, kinds = (
        outlook.before.needs | outlook.after.needs,
        outlook.before.kinds | outlook.after.kinds,
    )
    drained = {other for part in needs.values() for other in part.at_zero}
    vital = [need for need, part in needs.items() if part.at_zero or need in drained]
    goods = [kind for kind in kinds if kind not in (COIN, NATURE)]
    return {
        "needs": [
            _line(outlook, need, needs[need].name.get(lang, need), _lowest) for need in vital
        ],
        "prices": _differing(
            outlook, {kind: kinds[kind].name.get(lang, kind) for kind in goods}, _prices
        ),
        "stocks": _differing(
            outlook, {kind: kinds[kind].name.get(lang, kind) for kind in goods}, _stocks
        ),
    }


def _lowest(course: Scenario) -> Sequence[dict[str, int]]:
    return course.lowest


def _prices(course: Scenario) -> Sequence[dict[str, int]]:
    return course.prices


def _stocks(course: Scenario) -> Sequence[dict[str, int]]:
    return course.stocks


def _line(
    outlook: Forecast, key: str, name: str, read: Callable[[Scenario], Sequence[dict[str, int]]]
) -> TrialLine:
    return {"name": name} | {
        which: [day.get(key) for day in read(course)] for which, course in _courses(outlook)
    }


def _differing(
    outlook: Forecast, names: dict[str, str], read: Callable[[Scenario], Sequence[dict[str, int]]]
) -> list[TrialLine]:
    """Return the lines that differ most with the law, in proportion to their height."""
    lines = [_line(outlook, key, name, read) for key, name in names.items()]
    return sorted(
        (line for line in lines if _measure_difference(line)), key=_measure_difference, reverse=True
    )[:MAX_DRAWN_LINES]


def _measure_difference(line: TrialLine) -> float:
    pairs: list[tuple[int, int]] = [
        (one or 0, other or 0)
        for one, other in zip(line["changed"], line["unchanged"], strict=True)
    ]
    return sum(abs(one - other) for one, other in pairs) / max(1, *(max(pair) for pair in pairs))


def _courses(outlook: Forecast) -> tuple[tuple[str, Scenario], ...]:
    return ("changed", outlook.changed), ("unchanged", outlook.unchanged)
