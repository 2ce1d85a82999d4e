"""Laws that the user gives a town while it lives: a patch of its society's book that breaks nothing."""

from __future__ import annotations

from hometown.world.book.amend import Entries, amended, changed_entries, tidied
from hometown.world.book.references import check_references
from hometown.world.faults import Faults, parse_json
from hometown.world.world import World

FILE = "patch"
"""What a patch is called in faults."""


def proposed(world: World, patch: str, faults: Faults) -> Entries:
    """The entries of a town's book that differ once a patch holds. `world` is the town as it is now; it has a society.

    Adds a fault for each name that nothing has, for matter that would come out of nothing or vanish, and for whoever would have no house.
    """
    assert world.book is not None
    changes, before = parse_json(patch, FILE, faults), len(faults.lines)
    if changes is None:
        return {}
    entries = changed_entries(world.book, changes, world.langs, faults)
    if len(faults.lines) == before and not entries:
        faults.add(FILE, "", "changes nothing: all that it says is so already")
    if len(faults.lines) == before:
        there = ({*world.things} | {*world.arenas}) - world.gone
        check_references(tidied(amended(world.book, entries), entries), there, world.personas, faults)
    return entries
