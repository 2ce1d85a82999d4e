"""The figures of closed questions and games that an experiment has, among which its primary outcome
may be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hometown.errors import BadInput
from hometown.language import Lang
from hometown.study.experiment.spec import Experiment, name_wave_figure
from hometown.study.questionnaire_definition import GameRole, Questionnaire

GIVEN: Mapping[GameRole, str] = {
    "giver": "games.given",
    "sender": "games.sent",
    "receiver": "games.returned",
    "contributor": "games.contributed",
}
"""The figure of a role: the mean share of what was possible."""


SCORED = {"closed.score": "score", "closed.expected": "expected"}
"""The figures of scales and sliders, with the column of answers of which each is a mean."""


def list_instrument_subjects(experiment: Experiment, lang: Lang) -> dict[str, list[str]]:
    """Return the subjects of each figure that the closed questions of an experiment have, by its
    name with the wave.
    """
    found: dict[str, list[str]] = {}
    for part in experiment.interviews:
        if "full" in part.access:
            for figure, about in _list_subjects(part.questionnaire, lang):
                for wave in part.at:
                    found.setdefault(name_wave_figure(figure, wave), []).append(about)
    return found


def _list_subjects(questionnaire: Questionnaire, lang: Lang) -> Iterator[tuple[str, str]]:
    """Yield (figure, subject) of each figure of a questionnaire."""
    name, kinds = questionnaire.name, {each.kind for each in questionnaire.questions}
    if "scale" in kinds:
        yield from ((figure, name) for figure in SCORED)
    for each in questionnaire.questions:
        if each.slider:
            yield from ((figure, f"{name}/{each.id}") for figure in SCORED)
        if each.allocation:
            things = getattr(each.allocation.among, lang)
            yield from (("closed.amount", f"{name}/{each.id}/{thing}") for thing in things)
        if each.role:
            yield GIVEN[each.role], name
    if kinds != {""}:
        yield "closed.refused", name
        yield "closed.unusable", name


def check_instrument_primary(experiment: Experiment) -> None:
    """Check that the primary outcome is a figure of the experiment's closed questions.

    Raises:
        BadInput: It is none, or has another subject.
    """
    primary = experiment.primary
    subjects = list_instrument_subjects(experiment, experiment.town.lang)
    if primary.measure not in subjects:
        raise BadInput(
            "primary: {name!r} is no figure of the questionnaires of interviews; choose among {names}",
            name=primary.measure,
            names=list(subjects),
        )
    if primary.about not in subjects[primary.measure]:
        raise BadInput(
            "primary: {name} is not about {about!r}; choose about among {names}",
            name=primary.measure,
            about=primary.about,
            names=subjects[primary.measure],
        )
