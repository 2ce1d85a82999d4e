"""Residents' claims of knowledge in interviews, with the measures of diffusion and relationships of
Park et al. (2023, §7.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hometown.history.spread import density
from hometown.study.experiment.asking import AnswerKey
from hometown.study.experiment.interview_ledgers import Ledger
from hometown.study.experiment.outcomes import name_claim


def claims(
    answers: Ledger, residents: Sequence[str], titles: Mapping[str, str]
) -> Iterator[tuple[str, str, float]]:
    """Yield figures of a run's interviews with full access, as (name, subject, value), for each
    wave, after which `name_claim` names them; none where no such question was asked.

    `claims.known`: the share of residents who say that they know of a storyline; `claims.density`:
    that of the network in which two are acquainted if each claims to know of the other;
    `claims.invented`: of the answers that claim knowledge, the share without any evidence;
    `claims.fallbacks`: the share of unusable answers.
    """
    full = [
        (AnswerKey(*key), entry)
        for key, entry in answers.entries.items()
        if AnswerKey(*key).access == "full"
    ]
    for wave in dict.fromkeys(each.moment for each, _ in full):
        asked = [(each, entry) for each, entry in full if each.moment == wave]
        yield from _of_wave(asked, wave, residents, titles)


def _of_wave(
    asked: Sequence[tuple[AnswerKey, Mapping[str, Any]]],
    wave: str,
    residents: Sequence[str],
    titles: Mapping[str, str],
) -> Iterator[tuple[str, str, float]]:
    claimed = [
        (each, entry)
        for each, entry in asked
        if entry["knows"] == "yes" and entry["outcome"] != "fallback"
    ]
    aware = [each for each, _ in claimed if each.questionnaire == "awareness"]
    for story, title in titles.items():
        if any(each.about == story for each, _ in asked if each.questionnaire == "awareness"):
            yield (
                name_claim("known", wave),
                title,
                len({each.who for each in aware if each.about == story}) / len(residents),
            )
    people = {(each.who, each.about) for each in aware if each.about in residents}
    if any(each.about in residents for each, _ in asked):
        yield (
            name_claim("density", wave),
            "",
            density(sum((other, who) in people for who, other in people) // 2, len(residents)),
        )
    if asked:
        yield (
            name_claim("invented", wave),
            "",
            sum(entry["verdict"] == "invented" for _, entry in claimed) / max(1, len(claimed)),
        )
        yield (
            name_claim("fallbacks", wave),
            "",
            sum(entry["outcome"] == "fallback" for _, entry in asked) / len(asked),
        )
