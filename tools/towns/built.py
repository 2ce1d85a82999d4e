"""Combine a town's land, buildings and outdoor things into a plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hometown.authoring.art.plan import Placed, Plan, Room
from tools.towns.blueprint import At, Building
from tools.towns.land import Land

Decor = list[tuple[str, At]]
"""Decorations: kinds, each with its tile."""


def built(
    name: str,
    land: Land,
    buildings: Sequence[Building],
    outdoors: tuple[Sequence[Room], Sequence[Room], Sequence[Placed]],
    decor: Decor,
    facades: Mapping[str, str] | None = None,
    grade: str = "",
) -> Plan:
    """Return the plan, by address; `outdoors` are the sectors, arenas and things beside those of
    the buildings. Of several decorations of a tile the first stands.
    """
    sectors, arenas, things = outdoors
    return Plan(
        name,
        land.rows(),
        sorted([*sectors, *(building.sector for building in buildings)], key=_address),
        sorted(
            [*arenas, *(room for building in buildings for room in building.arenas())], key=_address
        ),
        sorted(
            [*things, *(thing for building in buildings for thing in building.placed())],
            key=_address,
        ),
        _one_a_tile(decor),
        dict(facades or {}),
        grade,
    )


def at_the_water(land: Land, reeds: float, lilies: float, from_row: int = 0) -> Decor:
    """Reeds on that share of the shore, and lilies on that of the open water, from a row on."""
    water = [at for at, mark in sorted(land.marks.items()) if mark == "~"]
    shore = [at for at in water if land.marks.get((at[0], at[1] + 1)) == "."]
    growing: Decor = [("reeds", at) for at in shore if land.stream.random() < reeds]
    return growing + [
        ("lily", at)
        for at in water
        if at[1] >= from_row and land.inside(at, "~") and land.stream.random() < lilies
    ]


def _address(part: Room | Placed) -> str:
    return part.address


def _one_a_tile(decor: Iterable[tuple[str, At]]) -> Decor:
    taken: dict[At, str] = {}
    for kind, at in decor:
        taken.setdefault(at, kind)
    return [
        (kind, at) for at, kind in sorted(taken.items(), key=lambda item: (item[0][1], item[0][0]))
    ]
