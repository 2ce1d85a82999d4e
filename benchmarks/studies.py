"""Lives the shipped studies and their null versions: `python -m benchmarks.studies RESULTS [DRAWS]`.

A null version has the same plan, but each condition gets towns of the baseline, with seeds of their
own, so that no condition has an effect. Towns are simulated by the scripted model, in RESULTS; those
that are there are not simulated again. For each study, the smallest p of its primary outcome is
printed, as its plan corrects it: the smallest that can occur, that of the study, and that of its
null version. Then comes the share of null versions with an effect at 5 %, where the same towns are
dealt to the conditions in DRAWS random orders. It may nowhere exceed 7 %. The last column is the
number of different values that the outcome takes in these towns: where it takes only one, nothing
can be found in them, and their p of 1 says nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from hometown.cli.main import run_hometown
from hometown.paths import DATA
from hometown.study.experiment.comparisons import list_comparisons
from hometown.study.experiment.run_plan import SIGNIFICANCE_LEVEL, compute_least_adjusted_p
from hometown.study.experiment.spec import DEFINITION, Experiment
from hometown.study.experiment.spec_file import read_experiment
from hometown.study.experiment.tables import read_table
from hometown.study.inference.holm import holm
from hometown.study.inference.paired_tests import compute_paired_ps

STUDIES = ("lie", "hostess", "channels", "gossip", "opinions", "epidemic")

DRAWS = 2000

MOST_FALSE_POSITIVES = 0.07

Values = Mapping[str, Mapping[int, float]]
"""Values of an outcome by condition and seed."""


def read_study(name: str) -> Experiment:
    """Return a shipped study."""
    return read_experiment(DATA / "experiments" / f"{name}.yaml")


def build_null(study: Experiment) -> Experiment:
    """Return an experiment with the towns of a study's null version: its baseline alone, with a seed
    for each town of the study.
    """
    baseline, treatment = next(iter(study.conditions.items()))
    measure = study.primary.measure
    return Experiment.model_validate(
        study.model_dump(by_alias=True)
        | {
            "name": f"{study.name}-null",
            "seeds": list(range(1, len(study.seeds) * len(study.conditions) + 1)),
            "conditions": {baseline: treatment.model_dump(by_alias=True)},
            "factors": {},
            "grid": {},
            "interviews": [],
            "paper": False,
            "measures": [measure.partition(".")[0]],
            "primary": {"measure": measure, "about": study.primary.about},
        }
    )


def deal_towns(study: Experiment, towns: Sequence[float]) -> Values:
    """Return the values of towns by condition and seed of a study, in their order."""
    size = len(study.seeds)
    return {
        condition: dict(zip(study.seeds, towns[at * size : (at + 1) * size], strict=True))
        for at, condition in enumerate(study.conditions)
    }


def compute_smallest_ps(study: Experiment, lived: Sequence[Values]) -> list[float]:
    """Return the smallest p of the contrasts of a study's primary outcome, after Holm, for each
    time that it was lived.
    """
    contrasts = [
        compute_paired_ps([list(each.compute_differences(values).values()) for values in lived])
        for each in list_comparisons(study)
    ]
    return [min(holm(dict(enumerate(ps))).values()) for ps in zip(*contrasts, strict=True)]


def measure_false_positives(study: Experiment, towns: Sequence[float], draws: int) -> float:
    """Return the share of random deals of towns without an effect that a study's plan takes for
    one.
    """
    rng = np.random.default_rng(1)
    dealt = [deal_towns(study, rng.permutation(towns).tolist()) for _ in range(draws)]
    return float(np.mean(np.array(compute_smallest_ps(study, dealt)) <= SIGNIFICANCE_LEVEL))


def live(definition: Experiment, results: Path) -> Values:
    """Simulate what an experiment lacks in a folder of results, and return the values of its primary
    outcome.
    """
    folder = results / "experiments" / definition.name
    if not (folder / "tables" / "measures.csv").exists():
        file = results / f"{definition.name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(definition.model_dump_json(by_alias=True, exclude_defaults=True).encode())
        if run_hometown(["experiment", str(file), "--results", str(results)]):
            raise SystemExit(1)
    primary = Experiment.model_validate_json((folder / DEFINITION).read_bytes()).primary
    values: dict[str, dict[int, float]] = {}
    for row in read_table(folder, "measures"):
        if (row["measure"], row["about"]) == (primary.measure, primary.about):
            values.setdefault(row["condition"], {})[int(row["seed"])] = float(row["value"])
    return values


def print_studies(results: Path, draws: int) -> bool:
    """Simulate what the studies and their null versions lack in a folder of results, print a row for
    each, and return True if each can find an effect, and none finds one where there is none.
    """
    is_valid = True
    print(
        f"{'smallest p':12}{'possible':>10}{'study':>10}{'null':>10}{'false positives':>18}{'values':>8}"
    )
    for name in STUDIES:
        study = read_study(name)
        (towns,) = live(build_null(study), results).values()
        null = list(towns.values())
        least = compute_least_adjusted_p(study, len(study.seeds))
        ps = (
            least,
            *compute_smallest_ps(study, [live(study, results), deal_towns(study, null)]),
        )
        rate = measure_false_positives(study, null, draws)
        count = len(set(null))
        shown = "".join(f"{p:>10.3f}" for p in ps)
        print(f"{name:12}{shown}{rate:>18.1%}{count:>8}", flush=True)
        is_valid &= least <= SIGNIFICANCE_LEVEL and rate <= MOST_FALSE_POSITIVES and count > 1
    return is_valid


def main(argv: Sequence[str]) -> int:
    """Print the table, and return 1 where a figure is beyond its limit."""
    if not argv:
        raise SystemExit(__doc__)
    return 0 if print_studies(Path(argv[0]), int(argv[1]) if argv[1:] else DRAWS) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
