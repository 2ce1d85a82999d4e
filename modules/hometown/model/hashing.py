"""Sentence vectors without a model: hashed words, word pairs and character n-grams, in English and
Chinese.

Features are spread over the dimensions by a stable hash with signs ("the hashing trick"), so no
vocabulary is needed. Words of European scripts count whole, in pairs and by their letters; Chinese
counts by characters, which need no word segmentation. Common function words weigh little.

The bits are the same on every machine: products, quotients and square roots are IEEE 754's, sums
are taken in the order of the text, and logarithms are correctly rounded.
"""

from __future__ import annotations

import math
import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterator
from decimal import Context
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_UNITS = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+")
_IS_HAN = re.compile(rf"[{_HAN}]")

WORD, PAIR, LETTERS = 1.0, 0.5, 1.0
"""Weights of a word, of two words in a row, and of the length of a word's letter n-grams taken
together.
"""

LETTER_LENGTHS = (3, 4, 5)

HAN = {1: 0.5, 2: 1.0, 3: 0.6}
"""Weights of Chinese character n-grams by their length."""

FUNCTION_WORD_FACTOR = 0.1
"""Factor by which the weight of a function word is reduced."""

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


def hash_vector(text: str, dimension: int) -> Vector:
    """Return a unit vector, float32[dimension], that depends only on the text.

    A text without a letter or a digit gets a direction of its own from its characters.
    """
    places, values = list[bytes](), list[bytes]()
    for (kind, unit), count in Counter(features(text)).items():
        where, weights = _spread(kind, unit, dimension)
        places.append(where)
        values.append(
            weights if count == 1 else (np.frombuffer(weights) * _weigh_repetition(count)).tobytes()
        )
    total = np.bincount(
        np.frombuffer(b"".join(places), np.int64), np.frombuffer(b"".join(values)), dimension
    )
    # Added from first to last: a sum or a dot product may take another order.
    length = math.sqrt(np.square(total).cumsum()[-1])
    if length == 0.0:
        place, length = _place("text", text, dimension)
        total[place] = length
    return (total / abs(length)).astype(np.float32)


def features(text: str) -> Iterator[tuple[str, str]]:
    """Yield the features of a text as (kind, unit): words; pairs of content words with only
    function words between them; and Chinese n-grams, which also end a pair.
    """
    before = ""
    for unit in _UNITS.findall(unicodedata.normalize("NFKC", text).casefold()):
        if not unit.isascii() and _IS_HAN.match(unit):
            before = ""
            for size in HAN:
                for at in range(len(unit) - size + 1):
                    yield "han", unit[at : at + size]
        else:
            yield "word", unit
            if unit not in STOP_WORDS:
                if before:
                    yield "pair", f"{before} {unit}"
                before = unit


@lru_cache(maxsize=1 << 10)
def _weigh_repetition(count: int) -> float:
    """Return 1 + ln(count), with a logarithm that is correctly rounded on every machine."""
    return 1.0 + float(Context(prec=50).ln(count))


@lru_cache(maxsize=1 << 15)
def _spread(kind: str, unit: str, dimension: int) -> tuple[bytes, bytes]:
    """Return the dimensions to which a feature adds, int64, and the amounts, float64: both as
    bytes, which are joined faster than arrays.
    """
    places = array("q")
    amounts = array("d")
    for part_kind, part, weight in _weigh_parts(kind, unit):
        place, sign = _place(part_kind, part, dimension)
        places.append(place)
        amounts.append(sign * weight)
    return places.tobytes(), amounts.tobytes()


def _weigh_parts(kind: str, unit: str) -> Iterator[tuple[str, str, float]]:
    """Yield the parts of a feature as (kind, part, weight): the feature itself and, for a content
    word, its letter n-grams, which share one weight.
    """
    if kind == "pair":
        yield kind, unit, PAIR
    elif kind == "han":
        common = sum(character in STOP_CHARACTERS for character in unit) / len(unit)
        yield kind, unit, HAN[len(unit)] * (1 - common * (1 - FUNCTION_WORD_FACTOR))
    elif unit in STOP_WORDS:
        yield kind, unit, WORD * FUNCTION_WORD_FACTOR
    else:
        yield kind, unit, WORD
        bounded = f"<{unit}>"
        grams = [
            bounded[at : at + size]
            for size in LETTER_LENGTHS
            for at in range(len(bounded) - size + 1)
        ]
        for gram in grams:
            yield "letters", gram, LETTERS / math.sqrt(len(grams))


def _place(kind: str, part: str, dimension: int) -> tuple[int, float]:
    """Return the dimension and the sign to which a part hashes, the same in every process."""
    hashed = int.from_bytes(
        blake2b(f"{kind}\x1f{part}".encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big"
    )
    return (hashed >> 1) % dimension, 1.0 if hashed & 1 else -1.0
