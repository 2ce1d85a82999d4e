"""The shipped studies can find an effect by their own plans, and their null versions have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.studies import (
    MOST_FALSE_POSITIVES,
    STUDIES,
    build_null,
    compute_smallest_ps,
    deal_towns,
    measure_false_positives,
    read_study,
)
from hometown.paths import WORLDS
from hometown.study.experiment.checking import check_experiment
from hometown.study.experiment.run_plan import SIGNIFICANCE_LEVEL, compute_least_adjusted_p
from hometown.study.experiment.spec import Experiment


@pytest.fixture(params=STUDIES)
def study(request: pytest.FixtureRequest) -> Experiment:
    return read_study(request.param)


def test_a_study_can_find_an_effect(study: Experiment) -> None:
    """Every condition differs from those before it by more than the seeds differ."""
    towns = [
        10.0**at + seed for at in range(len(study.conditions)) for seed in range(len(study.seeds))
    ]
    (found,) = compute_smallest_ps(study, [deal_towns(study, towns)])
    assert found == compute_least_adjusted_p(study, len(study.seeds)) <= SIGNIFICANCE_LEVEL


def test_its_null_version_has_few_false_positives(study: Experiment) -> None:
    """With values that tie, as counts and shares of few residents do."""
    towns = [float(at % 4) for at in range(len(study.seeds) * len(study.conditions))]
    assert measure_false_positives(study, towns, 200) <= MOST_FALSE_POSITIVES


def test_its_null_version_has_a_town_of_the_baseline_for_each_of_its_towns(
    study: Experiment, tmp_path: Path
) -> None:
    null = check_experiment(build_null(study), tmp_path, WORLDS)
    assert len(null.runs) == len(study.seeds) * len(study.conditions)
    assert list(null.experiment.conditions) == list(study.conditions)[:1]
