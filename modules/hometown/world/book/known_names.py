"""The files of a society, and the faults for unknown names."""

from __future__ import annotations

from collections.abc import Iterable

from hometown.text import Phrase
from hometown.world.faults import Faults, likely

KINDS, FIXTURES, RECIPES, NEEDS, CALENDAR, START, FEELINGS, REGARDS, REALMS = (
    f"society/{name}.json"
    for name in (
        "kinds",
        "fixtures",
        "recipes",
        "needs",
        "calendar",
        "start",
        "feelings",
        "regards",
        "realms",
    )
)


def check_known(
    faults: Faults, file: str, where: str, what: Phrase, names: Iterable[str], there: Iterable[str]
) -> None:
    """Add a fault for each unknown name. `what` is the noun for such names."""
    there = list(there)
    for name in names:
        if name not in there:
            faults.add(
                file,
                where,
                "there is no {what} {name!r}{hint}",
                what=what,
                name=name,
                hint=likely(name, there),
            )
