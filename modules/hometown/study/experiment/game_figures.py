"""The figure of a role in a game: how many residents gave which share of what was possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from hometown.study.experiment.report_figures import AREA, draw_frame, draw_legend
from hometown.study.experiment.svg import SERIES_COLOURS, Drawing, PlotArea, ticks

BINS = 10
"""Number of steps from nothing to all; a share counts for the nearest."""

WIDEST = 0.8
"""Part of a step's width that the bars of all conditions take."""


def game_figure(
    rows: Sequence[Mapping[str, str]], title: str, words: Mapping[str, str], scripted: bool
) -> Drawing:
    """Draw bars for the number of decisions by the share of what was possible, a colour for each
    condition. `rows` are those of the table `games` about one role; decisions about nothing, such as
    the return of nothing received, are left out.
    """
    counts: dict[str, Counter[int]] = {}
    for row in rows:
        own = counts.setdefault(row["condition"], Counter())
        if row["amount"] and float(row["stake"]):
            own[round(BINS * float(row["amount"]) / float(row["stake"]))] += 1
    most = max((count for own in counts.values() for count in own.values()), default=1)
    frame = PlotArea(*AREA, (-0.5, BINS + 0.5), (0, most * 1.05))
    drawing = draw_frame(title, words, scripted)
    marks = [(value, word) for value, word in ticks(0, max(most, 6)) if value <= most]
    below = [(at, f"{100 * at // BINS} %") for at in range(BINS + 1)]
    drawing.axis(frame, marks, below=below)
    drawing.name_axes(frame, words["axis_given"], words["axis_decisions"])
    width = WIDEST / len(counts)
    for place, own in enumerate(counts.values()):
        colour = SERIES_COLOURS[place % len(SERIES_COLOURS)]
        for at, count in own.items():
            x = frame.x(at + (place - (len(counts) - 1) / 2) * width)
            bar = [(x, frame.y(0)), (x, frame.y(count))]
            drawing.line(bar, colour, round(0.9 * width * frame.width / (BINS + 1), 1))
    named = [f"{name} (n = {sum(own.values())})" for name, own in counts.items()]
    draw_legend(drawing, frame, named)
    return drawing
