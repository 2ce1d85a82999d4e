"""The files of a society by name, and the fault of a name that nothing has."""

from __future__ import annotations

from collections.abc import Iterable

from hometown.text import Phrase
from hometown.world.faults import Faults, likely

KINDS, FIXTURES, RECIPES, NEEDS, CALENDAR, START, FEELINGS, REGARDS = (
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
    )
)


def known(
    faults: Faults, file: str, where: str, what: Phrase, names: Iterable[str], there: Iterable[str]
) -> None:
    """A fault for each name that is not among those that there are; `what` is what such names are
    called.
    """
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
