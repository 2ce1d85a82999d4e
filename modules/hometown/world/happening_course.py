"""A user's changes of the course of a happening, in JSON."""

from __future__ import annotations

from dataclasses import asdict, fields

import orjson
from pydantic import TypeAdapter, ValidationError

from hometown.errors import BadInput
from hometown.world.incidents import Course

BOUNDS: dict[str, tuple[int, int]] = {
    "weight": (1, 10),
    "reach": (0, 200),
    "minutes": (1, 60 * 24 * 30),
    "effort": (0, 60 * 24 * 10),
    "help_minutes": (0, 60 * 24),
    "grows": (0, 60 * 24 * 10),
    "repair": (0, 60 * 24 * 10),
}
"""The least and the highest value of each number."""

CHANGEABLE = tuple(field.name for field in fields(Course) if field.name != "key")
"""The fields that a user can change."""

_COURSE: TypeAdapter[Course] = TypeAdapter(Course)


def change_course(course: Course, changes: str) -> Course:
    """Return a course with a user's changes, an object in JSON; the same course for "".

    Raises:
        BadInput: the changes are no such object, or have an unknown field or an impossible value.

    >>> change_course(Course(weight=3), '{"weight": 9}').weight
    9
    """
    if not changes:
        return course
    try:
        given = orjson.loads(changes)
        unknown = sorted(set(given) - set(CHANGEABLE))
        changed = _COURSE.validate_json(orjson.dumps(asdict(course) | given))
    except (ValueError, TypeError, ValidationError) as error:
        raise BadInput(
            "the course of the happening, {changes}, cannot be read: {reason}; it should be an object"
            " in JSON with any of {fields}",
            changes=changes,
            reason=error,
            fields=", ".join(CHANGEABLE),
        ) from error
    if unknown:
        raise BadInput(
            "the course of a happening has no {unknown}; it has {fields}",
            unknown=", ".join(unknown),
            fields=", ".join(CHANGEABLE),
        )
    for name, (least, most) in BOUNDS.items():
        value = getattr(changed, name)
        if not least <= value <= most:
            raise BadInput(
                "the {field} of a happening is {value}; it should be from {least} to {most}",
                field=name,
                value=value,
                least=least,
                most=most,
            )
    return changed
