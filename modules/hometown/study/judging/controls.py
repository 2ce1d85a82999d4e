"""Admission of a judge: tests of biases in its rankings.

The rankings of a judge that is not admitted are shown without any test of significance, since they
may reflect the position or the length of answers rather than their believability.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hometown.frozen import frozen
from hometown.study.judging.readings import PLANTED_NAME, Reading
from hometown.study.rounding import significant

ControlName = Literal["usable", "planted", "agreement", "position", "length", "people"]
"""usable: share of usable replies. planted: share of planted answers, by another resident, that
came last. agreement: mean Kendall's τ between the orders of a block. position: the most by which
the position may shift a rank, as a share of all ranks. length: correlation of ranks with length,
beyond the effect of conditions. people: difference between the agreement among people and that with
people.
"""

LEAST_PLANTED = 10
"""Minimum number of planted answers for the control."""

LEAST_SQUARES = 10
"""Minimum number of blocks, each ranked in all its orders, for the control of the position."""

LEAST_PEOPLE = 50
"""Minimum number of blocks that two people or more have ranked for the control."""

BOUNDS: dict[ControlName, float] = {
    "usable": 0.95,
    "planted": 0.8,
    "agreement": 0.4,
    "position": 0.1,
    "length": 0.5,
    "people": 0.1,
}
"""Lower limits of usable, planted and agreement; upper limits of position, length, of either sign,
and people.
"""

AT_MOST: tuple[ControlName, ...] = ("position", "length", "people")


@frozen
class Control:
    """One test of a judge: `value` is None where there is too little data, which does not admit a
    judge; `count` is the number of observations.
    """

    name: ControlName
    value: float | None
    count: int

    @property
    def has_passed(self) -> bool:
        if self.value is None:
            return False
        return (
            abs(self.value) <= BOUNDS[self.name]
            if self.name in AT_MOST
            else self.value >= BOUNDS[self.name]
        )


def controls(
    readings: Sequence[Reading], people: Mapping[str, Sequence[Reading]] | None = None
) -> list[Control]:
    """Return all controls of a judge by its readings; `people` are the readings of persons, by
    rater, and a control if there are enough.
    """
    usable = [reading for reading in readings if reading.outcome != "fallback"]
    found = [
        Control("usable", len(usable) / len(readings) if readings else None, len(readings)),
        _test_planted(usable),
        _agreement(usable),
    ]
    found += [_position(usable), _length(usable)]
    human = _people(usable, people or {})
    return [*found, human] if human else found


def is_admitted(found: Iterable[Control]) -> bool:
    return all(control.has_passed for control in found)


def tau(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    """Return Kendall's τ (1938) of two rankings of the same names: concordant less discordant
    pairs, of all; -1 to 1, 0 without a pair.

    >>> tau({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 3, "c": 2})
    0.3333333333333333
    """
    pairs = [
        np.sign(first[a] - first[b]) * np.sign(second[a] - second[b])
        for a, b in combinations(first, 2)
        if a in second and b in second
    ]
    return float(sum(pairs) / len(pairs)) if pairs else 0.0


def _test_planted(readings: Sequence[Reading]) -> Control:
    """Return the share of orders with a planted answer in which it came last; None for fewer than
    `LEAST_PLANTED` blocks with one.
    """
    last = [
        reading.ranks[PLANTED_NAME] == len(reading.shown)
        for reading in readings
        if PLANTED_NAME in reading.shown
    ]
    count = len(
        {(each.seed, each.who, each.question) for each in readings if PLANTED_NAME in each.shown}
    )
    return Control("planted", sum(last) / len(last) if count >= LEAST_PLANTED else None, count)


def _agreement(readings: Sequence[Reading]) -> Control:
    values = [
        tau(one.ranks, other.ranks)
        for block in _by_block(readings).values()
        for one, other in combinations(block, 2)
    ]
    return Control("agreement", fmean(values) if values else None, len(values))


def _position(readings: Sequence[Reading]) -> Control:
    """Return the upper limit of the shift of ranks by position: two one-sided tests at 5 % that each
    position's mean rank is the middle one (Schuirmann 1987), in blocks of the most frequent size.

    In a Latin square, each answer is in each position once, so that the quality of the answers
    cancels out. Blocks without a usable reading in each order are left out.
    """
    from scipy.stats import t

    squares: dict[int, list[NDArray[np.float64]]] = defaultdict(list)
    for block in _by_block(readings).values():
        size = len(block[0].shown)
        if len(block) == size > 1:
            places = np.array([reading.places for reading in block], dtype=float)
            squares[size].append((places.mean(axis=0) - 1) / (size - 1) - 0.5)
    shifts = max(squares.values(), key=len, default=[])
    count = len(shifts)
    if count < LEAST_SQUARES:
        return Control("position", None, count)
    errors = np.std(shifts, axis=0, ddof=1) / np.sqrt(count)
    limits = np.abs(np.mean(shifts, axis=0)) + t.ppf(0.95, count - 1) * errors
    return Control("position", significant(limits.max()), count)


def _length(readings: Sequence[Reading]) -> Control:
    """Return Pearson's correlation of length and rank, both less their means under the same
    condition; negative where long answers are preferred.
    """
    by_name: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for reading in readings:
        for name, place, length in zip(reading.shown, reading.places, reading.lengths, strict=True):
            by_name[name].append((np.log1p(length), place))
    centred = np.vstack(
        [np.array(values) - np.mean(values, axis=0) for values in by_name.values()]
        or [np.zeros((0, 2))]
    )
    spread = centred.std(axis=0) if len(centred) else np.zeros(2)
    if not spread.all():
        return Control("length", 0.0 if len(centred) else None, len(centred))
    return Control(
        "length", significant((centred[:, 0] * centred[:, 1]).mean() / spread.prod()), len(centred)
    )


def _people(readings: Sequence[Reading], people: Mapping[str, Sequence[Reading]]) -> Control | None:
    """Return the difference, in τ, between the agreement among people and the judge's agreement
    with people, 0 where the judge agrees more; None with too few blocks that two people have
    ranked.
    """
    judged = {key: _mean_places(block) for key, block in _by_block(readings).items()}
    human: dict[tuple[int, str, str], list[dict[str, float]]] = defaultdict(list)
    for ranked in people.values():
        for reading in ranked:
            human[reading.seed, reading.who, reading.question].append(
                {name: float(place) for name, place in reading.ranks.items()}
            )
    shared = {
        key: rankings for key, rankings in human.items() if len(rankings) > 1 and key in judged
    }
    if len(shared) < LEAST_PEOPLE:
        return None
    among = fmean(
        tau(one, other) for rankings in shared.values() for one, other in combinations(rankings, 2)
    )
    with_judge = fmean(
        tau(judged[key], ranking) for key, rankings in shared.items() for ranking in rankings
    )
    return Control("people", max(0.0, significant(among - with_judge)), len(shared))


def _by_block(readings: Iterable[Reading]) -> dict[tuple[int, str, str], list[Reading]]:
    blocks: dict[tuple[int, str, str], list[Reading]] = defaultdict(list)
    for reading in readings:
        blocks[reading.seed, reading.who, reading.question].append(reading)
    return blocks


def _mean_places(block: Sequence[Reading]) -> dict[str, float]:
    return {name: fmean(reading.ranks[name] for reading in block) for name in block[0].shown}
