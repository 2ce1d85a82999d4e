"""The outcomes of an experiment: their kinds, and the check of the primary one."""

from __future__ import annotations

from hometown.errors import BadInput
from hometown.study.experiment.claims import CLAIM_FIGURES, CLAIMS_BY_STORYLINE, name_claim
from hometown.study.experiment.spec import CLAIMS, Experiment
from hometown.study.measuring import measures
from hometown.world.world import World

_STRAIGHT_QUOTES = str.maketrans("“”„«»‘’‚", '"""""\'\'\'')


def resolve_primary(experiment: Experiment, world: World) -> Experiment:
    """Return an experiment whose primary outcome exists in a world, its storyline by the title.

    Raises:
        BadInput: There is no such figure, or no such storyline.
    """
    primary = experiment.primary
    measure, _, figure = primary.measure.partition(".")
    known = measures()
    if measure == CLAIMS:
        waves = dict.fromkeys(wave for part in experiment.interviews for wave in part.at)
        names = {
            name_claim(each, wave).partition(".")[2]: each in CLAIMS_BY_STORYLINE
            for wave in waves
            for each in CLAIM_FIGURES
        }
        kinds, is_by_storyline = list(names), names.get(figure, False)
        if not any(
            part.questionnaire == "awareness" or not is_by_storyline
            for part in experiment.interviews
        ):
            raise BadInput(
                "primary: {figure!r} comes from interviews; add one with the questionnaire "
                "awareness to interviews",
                figure=primary.measure,
            )
    elif measure in known:
        kinds, is_by_storyline = list(known[measure].kinds), known[measure].is_by_storyline
    else:
        raise BadInput(
            "primary: there is no measure {name!r}; choose among {names}",
            name=measure,
            names=[*known, CLAIMS],
        )
    if figure not in kinds and (kinds or not figure):
        raise BadInput(
            "primary: {name!r} is no figure; choose among {names}",
            name=primary.measure,
            names=[f"{measure}.{each}" for each in kinds] or [f"{measure}.FIGURE"],
        )
    if not is_by_storyline:
        if primary.about and kinds:
            raise BadInput(
                "primary: {name} is about the whole town; remove about: {about}",
                name=primary.measure,
                about=primary.about,
            )
        return experiment
    title = _find_title(primary.about, world)
    return experiment.model_copy(update={"primary": primary.model_copy(update={"about": title})})


def _find_title(about: str, world: World) -> str:
    """Return the title of a storyline, by its id or title, whatever its quotation marks."""
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
