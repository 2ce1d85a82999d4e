"""Layout of a network of residents, in which those who talk often are close."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import networkx

ROUNDS = 120

EXACT_AT_MOST = 400
"""More than these stand on a circle: forces between all pairs would take too long."""


def positions(people: Sequence[str], weights: Mapping[frozenset[str], int]) -> dict[str, tuple[float, float]]:
    """A place on the unit square for each of `people`, by forces (Fruchterman & Reingold 1991); `weights` counts what connects a pair.

    The same for the same input.

    >>> positions(["ana"], {})
    {'ana': (0.5, 0.5)}
    """
    if len(people) < 2:
        return dict.fromkeys(people, (0.5, 0.5))
    graph = networkx.Graph()
    graph.add_nodes_from(people)
    graph.add_weighted_edges_from((*sorted(pair), math.sqrt(weight)) for pair, weight in sorted(weights.items(), key=lambda item: sorted(item[0])))
    circle = networkx.circular_layout(graph)
    spots = networkx.spring_layout(graph, pos=circle, iterations=ROUNDS, seed=1, method="force") if len(people) <= EXACT_AT_MOST else circle
    xs, ys = zip(*(spots[who] for who in people), strict=True)
    return {who: (_share(spots[who][0], xs), _share(spots[who][1], ys)) for who in people}


def _share(value: float, values: Sequence[float]) -> float:
    """Where a value lies between the lowest and the highest of all, 0 to 1."""
    low, high = min(values), max(values)
    return float((value - low) / (high - low)) if high > low else 0.5
