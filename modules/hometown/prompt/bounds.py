"""Bounds of replies, in the keywords that all servers' grammars enforce: `enum`, `minItems`,
`maxItems`, `minLength`, `maxLength`, `minimum`, `maximum`, and for times, emoji and ids `pattern`.

No pattern restricts the words of a text: a small model that is kept from the letters it would
write makes up words that do not exist.

llama.cpp, and Ollama with it, puts a pattern into its grammar only if it is anchored on both sides,
takes its characters literally, so that none may allow a quotation mark or a backslash, drops
`pattern` beside `enum`, enforces `minimum` and `maximum` for integers only, and ignores formats
such as "date" and uniqueness of items.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hometown.language import Lang

MOST_SETTLED = 6
"""Maximum number of memories that a reply may call over; a weak model would call all of them so."""

Keywords = dict[str, Any]
"""Keywords of JSON schema that narrow one field."""

LEFT_OUT: Keywords = {"left_out": True}
"""Mark in place of keywords: the field is not asked for."""

MAY_BE_LEFT_OUT: Keywords = {"may_be_left_out": True}
"""Mark in place of keywords: the field may be omitted if it has no content."""

DENSITY: dict[Lang, float] = {"en": 1.0, "zh": 0.4}
"""Characters of a language that correspond to one in English, with about as many tokens."""


def text(lang: Lang, length: int, shortest: int = 1) -> Keywords:
    """Return the bounds of a text: at least `shortest` characters, 0 or 1, and at most as many as
    say in `lang` what `length` characters say in English.

    Prompts name a shorter length, so that a model ends by itself; a text that reaches this one is
    cut at the end of a sentence.
    """
    return {"minLength": shortest, "maxLength": round(length * DENSITY[lang])}


def exactly(count: int) -> Keywords:
    """Return the bounds of a list: `count` items."""
    return {"minItems": count, "maxItems": count}


def at_most(count: int) -> Keywords:
    """Return the bounds of a list: up to `count` items."""
    return {"maxItems": count}


def between(first: int, last: int) -> Keywords:
    """Return the bounds of an integer: from `first` to `last`."""
    return {"minimum": first, "maximum": last}


def settled_bounds(memories: int) -> dict[str, Keywords]:
    """Return the keywords of the field `settled`, the numbers of memories that are over, of so many
    `memories` shown; the field is left out for none.
    """
    if not memories:
        return {"settled": LEFT_OUT}
    return {
        "settled": MAY_BE_LEFT_OUT | at_most(MOST_SETTLED),
        "settled[]": between(1, memories),
    }


def one_of(values: Sequence[str | int]) -> Keywords:
    """Return the bounds of a text or number: one of these options."""
    return {"enum": list(values)}


def items_of(schema: Keywords, count: int) -> Sequence[Keywords]:
    """Return the schemas of a list's items: one for each value of a row, or `count` times the same."""
    items: Sequence[Keywords] = schema.get("prefixItems") or [schema.get("items", {})] * count
    return items
