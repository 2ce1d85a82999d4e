"""The check of a whole experiment before anything is simulated or written. All faults that do not
depend on each other are found at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from hometown.errors import BadInput, collect_faults
from hometown.frozen import frozen
from hometown.model.permission import refuse_unpermitted
from hometown.study.economic_games import check_players
from hometown.study.experiment.distinct_names import list_name_faults
from hometown.study.experiment.experiment_worlds import load_town
from hometown.study.experiment.outcomes import resolve_primary
from hometown.study.experiment.planned_interventions import list_impossible_interventions
from hometown.study.experiment.run_plans import RunPlan, find_step, last_step, plan_runs
from hometown.study.experiment.spec import DEFINITION, EDGES, Experiment, TownSpec, Treatment
from hometown.text import Phrase
from hometown.world.world import World


@frozen
class CheckedExperiment:
    """An experiment that is possible, its primary outcome resolved, with its world and its runs."""

    experiment: Experiment
    world: World
    runs: list[RunPlan]


def check_experiment(experiment: Experiment, folder: Path, worlds: Path) -> CheckedExperiment:
    """Check all of an experiment, against its world and what `folder` holds of it.

    Raises:
        BadInput: With a line for each fault: the world is broken, the experiment is not possible,
            or the folder has another definition.
    """
    is_new = not (folder / DEFINITION).exists()  # earlier versions let names pass
    world, faults = find_faults(experiment, worlds, has_names=is_new)
    if faults or world is None:
        raise BadInput(faults)
    resolved = resolve_primary(experiment, world)
    _check_definition(resolved, folder)
    return CheckedExperiment(resolved, world, plan_runs(resolved, resolved.town.start_in(world)))


def find_faults(
    experiment: Experiment, worlds: Path, *, has_primary: bool = True, has_names: bool = True
) -> tuple[World | None, list[Phrase]]:
    """Return the world of an experiment, or as much of it as there is, and all faults of the
    experiment: those of its primary outcome only with `has_primary`, those of names that are not
    distinct only with `has_names`.
    """
    faults: list[Phrase] = []
    with collect_faults(faults):
        refuse_unpermitted(
            [*experiment.models, experiment.embedding],
            Phrase("experiment {name!r}", name=experiment.name),
        )
    world = _load_most(experiment.town, worlds, faults)
    faults += _list_design_faults(experiment)
    if has_names:
        faults += list_name_faults(experiment, world)
    if world is not None:
        if has_primary and experiment.town.news.keys() <= {story.id for story in world.storylines}:
            with collect_faults(faults):
                resolve_primary(experiment, world)
        faults += _list_moment_faults(experiment, experiment.town.start_in(world))
        faults += list_impossible_interventions(experiment, world, experiment.seeds[0])
        for part in experiment.interviews:
            asked = min(part.residents or len(world.personas), len(world.personas))
            if part.questionnaire.game:
                with collect_faults(faults):
                    check_players(part.questionnaire.game, part.questionnaire.name, asked)
    for settings in (
        experiment.settings,
        *(each.settings for each in experiment.conditions.values()),
    ):
        if "instructions" in settings:
            from hometown.prompt.catalogue import check_prompt_kinds

            with collect_faults(faults):
                check_prompt_kinds("instructions", settings["instructions"])
    return world, list(dict.fromkeys(faults))


def _load_most(town: TownSpec, worlds: Path, faults: list[Phrase]) -> World | None:
    """Return the world of an experiment, and add its faults to `faults`: without the choice of
    residents and the news where they are impossible, None if it is broken itself.
    """
    parts: list[dict[str, object]] = [{}, {"residents": []}, {"news": {}}]
    parts.append(parts[1] | parts[2])
    for part in parts:
        with collect_faults(faults):
            return load_town(town.model_copy(update=part), worlds)
    return None


def _check_definition(experiment: Experiment, folder: Path) -> None:
    """Raise BadInput if a folder has another definition."""
    file = folder / DEFINITION
    if file.exists() and Experiment.model_validate_json(file.read_bytes()) != experiment:
        raise BadInput(
            "{folder} holds an experiment with another definition: give this one another name, or remove that folder",
            folder=folder,
        )


def _list_design_faults(experiment: Experiment) -> Iterator[Phrase]:
    """Yield the faults of a design that concern its contrasts and its judge."""
    if experiment.primary.contrasts == "factors" and not experiment.crossed:
        yield Phrase("primary: contrasts: factors needs factors or a grid")
    kinds = max((len(part.access) for part in experiment.interviews), default=0)
    if experiment.judge and kinds < 3:
        yield Phrase(
            "judge: there is nothing to rank; give a questionnaire at least three kinds of access"
        )


def _list_moment_faults(experiment: Experiment, start: datetime) -> list[Phrase]:
    """Return the faults of moments: all interventions and interviews have to lie within the town's
    time, and the timeline of each condition after its moment `from`.
    """
    faults: list[Phrase] = []
    town, end = experiment.town, None
    with collect_faults(faults):
        end = last_step(experiment, start)
    moments = [entry.at for entry in town.timeline]
    for treatment in experiment.conditions.values():
        moments += [] if treatment.start is None else [treatment.start]
        moments += [entry.at for entry in treatment.timeline]
        with collect_faults(faults):
            faults += _list_early_entries(experiment, treatment, start)
    moments += [wave for part in experiment.interviews for wave in part.at if wave not in EDGES]
    for moment in moments:
        with collect_faults(faults):
            if find_step(experiment, moment, start) > (end or 0) and end is not None:
                faults.append(
                    Phrase(
                        "{moment} is not in the town's time, which ends before {until}",
                        moment=moment,
                        until=town.until,
                    )
                )
    return faults


def _list_early_entries(
    experiment: Experiment, treatment: Treatment, start: datetime
) -> Iterator[Phrase]:
    """Yield a fault for each entry of a treatment's timeline before its moment `from`.

    Raises:
        BadInput: A moment is before the start of the town.
    """
    if treatment.start is None:
        return
    first = find_step(experiment, treatment.start, start)
    for entry in treatment.timeline:
        if find_step(experiment, entry.at, start) < first:
            yield Phrase(
                "timeline: {moment} is before the moment of its condition, from: {start}",
                moment=entry.at,
                start=treatment.start,
            )
