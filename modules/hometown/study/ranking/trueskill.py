"""TrueSkill (Herbrich, Minka & Graepel 2006) for games of single players, all of them ranked: the
rating of conditions in Park et al. (2023).

A player has a skill, of mean μ and standard deviation σ; their performance in a game is the skill
plus noise of deviation β; and the performances of neighbours in the ranking differ by more than a
margin. Messages about the skills are passed along the ranking and back, by expectation propagation,
until they no longer change. The constants are those of the paper and of the usual implementations.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
TAU = SIGMA / 100
DRAW_PROBABILITY = 0.10

MESSAGE_TOLERANCE = 1e-6
MAX_MESSAGE_PASSES = 50


def rate_players(orders: NDArray[np.int64]) -> tuple[Values, Values]:
    """Return μ and σ of each player after a series of games, from the initial rating of all.

    `orders` are series × games × places, each game its players from the best to the worst; the
    series are independent of each other. The result is series × players. The order of games matters
    (by ±0.3 of μ for 100 games of five).

    >>> mu, sigma = rate_players(np.array([[[0, 1]]]))
    >>> mu.round(3).tolist(), sigma.round(3).tolist()
    ([[29.396, 20.604]], [[7.171, 7.171]])
    """
    series, games, players = orders.shape
    mu, variance = np.full((series, players), MU), np.full((series, players), SIGMA**2)
    for game in range(games):
        order = orders[:, game]
        means, variances = (np.take_along_axis(values, order, axis=1) for values in (mu, variance))
        means, variances = _after_game(means, variances + TAU**2)
        np.put_along_axis(mu, order, means, axis=1)
        np.put_along_axis(variance, order, variances, axis=1)
    return mu, np.sqrt(variance)


def _after_game(means: Values, variances: Values) -> tuple[Values, Values]:
    """Return means and variances of skills after a game, by place. Messages from neighbours in the
    ranking about a performance are precisions, and means times precisions.
    """
    # [0]: from the pair with the next place, [1]: with the one before
    precision, shift = (
        np.zeros((2, *means.shape)),
        np.zeros((2, *means.shape)),
    )
    prior_precision = 1 / (variances + BETA**2)
    prior_shift = means * prior_precision
    last = means.shape[1] - 1
    passes = [*range(last), *range(last - 2, -1, -1)]
    for _ in range(MAX_MESSAGE_PASSES):
        change = 0.0
        for place in passes:
            here = _without(prior_precision, prior_shift, precision, shift, place, 0)
            below = _without(prior_precision, prior_shift, precision, shift, place + 1, 1)
            to_here, to_below = _messages(here, below)
            change = max(
                change,
                float(np.abs(to_here[0] - precision[0, :, place]).max()),
                float(np.abs(to_here[1] - shift[0, :, place]).max()),
            )
            precision[0, :, place], shift[0, :, place] = to_here
            precision[1, :, place + 1], shift[1, :, place + 1] = to_below
        if change < MESSAGE_TOLERANCE:
            break
    played = precision.sum(axis=0)
    noise = 1 / played + BETA**2  # of the message from the game to the skill
    skill_precision = 1 / variances + 1 / noise
    return (
        means / variances + shift.sum(axis=0) / played / noise
    ) / skill_precision, 1 / skill_precision


def _without(
    prior_precision: Values,
    prior_shift: Values,
    precision: Values,
    shift: Values,
    place: int,
    pair: int,
) -> tuple[Values, Values]:
    """Return mean and variance of the performance in a place, without the message of one pair of
    neighbours.
    """
    other = 1 - pair
    total = prior_precision[:, place] + precision[other, :, place]
    return (prior_shift[:, place] + shift[other, :, place]) / total, 1 / total


def _messages(
    here: tuple[Values, Values], below: tuple[Values, Values]
) -> tuple[tuple[Values, Values], tuple[Values, Values]]:
    """Return the messages to two neighbours, the upper one first: the first performance is above
    the second by more than the margin.
    """
    from scipy.special import log_ndtr, ndtri

    margin = float(ndtri((DRAW_PROBABILITY + 1) / 2)) * np.sqrt(2) * BETA
    (mean_here, variance_here), (mean_below, variance_below) = here, below
    mean, variance = mean_here - mean_below, variance_here + variance_below
    deviation = np.sqrt(variance)
    edge = (mean - margin) / deviation
    push = np.exp(-(edge**2) / 2 - np.log(2 * np.pi) / 2 - log_ndtr(edge))
    shrink = push * (push + edge)
    known_precision = 1 / (variance * (1 - shrink)) - 1 / variance
    known_shift = (mean + deviation * push) / (variance * (1 - shrink)) - mean / variance
    known_mean, known_variance = known_shift / known_precision, 1 / known_precision
    precision_here, precision_below = (
        1 / (known_variance + variance_below),
        1 / (known_variance + variance_here),
    )
    return (precision_here, (known_mean + mean_below) * precision_here), (
        precision_below,
        (mean_here - known_mean) * precision_below,
    )
