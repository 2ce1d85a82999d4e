"""The outcomes of an experiment: their kinds, and the check of the primary one."""

from __future__ import annotations

from hometown.errors import BadInput, collect_faults
from hometown.study.experiment.instrument_outcomes import check_instrument_primary
from hometown.study.experiment.spec import (
    ASKED,
    CLAIMS,
    INSTRUMENTS,
    Experiment,
    name_wave_figure,
)
from hometown.study.measures.registry import OutcomeMeasure
from hometown.study.measuring import find_measure, measures
from hometown.text import Phrase
from hometown.world.world import World

CLAIM_FIGURES = ("known", "density", "invented", "fallbacks")
"""The figures of a wave, all of them shares; those of `CLAIMS_BY_STORYLINE` are about a storyline."""

CLAIMS_BY_STORYLINE = ("known",)

_STRAIGHT_QUOTES = str.maketrans("“”„«»‘’‚", '"""""\'\'\'')


def resolve_primary(experiment: Experiment, world: World) -> Experiment:
    """Return an experiment whose primary outcome exists in a world, its storyline by the title.

    Raises:
        BadInput: With a line for each fault: there is no such figure, or no such storyline.
    """
    primary = experiment.primary
    measure, _, figure = primary.measure.partition(".")
    if not experiment.keeps(primary.measure):
        raise BadInput(
            "primary: {name!r} is of none of the measures {names}; add its own",
            name=primary.measure,
            names=experiment.measures,
        )
    if measure in INSTRUMENTS:
        check_instrument_primary(experiment)
        return experiment
    figures, is_by_storyline = _list_figures(experiment, measure, figure)
    faults: list[Phrase] = []
    if figure not in figures and (figures or not figure):
        faults.append(
            Phrase(
                "primary: {name!r} is no figure; choose among {names}",
                name=primary.measure,
                names=[f"{measure}.{each}" for each in figures] or [f"{measure}.FIGURE"],
            )
        )
    about = primary.about
    if is_by_storyline:
        with collect_faults(faults):
            about = _find_title(primary.about, world)
    elif primary.about and figure in figures:
        faults.append(
            Phrase(
                "primary: {name} is about the whole town; remove about: {about}",
                name=primary.measure,
                about=primary.about,
            )
        )
    if faults:
        raise BadInput(faults)
    return experiment.model_copy(update={"primary": primary.model_copy(update={"about": about})})


def _list_figures(
    experiment: Experiment, measure: str, figure: str
) -> tuple[dict[str, bool], bool]:
    """Return the figures of a measure, with True for those by storyline, and True if the one named
    is. Raises BadInput if the experiment has no questions for a claim.
    """
    if measure != CLAIMS:
        known = _find_measure(measure)
        return dict.fromkeys(known.kinds, known.is_by_storyline), known.is_by_storyline
    figures = _list_claims(experiment)
    is_by_storyline = figures.get(figure, False)
    _check_interviews(experiment, is_by_storyline)
    return figures, is_by_storyline


def _find_measure(name: str) -> OutcomeMeasure:
    """Return a measure of behaviour.

    Raises:
        BadInput: There is none of this name.
    """
    found = find_measure(name)
    if found is None:
        raise BadInput(
            "primary: there is no measure {name!r}; choose among {names}",
            name=name,
            names=[*measures(), *ASKED],
        )
    return found


def _list_claims(experiment: Experiment) -> dict[str, bool]:
    """Return the figures of claims in an experiment's waves of interviews, by name: True for those
    about a storyline.
    """
    waves = dict.fromkeys(wave for part in experiment.interviews for wave in part.at)
    return {
        name_wave_figure(f"{CLAIMS}.{each}", wave).partition(".")[2]: each in CLAIMS_BY_STORYLINE
        for wave in waves
        for each in CLAIM_FIGURES
    }


def _check_interviews(experiment: Experiment, is_by_storyline: bool) -> None:
    """Check that an experiment has the interviews from which a figure of claims comes.

    Raises:
        BadInput: It has none.
    """
    if not any(
        part.questionnaire.name == "awareness" or not is_by_storyline
        for part in experiment.interviews
    ):
        raise BadInput(
            "primary: {figure!r} comes from interviews; add one with the questionnaire "
            "awareness to interviews",
            figure=experiment.primary.measure,
        )


def _find_title(about: str, world: World) -> str:
    """Return the title of a storyline, by its id or title, whatever its quotation marks and
    capitals. Raises BadInput if there is none.
    """
    wanted = about.translate(_STRAIGHT_QUOTES).casefold()
    for story in world.storylines:
        if wanted in (story.id.casefold(), story.title.translate(_STRAIGHT_QUOTES).casefold()):
            return story.title
    raise BadInput(
        "primary: there is no storyline {about!r} in {world}; choose among {names}",
        about=about,
        world=world.id,
        names=[story.id for story in world.storylines],
    )
