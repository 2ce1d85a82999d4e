"""Bounds of replies, in the keywords that all servers' grammars enforce: `enum`, `minItems`,
`maxItems`, `minimum`, `maximum`, `pattern`.

llama.cpp, and Ollama with it, puts a pattern into its grammar only if it is anchored on both sides,
drops `pattern` beside `enum`, enforces `minimum` and `maximum` for integers only, and ignores
formats such as "date" and uniqueness of items.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from hometown.language import Lang

MOST_SETTLED = 3
"""Maximum number of memories that a reply may call over; a weak model would call all of them so."""

Keywords = dict[str, Any]
"""Keywords of JSON schema that narrow one field."""

LEFT_OUT: Keywords = {"left_out": True}
"""Mark in place of keywords: the field is not asked for."""

MAY_BE_LEFT_OUT: Keywords = {"may_be_left_out": True}
"""Mark in place of keywords: the field may be omitted if it has no content."""

ANY_CHARACTER = r"[^\x00-\x1f]"
"""Pattern of any character of a line."""

VISIBLE = r"[^\x00-\x20\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]"
"""Pattern of a visible character, with which a text begins, so that none is blank."""

SAYING = rf"{VISIBLE[:-1]}.\u2026]"
"""Pattern of the first character of a model's text: no full stop, so that the "…" of an example is
not copied.
"""

DENSITY: dict[Lang, float] = {"en": 1.0, "zh": 0.4}
"""Characters of a language that correspond to one in English, with about as many tokens."""


PLAIN: dict[Lang, tuple[str, str, int]] = {
    "en": ("[A-Z][a-z]{0,11}(,? [A-Za-z\u00c0-\u017f]{1,12}('s)?)", "[.!?]", 16),
    "zh": ("[\u4e00-\u9fff]{2,9}([，、][\u4e00-\u9fff]{2,9})", "[。！？]", 25),
}
"""Plain sentences by language: the pattern of a first word and a further one (or of as many signs
between two commas), the pattern of their end, and the maximum length of one such part in English
characters.
"""

MOST_PARTS = 18
"""Maximum number of parts of a plain sentence."""


def line(length: int, shortest: int = 1) -> str:
    """Return the pattern of a text on one line of `shortest`, 0 or 1, to `length` characters.

    Texts that may not be empty may not be blank either. It is a pattern instead of `maxLength`,
    which alone admits control characters.
    """
    return (
        rf"^{VISIBLE}{ANY_CHARACTER}{{0,{length - 1}}}$"
        if shortest
        else rf"^{ANY_CHARACTER}{{0,{length}}}$"
    )


@lru_cache(maxsize=512)
def longest(pattern: str) -> int | None:
    """Return the maximum length allowed by a pattern made by `line`; None for other patterns.

    >>> longest(line(240)), longest(line(60, shortest=0)), longest("^[0-9]{2}$")
    (240, 60, None)
    """
    bound = _LINE.fullmatch(pattern)
    return int(bound[2]) + bool(bound[1]) if bound else None


_LINE = re.compile(
    rf"\^\(?({re.escape(VISIBLE)}|{re.escape(SAYING)})?{re.escape(ANY_CHARACTER)}\{{0,(\d+)\}}(?:\)\?)?\$"
)


def text(lang: Lang, length: int, shortest: int = 1) -> Keywords:
    """Return keywords for a text of `shortest`, 0 or 1, to `length` English characters.

    Other languages get a length for as much content. The text fits `line`, and has content unless
    it is empty.
    """
    pattern = rf"{SAYING}{ANY_CHARACTER}{{0,{round(length * DENSITY[lang]) - 1}}}"
    return {"pattern": f"^{pattern}$" if shortest else f"^({pattern})?$"}


def plain_sentence(lang: Lang, length: int, shortest: int = 1) -> Keywords:
    """Return keywords for one sentence of words and commas, up to `length` English characters.

    With `shortest` 0 it may be empty. Small models need this restriction: free to go on with
    anything, they were seen to count, or to write nothing but abbreviations.
    """
    parts, end, size = PLAIN[lang]
    pattern = f"{parts}{{1,{max(1, min(MOST_PARTS, length // size) - 1)}}}{end}"
    return {"pattern": f"^{pattern}$" if shortest else f"^({pattern})?$"}


def exactly(count: int) -> Keywords:
    """Return keywords for a list of `count` items."""
    return {"minItems": count, "maxItems": count}


def at_most(count: int) -> Keywords:
    """Return keywords for a list of up to `count` items."""
    return {"maxItems": count}


def between(first: int, last: int) -> Keywords:
    """Return keywords for a whole number from `first` to `last`."""
    return {"minimum": first, "maximum": last}


def settled_bounds(memories: int) -> dict[str, Keywords]:
    """Return the keywords of the numbers of those of the memories shown that are over."""
    if not memories:
        return {"settled": LEFT_OUT}
    return {
        "settled": MAY_BE_LEFT_OUT | at_most(MOST_SETTLED),
        "settled[]": between(1, memories),
    }


def one_of(values: Sequence[str | int]) -> Keywords:
    """Return keywords for one of several texts or numbers."""
    return {"enum": list(values)}


def items_of(schema: Keywords, count: int) -> Sequence[Keywords]:
    """Return the schemas of a list's items: one for each value of a row, or `count` times the same."""
    items: Sequence[Keywords] = schema.get("prefixItems") or [schema.get("items", {})] * count
    return items
