"""The report's chapter on closed questions, from the table `answers`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from hometown.study.closed_items import SEPARATOR, count_shown_first
from hometown.study.experiment.experiment_wording import amount
from hometown.study.experiment.report_blocks import Heading, Paragraph, ReportBlock, ReportTable

Row = Mapping[str, str]

GROUP = ("condition", "questionnaire", "moment", "access")
"""Columns by which answers are counted."""

JOINT = " / "
"""Text between the parts of a group's name."""

FIGURES = ("answers", "unusable", "refused", "score", "shown_first")
"""Figures of a group of answers."""


def closed_answers(answers: Sequence[Row], words: Mapping[str, str]) -> Iterator[ReportBlock]:
    """Yield the chapter on closed questions; nothing where there are none."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in answers:
        if row.get("options"):
            groups.setdefault(tuple(row[name] for name in GROUP), []).append(row)
    if groups:
        yield Heading(2, words["closed"])
        yield Paragraph(words["closed_about"])
        yield ReportTable(
            [
                JOINT.join(words[f"column_{name}"] for name in GROUP),
                *(words[f"column_{name}"] for name in FIGURES),
            ],
            [[JOINT.join(group), *_figures(rows)] for group, rows in groups.items()],
        )


def _figures(rows: Sequence[Row]) -> list[str]:
    """Return the figures of a group of answers as texts, with a dash for no score."""
    scores = [int(row["score"]) for row in rows if row["score"]]
    first = count_shown_first(
        (int(row["position"] or 0), len(row["options"].split(SEPARATOR))) for row in rows
    )
    return [
        str(len(rows)),
        str(sum(row["outcome"] == "fallback" for row in rows)),
        str(sum(row["refused"] == "1" for row in rows)),
        amount(fmean(scores)) if scores else "–",
        f"{first.count} / {first.total}",
    ]
