"""The choice of a run's residents, as users write it."""

from __future__ import annotations

from collections.abc import Sequence

from hometown.errors import BadInput
from hometown.world.clones import crowd
from hometown.world.resolve import NameIndex
from hometown.world.world import World

MOST_CLONES = 10_000
"""The maximum number of residents in a town with clones."""


def choose_cast(world: World, residents: Sequence[str] = (), clones: int = 0) -> list[str]:
    """Return the ids of a run's residents: those named (all by default), and clones of them up to
    `clones` residents in all.

    Residents are given by id, name or part of a name, in any of the world's languages, or as a
    number n: the first n. Raises BadInput for an unknown or ambiguous name, and for an impossible
    number.
    """
    if clones < 0:
        raise BadInput(
            "clones is {count}: give the number of residents in all, or 0 for no clones",
            count=clones,
        )
    own = _ids_of(world, residents) if residents else list(world.personas)
    if clones:
        _check_count(clones, world, MOST_CLONES)
    return crowd(own, clones) if clones else own


def _check_count(count: int, world: World, most: int) -> None:
    """Raise BadInput for a number of residents that a world does not have."""
    if not 1 <= count <= most:
        raise BadInput(
            "{count} residents are not possible: {world} can have 1 to {most}",
            count=count,
            world=world.id,
            most=most,
        )


def _ids_of(world: World, residents: Sequence[str]) -> list[str]:
    """Return the ids of residents in the world's order: those named, or, for a single number, as
    many as it says from the first. Raises BadInput for an unknown name and for a number that the
    world does not have.
    """
    everybody = list(world.personas)
    if len(residents) == 1 and residents[0].isdecimal():
        _check_count(int(residents[0]), world, len(everybody))
        return everybody[: int(residents[0])]
    index = NameIndex("tell", world)
    ids = {index.resolve(name) for name in residents}
    return [who for who in everybody if who in ids]
