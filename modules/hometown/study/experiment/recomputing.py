"""All that an independent recomputation of an experiment needs: its comparisons and results as
tables, a codebook of all tables, and scripts in Python and R that import nothing of Hometown.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from hometown.paths import DATA
from hometown.study.experiment.analysis import Results
from hometown.study.experiment.codebook import CODEBOOK
from hometown.study.experiment.comparisons import list_all_comparisons, list_comparisons
from hometown.study.experiment.provenance import hash_definition
from hometown.study.experiment.spec import Experiment
from hometown.study.experiment.tables import Row, write_csv
from hometown.study.inference.estimates import Estimate

SCRIPTS = ("recompute.py", "recompute.R")

RESULT_COLUMNS = (
    "kind",
    "measure",
    "about",
    "condition",
    "against",
    "statistic",
    "n",
    "value",
    "low",
    "high",
    "mean",
    "p",
    "adjusted",
)


def write_recomputation(results: Results, folder: Path) -> None:
    """Write the tables `comparisons`, `levels` and `codebook`, `results.csv`, and the scripts below
    the folder of an experiment.
    """
    tables = folder / "tables"
    signature = (hash_definition(results.experiment),)
    for name, rows in (
        ("comparisons", _list_weights(results)),
        ("levels", _list_levels(results.experiment)),
    ):
        write_csv(
            tables / f"{name}.csv", tuple(CODEBOOK[name]), [(*row, *signature) for row in rows]
        )
    described = [
        (table, column, *meaning)
        for table, columns in CODEBOOK.items()
        for column, meaning in columns.items()
    ]
    write_csv(tables / "codebook.csv", ("table", "column", "type", "meaning"), described)
    write_csv(folder / "results.csv", RESULT_COLUMNS, _list_results(results))
    for name in SCRIPTS:
        shutil.copyfile(DATA / "experiments" / name, folder / name)


def _list_levels(experiment: Experiment) -> Iterator[Row]:
    """Yield the level of each factor in each condition."""
    for condition, levels in zip(experiment.conditions, experiment.cells, strict=False):
        yield from ((condition, *each) for each in zip(experiment.crossed, levels, strict=True))


def _list_weights(results: Results) -> Iterator[Row]:
    """Yield a row for each condition of each comparison, with its weight in the difference."""
    experiment, primary = results.experiment, results.experiment.primary
    confirmed = {(each.condition, each.base) for each in list_comparisons(experiment)}
    margin = "" if primary.same_within is None else primary.same_within
    for each in list_all_comparisons(experiment):
        named = (each.condition, each.base, each.factor)
        is_confirmatory = int((each.condition, each.base) in confirmed)
        for names, sign in ((each.plus, 1), (each.minus, -1)):
            for condition in names:
                weight = sign / len(names)
                yield (*named, is_confirmatory, primary.measure, primary.about, margin, condition, weight)  # fmt: skip


def _list_results(results: Results) -> Iterable[Row]:
    """Yield the results: estimates of conditions, and of their differences with their tests."""
    for each in results.outcomes:
        named = ("estimate", each.measure, each.about, each.condition, "")
        yield (*named, *_cells_of(each.estimate), "", "", "")
    for found in results.contrasts:
        named = ("contrast", found.measure, found.about, found.condition, found.base)
        tests = ("" if p is None else p for p in (found.p, found.adjusted))
        yield (*named, *_cells_of(found.estimate), found.mean, *tests)


def _cells_of(found: Estimate) -> Row:
    """Return the cells of an estimate; its limits only where they are those of an interval."""
    limits = (found.low, found.high) if found.is_interval else ("", "")
    return found.statistic, found.count, found.value, *limits
