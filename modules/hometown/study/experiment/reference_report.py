"""The report's chapter on reference answers, from the tables `answers` and `reference`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hometown.study.experiment.experiment_wording import amount
from hometown.study.experiment.reference_answers import REFERENCE
from hometown.study.experiment.report_blocks import (
    Heading,
    Paragraph,
    ReportBlock,
    ReportPicture,
    ReportTable,
)
from hometown.study.experiment.report_figures import AREA, draw_frame, draw_legend
from hometown.study.experiment.svg import GREY, SERIES_COLOURS, Drawing, PlotArea, ticks
from hometown.study.experiment.tables import read_table
from hometown.study.questionnaire_definition import SEPARATOR
from hometown.study.reference_agreement import (
    ComparedAnswer,
    ReferenceAgreement,
    find_agreement,
    find_calibration,
)

Row = Mapping[str, str]

COMPARED_BY = ("condition", "questionnaire", "moment", "access")

FIGURES = (
    "residents",
    "answers",
    "accuracy",
    "consistency",
    "normalised",
    "distance",
    "retest_distance",
    "brier",
)

LARGEST_DOT = 9.0


def describe_reference(
    folder: Path, words: Mapping[str, str], scripted: bool
) -> Iterator[ReportBlock]:
    """Yield the chapter on reference answers; nothing where there are none that residents were
    asked for. `folder` is that of the experiment.
    """
    compared = compare_answers(folder)
    if not compared:
        return
    yield Heading(2, words["reference"])
    yield Paragraph(words["reference_about"])
    head = " / ".join(words[f"column_{name}"] for name in COMPARED_BY)
    yield ReportTable(
        [head, *(words[f"column_{name}"] for name in FIGURES)],
        [[" / ".join(key), *_describe(find_agreement(own))] for key, own in compared.items()],
    )
    weighed: dict[tuple[str, ...], dict[str, list[ComparedAnswer]]] = {}
    for (condition, *where), own in compared.items():
        if any(each.chances for each in own):
            weighed.setdefault(tuple(where), {})[condition] = own
    for key, conditions in weighed.items():
        title = f"{words['calibration']}: {' / '.join(key)}"
        drawing = draw_calibration(conditions, title, words, scripted)
        name = re.sub(r"[^\w.-]+", "-", "-".join(key))
        yield ReportPicture(f"calibration-{name}", title, str(drawing))


def compare_answers(folder: Path) -> dict[tuple[str, ...], list[ComparedAnswer]]:
    """Return the answers of residents beside those of people, by condition, questionnaire, wave and
    access; people whom no resident of the experiment stands for are left out.
    """
    given = {
        (row["questionnaire"], row["question"], row["who"]): row
        for row in read_table(folder, REFERENCE)
    }
    compared: dict[tuple[str, ...], list[ComparedAnswer]] = {}
    for row in read_table(folder, "answers") if given else ():
        person = given.get((row["questionnaire"], row["question"], row["who"]))
        if person:
            own = compared.setdefault(tuple(row[name] for name in COMPARED_BY), [])
            own.append(_compare(row, person))
    return compared


def _compare(row: Row, person: Row) -> ComparedAnswer:
    """Return an answer beside that of its person. A refusal, and a reply that could not be used, is
    another answer than any.
    """
    return ComparedAnswer(
        row["who"],
        row["outcome"] != "fallback" and row["answer"] == person["answer"],
        person["answer"] == person["retest"] if person["retest"] else None,
        _find_distance(row["score"], person["score"], person),
        _find_distance(person["retest_score"], person["score"], person),
        tuple(_list_chances(row, person)),
    )


def _find_distance(score: str, other: str, person: Row) -> float | None:
    """Return the difference of two scores as a share of the range, None where one is missing."""
    if not score or not other:
        return None
    return abs(float(score) - float(other)) / (float(person["high"]) - float(person["low"]))


def _list_chances(row: Row, person: Row) -> Iterator[tuple[float, bool]]:
    """Yield (probability, True if the person gave it) of each possible answer but the refusal."""
    chances = [float(each) for each in row.get("probabilities", "").split(SEPARATOR) if each][:-1]
    if row["item"] == "slider":
        low, high = int(person["low"]), int(person["high"])
        count = max(1, len(chances) - 1)
        answers = [str(low + at * (high - low) // count) for at in range(len(chances))]
    else:
        answers = row["options"].split(SEPARATOR)
    for chance, answer in zip(chances, answers, strict=False):
        yield chance, answer == person["answer"]


def _describe(found: ReferenceAgreement) -> list[str]:
    """Return the figures of an agreement as texts, with a dash for what is unknown."""
    values = (getattr(found, name) for name in FIGURES)
    return ["–" if value is None else amount(value) for value in values]


def draw_calibration(
    conditions: Mapping[str, Sequence[ComparedAnswer]],
    title: str,
    words: Mapping[str, str],
    scripted: bool,
) -> Drawing:
    """Draw the share of people who gave an answer over its probability, a colour for each condition
    and a dot for each step, larger for more answers; a perfect model is on the dashed line.
    """
    frame = PlotArea(*AREA, (0, 1), (0, 1))
    drawing = draw_frame(title, words, scripted)
    drawing.axis(frame, ticks(0, 1), below=ticks(0, 1))
    drawing.name_axes(frame, words["axis_probability"], words["axis_given_by_people"])
    drawing.line([(frame.x(0), frame.y(0)), (frame.x(1), frame.y(1))], GREY, 1, dashed=True)
    for place, own in enumerate(conditions.values()):
        colour, bins = SERIES_COLOURS[place % len(SERIES_COLOURS)], find_calibration(own)
        most = max(each.count for each in bins)
        points = [(frame.x(each.probability), frame.y(each.share)) for each in bins]
        drawing.line(points, colour, 1, 0.6)
        for point, each in zip(points, bins, strict=True):
            drawing.dot(point, colour, round(LARGEST_DOT * (each.count / most) ** 0.5 + 1, 1))
    named = [f"{name} (n = {len(own)})" for name, own in conditions.items()]
    draw_legend(drawing, frame, named)
    return drawing
