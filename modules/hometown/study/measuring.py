"""All measures of a run: those of Hometown, and those of installed packages
(`hometown.study.measures.registry`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from hometown.frozen import frozen
from hometown.study.inference.estimates import OutcomeKind
from hometown.study.measures import costs as costs
from hometown.study.measures import days as days
from hometown.study.measures import news as news
from hometown.study.measures import process_measures as process_measures
from hometown.study.measures.registry import OutcomeMeasure, Subject, list_measures

if TYPE_CHECKING:
    from hometown.history.names import Names
    from hometown.history.reader import RunReader

ENTRY_POINT_GROUP = "hometown.measures"
"""The entry point group under which installed packages name modules with measures."""


@frozen
class Measured:
    """A figure of a run: `name` is MEASURE.FIGURE, `about` its subject, "" for the whole town.
    `kind` is that of its outcome; `timed`: it depends on the machine.
    """

    name: str
    about: str
    value: float
    timed: bool = False
    kind: OutcomeKind = "score"


def measures() -> dict[str, OutcomeMeasure]:
    """Return all measures by name; importing those of installed packages registers them."""
    from importlib.metadata import entry_points  # takes a while, as searching packages does

    for entry in entry_points(group=ENTRY_POINT_GROUP):
        entry.load()
    return list_measures()


def find_measure(name: str) -> OutcomeMeasure | None:
    """Return a measure by its name, None if there is none. Installed packages are searched, which
    takes a while, only for one that is not Hometown's.
    """
    return list_measures().get(name) or measures().get(name)


def measure_run(
    reader: RunReader, names: Names, last: int, targets: Collection[str] = ()
) -> list[Measured]:
    """Return every figure of a run up to step `last`. `targets` are residents on whom interventions
    act in runs that this one is compared with; those of this run are added.
    """
    from hometown.history.channels import find_targets

    town = Subject(reader, names, last, find_targets(reader, last).union(targets))
    return [
        Measured(
            f"{name}.{figure.name}",
            figure.about,
            figure.value,
            figure.timed,
            each.kinds.get(figure.name, "score"),
        )
        for name, each in measures().items()
        for figure in each.function(town)
    ]
