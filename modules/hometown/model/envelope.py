"""Reads the JSON around a reply. A server may send anything: whatever has another shape than its
protocol's is a BadResponse.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, TypeVar

import orjson

from hometown.model.llm import LARGEST_COUNT
from hometown.model.replies import LONGEST_REPLY
from hometown.text import Phrase

T = TypeVar("T")

DEEPEST_MESSAGE = 4
"""Objects around an error's message."""

WORDS = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}


class BadResponse(Exception):
    """A response that cannot be used; `message` continues "the server at … "."""

    def __init__(self, message: Phrase) -> None:
        self.message = message
        super().__init__(message)


def object_of(data: bytes) -> dict[str, Any]:
    """Return the JSON object that some bytes hold. Raises BadResponse."""
    try:
        value = orjson.loads(data)
    except ValueError:
        raise BadResponse(Phrase("sent invalid JSON; is it a model server?")) from None
    return checked(value, "the response", dict)


def checked(value: object, name: str, kind: type[T]) -> T:
    """Return a value of the expected type. Raises BadResponse."""
    if not isinstance(value, kind):
        raise BadResponse(
            Phrase(
                "sent JSON of another shape: {name!r} should be {kind}",
                name=name,
                kind=Phrase(WORDS[kind]),
            )
        )
    return value


def member(of: dict[str, Any], name: str, kind: type[T], default: T) -> T:
    """Return a member of an object; the default where it is missing or null. Raises BadResponse for
    another type.
    """
    value = of.get(name)
    return default if value is None else checked(value, name, kind)


def count(of: dict[str, Any], name: str) -> int:
    """Return a number of tokens; 0 where it is missing, null or negative, as servers write what
    they have not counted. Raises BadResponse.
    """
    return int(number(of, name))


def number(of: dict[str, Any], name: str) -> float:
    """Return a number from 0 on, that fits into 64 bits; 0 where it is missing, null or negative.
    Raises BadResponse.
    """
    value = of.get(name)
    if value is None:
        return 0
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or not isfinite(value)
        or abs(value) > LARGEST_COUNT
    ):
        raise BadResponse(
            Phrase(
                "sent JSON of another shape: {name!r} should be {kind}",
                name=name,
                kind=Phrase("a number"),
            )
        )
    return max(value, 0)


def within_length(text: str) -> str:
    """Return a text of a length that a reply can have. Raises BadResponse."""
    if len(text) > LONGEST_REPLY:
        raise BadResponse(
            Phrase("sent a reply of more than {limit} characters", limit=LONGEST_REPLY)
        )
    return text


def message_in(error: object) -> str:
    """Return the message in the JSON of an error, in which servers wrap it differently; "" for
    none.
    """
    for _ in range(DEEPEST_MESSAGE):
        if not isinstance(error, dict):
            break
        error = next(
            (error[name] for name in ("error", "message", "detail") if error.get(name)), ""
        )
    return (
        error if isinstance(error, str) else str(error) if isinstance(error, (int, float)) else ""
    )
