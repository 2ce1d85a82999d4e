"""Results of Park et al. (2023) in their one town, to be drawn beside ours: as lines, never tests,
since it is one run.
"""

from __future__ import annotations

from hometown.frozen import frozen


@frozen
class PublishedFigure:
    """A value of the paper: our names of its `measures` and `story`, its place in the paper, and its
    value.
    """

    measures: tuple[str, ...]
    story: str
    where: str
    value: float


RESIDENTS = 25

KNOWN_START = ("diffusion.known_start", "claims.known_start")
KNOWN = ("diffusion.told", "claims.known")
"""Our figures that compare with the paper's: it counted claims of residents that a conversation
bears out.
"""

FIGURES = (
    PublishedFigure(KNOWN_START, "valentine_party", "§7.1.1", 1 / RESIDENTS),
    PublishedFigure(KNOWN, "valentine_party", "§7.1.1", 13 / RESIDENTS),
    PublishedFigure(KNOWN_START, "sam_mayor", "§7.1.1", 1 / RESIDENTS),
    PublishedFigure(KNOWN, "sam_mayor", "§7.1.1", 8 / RESIDENTS),
    PublishedFigure(("network.density_start", "claims.density_start"), "", "§7.1.2", 0.167),
    PublishedFigure(("network.density", "claims.density"), "", "§7.1.2", 0.74),
    PublishedFigure(("attending.knew",), "valentine_party", "§7.1.3", 12),
    PublishedFigure(("attending.came",), "valentine_party", "§7.1.3", 5),
    PublishedFigure(("claims.invented",), "", "§7.1.1", 6 / 453),
)


def find_published(measure: str, story: str) -> PublishedFigure | None:
    """Return the paper's value of a figure, None where it has none."""
    return next(
        (each for each in FIGURES if measure in each.measures and each.story == story), None
    )
