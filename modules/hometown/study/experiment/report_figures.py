"""The figures of an experiment, from its tables and results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from statistics import fmean

from hometown.study.experiment.analysis import ConditionFigure, Ranked
from hometown.study.experiment.svg import GREY, INK, SERIES_COLOURS, Drawing, PlotArea, Point, ticks
from hometown.study.ranking.published import PAPER

WIDTH, HEIGHT = 640, 340
AREA = (60.0, 50.0, 540.0, 220.0)

ROW = 36.0
"""Height in pixels of a row with its name."""

LETTER = 6.6
"""Width in pixels of a letter in a legend."""

PAPERS = "#c00"
"""The colour of the paper's values."""

Words = Mapping[str, str]


def outcome_figure(
    outcomes: Sequence[ConditionFigure],
    title: str,
    words: Words,
    scripted: bool,
    paper: float | None = None,
) -> Drawing:
    """Draw a figure under each condition: a dot a seed, seeds joined by lines, the estimate hollow
    with its interval, where it has one; the paper's value as a dashed line.
    """
    everything = [
        value
        for outcome in outcomes
        for value in (*outcome.values.values(), outcome.estimate.low, outcome.estimate.high)
    ]
    everything += [paper] if paper is not None else []
    low, high = min(0.0, *everything), max(*everything, 1e-9)
    frame = PlotArea(*AREA, (-0.5, len(outcomes) - 0.5), (low, high * 1.05))
    names = [f"{outcome.condition} (n = {outcome.estimate.count})" for outcome in outcomes]
    longest = LETTER * max(map(len, names))
    lower = longest if longest > frame.width / len(names) else 0.0
    drawing = draw_frame(title, words, scripted, HEIGHT + int(lower))
    drawing.axis(frame, ticks(low, high), below=enumerate(names), upright=lower > 0)
    drawing.name_axes(frame, words["axis_condition"], words[f"axis_{outcomes[0].kind}"], lower)
    drawing.text(
        (frame.left, drawing.height - 4), _explain_marks(outcomes, words), size=11, colour=GREY
    )
    _draw_seeds(drawing, frame, outcomes)
    _draw_estimates(drawing, frame, outcomes)
    if paper is not None:
        _paper_line(drawing, frame, paper, words)
    return drawing


def _draw_seeds(drawing: Drawing, frame: PlotArea, outcomes: Sequence[ConditionFigure]) -> None:
    """Draw a dot for each value, and a line through those of each seed."""
    for seed in sorted({seed for outcome in outcomes for seed in outcome.values}):
        joined = [
            (frame.x(at), frame.y(outcome.values[seed]))
            for at, outcome in enumerate(outcomes)
            if seed in outcome.values
        ]
        drawing.line(joined, GREY, 1, 0.5)
        for point in joined:
            drawing.dot(point, GREY, 3)


def _draw_estimates(drawing: Drawing, frame: PlotArea, outcomes: Sequence[ConditionFigure]) -> None:
    """Draw each estimate as a ring beside its values, with its interval, where it has one."""
    for at, outcome in enumerate(outcomes):
        colour, x = SERIES_COLOURS[at % len(SERIES_COLOURS)], frame.x(at) + 14
        if outcome.estimate.is_interval:
            limits = (outcome.estimate.low, outcome.estimate.high)
            drawing.line([(x, frame.y(limit)) for limit in limits], colour, 2)
        drawing.dot((x, frame.y(outcome.estimate.value)), colour, 5, hollow=True)


def beside_paper_figure(
    rows: Sequence[tuple[str, ConditionFigure, float]], title: str, words: Words, scripted: bool
) -> Drawing:
    """Draw shares, a row each with its name above: a dot a seed, the mean hollow with its interval,
    where it has one, and the paper's value as a bar.
    """
    height = AREA[1] + ROW * len(rows) + 60
    frame = PlotArea(30.0, AREA[1], 580.0, ROW * len(rows), (0, 1), (len(rows), 0))
    drawing = draw_frame(title, words, scripted, int(height))
    for value, word in ticks(0, 1):
        drawing.line(
            [(frame.x(value), frame.top), (frame.x(value), frame.top + frame.height)], "#ddd", 1
        )
        drawing.text((frame.x(value), frame.top + frame.height + 18), word, "middle", 11, GREY)
    drawing.text(
        (frame.left + frame.width, frame.top - 8), f"{words['paper']} |", "end", 12, PAPERS
    )
    drawing.name_axes(frame, words["axis_share"])
    for at, (name, outcome, paper) in enumerate(rows):
        y = frame.y(at) + ROW * 0.68
        label = f"{name} (n = {outcome.estimate.count})"
        drawing.text((frame.left + 4, frame.y(at) + ROW * 0.36), label, "start", 11, INK)
        if outcome.estimate.is_interval:
            limits = (outcome.estimate.low, outcome.estimate.high)
            drawing.line([(frame.x(limit), y) for limit in limits], SERIES_COLOURS[0], 2)
        for value in outcome.values.values():
            drawing.dot((frame.x(value), y), GREY, 2.5)
        drawing.dot((frame.x(outcome.estimate.value), y), SERIES_COLOURS[0], 5, hollow=True)
        drawing.line([(frame.x(paper), y - 8), (frame.x(paper), y + 8)], PAPERS, 2.5)
    return drawing


