"""Rules for the names of residents, places, things, goods and worlds: on one line, in visible
characters, and no two that look the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import chain, count

from hometown.text import N_, Phrase

LONGEST_NAME = 60
"""Characters of a name, at most: it stands in sentences that have bounds of their own."""

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks without a visible shape."""

_MARKS = re.compile(r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0]{3}")
"""Three combining marks in a row: no language of a town has more than two on a letter."""

_LIKE_LATIN = str.maketrans("авсԁеһіјкӏмнорԛѕтуѵԝхαγεικνορτυχ", "abcdehijklmhopqstyvwxayeiknoptux")
"""Small Cyrillic and Greek letters that look like Latin ones (or do as capitals)."""


def name_fault(name: str) -> Phrase | None:
    """Return the fault of a name; None for a valid one: of at most `LONGEST_NAME` characters, with
    single spaces between its words, visible characters, at most two marks on a letter, and a
    letter, digit or symbol.

    >>> name_fault("Zoë O'Hara"), name_fault("安娜·李")
    (None, None)
    >>> name_fault("a\\u202eb")
    "'a\\\\u202eb' contains the invisible character U+202E; leave it out"
    """
    if not name or name != " ".join(name.split(" ")).strip() or "  " in name:
        return Phrase(
            "{name!r} is empty, or has leading, trailing or double spaces; write it with single spaces between its words",
            name=name[:LONGEST_NAME],
        )
    if len(name) > LONGEST_NAME:
        text = N_("{name!r}… has {count} characters; a name has at most {most}")
        return Phrase(text, name=name[:20], count=len(name), most=LONGEST_NAME)
    unseen = next((sign for sign in name if is_unseen(sign)), None)
    if unseen is not None:
        return Phrase(
            "{name!r} contains the invisible character U+{code:04X}; leave it out",
            name=name,
            code=ord(unseen),
        )
    if _MARKS.search(unicodedata.normalize("NFD", name)):
        return Phrase("{name!r} has more than two marks on one letter; leave them out", name=name)
    if not any(unicodedata.category(sign)[0] in "LNS" for sign in name):
        return Phrase("{name!r} has neither letter nor digit; add some", name=name)
    return None


def is_unseen(sign: str) -> bool:
    """Return True if a character is invisible: a control, a mark of direction or of joining, a
    blank other than a space, or unassigned.
    """
    kind = unicodedata.category(sign)
    return (
        kind[0] == "C"
        or kind in ("Zl", "Zp")
        or (kind == "Zs" and sign != " ")
        or sign in _BLANK
        or 0xFE00 <= ord(sign) <= 0xFE0F
        or ord(sign) >= 0xE0000
    )


def compose(name: str) -> str:
    """Return a name in Unicode's composed form (NFC), so that the same name is the same text on
    every system.
    """
    return unicodedata.normalize("NFC", name)


def lookalike_key(name: str) -> str:
    """Return a key that is equal for two names which readers could confuse.

    >>> lookalike_key("Tom Moreno") == lookalike_key("ТОМ  Moreno"), lookalike_key("Tom") == lookalike_key("Tim")
    (True, False)
    """
    folded = unicodedata.normalize(
        "NFKC", unicodedata.normalize("NFKC", name).casefold()
    ).translate(_LIKE_LATIN)
    return "".join(sign for sign in folded if not sign.isspace() and not is_unseen(sign))


def first_free(name: str, taken: Iterable[str], joint: str = " ") -> str:
    """Return a name, with the first number from 2 on behind it that no other has if it is taken.

    >>> first_free("bed", ["bed", "bed 2"]), first_free("bed", [])
    ('bed 3', 'bed')
    """
    numbered = (f"{name}{joint}{number}" for number in count(2))
    others = set(taken)
    return next(each for each in chain((name,), numbered) if each not in others)
