"""The sheets for judges, and their orders: the answers of a block, each wording once, and sometimes
a planted one from another resident.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from hometown.frozen import frozen
from hometown.rng import stream

PLANTED_NAME = "planted"
"""The answer of another resident to the same question, which should come last."""

PLANTED_SHARE = 0.10
"""Share of blocks with a planted answer."""


@frozen
class Sheet:
    """The answers to be ranked in a block: `answers` by name, and `names` by condition, where
    conditions with the same wording share one.

    A name is that of the first condition with this wording, or `PLANTED_NAME`.
    """

    seed: int
    who: str
    question: str
    text: str
    answers: dict[str, str]
    names: dict[str, str]


@frozen
class Reading:
    """A judge's ranking of a sheet in one order: `shown` are the names in that order, `places`
    their ranks, 1 for the best.

    `lengths` are those of the answers in characters. `outcome` is "fallback" where the judge gave
    no usable reply.
    """

    seed: int
    who: str
    question: str
    shown: tuple[str, ...]
    places: tuple[int, ...]
    lengths: tuple[int, ...]
    outcome: str = "ok"

    @property
    def ranks(self) -> dict[str, int]:
        return dict(zip(self.shown, self.places, strict=True))


def build_sheet(
    seed: int, who: str, question: str, text: str, answers: Mapping[str, str], others: Sequence[str]
) -> Sheet:
    """Return the sheet of a block, from the answers by condition; `others` are those of other
    residents under the fullest condition.

    A planted answer, in `PLANTED_SHARE` of the blocks by chance, is the longest of `others` that
    differs from all answers here, so that a judge with a preference for length takes it for the
    best.
    """
    wordings: dict[str, str] = {}
    names = {
        condition: wordings.setdefault(answer, condition) for condition, answer in answers.items()
    }
    shown = {name: answer for answer, name in wordings.items()}
    strange = sorted(
        {other for other in others if other not in wordings}, key=lambda other: (-len(other), other)
    )
    if strange and stream(seed, who, question, PLANTED_NAME).random() < PLANTED_SHARE:
        shown[PLANTED_NAME] = strange[0]
    return Sheet(seed, who, question, text, shown, names)


def orders(sheet: Sheet) -> list[tuple[str, ...]]:
    """Return the orders in which a sheet is shown: a Latin square, in which each answer stands once
    in each position; none where there is nothing to rank.
    """
    names = sorted(sheet.answers)
    if len(names) < 2:
        return []
    stream(sheet.seed, sheet.who, sheet.question, "orders").shuffle(names)
    return [(*names[at:], *names[:at]) for at in range(len(names))]


def ranks_of(sheet: Sheet, readings: Sequence[Reading]) -> dict[str, float]:
    """Return the one ranking of a block, by condition: ranks of the mean places over its orders,
    each without the planted answer; ties share their mean rank. Empty without a usable reading,
    except that answers of one wording all tie.
    """
    usable = [_rank_own(reading) for reading in readings if reading.outcome != "fallback"]
    if len(sheet.answers) > 1 and not usable:
        return {}
    means = {
        name: sum(ranks[name] for ranks in usable) / max(1, len(usable))
        for name in sheet.names.values()
    }
    ordered = sorted(sheet.names, key=lambda condition: means[sheet.names[condition]])
    ranks: dict[str, float] = {}
    for _, group in groupby(ordered, key=lambda condition: means[sheet.names[condition]]):
        tied = list(group)
        ranks |= dict.fromkeys(tied, len(ranks) + (len(tied) + 1) / 2)
    return {condition: ranks[condition] for condition in sheet.names}


def _rank_own(reading: Reading) -> dict[str, int]:
    """Return the places of a reading among the answers that are not planted."""
    own = sorted(reading.ranks.keys() - {PLANTED_NAME}, key=reading.ranks.__getitem__)
    return {name: place for place, name in enumerate(own, 1)}
