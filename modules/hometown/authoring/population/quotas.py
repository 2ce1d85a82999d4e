"""Quotas of a population: how many residents have each value of a column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from hometown.authoring.population.people_table import (
    PersonRow,
    list_columns,
    translate_column,
)
from hometown.errors import BadInput
from hometown.optional_parts import explain_missing_packages
from hometown.rng import stream_seed
from hometown.world.faults import likely

Quotas = Mapping[str, Mapping[str, int]]
"""The number of residents with each value that is named, by column."""


def parse_quotas(texts: Iterable[str]) -> Quotas:
    """Return quotas from texts such as "gender=woman:10,man:10"; those of a column hold together.

    Raises:
        BadInput: A text has another form, or a value has two numbers.
    """
    quotas: dict[str, dict[str, int]] = {}
    for text in texts:
        column, _, values = text.partition("=")
        counts = quotas.setdefault(translate_column(column), {})
        for part in values.split(","):
            value, _, count = (each.strip() for each in part.rpartition(":"))
            value = value.lower()
            if not value or not count.isdecimal():
                raise BadInput(
                    "{text!r} is no quota: write COLUMN=VALUE:NUMBER,VALUE:NUMBER, such as gender=woman:10,man:10",
                    text=text,
                )
            if counts.setdefault(value, int(count)) != int(count):
                raise BadInput(
                    "{column} has two quotas for {value!r}, {first} and {second}; leave one out",
                    column=column.strip(),
                    value=value,
                    first=counts[value],
                    second=int(count),
                )
    return quotas


def draw_rows(rows: Sequence[PersonRow], count: int, quotas: Quotas, seed: int) -> list[PersonRow]:
    """Return rows drawn by the seed, in the order of the table, that meet all quotas exactly.

    Of the samples that meet them, it is the one with the least sum of random weights, an integer
    programme.

    Raises:
        BadInput: There are too few rows, no such column, or no sample that meets all quotas.
    """
    _check(rows, count, quotas)
    with explain_missing_packages("study"):
        from scipy.optimize import Bounds, LinearConstraint, milp
    limits = [(np.ones(len(rows)), count)]
    for column, counts in quotas.items():
        for value, wanted in counts.items():
            limits.append((np.array([_has(row, column, value) for row in rows], float), wanted))
    matrix, wanted_sums = np.array([row for row, _ in limits]), [each for _, each in limits]
    weights = np.random.default_rng(stream_seed(seed, "population")).random(len(rows))
    found = milp(
        weights,
        constraints=LinearConstraint(matrix, wanted_sums, wanted_sums),
        integrality=np.ones(len(rows)),
        bounds=Bounds(0, 1),
    )
    if found.x is None:
        raise BadInput(
            "no {count} rows meet all quotas at once; lower a quota, or add rows that have several of the values",
            count=count,
        )
    return [row for row, drawn in zip(rows, found.x, strict=True) if drawn > 0.5]


def count_values(rows: Iterable[PersonRow], column: str) -> Counter[str]:
    """Return the number of rows by the value of a column."""
    return Counter(row.get(column) for row in rows)


def _has(row: PersonRow, column: str, value: str) -> bool:
    return row.get(column).lower() == value


def _check(rows: Sequence[PersonRow], count: int, quotas: Quotas) -> None:
    """Raise BadInput if the rows are too few for the count, or for one quota by itself."""
    if len(rows) < count:
        raise BadInput(
            "--count is {count}, and {rows} of the rows are plausible; add rows, or lower --count",
            count=count,
            rows=len(rows),
        )
    for column, counts in quotas.items():
        if column not in list_columns(rows):
            raise BadInput(
                "there is no column {column!r} for a quota{hint}",
                column=column,
                hint=likely(column, list_columns(rows)),
            )
        if sum(counts.values()) > count:
            raise BadInput(
                "the quotas of {column} add up to {total}, and --count is {count}; raise --count, or lower a quota",
                column=column,
                total=sum(counts.values()),
                count=count,
            )
        for value, wanted in counts.items():
            found = sum(_has(row, column, value) for row in rows)
            if found < wanted:
                raise BadInput(
                    "{column} has {value!r} in {found} plausible rows, and the quota is {wanted}; lower it, or add rows",
                    column=column,
                    value=value,
                    found=found,
                    wanted=wanted,
                )
