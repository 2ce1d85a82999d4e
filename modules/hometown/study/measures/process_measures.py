"""Measures of the processes on a town: the spread of opinions, and the course of an illness."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, pvariance

from hometown.study.measures.registry import Figure, Subject, measure
from hometown.world import keys
from hometown.world.process_rows import MOST_IN_FAVOUR, STANCES, HeldOpinion, Infection


@measure(shares=["polarisation"], scores=["mean", "variance", "moved"])
def opinions(town: Subject) -> list[Figure]:
    """Return the mean and variance of opinions, 0 to 1, their polarisation, and how far they have
    moved on average; nothing in a town without opinions.
    """
    rows = town.run.rows_below(keys.OPINION.root, town.last)
    first: dict[str, HeldOpinion] = {}
    final: dict[str, HeldOpinion] = {}
    for key, _, opinion in rows:
        if opinion:
            first.setdefault(key, opinion)
            final[key] = opinion
    if not final:
        return []
    values = [each.value / MOST_IN_FAVOUR for each in final.values()]
    moved = [abs(final[key].value - each.value) / MOST_IN_FAVOUR for key, each in first.items()]
    return [
        Figure("mean", fmean(values)),
        Figure("variance", pvariance(values)),
        Figure("polarisation", measure_polarisation([each.stance for each in final.values()])),
        Figure("moved", fmean(moved)),
    ]


def measure_polarisation(stances: Sequence[int]) -> float:
    """Return the polarisation of stances (Esteban & Ray 1994, with α = 1): the sum of
    p(i)² p(j) |i - j| over all pairs of classes with the shares p, scaled so that it is 1 where half
    are at each end, and 0 where all agree.

    >>> measure_polarisation([0, 0, 4, 4]), measure_polarisation([2, 2])
    (1.0, 0.0)
    >>> round(measure_polarisation([0, 1, 2, 3, 4]), 2)
    0.32
    """
    shares = [stances.count(each) / len(stances) for each in range(STANCES)]
    pairs = [
        one * one * other * abs(i - j) / (STANCES - 1)
        for i, one in enumerate(shares)
        for j, other in enumerate(shares)
    ]
    return 4 * sum(pairs)


@measure(shares=["infected", "peak"])
def illness(town: Subject) -> list[Figure]:
    """Return the share of the residents who were not the first that caught the illness, and the
    greatest share of all residents who were ill at once; nothing in a town without an illness.
    """
    rows = town.run.rows_below(keys.INFECTION.root, town.last)
    changes = [(step, key, row) for key, step, row in rows if row]
    if not changes:
        return []
    latest = {key: row for _, key, row in changes}
    caught = [row for row in latest.values() if row.source]
    others = len(town.run.residents) - (len(latest) - len(caught))
    return [
        Figure("infected", len(caught) / others if others else 0.0),
        Figure("peak", _count_most_ill(changes) / len(town.run.residents)),
    ]


def _count_most_ill(changes: Sequence[tuple[int, str, Infection]]) -> int:
    """Return the greatest number of residents who were ill after a step."""
    ill: set[str] = set()
    counts: dict[int, int] = {}
    for step, key, row in sorted(changes, key=lambda change: change[:2]):
        (ill.add if row.stage == "ill" else ill.discard)(key)
        counts[step] = len(ill)
    return max(counts.values())
