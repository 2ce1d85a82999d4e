"""Results from the tables of an experiment; `analysis.py` beside the tables repeats the analysis
without the runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import cast

import orjson

from hometown.files import atomic_write
from hometown.frozen import frozen
from hometown.study.experiment.seeds import SeedSpread, compute_paired_p, summarize_values
from hometown.study.experiment.spec import DEFINITION, Experiment
from hometown.study.experiment.tables import (
    group_people_readings,
    list_readings,
    read_table,
)
from hometown.study.grounding import Verdict
from hometown.study.judging.agreement import Agreement, agreement
from hometown.study.judging.controls import Control, controls, is_admitted
from hometown.study.ranking.primary import RankingStatistics, compute_statistics
from hometown.study.ranking.published import PublishedStatistics, compute_published
from hometown.study.ranking.rankings import Block

LEAST_RESIDENTS = 5
"""Minimum number of residents for tests of rankings."""


@frozen
class ConditionFigure:
    """A figure under a condition: its values by seed, and their spread."""

    measure: str
    about: str
    condition: str
    values: dict[int, float]
    spread: SeedSpread


@frozen
class Contrast:
    """The differences from the first condition, seed by seed; `p` is that of `compute_paired_p`,
    and None where no test is allowed.
    """

    measure: str
    about: str
    condition: str
    differences: dict[int, float]
    spread: SeedSpread
    p: float | None


@frozen
class Ranked:
    """The rankings of answers in the towns of one condition, by `judge`: "model" or "people"."""

    condition: str
    judge: str
    access: tuple[str, ...]
    judged: RankingStatistics
    published: PublishedStatistics


@frozen
class Results:
    """`scripted`: no language model took part in the towns, or none in the judging, so no result is
    significant. `agreement` is that of the judge's verdicts with those by rule, None where it gave
    none.
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
    def is_admitted(self) -> bool:
        """True if the judge is admitted, so that its rankings may be tested."""
        return bool(self.judge) and is_admitted(self.judge)

    def of(self, measure: str, about: str) -> list[ConditionFigure]:
        """Return a figure under all conditions, in their order."""
        return [
            outcome
            for outcome in self.outcomes
            if (outcome.measure, outcome.about) == (measure, about)
        ]


def analyse(folder: Path) -> Results:
    """Analyse the tables below `folder`."""
    experiment = Experiment.model_validate_json((folder / DEFINITION).read_bytes())
    models = tuple(sorted({row["model"] for row in read_table(folder, "runs")}))
    outcomes = tuple(_outcomes(read_table(folder, "measures")))
    scripted = all(model == "scripted" for model in models)
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
    contrasts = tuple(_contrasts(outcomes, list(experiment.conditions), scripted))
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
        contrasts,
        judge,
        agreed,
        tuple(_rankings(read_table(folder, "rankings"))),
    )


def write_results(results: Results, folder: Path) -> None:
    """Write `results.json`, with all results as numbers."""
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
    values: dict[tuple[str, str, str], dict[int, float]] = {}
    for row in rows:
        values.setdefault((row["measure"], row["about"], row["condition"]), {})[
            int(row["seed"])
        ] = float(row["value"])
    for (measure, about, condition), by_seed in values.items():
        yield ConditionFigure(
            measure, about, condition, by_seed, summarize_values(list(by_seed.values()))
        )


def _contrasts(
    outcomes: Iterable[ConditionFigure], conditions: list[str], scripted: bool
) -> Iterator[Contrast]:
    """Yield the other conditions' contrasts with the first, in the seeds that both have."""
    of = {
        (outcome.measure, outcome.about, outcome.condition): outcome.values for outcome in outcomes
    }
    for (measure, about, condition), values in of.items():
        base = of.get((measure, about, conditions[0]), {})
        differences = {seed: value - base[seed] for seed, value in values.items() if seed in base}
        if condition != conditions[0] and differences:
            found = list(differences.values())
            yield Contrast(
                measure,
                about,
                condition,
                differences,
                summarize_values(found),
                None if scripted else compute_paired_p(found),
            )


def _rankings(rows: Iterable[dict[str, str]]) -> Iterator[Ranked]:
    blocks: dict[tuple[str, str], dict[tuple[int, str, str], dict[str, float]]] = {}
    for row in rows:
        block = blocks.setdefault((row["condition"], row["judge"]), {}).setdefault(
            (int(row["seed"]), row["who"], row["question"]), {}
        )
        block[row["access"]] = float(row["rank"])
    for (condition, judge), found in blocks.items():
        access = tuple(
            each
            for each in ("full", "no-reflection", "no-plan", "human", "none")
            if any(each in ranks for ranks in found.values())
        )
        ranked = [Block(*key, ranks) for key, ranks in found.items() if ranks.keys() >= set(access)]
        if len(access) > 2 and len({block.who for block in ranked}) >= LEAST_RESIDENTS:
            yield Ranked(
                condition,
                judge,
                access,
                compute_statistics(ranked, access),
                compute_published(ranked, access),
            )
