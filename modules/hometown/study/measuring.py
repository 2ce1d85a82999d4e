"""All measures of a run: those of Hometown, and those of installed packages
(`hometown.study.measures.registry`).
"""

from __future__ import annotations

from importlib.metadata import entry_points

from hometown.frozen import frozen
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.storage.run import RunFile
from hometown.study.measures import costs as costs
from hometown.study.measures import days as days
from hometown.study.measures import news as news
from hometown.study.measures.registry import MeasureFunction, Subject, list_measures

ENTRY_POINT_GROUP = "hometown.measures"
"""The entry point group under which installed packages name modules with measures."""


@frozen
class Measured:
    """A figure of a run: `name` is MEASURE.FIGURE, `about` its subject, "" for the whole town.
    `timed`: it depends on the machine.
    """

    name: str
    about: str
    value: float
    timed: bool = False


def measures() -> dict[str, MeasureFunction]:
    """Return all measures by name."""
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        entry.load()
    return list_measures()


def measure_run(run: RunFile, names: Names, last: int) -> list[Measured]:
    """Return every figure of a run up to step `last`."""
    town = Subject(RunReader(run), names, last)
    figures = ((name, figure) for name, function in measures().items() for figure in function(town))
    return [
        Measured(f"{name}.{figure.name}", figure.about, figure.value, figure.timed)
        for name, figure in figures
    ]