def news_figure(
    learned: Sequence[Mapping[str, str]],
    conditions: Sequence[str],
    towns: Mapping[tuple[str, int], tuple[int, int]],
    clock: tuple[datetime, int],
    title: str,
    words: Words,
    scripted: bool,
    forks: Mapping[str, int],
) -> Drawing:
    """Draw the share of residents who know of a storyline over time: a thin line a seed, a thick
    one for the mean of a condition, and a dashed one where its intervention begins.

    Args:
        learned: Rows of that table about one storyline.
        towns: The last step and the number of residents of each run, by condition and seed.
        clock: The start and the minutes of a step.
        forks: The step after which a condition has its intervention.
    """
    last = max(steps for steps, _ in towns.values())
    frame = PlotArea(*AREA, (0, last), (0, 1))
    drawing = draw_frame(title, words, scripted)
    drawing.axis(frame, ticks(0, 1), below=_label_times(last, clock))
    drawing.name_axes(frame, words["axis_clock"], words["axis_residents"])
    for at, condition in enumerate(conditions):
        colour = SERIES_COLOURS[at % len(SERIES_COLOURS)]
        if condition in forks:
            x = frame.x(forks[condition])
            drawing.line([(x, frame.y(0)), (x, frame.y(1))], colour, 1.5, dashed=True)
        shares = [
            _share_by_step(learned, condition, seed, people, last)
            for (name, seed), (_, people) in towns.items()
            if name == condition
        ]
        for each in shares:
            drawing.line(_stairs(frame, each), colour, 1, 0.35)
        if shares:
            means = [fmean(column) for column in zip(*shares, strict=True)]
            drawing.line(_stairs(frame, means), colour, 2.5)
    counts = Counter(name for name, _ in towns)
    draw_legend(drawing, frame, [f"{name} (n = {counts[name]})" for name in conditions])
    return drawing


def draw_legend(drawing: Drawing, frame: PlotArea, names: Sequence[str]) -> None:
    """Write the names of series above the area, each after a dot of its colour."""
    x = frame.left + 8
    for at, name in enumerate(names):
        drawing.dot((x, frame.top - 12), SERIES_COLOURS[at % len(SERIES_COLOURS)])
        drawing.text((x + 8, frame.top - 8), name, colour=INK)
        x += 24 + LETTER * len(name)


def _label_times(last: int, clock: tuple[datetime, int]) -> list[tuple[int, str]]:
    """Return (step, time) at even distances from step 0 on, with dates where those differ."""
    start, stride = clock
    times = [
        (step, start + timedelta(minutes=step * stride))
        for step in range(0, last + 1, max(1, last // 6))
    ]
    written = "%H:%M" if times[0][1].date() == times[-1][1].date() else "%m-%d %H:%M"
    return [(step, f"{at:{written}}") for step, at in times]


def _share_by_step(
    learned: Sequence[Mapping[str, str]], condition: str, seed: int, people: int, last: int
) -> list[float]:
    """Return the share of a town's residents who know of a storyline after each step."""
    steps = [
        int(row["step"])
        for row in learned
        if (row["condition"], row["seed"]) == (condition, str(seed))
    ]
    return [sum(learnt <= step for learnt in steps) / people for step in range(last + 1)]


def rating_figure(ranked: Ranked, title: str, words: Words, scripted: bool, paper: bool) -> Drawing:
    """Draw TrueSkill's μ of each kind of access, and the paper's beside it. σ is left out, since a
    bar would be taken for an interval.
    """
    ratings = {name: rating.mu for name, rating in ranked.published.ratings.items()}
    theirs = {name: PAPER[name][0] for name in ratings if name in PAPER} if paper else {}
    edges = [*ratings.values(), *theirs.values()]
    frame = PlotArea(*AREA, (-0.5, len(ratings) - 0.5), (min(edges) - 1, max(edges) + 1))
    drawing = draw_frame(title, words, scripted)
    drawing.axis(frame, ticks(*frame.ys), below=list(enumerate(ratings)))
    drawing.name_axes(frame, words["axis_access"], words["axis_rating"])
    for shift, colour, values in ((-10, SERIES_COLOURS[0], ratings), (10, GREY, theirs)):
        for at, name in enumerate(ratings):
            if name in values:
                drawing.dot((frame.x(at) + shift, frame.y(values[name])), colour, 5)
    if theirs:
        drawing.text((frame.left + frame.width, frame.top - 8), words["paper"], "end", colour=GREY)
    return drawing


def _explain_marks(outcomes: Sequence[ConditionFigure], words: Words) -> str:
    """Return the key of a figure: the meaning of its dots, rings and bars."""
    estimates = [outcome.estimate for outcome in outcomes]
    interval = "key_interval" if any(each.is_interval for each in estimates) else "key_none"
    return words["key"].format(
        statistic=words[f"key_{estimates[0].statistic}"], interval=words[interval]
    )


def draw_frame(title: str, words: Words, scripted: bool, height: int = HEIGHT) -> Drawing:
    """Return a drawing with its title, and a watermark where the stand-in took part."""
    drawing = Drawing(WIDTH, height, title)
    drawing.text((WIDTH / 2, 22), title, "middle", 14, INK)
    if scripted:
        drawing.watermark(words["watermark"])
    return drawing


def _paper_line(drawing: Drawing, frame: PlotArea, value: float, words: Words) -> None:
    """Draw the value that the paper published as a dashed line across the plot, with a label."""
    drawing.line(
        [(frame.left, frame.y(value)), (frame.left + frame.width, frame.y(value))],
        PAPERS,
        1.5,
        dashed=True,
    )
    drawing.text(
        (frame.left + frame.width, frame.y(value) - 5),
        f"{words['paper']} {value:.3g}",
        "end",
        11,
        PAPERS,
    )


def _stairs(frame: PlotArea, shares: Sequence[float]) -> list[Point]:
    """Return a line of steps that rises where a share does."""

    def corners() -> Iterator[Point]:
        for step, share in enumerate(shares):
            if step and share != shares[step - 1]:
                yield frame.x(step), frame.y(shares[step - 1])
            if not step or share != shares[step - 1] or step == len(shares) - 1:
                yield frame.x(step), frame.y(share)

    return list(corners())
