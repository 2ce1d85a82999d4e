"""The runs of an experiment: one for each condition and seed, where those with the same beginning
share it.
"""

from __future__ import annotations

from datetime import datetime

from hometown.frozen import frozen
from hometown.study.experiment.spec import TRUNK, Experiment, Treatment
from hometown.world.intervention_time import parse_when, step_at


@frozen
class RunPlan:
    """A run to be simulated up to step `end`. `parent` is the run from which it forks after step
    `at`, "" for one that begins at step 0. `condition` is "" for a trunk, which belongs to none.
    """

    name: str
    condition: str
    seed: int
    end: int
    parent: str = ""
    at: int = 0


def build_run_name(condition: str, seed: int) -> str:
    return f"{condition}-{seed}"


def plan_runs(experiment: Experiment, start: datetime) -> list[RunPlan]:
    """Return all runs, parents before their forks.

    Raises:
        BadInput: A moment isn't in the town.
    """
    end = last_step(experiment, start)
    forks = {
        name: min(find_step(experiment, moment, start) for moment in moments) - 1
        for name, treatment in experiment.conditions.items()
        if (moments := treatment.fork_moments)
    }
    base = next(
        (name for name, treatment in experiment.conditions.items() if treatment == Treatment()),
        TRUNK,
    )
    plans: list[RunPlan] = []
    for seed in experiment.seeds:
        if forks and base == TRUNK:
            plans.append(RunPlan(build_run_name(TRUNK, seed), "", seed, max(forks.values())))
        plans += [
            RunPlan(build_run_name(name, seed), name, seed, end)
            for name in experiment.conditions
            if name not in forks
        ]
        plans += [
            RunPlan(build_run_name(name, seed), name, seed, end, build_run_name(base, seed), at)
            for name, at in forks.items()
        ]
    return plans


def find_step(experiment: Experiment, moment: str, start: datetime) -> int:
    """Return the first step that begins at or after a moment of an experiment.

    Raises:
        BadInput: It is before the start.
    """
    return step_at(parse_when(moment), start, experiment.town.stride, 0)


def last_step(experiment: Experiment, start: datetime) -> int:
    """Return the last step of the town: `until` itself if it is a step, else the last that begins
    before that moment.
    """
    until = parse_when(experiment.town.until)
    return (
        until
        if isinstance(until, int)
        else max(1, step_at(until, start, experiment.town.stride, 0) - 1)
    )
