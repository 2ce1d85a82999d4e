"""The registry of measures. A measure is a function of a town, with a decorator:

    from hometown.study.measures.registry import Figure, Subject, measure

    @measure(times=["longest"])
    def naps(town: Subject) -> list[Figure]:
        return [Figure("longest", 1.5)]

The decorator names the figures by their kind, so that an experiment can check the name of its
primary outcome, and has the statistics that fit. Without names, all figures are scores.

An installed package names a module with measures under the entry point group `hometown.measures`;
`hometown compare` shows them with the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, overload

from hometown.frozen import frozen
from hometown.study.inference.estimates import OutcomeKind

if TYPE_CHECKING:
    from hometown.history.names import Names
    from hometown.history.reader import RunReader


@frozen
class Subject:
    """A run to be measured, up to step `last`; `names` has its world.

    `targets` are the residents outside of shares of those who were told: those whom interventions
    gave a memory, in this run or in one that it is compared with.
    """

    run: RunReader
    names: Names
    last: int
    targets: frozenset[str] = frozenset()


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


@frozen
class OutcomeMeasure:
    """A registered measure. `kinds` are those of its figures by name; empty for a measure that does
    not name them.

    `is_by_storyline`: each figure is about a storyline, by its title.
    """

    function: MeasureFunction
    kinds: Mapping[str, OutcomeKind]
    is_by_storyline: bool = False


_measures: dict[str, OutcomeMeasure] = {}


@overload
def measure(function: MeasureFunction, /) -> MeasureFunction: ...


@overload
def measure(
    *,
    shares: Sequence[str] = ...,
    counts: Sequence[str] = ...,
    times: Sequence[str] = ...,
    scores: Sequence[str] = ...,
    by_storyline: bool = ...,
) -> Callable[[MeasureFunction], MeasureFunction]: ...


def measure(
    function: MeasureFunction | None = None,
    /,
    *,
    shares: Sequence[str] = (),
    counts: Sequence[str] = (),
    times: Sequence[str] = (),
    scores: Sequence[str] = (),
    by_storyline: bool = False,
) -> MeasureFunction | Callable[[MeasureFunction], MeasureFunction]:
    """Register a function as a measure, under its own name.

    Args:
        function: The function, where the decorator has no arguments.
        shares: Names of figures between 0 and 1.
        counts: Names of figures that count things.
        times: Names of figures in hours.
        scores: Names of other figures.
        by_storyline: True if each figure is about a storyline, by its title.

    Raises:
        ValueError: Another measure has this name.
    """
    kinds: dict[str, OutcomeKind] = {
        **dict.fromkeys(shares, "share"),
        **dict.fromkeys(counts, "count"),
        **dict.fromkeys(times, "time"),
        **dict.fromkeys(scores, "score"),
    }

    def register(function: MeasureFunction) -> MeasureFunction:
        name = function.__name__
        known = _measures.get(name)
        if known is not None and (known.function.__module__, known.function.__qualname__) != (
            function.__module__,
            function.__qualname__,
        ):
            raise ValueError(
                f"there is a measure called {name!r} already, in {known.function.__module__}: "
                "give the function another name"
            )
        _measures[name] = OutcomeMeasure(function, kinds, by_storyline)
        return function

    return register if function is None else register(function)


def list_measures() -> dict[str, OutcomeMeasure]:
    """Return all measures by name: those of a module in the order of the module, whichever module
    was imported first; modules by their names.
    """
    by_module = sorted(_measures.items(), key=lambda item: item[1].function.__module__)
    return dict(by_module)
