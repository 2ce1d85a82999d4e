"""Results of Park et al. (2023) in their one town, to be drawn beside ours: as lines, never tests,
since it is one run.
"""

from __future__ import annotations

from hometown.frozen import frozen


@frozen
class PublishedFigure:
    """A value of the paper: our names of its `measure` and `story`, its place in the paper, and its
    value.
    """

    measure: str
    story: str
    where: str
    value: float


RESIDENTS = 25

FIGURES = (
    PublishedFigure("known_start", "valentine_party", "§7.1.1", 1 / RESIDENTS),
    PublishedFigure("known", "valentine_party", "§7.1.1", 13 / RESIDENTS),
    PublishedFigure("known_start", "sam_mayor", "§7.1.1", 1 / RESIDENTS),
    PublishedFigure("known", "sam_mayor", "§7.1.1", 8 / RESIDENTS),
    PublishedFigure("density_start", "", "§7.1.2", 0.167),
    PublishedFigure("density", "", "§7.1.2", 0.74),
    PublishedFigure("knew", "valentine_party", "§7.1.3", 12),
    PublishedFigure("came", "valentine_party", "§7.1.3", 5),
    PublishedFigure("invented", "", "§7.1.1", 6 / 453),
)


def find_published(measure: str, story: str) -> PublishedFigure | None:
    """Return the paper's value of a figure, by the last part of its name; None where it has
    none.
    """
    name = measure.rpartition(".")[2]
    return next((each for each in FIGURES if (each.measure, each.story) == (name, story)), None)
