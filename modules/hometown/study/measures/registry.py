"""The registry of measures. A measure is a function of a town, with a decorator:

    from hometown.study.measures.registry import Figure, Subject, measure

    @measure
    def naps(town: Subject) -> list[Figure]:
        return [Figure("longest", 90.0)]

An installed package names a module with measures under the entry point group `hometown.measures`;
`hometown compare` shows them with the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hometown.frozen import frozen
from hometown.history.names import Names
from hometown.history.reader import RunReader


@frozen
class Subject:
    """A run to be measured, up to step `last`; `names` has its world."""

    run: RunReader
    names: Names
    last: int


@frozen
class Figure:
    """One figure of a measure: its name, and its subject `about`, such as a storyline, "" for the
    whole town.

    `timed`: it depends on the machine as well as on the run, so that it is in no table of an
    experiment.
    """

    name: str
    value: float
    about: str = ""
    timed: bool = False


MeasureFunction = Callable[[Subject], Sequence[Figure]]

_measures: dict[str, MeasureFunction] = {}


def measure(function: MeasureFunction) -> MeasureFunction:
    """Register a function as a measure, under its own name.

    Raises:
        ValueError: Another measure has this name.
    """
    name = function.__name__
    known = _measures.get(name)
    if known is not None and (known.__module__, known.__qualname__) != (
        function.__module__,
        function.__qualname__,
    ):
        raise ValueError(
            f"there is a measure called {name!r} already, in {known.__module__}: give the function another name"
        )
    _measures[name] = function
    return function


def list_measures() -> dict[str, MeasureFunction]:
    """Return all measures by name, in the order of their registration."""
    return dict(_measures)
