"""The plan of an experiment: its size, its least p-value, its power, and its hash."""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path

import pytest

from hometown.errors import BadInput
from hometown.paths import DATA
from hometown.study.experiment.report_blocks import format_markdown
from hometown.study.experiment.run_plan import (
    SIGNIFICANCE_LEVEL,
    compute_least_adjusted_p,
    count_seeds_needed,
    describe_plan,
    plan_study,
    simulate_power,
    write_preregistration,
)
from hometown.study.experiment.spec import DEFINITION
from hometown.study.experiment.spec_file import read_experiment
from tests.support.experiments import SMALL, small


def test_a_plan_counts_runs_contrasts_and_the_least_p(tmp_path: Path) -> None:
    """Two seeds under three conditions, one of which forks after ten of sixteen steps."""
    plan = plan_study(read_experiment(small(tmp_path)), tmp_path / "there", DATA / "worlds")
    assert (plan.runs, plan.family) == (6, 2)
    assert plan.least_p == 1.0  # 2 contrasts · 2 ÷ 2²
    assert plan.calls > 0
    file = tmp_path / "there" / "preregistration.md"
    write_preregistration(plan, file, "en")
    text = file.read_text("utf-8")
    assert plan.definition in text
    assert "nothing can become significant" in text
    shown = text[text.index("{\n") : text.rindex("}\n") + 2].encode()
    assert blake2b(shown, digest_size=8).hexdigest() == plan.definition
    assert json.loads(shown)["name"] == "small"


@pytest.mark.parametrize("name", ["rumour", "ablation", "lie", "hostess", "channels", "gossip"])
def test_studies_that_ship_can_reach_significance(name: str, tmp_path: Path) -> None:
    plan = plan_study(
        read_experiment(DATA / "experiments" / f"{name}.yaml"), tmp_path, DATA / "worlds"
    )
    assert plan.least_p is not None
    assert plan.least_p <= SIGNIFICANCE_LEVEL
    assert plan.power[-1] > 0.5
    needed = count_seeds_needed(plan.experiment)
    least = [compute_least_adjusted_p(plan.experiment, count) for count in (needed - 1, needed)]
    assert least[1] <= SIGNIFICANCE_LEVEL < least[0]
    assert f"At least {needed} of the" in format_markdown(describe_plan(plan, "en"))


def test_a_faulty_plan_is_refused(tmp_path: Path) -> None:
    given = read_experiment(small(tmp_path, SMALL.replace("diffusion.known", "diffusion.knwon")))
    with pytest.raises(BadInput, match="is no figure"):
        plan_study(given, tmp_path / "there", DATA / "worlds")


def test_a_plan_of_another_definition_than_the_folder_has_is_refused(tmp_path: Path) -> None:
    """It would replace the preregistration of an experiment that has begun."""
    given = read_experiment(small(tmp_path))
    folder = tmp_path / "there"
    begun = plan_study(given, folder, DATA / "worlds").experiment
    folder.mkdir(exist_ok=True)
    (folder / DEFINITION).write_text(begun.model_dump_json(by_alias=True), "utf-8")
    plan_study(given, folder, DATA / "worlds")
    with pytest.raises(BadInput, match="another definition"):
        plan_study(given.model_copy(update={"seeds": [1, 2, 3]}), folder, DATA / "worlds")


def test_power_grows_with_the_effect_and_needs_enough_seeds() -> None:
    assert set(simulate_power(5, 1)) == {0.0}
    powers = simulate_power(6, 1)
    assert list(powers) == sorted(powers)
    assert powers[-1] > 0.9
    assert simulate_power(20, 1)[1] > 0.9
