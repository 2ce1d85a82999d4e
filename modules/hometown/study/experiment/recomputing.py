"""All that an independent recomputation of an experiment needs: its comparisons and results as
tables, a codebook of all tables, and scripts in Python and R that import nothing of Hometown.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from hometown.paths import DATA
from hometown.study.experiment.analysis import Ranked, Results
from hometown.study.experiment.codebook import CODEBOOK, RESULTS
from hometown.study.experiment.comparisons import list_all_comparisons, list_comparisons
from hometown.study.experiment.provenance import hash_definition
from hometown.study.experiment.spec import Experiment
from hometown.study.experiment.tables import Row, write_csv
from hometown.study.inference.estimates import Estimate

SCRIPTS = ("recompute.py", "recompute.R")


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
    write_csv(folder / f"{RESULTS}.csv", tuple(CODEBOOK[RESULTS]), _list_results(results))
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
                yield (
                    *named,
                    is_confirmatory,
                    primary.measure,
                    primary.about,
                    margin,
                    condition,
                    weight,
                )


def _list_results(results: Results) -> Iterable[Row]:
    """Yield the results: estimates of conditions, and of their differences with their tests, and
    those of rankings.
    """
    for each in results.outcomes:
        named = ("estimate", each.measure, each.about, each.condition, "")
        yield (*named, *_cells_of(each.estimate), "", "", "")
    for found in results.contrasts:
        named = ("contrast", found.measure, found.about, found.condition, found.base)
        tests = ("" if p is None else p for p in (found.p, found.adjusted))
        yield (*named, *_cells_of(found.estimate), found.mean, *tests)
    for ranked in results.rankings:
        yield from _list_ranking(ranked, results.may_test(ranked))


def _list_ranking(ranked: Ranked, is_tested: bool) -> Iterator[Row]:
    """Yield the results of a ranking, without p-values where no test is allowed."""
    judged, published = ranked.judged, ranked.published

    def make_row(
        about: str,
        against: str,
        statistic: str,
        n: int,
        value: float | str,
        limits: Row = ("", ""),
        p: float | str = "",
        adjusted: float | str = "",
    ) -> Row:
        tests = (p, adjusted) if is_tested else ("", "")
        named = ("ranking", f"rankings.{ranked.judge}", about, ranked.condition, against)
        return (*named, statistic, n, value, *limits, "", *tests)

    for statistic, n, values in (
        ("mean rank", judged.residents, judged.means),
        ("worth", judged.blocks, judged.worths),
        ("missing", judged.blocks, judged.missing),
    ):
        yield from (make_row(access, "", statistic, n, values[access]) for access in ranked.access)
    yield make_row("", "", "Skillings-Mack", judged.residents, judged.statistic, p=judged.p)
    for pair in judged.pairs:
        limits = ("", "") if pair.low is None else (pair.low, pair.high)
        named = (pair.first, pair.second, "win probability", pair.residents)
        yield make_row(*named, pair.wins, limits, adjusted=pair.p)
    if published.blocks:
        yield make_row("", "", "Kruskal-Wallis", published.blocks, published.h, p=published.p)
        for (first, second), p in published.dunn.items():
            yield make_row(first, second, "Dunn", published.blocks, "", adjusted=p)


def _cells_of(found: Estimate) -> Row:
    """Return the cells of an estimate; its limits only where they are those of an interval."""
    limits = (found.low, found.high) if found.is_interval else ("", "")
    return found.statistic, found.count, found.value, *limits
