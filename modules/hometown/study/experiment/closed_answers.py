"""The report's chapter on closed questions and games, from the tables `answers`, `allocations` and
`games`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from hometown.study.closed_items import count_shown_first
from hometown.study.experiment.answer_figures import game_figure, scale_figure
from hometown.study.experiment.experiment_wording import amount
from hometown.study.experiment.report_blocks import (
    Heading,
    Paragraph,
    ReportBlock,
    ReportPicture,
    ReportTable,
)
from hometown.study.experiment.svg import Drawing
from hometown.study.experiment.tables import read_table
from hometown.study.questionnaire_definition import SEPARATOR

Row = Mapping[str, str]

Groups = dict[tuple[str, ...], list[Row]]

GROUP = ("condition", "questionnaire", "moment", "access")
"""Columns by which answers are counted."""

JOINT = " / "
"""Text between the parts of a group's name."""

FIGURES = ("answers", "unusable", "refused", "score", "shown_first", "expected", "probability")
"""Figures of a group of answers; the last two where there are probabilities."""

NUMBERS = ("answers", "mean", "range")
"""Figures of numbers or amounts that residents named."""

OUTCOMES = ("decisions", "missing", "given", "stake", "payoff")
"""Figures of a role in a game: decisions, those without an amount, and means."""


def closed_answers(folder: Path, words: Mapping[str, str], scripted: bool) -> Iterator[ReportBlock]:
    """Yield the chapter on closed questions; nothing where there are none. `folder` is that of the
    experiment.
    """
    answers = [row for row in read_table(folder, "answers") if row.get("options")]
    if not answers:
        return
    yield Heading(2, words["closed"])
    yield Paragraph(words["closed_about"])
    figures = FIGURES if any(row.get("probability") for row in answers) else FIGURES[:-2]
    yield _tabulate(_group(answers, GROUP), GROUP, figures, _count_answers, words)
    yield from _describe_scales(answers, figures, words, scripted)
    sliders = [row for row in answers if row.get("item") == "slider" and row["score"]]
    amounts = read_table(folder, "allocations")
    for rows, parts, describe in (
        (sliders, (*GROUP, "question"), _describe_numbers),
        (amounts, (*GROUP, "question", "thing"), _describe_amounts),
    ):
        if rows:
            yield _tabulate(_group(rows, parts), parts, NUMBERS, describe, words)
    yield from _describe_games(read_table(folder, "games"), words, scripted)


def _describe_scales(
    answers: Sequence[Row], figures: Sequence[str], words: Mapping[str, str], scripted: bool
) -> Iterator[ReportBlock]:
    """Yield the items of scales: a table, and a figure for each questionnaire."""
    items = [row for row in answers if row.get("item") == "scale"]
    if not items:
        return
    parts = (*GROUP, "question")
    yield _tabulate(_group(items, parts), parts, figures, _count_answers, words)
    for key, own in _group(items, GROUP[1:]).items():
        yield _picture("scale", scale_figure(own, JOINT.join(key), words, scripted))


def _picture(kind: str, drawing: Drawing) -> ReportPicture:
    """Return a drawing as a picture whose file is named by its kind and its title."""
    name = re.sub(r"[^\w.-]+", "-", drawing.title).strip("-")
    return ReportPicture(f"{kind}-{name}", drawing.title, str(drawing))


def _describe_games(
    rows: Sequence[Row], words: Mapping[str, str], scripted: bool
) -> Iterator[ReportBlock]:
    """Yield the outcomes of games: a table, and a figure for each game and role."""
    if not rows:
        return
    parts = (*GROUP, "role")
    yield Heading(3, words["games"])
    yield Paragraph(words["games_about"])
    yield _tabulate(_group(rows, parts), parts, OUTCOMES, _describe_outcomes, words)
    for key, own in _group(rows, (*GROUP[1:], "role")).items():
        yield _picture("game", game_figure(own, JOINT.join(key), words, scripted))


def _group(rows: Sequence[Row], columns: Sequence[str]) -> Groups:
    """Return rows by their cells in some columns."""
    groups: Groups = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in columns), []).append(row)
    return groups


def _tabulate(
    groups: Groups,
    columns: Sequence[str],
    figures: Sequence[str],
    describe: Callable[[Sequence[Row]], list[str]],
    words: Mapping[str, str],
) -> ReportTable:
    """Return a table with a row for each group of rows."""
    head = JOINT.join(words[f"column_{name}"] for name in columns)
    return ReportTable(
        [head, *(words[f"column_{name}"] for name in figures)],
        [[JOINT.join(key), *describe(rows)[: len(figures)]] for key, rows in groups.items()],
    )


def _count_answers(rows: Sequence[Row]) -> list[str]:
    """Return the figures of a group of answers as texts, with a dash for no score."""
    scale = [row for row in rows if (row.get("item") or "scale") == "scale"]
    first = count_shown_first(
        (int(row["position"] or 0), len(row["options"].split(SEPARATOR))) for row in rows
    )
    return [
        str(len(rows)),
        str(sum(row["outcome"] == "fallback" for row in rows)),
        str(sum(row["refused"] == "1" for row in rows)),
        _describe_mean(scale, "score"),
        f"{first.count} / {first.total}" if first.total else "–",
        _describe_mean(scale, "expected"),
        _describe_mean(rows, "probability"),
    ]


def _describe_mean(rows: Sequence[Row], column: str) -> str:
    """Return the mean of a column as a text, with a dash for none."""
    values = [float(row[column]) for row in rows if row.get(column)]
    return amount(fmean(values)) if values else "–"


def _describe_numbers(rows: Sequence[Row]) -> list[str]:
    """Return the figures of the numbers of a slider as texts."""
    return _describe_spread([float(row["score"]) for row in rows])


def _describe_amounts(rows: Sequence[Row]) -> list[str]:
    """Return the figures of the amounts of a thing as texts."""
    return _describe_spread([float(row["amount"]) for row in rows])


def _describe_spread(numbers: Sequence[float]) -> list[str]:
    """Return the count, the mean and the range of numbers as texts."""
    limits = f"{amount(min(numbers))} – {amount(max(numbers))}"
    return [str(len(numbers)), amount(fmean(numbers)), limits]


def _describe_outcomes(rows: Sequence[Row]) -> list[str]:
    """Return the figures of a role as texts: means over decisions, with a dash for none. A receiver
    to whom nothing was sent has none to make.
    """
    asked = [row for row in rows if float(row["stake"])]
    made = [row for row in asked if row["amount"]]
    means = (_describe_mean(made, "amount"), _describe_mean(made, "stake"))
    return [str(len(asked)), str(len(asked) - len(made)), *means, _describe_mean(rows, "payoff")]
