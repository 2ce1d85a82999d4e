"""The check of a whole experiment before anything is simulated or written."""

from __future__ import annotations

from pathlib import Path

from hometown.errors import BadInput
from hometown.frozen import frozen
from hometown.study.experiment.experiment_worlds import load_town
from hometown.study.experiment.outcomes import resolve_primary
from hometown.study.experiment.planned_interventions import find_planned_targets
from hometown.study.experiment.run_plans import RunPlan, find_step, last_step, plan_runs
from hometown.study.experiment.spec import DEFINITION, EDGES, Experiment
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
        BadWorld: The world is broken.
        BadSettings: A setting names a prompt that does not exist.
        BadInput: The experiment is not possible, or the folder has another definition.
    """
    world = load_town(experiment.town, worlds)
    resolved = resolve_primary(experiment, world)
    end = last_step(resolved, world.start)
    runs = plan_runs(resolved, world.start)
    _check_moments(resolved, world, end)
    find_planned_targets(resolved, world, resolved.seeds[0])
    for settings in (resolved.settings, *(each.settings for each in resolved.conditions.values())):
        if "instructions" in settings:
            from hometown.prompt.catalogue import check_prompt_kinds

            check_prompt_kinds("instructions", settings["instructions"])
    _check_definition(resolved, folder)
    return CheckedExperiment(resolved, world, runs)


def _check_definition(experiment: Experiment, folder: Path) -> None:
    """Raise BadInput if a folder has another definition."""
    file = folder / DEFINITION
    if file.exists() and Experiment.model_validate_json(file.read_bytes()) != experiment:
        raise BadInput(
            "{folder} holds an experiment with another definition: give this one another name, or remove that folder",
            folder=folder,
        )


def _check_moments(experiment: Experiment, world: World, end: int) -> None:
    """Raise BadInput unless all interventions and interviews lie within the town's time, and the
    timeline of each condition after its moment `from`.
    """
    moments = [entry.at for entry in experiment.town.timeline]
    for treatment in experiment.conditions.values():
        moments += [treatment.start] if treatment.start is not None else []
        moments += [entry.at for entry in treatment.timeline]
        if treatment.start is not None:
            first = find_step(experiment, treatment.start, world.start)
            for entry in treatment.timeline:
                if find_step(experiment, entry.at, world.start) < first:
                    raise BadInput(
                        "timeline: {moment} is before the moment of its condition, from: {start}",
                        moment=entry.at,
                        start=treatment.start,
                    )
    moments += [wave for part in experiment.interviews for wave in part.at if wave not in EDGES]
    for moment in moments:
        if find_step(experiment, moment, world.start) > end:
            raise BadInput(
                "{moment} is not in the town's time, which ends before {until}",
                moment=moment,
                until=experiment.town.until,
            )
