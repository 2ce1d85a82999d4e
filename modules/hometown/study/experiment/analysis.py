"""Results from the tables of an experiment; `analysis.py` beside the tables repeats the analysis
without the runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import fmean
from typing import cast

import orjson

from hometown.files import atomic_write
from hometown.frozen import frozen
from hometown.study.experiment.comparisons import (
    PlannedComparison,
    list_all_comparisons,
    list_comparisons,
)
from hometown.study.experiment.spec import DEFINITION, Experiment
from hometown.study.experiment.tables import (
    DIFFERENCE_DECIMALS,
    group_people_readings,
    list_readings,
    read_table,
)
from hometown.study.grounding import Verdict
from hometown.study.inference.estimates import Estimate, OutcomeKind, estimate_outcome
from hometown.study.inference.holm import holm
from hometown.study.inference.paired_tests import compute_equivalence_p, compute_paired_p
from hometown.study.judging.agreement import Agreement, agreement
from hometown.study.judging.controls import Control, controls, is_admitted
from hometown.study.ranking.primary import RankingStatistics, compute_statistics
from hometown.study.ranking.published import PublishedStatistics, compute_published
from hometown.study.ranking.rankings import Block
from hometown.study.rounding import significant

LEAST_RESIDENTS = 5
"""Minimum number of residents with ranked answers for rankings to be analysed at all."""

ACCESS = ("full", "no-reflection", "no-plan", "human", "none")
"""All kinds of access, in the order of reports."""


@frozen
class ConditionFigure:
    """A figure under a condition: its values by seed, and their estimate."""

    measure: str
    about: str
    condition: str
    kind: OutcomeKind
    values: dict[int, float]
    estimate: Estimate

    @property
    def is_constant(self) -> bool:
        """True if there are several values, all of them the same."""
        return len(self.values) > 1 and len(set(self.values.values())) == 1


@frozen
class Contrast:
    """The differences of a condition from the `base`, seed by seed, their mean, and their median with
    its interval; of a main effect or an interaction (`PlannedComparison.factor`), those of levels.

    `p` is that of the primary outcome's claim, by `compute_paired_p` or `compute_equivalence_p`, and
    `adjusted` that after Holm over all planned contrasts of the claim. Both are None where no test
    is allowed, and of exploratory outcomes.
    """

    measure: str
    about: str
    base: str
    condition: str
    differences: dict[int, float]
    mean: float
    estimate: Estimate
    p: float | None = None
    adjusted: float | None = None
    factor: str = ""


@frozen
class Ranked:
    """The rankings of answers in the towns of one condition, by `judge`: "model" or "people".
    `access` are the kinds of access that occur, in the order of `ACCESS`.
    """

    condition: str
    judge: str
    access: tuple[str, ...]
    judged: RankingStatistics
    published: PublishedStatistics


@frozen
class Results:
    """`scripted`: the towns of a condition are the scripted stand-in's, so no result is
    significant. `judge` are the controls of the judge, none without one. `agreement` is that of the
    judge's verdicts with those by rule, None where it gave none.
    """

    experiment: Experiment
    scripted: bool
    models: tuple[str, ...]
    outcomes: tuple[ConditionFigure, ...]
    contrasts: tuple[Contrast, ...]
    judge: tuple[Control, ...]
    agreement: Agreement | None
    rankings: tuple[Ranked, ...]

    @property
    def has_model(self) -> bool:
        """True if a language model took part in any town."""
        return self.models != ("scripted",)

    @property
    def is_admitted(self) -> bool:
        """True if the judge is admitted, so that its rankings may be tested."""
        return bool(self.judge) and is_admitted(self.judge)

    def may_test(self, ranked: Ranked) -> bool:
        """Return True if a ranking may have p-values: people made it, or an admitted judge, and the
        experiment is not `scripted`.
        """
        return not self.scripted and (self.is_admitted or ranked.judge == "people")

    def of(self, measure: str, about: str) -> list[ConditionFigure]:
        """Return a figure under all conditions, in their order."""
        return [
            outcome
            for outcome in self.outcomes
            if (outcome.measure, outcome.about) == (measure, about)
        ]


def analyse(folder: Path) -> Results:
    """Return the results of an experiment, computed from the tables below `folder`: outcomes,
    contrasts, the judge's controls and agreement, and rankings.
    """
    experiment = Experiment.model_validate_json((folder / DEFINITION).read_bytes())
    models = tuple(sorted({row["model"] for row in read_table(folder, "runs")}))
    outcomes = tuple(_outcomes(read_table(folder, "measures")))
    scripted = "scripted" in models
    judge = (
        tuple(
            controls(
                list_readings(read_table(folder, "readings")),
                group_people_readings(read_table(folder, "people")),
            )
        )
        if experiment.judge
        else ()
    )
    contrasts = _contrast_all(outcomes, list_all_comparisons(experiment))
    if not scripted:
        contrasts = _test_primary(contrasts, experiment)
    checked = [
        (cast(Verdict, row["verdict"]), cast(Verdict, row["judged"]))
        for row in read_table(folder, "answers")
        if row["judged"]
    ]
    agreed = agreement(checked) if checked else None
    return Results(
        experiment,
        scripted,
        models,
        outcomes,
        tuple(contrasts),
        judge,
        agreed,
        tuple(_rankings(read_table(folder, "rankings"))),
    )


def write_results(results: Results, folder: Path) -> None:
    """Write all results as numbers into `results.json` below `folder`."""
    content = asdict(results) | {
        "experiment": results.experiment.name,
        "admitted": results.is_admitted,
    }
    for ranked in content["rankings"]:
        ranked["published"]["dunn"] = [
            {"first": first, "second": second, "p": p}
            for (first, second), p in ranked["published"]["dunn"].items()
        ]
    with atomic_write(folder / "results.json") as file:
        file.write(
            orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS) + b"\n"
        )


def _outcomes(rows: Iterable[dict[str, str]]) -> Iterator[ConditionFigure]:
    """Yield the figures of all conditions; a figure without a value in a run is missing there."""
    values: dict[tuple[str, str, str, OutcomeKind], dict[int, float]] = {}
    for row in rows:
        if row["value"] == "":
            continue
        kind = cast(OutcomeKind, row.get("kind", "score"))  # tables of earlier versions lack it
        values.setdefault((row["measure"], row["about"], row["condition"], kind), {})[
            int(row["seed"])
        ] = float(row["value"])
    for (measure, about, condition, kind), by_seed in values.items():
        found = estimate_outcome(list(by_seed.values()), kind)
        yield ConditionFigure(measure, about, condition, kind, by_seed, found)


def _contrast_all(
    outcomes: Sequence[ConditionFigure], comparisons: Sequence[PlannedComparison]
) -> list[Contrast]:
    """Return the contrasts of all outcomes, in the seeds that all of their conditions have, with
    differences rounded to `TABLE_DECIMALS`; none for an outcome without such seeds.
    """
    by_condition: dict[tuple[str, str], dict[str, dict[int, float]]] = {}
    for each in outcomes:
        by_condition.setdefault((each.measure, each.about), {})[each.condition] = each.values
    contrasts = []
    for (measure, about), values in by_condition.items():
        for comparison in comparisons:
            differences = {
                seed: round(value, DIFFERENCE_DECIMALS)
                for seed, value in comparison.compute_differences(values).items()
            }
            if differences:
                found = list(differences.values())
                contrasts.append(
                    Contrast(
                        measure,
                        about,
                        comparison.base,
                        comparison.condition,
                        differences,
                        significant(fmean(found)),
                        estimate_outcome(found),
                        factor=comparison.factor,
                    )
                )
    return contrasts


def is_confirmatory(contrast: Contrast, experiment: Experiment) -> bool:
    """Return True for the contrasts of the primary outcome's claim."""
    primary = experiment.primary
    return (contrast.measure, contrast.about) == (primary.measure, primary.about) and (
        contrast.condition,
        contrast.base,
    ) in {(each.condition, each.base) for each in list_comparisons(experiment)}


