"""The plan of an experiment before anything runs: its size, cost and power, as a preregistration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hometown.doctor.estimate import estimate_load
from hometown.files import atomic_write
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.rng import stream_seed
from hometown.study.experiment.checking import check_experiment
from hometown.study.experiment.comparisons import list_comparisons
from hometown.study.experiment.experiment_wording import amount, label, load_words
from hometown.study.experiment.provenance import (
    format_definition,
    hash_definition,
    hash_prompts,
)
from hometown.study.experiment.report_blocks import (
    Code,
    Heading,
    Paragraph,
    ReportBlock,
    ReportTable,
    format_markdown,
)
from hometown.study.experiment.spec import Experiment
from hometown.study.inference.paired_tests import compute_least_p
from hometown.study.questionnaire import Asking, questions_for
from hometown.version import __version__

SIGNIFICANCE_LEVEL = 0.05

EFFECTS = (0.5, 1.0, 1.5, 2.0, 3.0)
"""True differences for which the power is simulated, in standard deviations of the differences."""

POWER_DRAWS = 200

MOST_EXACT_SEEDS = 12
"""Maximum number of seeds for which the power is that of the exact test; of more, it is that of
Student's t, which hardly differs.
"""


@frozen
class StudyPlan:
    """The size, cost and power of an experiment; `definition` is its hash, and `steps` are those to
    be simulated in all runs.

    `family` is the number of confirmatory contrasts, 0 for one condition. `calls` and `hours` are
    estimates of all calls of its towns and interviews, and of the time that they take on a small
    model at an average GPU. `least_p` is the smallest p-value after Holm that can occur, None
    without a contrast. `power` is by `EFFECTS`.
    """

    experiment: Experiment
    definition: str
    runs: int
    steps: int
    calls: int
    hours: float
    family: int
    least_p: float | None
    power: tuple[float, ...]


def plan_study(experiment: Experiment, folder: Path, worlds: Path) -> StudyPlan:
    """Return the plan of an experiment, and check all of it.

    Raises:
        BadInput: The experiment is not possible.
    """
    checked = check_experiment(experiment, folder, worlds)
    experiment, world, plans = checked.experiment, checked.world, checked.runs
    town, people = experiment.town, world.personas
    start = town.start_in(world)
    steps = sum(plan.end - plan.at for plan in plans)
    loads = [
        estimate_load(
            town.world,
            town.lang,
            len(people),
            start,
            (plan.end - plan.at) * town.stride,
        )
        for plan in plans
    ]
    asked = 0
    for part in experiment.interviews:
        who = next(iter(people))
        asking = Asking(world, who, start, 1)
        questions = questions_for(part.questionnaire, asking)[: part.questions]
        residents = min(part.residents or len(people), len(people))
        asked += len(part.at) * len(part.access) * len(questions) * residents
    interviews = asked * len(experiment.seeds) * len(experiment.conditions)
    calls = sum(load.calls for load in loads)
    hours = sum(load.hours() for load in loads)
    seeds, family = len(experiment.seeds), len(list_comparisons(experiment))
    return StudyPlan(
        experiment,
        hash_definition(experiment),
        len(plans),
        steps,
        round(calls) + interviews,
        hours * (1 + interviews / max(1.0, calls)),
        family,
        compute_least_adjusted_p(experiment, seeds) if family else None,
        simulate_power(seeds, family) if family else (),
    )


def compute_least_adjusted_p(experiment: Experiment, differing: int) -> float:
    """Return the smallest p-value of the primary outcome after Holm that can occur, where so many
    seeds have a difference.
    """
    tails = 2 if experiment.primary.same_within is None else 1
    return min(1.0, len(list_comparisons(experiment)) * compute_least_p(differing, tails))


def count_seeds_needed(experiment: Experiment) -> int:
    """Return the least number of seeds that have to differ for a significant difference."""
    return next(
        differing
        for differing in count()
        if compute_least_adjusted_p(experiment, differing) <= SIGNIFICANCE_LEVEL
    )


def simulate_power(seeds: int, family: int) -> tuple[float, ...]:
    """Return for each of `EFFECTS` the share of `POWER_DRAWS` simulated experiments in which a
    contrast with this difference is found: a lower limit, as if all p-values were multiplied by the
    size of the family.
    """
    compute = _compute_exact_ps if seeds <= MOST_EXACT_SEEDS else _compute_student_ps
    rng = np.random.default_rng(stream_seed(1, "power"))
    return tuple(
        float(
            np.mean(
                compute(rng.normal(effect, 1, (POWER_DRAWS, seeds))) * family <= SIGNIFICANCE_LEVEL
            )
        )
        for effect in EFFECTS
    )


def _compute_student_ps(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the two-sided p-values, float64[draws], of Student's paired t-test, for each row of
    differences, float64[draws, seeds].
    """
    from scipy.special import stdtr

    count = drawn.shape[1]
    t = np.mean(drawn, axis=1) / (np.std(drawn, axis=1, ddof=1) / np.sqrt(count))
    return np.asarray(2 * stdtr(count - 1, -np.abs(t)))


