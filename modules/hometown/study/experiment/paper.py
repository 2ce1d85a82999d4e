"""Results of Park et al. (2023) in their one town, to be drawn beside ours: as lines, never tests,
since it is one run.
"""

from __future__ import annotations

from hometown.frozen import frozen


@frozen
class Published:
    """A value of the paper: our names of its `measure` and `story`, its place in the paper, and its
    value.
    """

    measure: str
    story: str
    where: str
    value: float


RESIDENTS = 25

FIGURES = (
    Published("known_start", "valentine_party", "§7.1.1", 1 / RESIDENTS),
    Published("known", "valentine_party", "§7.1.1", 13 / RESIDENTS),
    Published("known_start", "sam_mayor", "§7.1.1", 1 / RESIDENTS),
    Published("known", "sam_mayor", "§7.1.1", 8 / RESIDENTS),
    Published("density_start", "", "§7.1.2", 0.167),
    Published("density", "", "§7.1.2", 0.74),
    Published("knew", "valentine_party", "§7.1.3", 12),
    Published("came", "valentine_party", "§7.1.3", 5),
    Published("invented", "", "§7.1.1", 6 / 453),
)


def find_published(measure: str, story: str) -> Published | None:
    """Return the paper's value of a figure, by the last part of its name; None where it has
    none.
    """
    name = measure.rpartition(".")[2]
    return next((each for each in FIGURES if (each.measure, each.story) == (name, story)), None)
