"""The comparisons of an experiment's conditions: pairs of them, main effects and interactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from statistics import fmean

from hometown.frozen import frozen
from hometown.study.experiment.spec import Experiment

MOST_PAIRED = 12
"""Maximum number of conditions of which all pairs are compared; of more, each is compared with the
first.
"""


@frozen
class PlannedComparison:
    """A difference: the mean over the conditions of `plus`, less that over those of `minus`.

    `condition` and `base` name the two sides. `factor` is the factor of a main effect, the two of an
    interaction, "" for a pair of conditions.
    """

    condition: str
    base: str
    plus: tuple[str, ...]
    minus: tuple[str, ...]
    factor: str = ""

    def compute_differences(self, values: Mapping[str, Mapping[int, float]]) -> dict[int, float]:
        """Return the difference in each seed that all of its conditions have, from values by
        condition and seed.
        """
        sides = [[values.get(name, {}) for name in names] for names in (self.plus, self.minus)]
        plus, minus = sides
        return {
            seed: fmean(each[seed] for each in plus) - fmean(each[seed] for each in minus)
            for seed in plus[0]
            if all(seed in each for side in sides for each in side)
        }


def list_comparisons(experiment: Experiment) -> list[PlannedComparison]:
    """Return the comparisons of the primary outcome's claim: each condition with the first, all
    pairs, or the effects of factors, as it says.
    """
    contrasts = experiment.primary.contrasts
    if contrasts == "factors":
        return list_effects(experiment)
    pairs = list_pairs(experiment, is_complete=contrasts == "all")
    first = next(iter(experiment.conditions))
    return [each for each in pairs if contrasts == "all" or each.base == first]


def list_all_comparisons(experiment: Experiment) -> list[PlannedComparison]:
    """Return the comparisons made of every outcome: pairs of conditions, and all effects of
    factors.
    """
    is_complete = experiment.primary.contrasts == "all" or len(experiment.conditions) <= MOST_PAIRED
    return [*list_pairs(experiment, is_complete), *list_effects(experiment)]


def list_pairs(experiment: Experiment, is_complete: bool) -> list[PlannedComparison]:
    """Return the comparisons of all pairs of conditions (`is_complete`), or of each with the first;
    the earlier condition is the base.
    """
    names = list(experiment.conditions)
    pairs = combinations(names, 2) if is_complete else product(names[:1], names[1:])
    return [PlannedComparison(condition, base, (condition,), (base,)) for base, condition in pairs]


def list_effects(experiment: Experiment) -> list[PlannedComparison]:
    """Return the main effects of all factors, each level against the first, and the interactions of
    each pair of factors.

    A main effect is averaged over the levels of all other factors. The interaction of two levels
    with two others is half the difference of their differences: it has the scale of a main effect.
    """
    factors = {name: list(levels) for name, levels in experiment.crossed.items()}
    cells = dict(zip(experiment.conditions, experiment.cells, strict=False))
    places = {name: place for place, name in enumerate(factors)}

    def find_cells(chosen: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(
            condition
            for condition, levels in cells.items()
            if all(levels[places[name]] == level for name, level in chosen.items())
        )

    main = [
        PlannedComparison(
            f"{name}: {level}",
            levels[0],
            find_cells({name: level}),
            find_cells({name: levels[0]}),
            name,
        )
        for name, levels in factors.items()
        for level in levels[1:]
    ]
    return [*main, *_list_interactions(factors, find_cells)]


def _list_interactions(
    factors: Mapping[str, Sequence[str]],
    find_cells: Callable[[Mapping[str, str]], tuple[str, ...]],
) -> Iterator[PlannedComparison]:
    """Yield the interactions of each pair of factors; `find_cells` returns the conditions with the
    chosen levels.
    """
    for (first, ours), (second, theirs) in combinations(factors.items(), 2):
        for one, other in product(ours[1:], theirs[1:]):
            plus = (
                find_cells({first: one, second: other}),
                find_cells({first: ours[0], second: theirs[0]}),
            )
            minus = (
                find_cells({first: one, second: theirs[0]}),
                find_cells({first: ours[0], second: other}),
            )
            yield PlannedComparison(
                f"{first} × {second}: {one} × {other}",
                f"{ours[0]} × {theirs[0]}",
                plus[0] + plus[1],
                minus[0] + minus[1],
                f"{first} × {second}",
            )
