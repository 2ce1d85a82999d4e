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
from array import array
from collections import Counter
from collections.abc import Iterator
from decimal import Context
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from hometown.text_features import (
    STOP_CHARACTERS,
    STOP_WORDS,
    features,
)

Vector = NDArray[np.float32]

WORD, PAIR, LETTERS = 1.0, 0.5, 1.0
"""Weights of a word, of two words in a row, and of the length of a word's letter n-grams taken
together.
"""

LETTER_LENGTHS = (3, 4, 5)

HAN = {1: 0.5, 2: 1.0, 3: 0.6}
"""Weights of Chinese character n-grams by their length."""

FUNCTION_WORD_FACTOR = 0.1
"""Factor by which the weight of a function word is reduced."""


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
