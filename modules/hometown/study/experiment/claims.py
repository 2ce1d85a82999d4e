"""Residents' claims of knowledge in interviews, with the measures of diffusion and relationships of
Park et al. (2023, §7.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hometown.study.experiment.asking import AnswerKey
from hometown.study.experiment.interview_ledgers import Ledger
from hometown.study.experiment.spec import name_wave_figure


def claims(answers: Ledger, titles: Mapping[str, str]) -> Iterator[tuple[str, str, float]]:
    """Yield figures of a run's interviews with full access, as (name, subject, value), for each
    wave, after which `name_wave_figure` names them; none where no such answer could be used.

    `claims.known`: of the residents who answered, the share of those who say that they know of a
    storyline; `claims.density`: of the pairs who answered about each other, the share of those who
    both claim to know of the other; `claims.invented`: of the answers that claim knowledge, the
    share without any evidence; `claims.fallbacks`: of all answers, the share of unusable ones.

    Args:
        answers: The answers of the run.
        titles: The titles of storylines by id.
    """
    full = [
        (AnswerKey(*key), entry)
        for key, entry in answers.entries.items()
        if AnswerKey(*key).access == "full"
    ]
    for wave in dict.fromkeys(each.moment for each, _ in full):
        asked = [(each, entry) for each, entry in full if each.moment == wave]
        yield from _of_wave(asked, wave, titles)


def _of_wave(
    asked: Sequence[tuple[AnswerKey, Mapping[str, Any]]], wave: str, titles: Mapping[str, str]
) -> Iterator[tuple[str, str, float]]:
    usable = [(each, entry) for each, entry in asked if entry["outcome"] != "fallback"]
    claimed = [(each, entry) for each, entry in usable if entry["knows"] == "yes"]
    answered, aware = (
        {(each.who, each.about) for each, _ in some if each.questionnaire == "awareness"}
        for some in (usable, claimed)
    )
    for story, title in titles.items():
        by_story = [pair for pair in answered if pair[1] == story]
        if by_story:
            known = sum(pair in aware for pair in by_story) / len(by_story)
            yield name_wave_figure("claims.known", wave), title, known
    mutual = [(who, other) for who, other in answered if (other, who) in answered]
    if mutual:
        acquainted = sum({(who, other), (other, who)} <= aware for who, other in mutual)
        yield name_wave_figure("claims.density", wave), "", acquainted / len(mutual)
    if claimed:
        invented = sum(entry["verdict"] == "invented" for _, entry in claimed)
        yield name_wave_figure("claims.invented", wave), "", invented / len(claimed)
    yield name_wave_figure("claims.fallbacks", wave), "", (len(asked) - len(usable)) / len(asked)
