"""The agreement of the rules with readers who know none of them (`data/bench/agreement.json`, which
`python -m benchmarks.rated_replies --table` writes). A score is a figure of the bench only where
the rules agree with these readers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import orjson
from pydantic import TypeAdapter

from hometown.bench.items import BENCH
from hometown.frozen import frozen

AGREEMENT = BENCH / "agreement.json"

LEAST_KAPPA = 0.6
"""Cohen's κ with each reader from which a score is measured."""

LEAST_POSITIVES = 10
"""Minimum number of replies in which each reader finds the fault for a score to be measured."""


@frozen
class ReaderAgreement:
    """The agreement of the rules with one reader about a score.

    Attributes:
        score: name of a rule, or "any".
        by_rule: replies in which the rule finds the fault.
        by_reader: replies in which the reader finds it.
        kappa: Cohen's κ; None if neither varies.
        low: lower bound of its interval of 95 %.
        high: upper bound.
    """

    score: str
    by_rule: int
    by_reader: int
    kappa: float | None
    low: float | None
    high: float | None


_AGREEMENTS = TypeAdapter(dict[str, tuple[ReaderAgreement, ...]])


def is_measured(found: Sequence[ReaderAgreement]) -> bool:
    """Return True if the rules agree with each reader about a score by `LEAST_KAPPA` or more, and
    each found the fault in `LEAST_POSITIVES` replies or more.
    """
    return all(
        each.by_reader >= LEAST_POSITIVES and each.kappa is not None and each.kappa >= LEAST_KAPPA
        for each in found
    )


@cache
def read_agreements(file: Path = AGREEMENT) -> Mapping[str, tuple[ReaderAgreement, ...]]:
    """Return the stored agreement with each reader, by score."""
    return _AGREEMENTS.validate_json(file.read_bytes())


def measured_scores() -> frozenset[str]:
    """Return the names of the scores that the rules measure."""
    return frozenset(score for score, found in read_agreements().items() if is_measured(found))


def least_kappa(score: str) -> float | None:
    """Return the lower κ of those with each reader; None if a reader or the rule finds no fault."""
    found = [each.kappa for each in read_agreements()[score]]
    known = [kappa for kappa in found if kappa is not None]
    return min(known) if len(known) == len(found) else None


def store_agreements(
    found: Mapping[str, Sequence[ReaderAgreement]], file: Path = AGREEMENT
) -> None:
    """Store the agreement with each reader, by score."""
    file.write_bytes(orjson.dumps(dict(found), option=orjson.OPT_INDENT_2) + b"\n")
    read_agreements.cache_clear()
