"""The statistics of rankings: against values published elsewhere, against simulations whose truth
is known, and under the null.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from hometown.study.ranking.holm import holm
from hometown.study.ranking.plackett_luce import compute_worths
from hometown.study.ranking.primary import compute_statistics, friedman, wilcoxon_holm
from hometown.study.ranking.published import PAPER, RATERS, compute_published, dunn_holm
from hometown.study.ranking.rankings import Block, resident_means
from hometown.study.ranking.trueskill import BETA, MU, rate_players

CONDITIONS = ("full", "no-reflection", "no-plan", "none")


def performed(
    skills: Sequence[float], shape: tuple[int, ...], seed: int, noise: float = BETA
) -> NDArray[np.float64]:
    """Ranks of players of given skills, each game with noise of its own: shape × players."""
    played = np.random.default_rng(seed).normal(skills, noise, size=(*shape, len(skills)))
    return np.asarray(np.argsort(np.argsort(-played, axis=-1), axis=-1) + 1, dtype=np.float64)


def blocks_of(ranks: NDArray[np.float64], conditions: Sequence[str] = CONDITIONS) -> list[Block]:
    """Blocks from ranks by resident, question and condition."""
    return [
        Block(1, f"r{who}", f"q{question}", dict(zip(conditions, map(float, row), strict=True)))
        for who, rows in enumerate(ranks)
        for question, row in enumerate(rows)
    ]


# TrueSkill -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "mu", "sigma"),
    [
        (2, [29.396, 20.604], [7.171, 7.171]),
        (3, [31.675, 25.000, 18.325], [6.656, 6.208, 6.656]),
        (5, [34.363, 29.058, 25.000, 20.942, 15.637], [6.136, 5.536, 5.420, 5.536, 6.136]),
        (
            8,
            [36.771, 32.242, 29.074, 26.322, 23.678, 20.926, 17.758, 13.229],
            [5.749, 5.133, 4.943, 4.874, 4.874, 4.943, 5.133, 5.749],
        ),
    ],
)
def test_a_game_is_rated_as_by_other_implementations(
    players: int, mu: list[float], sigma: list[float]
) -> None:
    """The values are those of Moserware's test suite, which other implementations share."""
    ours, spread = rate_players(np.arange(players).reshape(1, 1, players))
    assert ours[0] == pytest.approx(mu, abs=0.001)
    assert spread[0] == pytest.approx(sigma, abs=0.001)


def test_series_do_not_know_of_each_other() -> None:
    games = np.argsort(performed([25, 22, 30], (2, 20), 5), axis=-1)
    both, first = rate_players(games), rate_players(games[:1])
    assert np.allclose(both[0][0], first[0][0], atol=1e-4)
    assert np.allclose(both[1][0], first[1][0], atol=1e-4)


def test_the_papers_rankings_give_its_figures() -> None:
    """Simulated at its μ: 40 sets of 100 rankings give them back within 0.7, with its σ."""
    skills = [mu for mu, _ in PAPER.values()]
    mu, sigma = rate_players(np.argsort(performed(skills, (40, RATERS), 1), axis=-1))
    centred = np.array(skills) - np.mean(skills) + MU
    assert np.abs(mu.mean(axis=0) - centred).max() < 0.7
    assert sigma.min() > 0.66
    assert sigma.max() < 0.76


def test_the_papers_column_holds_what_the_paper_has() -> None:
    ranks = performed([mu for mu, _ in PAPER.values()], (25, 4), 3)
    found = compute_published(blocks_of(ranks, tuple(PAPER)), tuple(PAPER))
    assert 120 < found.h < 260
    assert found.p < 1e-20
    assert 0.2 < found.ratings["full"].spread < 1.2
    assert found.dunn["full", "none"] < 1e-6 < found.dunn["no-reflection", "no-plan"]


def test_dunn_agrees_with_a_worked_example() -> None:
    """Ranks without ties: z follows from the mean ranks by hand."""
    ranks = np.array([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]])
    z = 3 / math.sqrt(6 * 7 / 12 * 2 / 3)
    assert dunn_holm(ranks)[0, 1] == pytest.approx(math.erfc(z / math.sqrt(2)))


# what holds ----------------------------------------------------------------------------------


def test_the_null_gives_few_false_positives() -> None:
    """Residents who prefer conditions each in its own way, and none on the whole: 1,000 experiments
    at 5 %.
    """
    rng, found, pairs = np.random.default_rng(7), 0, 0
    for _ in range(1000):
        tastes = rng.normal(0, 1, size=(25, 1, 4))
        played = tastes + rng.normal(0, 1, size=(25, 25, 4))
        means = (np.argsort(np.argsort(-played, axis=-1), axis=-1) + 1.0).mean(axis=1)
        found += friedman(means)[1] < 0.05
    for _ in range(200):
        means = rng.normal(0, 1, size=(25, 4))
        pairs += min(wilcoxon_holm(means).values()) < 0.05
    assert found <= 70
    assert pairs <= 20


