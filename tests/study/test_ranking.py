"""The statistics of rankings: against values published elsewhere, against simulations whose truth
is known, and under the null.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from hometown.study.inference.holm import holm
from hometown.study.inference.incomplete_blocks import compute_skillings_mack
from hometown.study.ranking.bradley_terry import compute_worths
from hometown.study.ranking.primary import compute_statistics
from hometown.study.ranking.published import PAPER, RATERS, compute_published, dunn_holm
from hometown.study.ranking.rankings import Block, score_residents
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
    """Residents who prefer conditions each in its own way, and none on the whole: 300 experiments
    at 5 %.
    """
    rng, found = np.random.default_rng(7), 0
    for _ in range(300):
        tastes = rng.normal(0, 1, size=(25, 1, 4))
        played = tastes + rng.normal(0, 1, size=(25, 25, 4))
        means = (np.argsort(np.argsort(-played, axis=-1), axis=-1) + 1.0).mean(axis=1)
        found += compute_skillings_mack(means)[1] < 0.05
    assert found <= 21


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
    assert all(cast(float, pair.low) < pair.wins < cast(float, pair.high) for pair in found.pairs)
    assert all(pair.p < 0.05 for pair in found.pairs)


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
    assert (found.statistic, found.p) == (0.0, 1.0)
    assert all((pair.wins, pair.p) == (0.5, 1.0) for pair in found.pairs)


def test_seeds_are_averaged_within_a_resident() -> None:
    blocks = [
        Block(seed, "ann", "q", {"a": rank, "b": 3 - rank}) for seed, rank in ((1, 1.0), (2, 2.0))
    ]
    assert score_residents(blocks, ("a", "b")).tolist() == [[0.5, 0.5]]


def test_worths_are_the_odds_of_pairs() -> None:
    """Of two, the worth is the share of wins, but for the prior; of more, each odds holds."""
    assert compute_worths(np.array([[0.0, 300.0], [100.0, 0.0]])) == pytest.approx(
        [0.75, 0.25], abs=0.001
    )
    never = compute_worths(np.array([[0.0, 50.0], [0.0, 0.0]]))
    assert 0 < never[1] < 0.01
    chain = np.array([[0.0, 200.0, 0.0], [100.0, 0.0, 200.0], [0.0, 100.0, 0.0]])
    assert compute_worths(chain) == pytest.approx([4 / 7, 2 / 7, 1 / 7], abs=0.002)


def test_ties_favour_nobody() -> None:
    """Where all answers are the same, no condition is better for standing first in a list."""
    level = blocks_of(np.full((10, 10, 4), 2.5))
    found = compute_published(level, CONDITIONS)
    assert [rating.mu for rating in found.ratings.values()] == pytest.approx([MU] * 4, abs=0.3)
    assert list(compute_statistics(level, CONDITIONS).worths.values()) == pytest.approx(
        [0.25] * 4, abs=0.02
    )


def test_preferences_of_the_same_strength_tie() -> None:
    """Shares of thirds, which floats hold with different last bits, are one preference: five of six
    residents favour the first, the last one the second by as much.
    """
    ranks = np.array(
        [[[1.0, 2.0, 3.0]] * 2 + [[2.0, 1.0, 3.0]]] * 5
        + [[[2.0, 1.0, 3.0]] * 2 + [[1.0, 2.0, 3.0]]]
    )
    found = compute_statistics(blocks_of(ranks, ("a", "b", "c")), ("a", "b", "c"))
    assert found.pairs[0].p == pytest.approx(14 / 64)  # 2 (1 + 6) ways of 64, and the least of all


def test_blocks_without_an_answer_keep_their_other_ones() -> None:
    """One answer by a person in 120 blocks removes none of them, and its pairs rest on it alone."""
    ranks = performed([28, 26, 25, 21], (6, 20), 6)
    blocks = blocks_of(ranks)
    whole = compute_statistics(blocks, CONDITIONS)
    first, *others = blocks
    more = [Block(1, first.who, first.question, first.ranks | {"human": 5.0}), *others]
    found = compute_statistics(more, (*CONDITIONS, "human"))
    assert (found.blocks, found.missing["human"], found.missing["full"]) == (120, 119, 0)
    by_names = {(pair.first, pair.second): pair for pair in found.pairs}
    for pair in whole.pairs:
        assert by_names[pair.first, pair.second].wins == pair.wins
        assert by_names[pair.first, pair.second].residents == 6
    alone = by_names["full", "human"]
    assert (alone.residents, alone.p, alone.low) == (1, 1.0, None)
    assert compute_published(more, (*CONDITIONS, "human")).blocks == 120


def test_missing_answers_leave_the_order_as_it_is() -> None:
    """Three of ten answers are lost at random: the order of the conditions is found all the same."""
    rng, ranks = np.random.default_rng(9), performed([30, 27, 24, 21], (25, 10), 9)
    blocks = []
    for block in blocks_of(ranks):
        kept = [name for name in CONDITIONS if rng.random() > 0.3]
        ordered = sorted(kept, key=block.ranks.__getitem__)
        blocks.append(
            Block(1, block.who, block.question, {name: ordered.index(name) + 1.0 for name in kept})
        )
    found = compute_statistics([each for each in blocks if len(each.ranks) > 1], CONDITIONS)
    assert sorted(found.means, key=found.means.__getitem__) == list(CONDITIONS)
    assert found.p < 0.001


def test_statistics_are_those_of_every_other_machine() -> None:
    """Libraries differ in the last bits of a distribution, and reports are compared byte by byte."""
    found = compute_statistics(blocks_of(performed([27, 26, 25, 21], (6, 3), 5)), CONDITIONS)
    assert (found.statistic, found.p) == (10.3966, 0.0154793)
    assert [(pair.wins, pair.p) for pair in found.pairs][:2] == [(0.666667, 1.0), (0.611111, 1.0)]


# Skillings and Mack --------------------------------------------------------------------------

MISSING = float("nan")


@pytest.mark.parametrize(
    ("columns", "statistic"),
    [
        (  # assembly times of four methods, Skillings & Mack (1981), table 1
            [
                [3.2, 3.1, 4.3, 3.5, 3.6, 4.5, MISSING, 4.3, 3.5],
                [4.1, 3.9, 3.5, 3.6, 4.2, 4.7, 4.2, 4.6, MISSING],
                [3.8, 3.4, 4.6, 3.9, 3.7, 3.7, 3.4, 4.4, 3.7],
                [4.2, 4.0, 4.8, 4.0, 3.9, MISSING, MISSING, 4.9, 3.9],
            ],
            15.493,
        ),
        (  # Friedman's test of a complete design: by hand, 12 ÷ (3 · 3 · 4) · (3² + 8² + 7²) − 36
            [[1.0, 1.0, 1.0], [3.0, 2.0, 3.0], [2.0, 3.0, 2.0]],
            14 / 3,
        ),
    ],
)
def test_incomplete_blocks_give_the_published_statistic(
    columns: list[list[float]], statistic: float
) -> None:
    assert compute_skillings_mack(np.array(columns).T)[0] == pytest.approx(statistic, abs=0.001)


def test_ties_have_the_variance_of_friedmans_test() -> None:
    from scipy.stats import friedmanchisquare  # takes a second to import

    rng = np.random.default_rng(1)
    scores = rng.integers(0, 4, (9, 4)).astype(float)
    expected = friedmanchisquare(*scores.T)
    assert compute_skillings_mack(scores) == pytest.approx(expected)


def test_a_block_of_one_answer_says_nothing() -> None:
    rows = [[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]]
    alone = [MISSING, 2.0, MISSING]
    assert compute_skillings_mack(np.array([*rows, alone])) == compute_skillings_mack(
        np.array(rows)
    )
    assert compute_skillings_mack(np.array([alone])) == (0.0, 1.0)


def test_holm_orders_and_bounds() -> None:
    assert holm({"a": 0.5, "b": 0.9}) == {"a": 1.0, "b": 1.0}
    assert holm({}) == {}
