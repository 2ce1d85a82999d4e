"""Rankings: in a block, one resident's answers to one question, under each condition, are put in
order.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hometown.frozen import frozen

Ranks = NDArray[np.float64]
"""Ranks by block or resident (rows) and condition (columns); 1 is the best."""

DECIMALS = 9
"""Number of decimals to which mean ranks and their differences are rounded before they are put in
order: equal ones may differ by 1e-15.
"""

Wins = NDArray[np.float64]
"""Shares of blocks in which the condition of the row stands above that of the column, 0–1; 0.5 on
the diagonal.
"""


@frozen
class Block:
    """The ranking of one block: `ranks` by condition, 1 for the most believable answer; ties share
    the mean of their ranks.

    `seed` is that of the run, `who` the resident, by id, `question` by its id in the questionnaire.
    """

    seed: int
    who: str
    question: str
    ranks: dict[str, float]


def rank_matrix(blocks: Sequence[Block], conditions: Sequence[str]) -> Ranks:
    """Return the ranks of all blocks, a row for each."""
    return np.array(
        [[block.ranks[condition] for condition in conditions] for block in blocks], dtype=float
    )


def resident_means(blocks: Sequence[Block], conditions: Sequence[str]) -> Ranks:
    """Return the mean rank of each condition with each resident, a row for each: the unit of
    analysis.

    A resident reacts to conditions in a way of their own, so that their blocks are repeats of one
    observation; so are those of other seeds. Means that are equal tie, as they are rounded.
    """
    rows: dict[str, list[Block]] = {}
    for block in blocks:
        rows.setdefault(block.who, []).append(block)
    return np.array(
        [rank_matrix(rows[who], conditions).mean(axis=0).round(DECIMALS) for who in sorted(rows)]
    )


def resident_wins(blocks: Sequence[Block], conditions: Sequence[str]) -> NDArray[np.float64]:
    """Return for each resident the share of their blocks in which one condition stands above
    another: residents × conditions × conditions.
    """
    rows: dict[str, list[Block]] = {}
    for block in blocks:
        rows.setdefault(block.who, []).append(block)
    return np.array([wins(rank_matrix(rows[who], conditions)) for who in sorted(rows)])


def break_ties(ranks: Ranks, rng: np.random.Generator) -> NDArray[np.int64]:
    """Columns from the best to the worst, row by row; which of several with the same rank comes
    first is drawn by lot.

    >>> sorted(map(tuple, break_ties(np.ones((50, 2)), np.random.default_rng(1)).tolist()))[::49]
    [(0, 1), (1, 0)]
    """
    return np.lexsort((rng.random(ranks.shape), ranks), axis=-1)


def wins(ranks: Ranks) -> Wins:
    """Return the share of blocks in which each condition stands above each other one; a tie is half
    a win for both.

    >>> wins(np.array([[1.0, 2.0], [1.0, 2.0], [1.5, 1.5], [2.0, 1.0]])).tolist()
    [[0.5, 0.625], [0.375, 0.5]]
    """
    above = ranks[:, :, None] < ranks[:, None, :]
    level = ranks[:, :, None] == ranks[:, None, :]
    shares: Wins = (above + level / 2).mean(axis=0)
    return shares