def _compute_exact_ps(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the exact two-sided paired p-values, float64[draws], as `compute_paired_p` does, for
    each row of differences, float64[draws, seeds].
    """
    signs = 1 - 2 * (np.arange(2 ** drawn.shape[1])[:, None] >> np.arange(drawn.shape[1]) & 1)
    sums = np.abs(drawn @ signs.T)
    return np.asarray(np.mean(sums >= sums[:, :1] - 1e-9, axis=1))


def write_preregistration(plan: StudyPlan, file: Path, lang: Lang) -> None:
    """Write the plan and the whole definition to a file of Markdown."""
    words = load_words(lang)
    definition: list[ReportBlock] = [
        Heading(2, words["plan_definition"]),
        Paragraph(
            words["plan_definition_about"].format(version=__version__, prompts=hash_prompts())
        ),
        Code(format_definition(plan.experiment)),
    ]
    with atomic_write(file) as written:
        written.write(format_markdown([*describe_plan(plan, lang), *definition]).encode())


def describe_plan(plan: StudyPlan, lang: Lang) -> Sequence[ReportBlock]:
    """Return the plan in words."""
    return list(_describe(plan, lang))


def _describe(plan: StudyPlan, lang: Lang) -> Iterator[ReportBlock]:
    words, experiment, primary = load_words(lang), plan.experiment, plan.experiment.primary
    yield Heading(1, words["plan_title"].format(name=experiment.name))
    yield Paragraph(experiment.question)
    yield Paragraph(words["plan_hash"].format(definition=plan.definition))
    yield Paragraph(
        words["plan_size"].format(
            seeds=len(experiment.seeds),
            conditions=", ".join(experiment.conditions),
            runs=plan.runs,
            steps=plan.steps,
            calls=amount(plan.calls),
            hours=amount(plan.hours),
        )
    )
    if experiment.crossed:
        factors = "; ".join(
            f"{name} ({', '.join(levels)})" for name, levels in experiment.crossed.items()
        )
        yield Paragraph(words["plan_factors"].format(factors=factors))
    yield Paragraph(
        words["plan_primary"].format(measure=label(primary.measure, primary.about, lang))
    )
    if plan.least_p is None:
        yield Paragraph(words["no_contrast"])
        return
    yield from _describe_plan_test(plan, plan.least_p, words)
    yield Paragraph(words["plan_rules"])


def _describe_plan_test(
    plan: StudyPlan, least_p: float, words: Mapping[str, str]
) -> Iterator[ReportBlock]:
    """Yield the claim, the least p that the seeds allow, and the power by size of the effect."""
    experiment, primary = plan.experiment, plan.experiment.primary
    claim = words["plan_differ"]
    if primary.same_within is not None:
        claim = words["plan_same"].format(margin=amount(primary.same_within))
    yield Paragraph(words["plan_test"].format(family=plan.family, claim=claim))
    least = words["plan_least"].format(p=amount(least_p))
    is_possible = least_p <= SIGNIFICANCE_LEVEL
    if not is_possible:
        least = f"{least} {words['plan_impossible']}"
    elif primary.same_within is None:
        ties = words["plan_ties"].format(
            needed=count_seeds_needed(experiment), count=len(experiment.seeds)
        )
        least = f"{least} {ties}"
    yield Paragraph(least, not is_possible)
    if primary.same_within is None:
        yield Paragraph(words["plan_power"])
        yield ReportTable(
            [words["column_effect"], words["column_power"]],
            [
                [amount(effect), f"{power:.0%}"]
                for effect, power in zip(EFFECTS, plan.power, strict=True)
            ],
        )
