"""What the statistics of studies hold: `python -m benchmarks.statistics [DRAWS [RESULTS]]`, 2,000
draws by default, by which a share of 5 % or 95 % is known within one percentage point.

Coverage is the share of simulated studies in which a 95 % interval contains the true value, at 5, 6,
10 and 25 towns or residents; "–" where no interval is given. It may nowhere be below 93 %. False
positives are the shares of studies without any effect in which a test finds one at 5 %: the paired
test of a primary outcome, the smallest p after Holm of three contrasts, the test of all conditions
of a ranking, with complete blocks and with a third of the answers missing, and a claim of sameness
where the difference is the margin. They may nowhere exceed 7 %.

With a folder of results, the shipped studies and their null versions are simulated there, or taken
from there where they have been (`python -m benchmarks.studies`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.studies import MOST_FALSE_POSITIVES, print_studies
from hometown.study.inference.estimates import OutcomeKind, estimate_outcome
from hometown.study.inference.holm import holm
from hometown.study.inference.incomplete_blocks import compute_skillings_mack
from hometown.study.inference.paired_tests import compute_equivalence_ps, compute_paired_ps

DRAWS = 2000

SIZES = (5, 6, 10, 25)

LEAST_COVERAGE = 0.93
LEVEL = 0.05

STUDIES_AT_ONCE = 50
"""Number of studies that are tested together, so that random swaps of many pairs are drawn once."""

Values = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, int]], Values]
"""Draws the values of a number of studies, with a number of towns or residents each."""


def draw_shares(share: float, people: int, spread: float = 0.0) -> Draw:
    """Return a draw of shares of residents in towns; `spread` is the variance between towns, as a
    part of the most that is possible.
    """

    def draw(rng: np.random.Generator, size: tuple[int, int]) -> Values:
        shares = np.full(size, share)
        if spread:
            weight = 1 / spread - 1
            shares = rng.beta(share * weight, (1 - share) * weight, size)
        return np.asarray(rng.binomial(people, shares) / people)

    return draw


OUTCOMES: Mapping[str, tuple[OutcomeKind, Draw, float]] = {
    "share 0.5 of 6": ("share", draw_shares(0.5, 6), 0.5),
    "share 0.85 of 6": ("share", draw_shares(0.85, 6), 0.85),
    "share 0.95 of 6": ("share", draw_shares(0.95, 6), 0.95),
    "share 0.95 of 25": ("share", draw_shares(0.95, 25), 0.95),
    "share 0.1 of 25, towns differ": ("share", draw_shares(0.1, 25, 0.3), 0.1),
    "count, Poisson 3": ("count", lambda rng, size: rng.poisson(3, size).astype(float), 3.0),
    "score, lognormal": ("score", lambda rng, size: rng.lognormal(0, 1, size), 1.0),
    "time, exponential": ("time", lambda rng, size: rng.exponential(1, size), float(np.log(2))),
    "difference of shares": (
        "score",
        lambda rng, size: draw_shares(0.5, 6)(rng, size) - draw_shares(0.5, 6)(rng, size),
        0.0,
    ),
}
"""Kind, draw and true value of outcomes, by name: the mean of shares, the median of others."""


def measure_coverage(name: str, size: int, draws: int) -> float | None:
    """Return the share of intervals that contain the true value, None where none is given."""
    kind, draw, truth = OUTCOMES[name]
    rng = np.random.default_rng(size)
    drawn = np.sort(draw(rng, (draws, size)), axis=1)
    samples, counts = np.unique(drawn, axis=0, return_counts=True)
    found = [estimate_outcome(sample.tolist(), kind) for sample in samples]
    if not any(each.is_interval for each in found):
        return None
    # Limits have six digits.
    covers = [each.low - 1e-6 <= truth <= each.high + 1e-6 for each in found]
    return float(np.average(covers, weights=counts))


def try_paired(rng: np.random.Generator, size: tuple[int, int]) -> list[float]:
    """Return the p of two conditions with equal counts, for each study."""
    return compute_paired_ps((rng.poisson(3, size) - rng.poisson(3, size)).tolist())


def try_three_contrasts(rng: np.random.Generator, size: tuple[int, int]) -> list[float]:
    """Return the least p of three conditions against one baseline, which has no other effect."""
    base, *others = (draw_shares(0.6, 6, 0.2)(rng, size) for _ in range(4))
    contrasts = [compute_paired_ps((each - base).tolist()) for each in others]
    return [min(holm(dict(enumerate(ps))).values()) for ps in zip(*contrasts, strict=True)]


def try_sameness(rng: np.random.Generator, size: tuple[int, int]) -> list[float]:
    """Return the p of a claim of sameness within 0.2, where the difference is 0.2."""
    return compute_equivalence_ps((0.2 + rng.normal(0, 0.2, size)).tolist(), 0.2)


def try_ranking(rng: np.random.Generator, size: tuple[int, int]) -> list[float]:
    return try_incomplete_ranking(rng, size, 0.0)


def try_incomplete_ranking(
    rng: np.random.Generator, size: tuple[int, int], missing: float = 1 / 3
) -> list[float]:
    """Return the p of four conditions by residents, each of whom has tastes of their own that favour
    none on the whole; a share of their scores is missing.
    """
    scores = rng.normal(0, 1, (*size, 4)) + rng.normal(0, 0.3, (*size, 4))
    scores[rng.random(scores.shape) < missing] = np.nan
    return [compute_skillings_mack(each)[1] for each in scores]


NULLS: Mapping[str, Callable[[np.random.Generator, tuple[int, int]], list[float]]] = {
    "paired counts": try_paired,
    "three contrasts, Holm": try_three_contrasts,
    "sameness at its margin": try_sameness,
    "ranking": try_ranking,
    "ranking, a third missing": try_incomplete_ranking,
}


def measure_false_positives(name: str, size: int, draws: int) -> float:
    """Return the share of studies without an effect in which a test finds one."""
    rng = np.random.default_rng(size)
    ps = [
        p
        for start in range(0, draws, STUDIES_AT_ONCE)
        for p in NULLS[name](rng, (min(STUDIES_AT_ONCE, draws - start), size))
    ]
    return float(np.mean(np.array(ps) <= LEVEL))


def main(argv: Sequence[str]) -> int:
    """Print both tables, and return 1 where a figure is beyond its limit."""
    draws = int(argv[0]) if argv else DRAWS
    is_valid = True
    print(f"{'coverage of 95 % intervals':32}" + "".join(f"{size:>8}" for size in SIZES))
    for name in OUTCOMES:
        shares = [measure_coverage(name, size, draws) for size in SIZES]
        is_valid &= all(share is None or share >= LEAST_COVERAGE for share in shares)
        cells = ["–" if share is None else f"{share:.1%}" for share in shares]
        print(f"{name:32}" + "".join(f"{cell:>8}" for cell in cells), flush=True)
    print(f"{'false positives at 5 %':32}" + "".join(f"{size:>8}" for size in SIZES))
    for name in NULLS:
        rates = [measure_false_positives(name, size, draws) for size in SIZES]
        is_valid &= all(rate <= MOST_FALSE_POSITIVES for rate in rates)
        print(f"{name:32}" + "".join(f"{rate:>8.1%}" for rate in rates), flush=True)
    if len(argv) > 1:
        is_valid &= print_studies(Path(argv[1]), draws)
    return 0 if is_valid else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
