"""The figures of an experiment, from its tables and results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from hometown.study.experiment.analysis import Outcome, Ranked
from hometown.study.experiment.svg import COLOURS, GREY, INK, Drawing, Frame, Point, ticks
from hometown.study.ranking.published import PAPER

WIDTH, HEIGHT = 640, 320
AREA = (60.0, 50.0, 540.0, 220.0)

Words = Mapping[str, str]


def outcome_figure(outcomes: Sequence[Outcome], title: str, words: Words, scripted: bool, paper: float | None = None) -> Drawing:
    """A figure under each condition: a dot a seed, seeds joined by lines, the mean hollow with its interval or range; the paper's as a dashed line."""
    everything = [value for outcome in outcomes for value in (*outcome.values.values(), outcome.spread.low, outcome.spread.high)]
    everything += [paper] if paper is not None else []
    low, high = min(0.0, *everything), max(*everything, 1e-9)
    frame = Frame(*AREA, (-0.5, len(outcomes) - 0.5), (low, high * 1.05))
    drawing = _drawing(title, words, scripted)
    drawing.axis(frame, ticks(low, high), below=[(at, outcome.condition) for at, outcome in enumerate(outcomes)])
    for seed in sorted({seed for outcome in outcomes for seed in outcome.values}):
        joined = [(frame.x(at), frame.y(outcome.values[seed])) for at, outcome in enumerate(outcomes) if seed in outcome.values]
        drawing.line(joined, GREY, 1, 0.5)
        for point in joined:
            drawing.dot(point, GREY, 3)
    for at, outcome in enumerate(outcomes):
        colour, x = COLOURS[at % len(COLOURS)], frame.x(at) + 14
        drawing.line([(x, frame.y(outcome.spread.low)), (x, frame.y(outcome.spread.high))], colour, 2)
        drawing.dot((x, frame.y(outcome.spread.mean)), colour, 5, hollow=True)
    if paper is not None:
        _paper_line(drawing, frame, paper, words)
    return drawing


def news_figure(
    learned: Sequence[Mapping[str, str]], conditions: Sequence[str], towns: Mapping[tuple[str, int], tuple[int, int]], clock: tuple[datetime, int],
    title: str, words: Words, scripted: bool,
) -> Drawing:  # fmt: skip
    """Who knows of a storyline over time: a thin line a seed, a thick one for the mean of a condition.

    `learned` are rows of that table about one storyline, `towns` the last step and the residents of each run, by condition and seed, and
    `clock` the start and the minutes of a step.
    """
    last = max(steps for steps, _ in towns.values())
    frame = Frame(*AREA, (0, last), (0, 1))
    drawing = _drawing(title, words, scripted)
    start, stride = clock
    times = [(step, start + timedelta(minutes=step * stride)) for step in range(0, last + 1, max(1, last // 6))]
    written = "%H:%M" if times[0][1].date() == times[-1][1].date() else "%m-%d %H:%M"
    drawing.axis(frame, ticks(0, 1), below=[(step, f"{at:{written}}") for step, at in times])
    for at, condition in enumerate(conditions):
        colour = COLOURS[at % len(COLOURS)]
        seeds = [seed for name, seed in towns if name == condition]
        shares = []
        for seed in seeds:
            steps = sorted(int(row["step"]) for row in learned if (row["condition"], row["seed"]) == (condition, str(seed)))
            people = towns[condition, seed][1]
            shares.append([sum(learnt <= step for learnt in steps) / people for step in range(last + 1)])
            drawing.line(_stairs(frame, shares[-1]), colour, 1, 0.35)
        if shares:
            drawing.line(_stairs(frame, [sum(column) / len(column) for column in zip(*shares, strict=True)]), colour, 2.5)
        drawing.text((frame.left + 8 + 110 * at, frame.top - 8), condition, colour=colour)
    return drawing


def rating_figure(ranked: Ranked, title: str, words: Words, scripted: bool, paper: bool) -> Drawing:
    """TrueSkill's μ ± σ of each kind of access, and the paper's beside it."""
    ratings = {name: (rating.mu, rating.sigma) for name, rating in ranked.published.ratings.items()}
    theirs = {name: PAPER[name] for name in ratings if name in PAPER} if paper else {}
    edges = [mu + sign * sigma for values in (ratings, theirs) for mu, sigma in values.values() for sign in (1, -1)]
    frame = Frame(*AREA, (-0.5, len(ratings) - 0.5), (min(edges) - 1, max(edges) + 1))
    drawing = _drawing(title, words, scripted)
    drawing.axis(frame, ticks(*frame.ys), below=list(enumerate(ratings)))
    for shift, colour, values in ((-10, COLOURS[0], ratings), (10, GREY, theirs)):
        for at, name in enumerate(ratings):
            if name in values:
                (mu, sigma), x = values[name], frame.x(at) + shift
                drawing.line([(x, frame.y(mu - sigma)), (x, frame.y(mu + sigma))], colour, 2)
                drawing.dot((x, frame.y(mu)), colour, 5)
    if theirs:
        drawing.text((frame.left + frame.width, frame.top - 8), words["paper"], "end", colour=GREY)
    return drawing


def _drawing(title: str, words: Words, scripted: bool) -> Drawing:
    drawing = Drawing(WIDTH, HEIGHT, title)
    drawing.text((WIDTH / 2, 22), title, "middle", 14, INK)
    if scripted:
        drawing.watermark(words["watermark"])
    return drawing


def _paper_line(drawing: Drawing, frame: Frame, value: float, words: Words) -> None:
    drawing.line([(frame.left, frame.y(value)), (frame.left + frame.width, frame.y(value))], "#c00", 1.5, dashed=True)
    drawing.text((frame.left + frame.width, frame.y(value) - 5), f"{words['paper']} {value:.3g}", "end", 11, "#c00")


def _stairs(frame: Frame, shares: Sequence[float]) -> list[Point]:
    """A line that rises where a share does."""

    def corners() -> Iterator[Point]:
        for step, share in enumerate(shares):
            if step and share != shares[step - 1]:
                yield frame.x(step), frame.y(shares[step - 1])
            if not step or share != shares[step - 1] or step == len(shares) - 1:
                yield frame.x(step), frame.y(share)

    return list(corners())
