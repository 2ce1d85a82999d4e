"""Features of texts in English and Chinese: words, pairs of words and character n-grams."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_UNITS = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+")
_IS_HAN = re.compile(rf"[{_HAN}]")

HAN_LENGTHS = (1, 2, 3)
"""Lengths of the n-grams of Chinese characters."""

_COMMON = (
    "a about after again all also am an and any are as at be because been before being but by can could d did do does doing don down "
    "each for from further get got had has have having he her here hers him his how i if in into is it its itself just let ll m me more "
    "most my no nor not now of off on once only or other our out over own re s same she should so some such t than that the their them "
    "then there these they this those through to too under until up ve very was we were what when where which while who whom why will "
    "with would you your"
)
STOP_WORDS = frozenset(_COMMON.split())
STOP_CHARACTERS = frozenset(
    "的了是在我你他她它们和与也就都而及或这那有个着过吗呢吧啊呀把被让给对从到为于以之其不没很还又再会能可要说上下里么什"
)

MIN_LETTERS = 3
"""Minimum number of letters of a European word with content."""


def content_units(text: str) -> frozenset[str]:
    """Return the units of a text that carry its subject: of Chinese, pairs of characters, else
    words of `MIN_LETTERS` letters or more, without stop words; in lower case.

    >>> sorted(content_units("call off the party")), sorted(content_units("取消聚会"))
    (['call', 'party'], ['取消', '消聚'])
    """
    return frozenset(unit for kind, unit in features(text) if _has_content(kind, unit))


def _has_content(kind: str, unit: str) -> bool:
    """Return True if a unit of a text counts as content."""
    if kind == "han":
        return len(unit) == 2 and not STOP_CHARACTERS.intersection(unit)
    return kind == "word" and len(unit) >= MIN_LETTERS and unit not in STOP_WORDS


def fold_text(text: str) -> str:
    """Return a text as its features are taken from it: in compatibility form, without case.

    >>> fold_text("Ｐarty")
    'party'
    """
    return unicodedata.normalize("NFKC", text).casefold()


def features(text: str) -> Iterator[tuple[str, str]]:
    """Yield the features of a text as (kind, unit): words; pairs of content words with only
    function words between them; and Chinese n-grams, which also end a pair.
    """
    before = ""
    for unit in _UNITS.findall(fold_text(text)):
        if not unit.isascii() and _IS_HAN.match(unit):
            before = ""
            for size in HAN_LENGTHS:
                for at in range(len(unit) - size + 1):
                    yield "han", unit[at : at + size]
        else:
            yield "word", unit
            if unit not in STOP_WORDS:
                if before:
                    yield "pair", f"{before} {unit}"
                before = unit
