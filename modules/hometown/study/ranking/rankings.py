"""Rankings: in a block, one resident's answers to one question, under each condition, are put in
order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from hometown.frozen import frozen

Ranks = NDArray[np.float64]
"""Ranks by block or resident (rows) and condition (columns); 1 is the best."""

DECIMALS = 9
"""Number of decimals to which means are rounded before they are put in order: equal ones may differ
by 1e-15.
"""

Wins = NDArray[np.float64]
"""Comparisons of the condition of the row with that of the column."""


@frozen
class Block:
    """The ranking of one block: `ranks` by condition, 1 for the most believable answer; ties share
    the mean of their ranks. A condition without an answer has no rank.

    `seed` is that of the run, `who` the resident, by id, `question` by its id in the questionnaire.
    """

    seed: int
    who: str
    question: str
    ranks: dict[str, float]


def rank_matrix(blocks: Sequence[Block], conditions: Sequence[str]) -> Ranks:
    """Return the ranks of all blocks, a row for each; NaN for a condition that a block lacks."""
    return np.array(
        [[block.ranks.get(condition, np.nan) for condition in conditions] for block in blocks],
        dtype=float,
    )


def score_residents(blocks: Sequence[Block], conditions: Sequence[str]) -> Ranks:
    """Return for each resident (rows) the share of other answers that those under each condition
    stand above, 0–1; NaN for a condition without answers.

    A resident is the unit of analysis: they react to conditions in a way of their own, so that their
    blocks are repeats of one observation; so are those of other seeds.
    """
    scores = []
    for own in _ranks_by_resident(blocks, conditions):
        size = (~np.isnan(own)).sum(axis=1, keepdims=True)
        above = (size - own) / np.maximum(size - 1, 1)
        above[(size < 2).ravel()] = np.nan
        scores.append(_mean_of_known(above))
    return np.array(scores).round(DECIMALS)


def compare_within_residents(blocks: Sequence[Block], conditions: Sequence[str]) -> Wins:
    """Return for each resident the share of their blocks in which one condition stands above
    another, of those blocks that have both: residents × conditions × conditions; NaN without any.
    """
    return np.array([_mean_of_known(win(own)) for own in _ranks_by_resident(blocks, conditions)])


def count_wins(blocks: Sequence[Block], conditions: Sequence[str]) -> Wins:
    """Return the number of blocks in which each condition stands above each other one."""
    return np.asarray(np.nansum(win(rank_matrix(blocks, conditions)), axis=0), dtype=float)


def win(ranks: Ranks) -> Wins:
    """Return for each block 1 where the condition of the row stands above that of the column, 0.5
    where they tie, 0 where it stands below, and NaN where the block lacks one of them.

    >>> win(np.array([[1.0, 2.0, np.nan]]))[0].tolist()
    [[0.5, 1.0, nan], [0.0, 0.5, nan], [nan, nan, nan]]
    """
    return np.asarray((np.sign(ranks[:, None, :] - ranks[:, :, None]) + 1) / 2)


def _ranks_by_resident(blocks: Sequence[Block], conditions: Sequence[str]) -> Iterator[Ranks]:
    """Yield the ranks of each resident's blocks, in the order of their ids."""
    rows: dict[str, list[Block]] = {}
    for block in blocks:
        rows.setdefault(block.who, []).append(block)
    yield from (rank_matrix(rows[who], conditions) for who in sorted(rows))


def _mean_of_known(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return means over the first axis of those values that are not NaN; NaN of none."""
    known = ~np.isnan(values)
    total, count = np.where(known, values, 0.0).sum(axis=0), known.sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def break_ties(ranks: Ranks, rng: np.random.Generator) -> NDArray[np.int64]:
    """Columns from the best to the worst, row by row; which of several with the same rank comes
    first is drawn by lot.

    >>> sorted(map(tuple, break_ties(np.ones((50, 2)), np.random.default_rng(1)).tolist()))[::49]
    [(0, 1), (1, 0)]
    """
    return np.lexsort((rng.random(ranks.shape), ranks), axis=-1)