def _test_primary(contrasts: Sequence[Contrast], experiment: Experiment) -> list[Contrast]:
    """Return the contrasts with p-values for those of the primary outcome's claim."""
    primary, family = experiment.primary, {}
    for at, each in enumerate(contrasts):
        if is_confirmatory(each, experiment):
            found = list(each.differences.values())
            family[at] = (
                compute_paired_p(found)
                if primary.same_within is None
                else compute_equivalence_p(found, primary.same_within)
            )
    adjusted = holm(family, len(list_comparisons(experiment)))
    return [
        replace(each, p=significant(family[at]), adjusted=significant(adjusted[at]))
        if at in family
        else each
        for at, each in enumerate(contrasts)
    ]


def _rankings(rows: Iterable[dict[str, str]]) -> Iterator[Ranked]:
    """Yield the rankings with enough residents and at least three kinds of access. A block counts
    if it has two answers or more.
    """
    blocks: dict[tuple[str, str], dict[tuple[int, str, str], dict[str, float]]] = {}
    for row in rows:
        block = blocks.setdefault((row["condition"], row["judge"]), {}).setdefault(
            (int(row["seed"]), row["who"], row["question"]), {}
        )
        block[row["access"]] = float(row["rank"])
    for (condition, judge), found in blocks.items():
        ranked = [Block(*key, ranks) for key, ranks in found.items() if len(ranks) > 1]
        access = tuple(each for each in ACCESS if any(each in block.ranks for block in ranked))
        if len(access) > 2 and len({block.who for block in ranked}) >= LEAST_RESIDENTS:
            yield Ranked(
                condition,
                judge,
                access,
                compute_statistics(ranked, access),
                compute_published(ranked, access),
            )
