"""Reading of a definition that has faults: what is sound is read, too, so that further checks find
what else is wrong.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from hometown.frozen import frozen
from hometown.study.experiment.spec import ASKED, Experiment
from hometown.world.faults import find_meant, list_keys

Place = tuple[int | str, ...]
"""The place of a value in a definition: keys and indices."""

_NEUTRAL: dict[Place, Any] = {
    ("name",): "unnamed",
    ("question",): "",
    ("seeds",): [1],
    ("primary",): {"measure": "cost.calls"},
    ("primary", "measure"): "cost.calls",
    ("town", "until"): "1000000",
    ("interviews", 0, "questionnaire"): "awareness",
    ("interviews", 0, "access", 0): "full",
}
"""Values to read in place of faulty ones, by their place, where each entry of a list is the first."""

_DESIGN: tuple[Place, ...] = (("conditions",), ("factors",), ("grid",))

_PRIMARY: tuple[Place, ...] = (
    ("primary", "measure"),
    ("primary", "about"),
    ("measures",),
    ("town", "news"),
)
"""The parts of a definition on which each primary outcome depends."""

_UNKNOWN = "extra_forbidden"
"""The type of a fault for a field that does not exist."""

_MOST_READINGS = 4

_CONSEQUENCES = ("missing", "too_short")
"""Types of faults that the removal of a faulty value may cause."""


@frozen
class PartialDefinition:
    """A definition as far as it can be read.

    Attributes:
        experiment: The experiment, with neutral values in place of faulty ones; None if too little
            is sound.
        faults: The faults of the definition, as pydantic describes them.
    """

    experiment: Experiment | None
    faults: list[ErrorDetails]

    @property
    def is_primary_sound(self) -> bool:
        """Return True if nothing on which the primary outcome depends has a fault."""
        parts = list(_PRIMARY)
        if self.experiment and self.experiment.primary.measure.partition(".")[0] in ASKED:
            parts.append(("interviews",))
        return not any(
            fault["loc"] == ("primary",) or fault["loc"][: len(part)] == part
            for fault in self.faults
            for part in parts
        )


def read_definition(content: dict[str, Any]) -> PartialDefinition:
    """Return an experiment from its definition, with the faults of the definition."""
    faults: list[ErrorDetails] = []
    for _ in range(_MOST_READINGS):
        try:
            return PartialDefinition(Experiment.model_validate(content), faults)
        except ValidationError as error:
            found = error.errors()
        faults += [
            fault
            for fault in found
            if (not faults or _is_new(fault, faults)) and not _is_named_wrongly(fault, found)
        ]
        content = json.loads(json.dumps(content))  # aliases of YAML share a value
        found.sort(key=lambda fault: fault["type"] == _UNKNOWN)
        for fault in reversed(found):  # misspelt names first, and the last entries of lists
            with suppress(LookupError, TypeError):
                _remove(content, fault)
    return PartialDefinition(None, faults)


def _is_named_wrongly(fault: ErrorDetails, found: list[ErrorDetails]) -> bool:
    """Return True if a field is missing since its name is misspelt, which is a fault of its own."""
    return fault["type"] == "missing" and any(
        each["type"] == _UNKNOWN and _find_field(each["loc"]) == fault["loc"] for each in found
    )


def _is_new(fault: ErrorDetails, faults: list[ErrorDetails]) -> bool:
    """Return True if a fault of a definition is no consequence of what was removed because of
    earlier faults.
    """
    if not fault["loc"]:
        return not any(each["loc"][:1] in _DESIGN for each in faults)
    return fault["type"] not in _CONSEQUENCES


def _find_field(place: Place) -> Place:
    """Return the place of the field that was probably meant by an unknown one, () for none."""
    meant = find_meant(str(place[-1]), list_keys(Experiment, place[:-1]))
    return (*place[:-1], meant) if meant else ()


def _remove(content: dict[str, Any], fault: ErrorDetails) -> None:
    """Remove a faulty value from a definition, in place, or replace it by a neutral one; a
    misspelt name of a field is corrected.

    Raises:
        LookupError: The value is not there any more.
        TypeError: A value that should contain it is of another type.
    """
    place: Place = tuple(part for part in fault["loc"] if part != "[key]")
    if not place:
        for (part,) in _DESIGN:
            content.pop(str(part), None)
        content["conditions"] = {"control": {}}
        return
    first = tuple(0 if isinstance(part, int) else part for part in place)
    if fault["type"] == "missing" and first not in _NEUTRAL:
        place = place[:-1]
    holder: Any = content
    for part in place[:-1]:
        holder = holder[part]
    if first in _NEUTRAL:
        if fault["type"] != "missing" or place[-1] not in holder:
            holder[place[-1]] = _NEUTRAL[first]
        return
    value = holder.pop(place[-1])
    if fault["type"] == _UNKNOWN and (field := _find_field(place)):
        holder.setdefault(field[-1], value)
