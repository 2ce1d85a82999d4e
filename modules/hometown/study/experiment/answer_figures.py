"""Figures of closed questions: how many answers on a scale had which score, and how many residents
gave which share of what was possible in a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from hometown.study.experiment.report_figures import AREA, draw_frame, draw_legend
from hometown.study.experiment.svg import SERIES_COLOURS, Drawing, PlotArea, ticks
from hometown.study.questionnaire_definition import SEPARATOR

BINS = 10
"""Number of steps from nothing to all; a share counts for the nearest."""

WIDEST = 0.8
"""Part of a step's width that the bars of all conditions take."""

Rows = Sequence[Mapping[str, str]]

Counts = dict[str, Counter[int]]
"""Number of answers at each step, by condition."""


def scale_figure(rows: Rows, title: str, words: Mapping[str, str], scripted: bool) -> Drawing:
    """Draw bars for the number of answers by their score, a colour for each condition. `rows` are
    those of the table `answers` about the items of a scale; refusals are left out.
    """
    counts: Counts = {}
    for row in rows:
        own = counts.setdefault(row["condition"], Counter())
        if row["score"]:
            own[int(row["score"])] += 1
    most = max(len(row["options"].split(SEPARATOR)) for row in rows)
    below = [(score, str(score)) for score in range(1, most + 1)]
    axes = words["axis_item_score"], words["column_answers"]
    return _draw_bars(counts, below, axes, draw_frame(title, words, scripted))


def game_figure(rows: Rows, title: str, words: Mapping[str, str], scripted: bool) -> Drawing:
    """Draw bars for the number of decisions by the share of what was possible, a colour for each
    condition. `rows` are those of the table `games` about one role; decisions about nothing, such as
    the return of nothing received, are left out.
    """
    counts: Counts = {}
    for row in rows:
        own = counts.setdefault(row["condition"], Counter())
        if row["amount"] and float(row["stake"]):
            own[round(BINS * float(row["amount"]) / float(row["stake"]))] += 1
    below = [(at, f"{100 * at // BINS} %") for at in range(BINS + 1)]
    axes = words["axis_given"], words["axis_decisions"]
    return _draw_bars(counts, below, axes, draw_frame(title, words, scripted))


def _draw_bars(
    counts: Counts, below: Sequence[tuple[int, str]], axes: tuple[str, str], drawing: Drawing
) -> Drawing:
    """Return a drawing with bars for the counts at the steps that are named `below`, and a legend
    with the total of each condition.
    """
    most = max((count for own in counts.values() for count in own.values()), default=1)
    frame = PlotArea(*AREA, (below[0][0] - 0.5, below[-1][0] + 0.5), (0, most * 1.05))
    marks = [(value, word) for value, word in ticks(0, max(most, 6)) if value <= most]
    drawing.axis(frame, marks, below=below)
    drawing.name_axes(frame, *axes)
    width = WIDEST / len(counts)
    for place, own in enumerate(counts.values()):
        colour = SERIES_COLOURS[place % len(SERIES_COLOURS)]
        for at, count in own.items():
            x = frame.x(at + (place - (len(counts) - 1) / 2) * width)
            bar = [(x, frame.y(0)), (x, frame.y(count))]
            drawing.line(bar, colour, round(0.9 * width * frame.width / len(below), 1))
    draw_legend(drawing, frame, [f"{name} (n = {own.total()})" for name, own in counts.items()])
    return drawing
