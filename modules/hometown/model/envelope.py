"""Parses the JSON around a reply. A server may send anything: JSON of a shape that its protocol
does not allow is a BadResponse.
"""

from __future__ import annotations

import re
from html import unescape
from math import isfinite
from typing import Any, TypeVar

import orjson

from hometown.model.llm import LARGEST_COUNT
from hometown.model.reply_parsing import LONGEST_REPLY
from hometown.text import N_, Phrase

T = TypeVar("T")

DEEPEST_MESSAGE = 4
"""Objects nested around an error's message, at most."""

LONGEST_PAGE, LONGEST_TITLE = 1 << 13, 80
"""Characters of an HTML page that are read, and of those that are shown, at most."""

_HTML = re.compile(
    r"(?>\ufeff|\s|<!--.*?-->|<\?xml.*?\?>)*+<(?:!doctype html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_MARKUP = re.compile(
    r"<!--.*?-->|<(script|style|head)\b.*?</\1\s*>|<[^>]*>", re.IGNORECASE | re.DOTALL
)

WORDS = {dict: N_("an object"), list: N_("a list"), str: N_("a text"), bool: N_("true or false")}


class BadResponse(Exception):
    """A response that cannot be used; `message` continues "the server at … "."""

    def __init__(self, message: Phrase) -> None:
        self.message = message
        super().__init__(message)


def object_of(data: bytes) -> dict[str, Any]:
    """Return the JSON object in a response. Raises BadResponse for anything else."""
    try:
        value = orjson.loads(data)
    except ValueError:
        if page := describe_html(data[:LONGEST_PAGE].decode("utf-8", "replace")):
            raise BadResponse(
                Phrase(
                    "sent {page} instead of JSON; is it the address of a model server?", page=page
                )
            ) from None
        raise BadResponse(Phrase("sent invalid JSON; is it a model server?")) from None
    return require_type(value, "the response", dict)


def require_type(value: object, name: str, kind: type[T]) -> T:
    """Return a value if it has the expected type. Raises BadResponse."""
    if not isinstance(value, kind):
        raise BadResponse(
            Phrase(
                "sent unexpected JSON: {name!r} should be {kind}",
                name=name,
                kind=Phrase(WORDS[kind]),
            )
        )
    return value


def member(parent: dict[str, Any], name: str, kind: type[T], default: T) -> T:
    """Return a member of an object, or the default if it is missing or null. Raises BadResponse for
    another type.
    """
    value = parent.get(name)
    return default if value is None else require_type(value, name, kind)


def count(of: dict[str, Any], name: str) -> int:
    """Return a number of tokens. Servers write missing, null or negative for tokens that they did
    not count: all are 0. Raises BadResponse.
    """
    return int(number(of, name))


def number(of: dict[str, Any], name: str) -> float:
    """Return a number ≥ 0 that fits into 64 bits; 0 if it is missing, null or negative. Raises
    BadResponse.
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
                "sent unexpected JSON: {name!r} should be {kind}",
                name=name,
                kind=Phrase("a number"),
            )
        )
    return max(value, 0)


def within_length(text: str) -> str:
    """Return a text unchanged. Raises BadResponse if it is longer than `LONGEST_REPLY`."""
    if len(text) > LONGEST_REPLY:
        raise BadResponse(
            Phrase("sent a reply of more than {limit} characters", limit=LONGEST_REPLY)
        )
    return text


def describe_html(text: str) -> Phrase | None:
    """Return a description of an HTML page by its title or its first words, or None for any other
    text.

    >>> describe_html("<html><title>Sign in</title></html>"), describe_html("<!DOCTYPE html><p>No <b>route</b>"), describe_html("x < y")
    ("an HTML page titled 'Sign in'", "an HTML page that begins with 'No route'", None)
    """
    text = text[:LONGEST_PAGE]
    if not _HTML.match(text):
        return None
    title = _TITLE.search(text)
    if words := _plain_words(title[1] if title else ""):
        return Phrase("an HTML page titled {words!r}", words=words)
    if words := _plain_words(text):
        return Phrase("an HTML page that begins with {words!r}", words=words)
    return Phrase("an HTML page")


def _plain_words(markup: str) -> str:
    """Return the text of HTML without its tags, at most `LONGEST_TITLE` characters. It is cut
    between words, since half a key could not be masked.
    """
    words = " ".join(unescape(_MARKUP.sub(" ", markup)).split())
    if len(words) <= LONGEST_TITLE:
        return words
    return words[: LONGEST_TITLE + 1].rpartition(" ")[0] or words[:LONGEST_TITLE]


def message_in(error: object) -> str:
    """Return the message in the JSON of an error, which servers wrap differently; "" for none."""
    for _ in range(DEEPEST_MESSAGE):
        if not isinstance(error, dict):
            break
        error = next(
            (error[name] for name in ("error", "message", "detail") if error.get(name)), ""
        )
    return (
        error if isinstance(error, str) else str(error) if isinstance(error, (int, float)) else ""
    )
