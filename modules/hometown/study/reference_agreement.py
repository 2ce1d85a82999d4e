"""The agreement of residents' answers with those of the people whom they stand for.

Accuracy is the share of questions with the same answer. People do not always agree with themselves:
where they answered twice, consistency is the share of questions with the same answer both times,
and normalised accuracy is accuracy divided by it (Park et al. 2024), for each person before means
are taken. Distance is the mean difference of scores, as a share of the scale or the range.
Calibration compares the probabilities that a model gave to answers with the shares of people who
gave these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from hometown.frozen import frozen

CALIBRATION_BINS = 10


@frozen
class ComparedAnswer:
    """A resident's answer to a question beside that of their person.

    `is_same` says that both are the same, and `is_repeated` that the person gave the same answer
    again, None where they were asked once. `distance` and `retest_distance` are differences of
    scores, from 0 to 1; None for answers without a score. `chances` are (probability of a possible
    answer, True if the person gave it); empty without probabilities.
    """

    who: str
    is_same: bool
    is_repeated: bool | None
    distance: float | None
    retest_distance: float | None
    chances: tuple[tuple[float, bool], ...] = ()


@frozen
class ReferenceAgreement:
    """The agreement of residents with people, as means over residents; None for what is unknown."""

    residents: int
    answers: int
    accuracy: float
    consistency: float | None
    normalised: float | None
    distance: float | None
    retest_distance: float | None
    brier: float | None


@frozen
class CalibrationBin:
    """Possible answers with similar probabilities: their mean probability, the share of them that
    people gave, and their number.
    """

    probability: float
    share: float
    count: int


def find_agreement(answers: Sequence[ComparedAnswer]) -> ReferenceAgreement:
    """Return the agreement of one answer or more."""
    by_resident: dict[str, list[ComparedAnswer]] = {}
    for each in answers:
        by_resident.setdefault(each.who, []).append(each)
    residents = list(by_resident.values())
    return ReferenceAgreement(
        len(residents),
        len(answers),
        fmean(fmean(each.is_same for each in own) for own in residents),
        _find_mean(_find_consistency(own) for own in residents),
        _find_mean(_normalise(own) for own in residents),
        _find_mean(_find_mean(each.distance for each in own) for own in residents),
        _find_mean(_find_mean(each.retest_distance for each in own) for own in residents),
        _find_mean(_find_mean(_find_brier(each) for each in own) for own in residents),
    )


def _find_mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the known values; None if there is none."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _find_consistency(own: Sequence[ComparedAnswer]) -> float | None:
    """Return the share of a person's answers that they repeated."""
    return _find_mean(each.is_repeated for each in own)


def _normalise(own: Sequence[ComparedAnswer]) -> float | None:
    """Return the accuracy of a resident divided by the consistency of their person, by the
    questions that the person answered twice; None where they never repeated an answer.
    """
    twice = [each for each in own if each.is_repeated is not None]
    consistency = _find_consistency(twice)
    return fmean(each.is_same for each in twice) / consistency if consistency else None


def _find_brier(answer: ComparedAnswer) -> float | None:
    """Return the Brier score of an answer: the sum of squared differences between the probabilities
    and what the person answered, 0 at best and 2 at worst.
    """
    if not answer.chances:
        return None
    return sum((chance - is_given) ** 2 for chance, is_given in answer.chances)


def find_calibration(answers: Iterable[ComparedAnswer]) -> list[CalibrationBin]:
    """Return the calibration of possible answers, in steps of a tenth of probability; steps without
    any are left out.
    """
    bins: dict[int, list[tuple[float, bool]]] = {}
    for each in answers:
        for chance, is_given in each.chances:
            at = min(int(chance * CALIBRATION_BINS), CALIBRATION_BINS - 1)
            bins.setdefault(at, []).append((chance, is_given))
    return [
        CalibrationBin(
            fmean(chance for chance, _ in own), fmean(is_given for _, is_given in own), len(own)
        )
        for _, own in sorted(bins.items())
    ]
