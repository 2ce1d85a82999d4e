r"""Bounds of replies, in the keywords that all servers' grammars enforce: `enum`, `minItems`,
`maxItems`, `minimum`, `maximum`, `pattern`.

llama.cpp, on which Ollama rests too, writes a pattern into its grammar only where it is anchored on
both sides, drops `pattern` where there is an `enum`, and enforces `minimum` and `maximum` for
integers only; formats such as "date", and what makes items distinct, it ignores.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from hometown.language import Lang

Keywords = dict[str, Any]
"""Keywords of JSON schema that narrow one field."""

LEFT_OUT: Keywords = {"left_out": True}
"""In place of keywords: the field is not asked for at all."""

MAY_BE_LEFT_OUT: Keywords = {"may_be_left_out": True}
"""In place of keywords: a field that says nothing need not be written."""

ANY_CHARACTER = r"[^\x00-\x1f]"
"""Any character of a line, in patterns of replies."""

VISIBLE = r"[^\x00-\x20\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]"
"""A character that can be seen, with which a text begins, so that none is blank."""

SAYING = rf"{VISIBLE[:-1]}.\u2026]"
"""A character with which a model's text begins: no stop, so that the "…" of an example cannot be
copied.
"""

DENSITY: dict[Lang, float] = {"en": 1.0, "zh": 0.4}
"""Characters that a language needs for what takes one in English; about as many tokens."""


PLAIN: dict[Lang, tuple[str, str, int]] = {
    "en": ("[A-Z][a-z]{0,11}(,? [A-Za-z\u00c0-\u017f]{1,12}('s)?)", "[.!?]", 16),
    "zh": ("[\u4e00-\u9fff]{2,9}([，、][\u4e00-\u9fff]{2,9})", "[。！？]", 25),
}
"""A plain sentence: its first word and a further one, or as many signs between two commas, as
patterns; how it ends; and how many characters of a text in English, at most, one such part takes.
"""

MOST_PARTS = 18
"""Parts of a plain sentence."""


def line(length: int, shortest: int = 1) -> str:
    """The pattern of a text of `shortest`, 0 or 1, to `length` characters on one line, and not
    blank unless it may be empty.

    A pattern rather than `maxLength`, which alone lets control characters through.
    """
    return (
        rf"^{VISIBLE}{ANY_CHARACTER}{{0,{length - 1}}}$"
        if shortest
        else rf"^{ANY_CHARACTER}{{0,{length}}}$"
    )


@lru_cache(maxsize=512)
def longest(pattern: str) -> int | None:
    """The number of characters that a pattern made by `line` allows; None for any other.

    >>> longest(line(240)), longest(line(60, shortest=0)), longest("^[0-9]{2}$")
    (240, 60, None)
    """
    bound = _LINE.fullmatch(pattern)
    return int(bound[2]) + bool(bound[1]) if bound else None


_LINE = re.compile(
    rf"\^\(?({re.escape(VISIBLE)}|{re.escape(SAYING)})?{re.escape(ANY_CHARACTER)}\{{0,(\d+)\}}(?:\)\?)?\$"
)


def text(lang: Lang, length: int, shortest: int = 1) -> Keywords:
    """A text of `shortest`, 0 or 1, to `length` characters in English, and as much in Chinese,
    which needs fewer.

    It fits `line`, and says something unless it is empty.
    """
    pattern = rf"{SAYING}{ANY_CHARACTER}{{0,{round(length * DENSITY[lang]) - 1}}}"
    return {"pattern": f"^{pattern}$" if shortest else f"^({pattern})?$"}


def plain_sentence(lang: Lang, length: int, shortest: int = 1) -> Keywords:
    """One sentence of up to `length` characters in English, of words and commas, or none where
    `shortest` is 0.

    Small models need to be kept to words: where they may go on with anything else, they were seen
    to count, or to do nothing but abbreviate.
    """
    parts, end, size = PLAIN[lang]
    pattern = f"{parts}{{1,{max(1, min(MOST_PARTS, length // size) - 1)}}}{end}"
    return {"pattern": f"^{pattern}$" if shortest else f"^({pattern})?$"}


def exactly(count: int) -> Keywords:
    """A list of `count` items."""
    return {"minItems": count, "maxItems": count}


def at_most(count: int) -> Keywords:
    """A list of up to `count` items."""
    return {"maxItems": count}


def between(first: int, last: int) -> Keywords:
    """A whole number from `first` to `last`."""
    return {"minimum": first, "maximum": last}


def one_of(values: Sequence[str | int]) -> Keywords:
    """One of some texts or numbers."""
    return {"enum": list(values)}


def items_of(schema: Keywords, count: int) -> Sequence[Keywords]:
    """The schemas of the items of a list: of each value of a row, or `count` times the same."""
    items: Sequence[Keywords] = schema.get("prefixItems") or [schema.get("items", {})] * count
    return items
