"""Agreement of a judge's verdicts on answers with those by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hometown.frozen import frozen
from hometown.study.grounding import Verdict


@frozen
class Agreement:
    """Counts of verdicts on the same answers: `by_rule` and `by_judge` of all that the judge has
    read.

    `share` and Cohen's `kappa` (1960), which is 0 for a judge that draws lots, are of the `count`
    answers with two verdicts: those that a rule can check, and for which the judge gave a usable
    verdict. Both are None where there is no such answer, `kappa` also where all verdicts are the
    same.
    """

    by_rule: dict[Verdict, int]
    by_judge: dict[Verdict, int]
    count: int
    share: float | None
    kappa: float | None


def agreement(pairs: Sequence[tuple[Verdict, Verdict]]) -> Agreement:
    """Return the agreement of pairs of verdicts, first the one by rule: their counts, the share of
    equal ones and Cohen's κ, both None if no pair can be compared.

    >>> found = agreement([("supported", "supported"), ("invented", "invented"), ("declined", "supported"), ("unchecked", "invented")])
    >>> found.count, round(found.share, 2), round(found.kappa, 2)
    (3, 0.67, 0.5)
    """
    told = [(rule, judge) for rule, judge in pairs if rule != "unchecked" and judge != "unanswered"]
    by_rule, by_judge = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    if not told:
        return Agreement(dict(by_rule), dict(by_judge), 0, None, None)
    first, second = (Counter(pair[side] for pair in told) for side in (0, 1))
    share = sum(rule == judge for rule, judge in told) / len(told)
    chance = sum(first[verdict] * second[verdict] for verdict in first) / len(told) ** 2
    return Agreement(
        dict(by_rule),
        dict(by_judge),
        len(told),
        share,
        (share - chance) / (1 - chance) if chance < 1 else None,
    )