def test_pooling_blocks_would_not_hold() -> None:
    """The same null by Kruskal–Wallis over blocks, as published, is refused most of the time: why
    residents are the unit.
    """
    rng, found = np.random.default_rng(8), 0
    for _ in range(40):
        played = rng.normal(0, 1, size=(25, 1, 4)) + rng.normal(0, 1, size=(25, 25, 4))
        ranks = np.asarray(
            np.argsort(np.argsort(-played, axis=-1), axis=-1) + 1, dtype=np.float64
        ).reshape(-1, 4)
        found += min(dunn_holm(ranks).values()) < 0.05
    assert found > 20


def test_what_differs_is_found_and_told_in_order() -> None:
    found = compute_statistics(blocks_of(performed([30, 27, 25.6, 21], (25, 25), 2)), CONDITIONS)
    assert (found.residents, found.blocks) == (25, 625)
    assert found.p < 0.001
    assert sorted(found.means, key=found.means.__getitem__) == list(CONDITIONS)
    assert sorted(found.worths, key=found.worths.__getitem__, reverse=True) == list(CONDITIONS)
    assert all(pair.low < pair.wins < pair.high for pair in found.pairs)
    assert all(pair.low > 0.5 and pair.p < 0.05 for pair in found.pairs)


def test_a_repeated_question_is_no_further_resident() -> None:
    """Ten times the blocks say no more where residents differ: the interval and the p-value stay."""
    ranks = performed([26, 25, 25, 25], (16, 5), 4)
    once, often = (
        compute_statistics(blocks_of(ranks), CONDITIONS),
        compute_statistics(blocks_of(np.repeat(ranks, 10, axis=1)), CONDITIONS),
    )
    assert (once.p, once.pairs) == (often.p, often.pairs)


def test_where_nobody_prefers_anything_nothing_is_found() -> None:
    found = compute_statistics(blocks_of(np.full((6, 3, 4), 2.5)), CONDITIONS)
    assert (found.chi_square, found.p) == (0.0, 1.0)
    assert all((pair.wins, pair.p) == (0.5, 1.0) for pair in found.pairs)


def test_seeds_are_averaged_within_a_resident() -> None:
    blocks = [
        Block(seed, "ann", "q", {"a": rank, "b": 3 - rank}) for seed, rank in ((1, 1.0), (2, 2.0))
    ]
    assert resident_means(blocks, ("a", "b")).tolist() == [[1.5, 1.5]]


def test_worths_are_the_odds_of_pairs() -> None:
    """Of two, the worth is the share of wins, but for the prior."""
    ranks = np.array([[1.0, 2.0]] * 300 + [[2.0, 1.0]] * 100)
    assert compute_worths(ranks) == pytest.approx([0.75, 0.25], abs=0.001)
    never = compute_worths(np.array([[1.0, 2.0]] * 50))
    assert 0 < never[1] < 0.01


def test_ties_favour_nobody() -> None:
    """Where all answers are the same, no condition is better for standing first in a list."""
    level = blocks_of(np.full((10, 10, 4), 2.5))
    found = compute_published(level, CONDITIONS)
    assert [rating.mu for rating in found.ratings.values()] == pytest.approx([MU] * 4, abs=0.3)
    assert list(compute_statistics(level, CONDITIONS).worths.values()) == pytest.approx(
        [0.25] * 4, abs=0.02
    )


def test_preferences_of_the_same_strength_tie() -> None:
    """Means of three ranks differ by 1/3 each, which floats hold with different last bits:
    Wilcoxon's test must see one rank for all of them.
    """
    thirds = np.array([[one / 3, (one + (-1 if one % 3 == 0 else 1)) / 3] for one in range(3, 12)])
    whole = np.array([[1.0, 0.0 if one % 3 == 0 else 2.0] for one in range(3, 12)])
    assert wilcoxon_holm(thirds) == wilcoxon_holm(whole)


def test_statistics_are_those_of_every_other_machine() -> None:
    """Libraries differ in the last bits of a distribution, and reports are compared byte by byte."""
    found = compute_statistics(blocks_of(performed([27, 26, 25, 21], (6, 3), 5)), CONDITIONS)
    assert (found.chi_square, found.p) == (10.3966, 0.0154793)
    assert list(found.worths.values()) == [0.482615, 0.281245, 0.198453, 0.0376863]
    assert [(pair.wins, pair.low, pair.high, pair.p) for pair in found.pairs][:2] == [
        (0.666667, 0.444444, 0.888889, 0.75),
        (0.611111, 0.388889, 0.833333, 0.75),
    ]


def test_holm_orders_and_bounds() -> None:
    assert holm({"a": 0.5, "b": 0.9}) == {"a": 1.0, "b": 1.0}
    assert holm({}) == {}
