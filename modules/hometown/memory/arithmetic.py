"""Arithmetic of retrieval with the same bits on every machine.

Floating-point sums depend on the order of their terms, and `pow`, `exp` and `log` depend on the
library and the processor. So vectors are whole numbers, whose dot products are exact in any order,
and powers are repeated products. IEEE 754 defines the result of each single addition,
multiplication, division and square root; nothing else is used on the way to a score.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

Vector = NDArray[np.float32]
"""A quantised unit vector, float32[d], or a matrix of them, float32[n, d]: whole numbers, `SCALE`
times the components.
"""

SCALE = 4000
"""Approximate length of a quantised vector: float32 holds whole numbers up to 2**24 exactly, and
4000 leaves room below 4096, its square root.
"""

UNIT_TOLERANCE = 1e-3
"""The largest difference between 1 and the length of a unit vector."""

SQUARE_LIMIT = 2.0**24
"""Bound of the squared length of a quantised vector, so that float32 holds each partial sum of a
dot product exactly.
"""

HOUR = 3600
"""Seconds of an hour."""

MOST_HOURS = (1 << 20) - 1
"""Hours (120 years) beyond which recency no longer falls."""

SMALLEST = 1e-200
"""Powers below this count as 0: some libraries disable numbers below 1e-307 for the whole process.
"""


# vectors ------------------------------------------------------------------------------------


def quantise(vectors: NDArray[np.floating[Any]]) -> Vector:
    """Return unit vectors times `SCALE`, rounded to whole numbers (halves to even), float32 of the
    same shape, [d] or [n, d].

    By Cauchy–Schwarz, the sum of |a_i·b_i| over any components is at most |a|·|b|. Rounding
    lengthens a vector by √d/2 at most, so that |a| ≤ 4000·(1 + UNIT_TOLERANCE) + √d/2, which is
    less than 4096 = √2**24 up to 32,768 dimensions. The partial sums of a dot product are then
    whole numbers below 2**24 in any order, with or without fused multiply-add. Vectors of more
    dimensions are checked one by one. Raises ValueError where a length is neither 1, within
    UNIT_TOLERANCE, nor 0.
    """
    whole = _scale_and_round(vectors)
    if not is_unit(whole).all():
        raise ValueError("a vector has neither the length 1 nor the length 0; normalise it first")
    return whole.astype(np.float32)


def is_unit(whole: Floats) -> NDArray[np.bool_]:
    """Return, for each row of integers, True if a unit vector, or zeros, can be rounded to it."""
    with np.errstate(all="ignore"):  # a vector that overflows is no unit vector
        squares = np.vecdot(whole, whole)  # exact: whole numbers below 2**53
    slack = SCALE * UNIT_TOLERANCE + math.sqrt(whole.shape[-1]) / 2
    fits = (
        (squares >= max(0.0, SCALE - slack) ** 2)
        & (squares <= (SCALE + slack) ** 2)
        & (squares < SQUARE_LIMIT)
    )
    return np.asarray(fits | (squares == 0))


def normalise(vector: NDArray[np.floating[Any]]) -> Floats:
    """Return a vector of length 1 in the same direction, float64[d]; one whose length is 1 within
    UNIT_TOLERANCE, or 0, unchanged.
    """
    exact = np.asarray(vector, np.float64)
    # Correctly rounded, whatever the order.
    length = math.sqrt(math.fsum(np.square(exact).tolist()))
    return exact if length == 0 or abs(length - 1) <= UNIT_TOLERANCE else exact / length


def to_unit_vector(vector: Vector) -> Vector:
    """Return the unit vector, float32[d], of a quantised vector."""
    return vector / np.float32(SCALE)


def dot(matrix: Vector, vector: Vector) -> Vector:
    """Return the dot product of each row of float32[n, d] with float32[d], as float32[n]. Both are
    quantised, so all sums are of whole numbers and exact.
    """
    # A sum of zeros is −0 in some orders, and is 0 from here on.
    products: Vector = matrix @ vector + np.float32(0)
    return products


def to_cosines(products: Vector) -> Floats:
    """Return cosines, float64[n], from dot products of quantised vectors; unlike true cosines, they
    may exceed 1 by about 0.001.
    """
    return products.astype(np.float64) / SCALE**2


def is_outlier(products: Vector, deviations: int) -> bool:
    """Return True if the largest dot product exceeds the mean by more than `deviations` standard
    deviations; exact, in whole numbers.
    """
    whole = products.astype(np.int64)
    count, total = len(whole), int(whole.sum())
    squares = np.square(whole)  # below 2**48: summed in two halves, they cannot overflow
    square = (int((squares >> 24).sum()) << 24) + int((squares & 0xFFFFFF).sum())
    excess = count * int(whole.max()) - total
    return excess > 0 and excess**2 > deviations**2 * (count * square - total**2)


# vectors as bytes ---------------------------------------------------------------------------


def pack(vector: Vector) -> bytes:
    """Return a quantised vector as little-endian int16. Raises ValueError for any other vector."""
    exact = np.asarray(vector, np.float64)
    if not ((exact == np.rint(exact)).all() and is_unit(exact)):
        raise ValueError("only quantised vectors can be stored: whole numbers, of length 4000 or 0")
    return exact.astype("<i2").tobytes()


def unpack(data: bytes, dimension: int) -> Vector:
    """Return a stored vector, quantised, float32[dimension]: of int16 or, from before version 5, of
    float32.

    Raises ValueError for bytes of another length and for numbers that are not finite.
    """
    if len(data) == 2 * dimension:
        return np.frombuffer(data, "<i2").astype(np.float32)
    if len(data) == 4 * dimension:
        return quantise(normalise(np.frombuffer(data, "<f4")))
    raise ValueError(
        f"a vector of {dimension} dimensions takes {2 * dimension} bytes, not {len(data)}"
    )


def is_intact(data: bytes, dimension: int) -> bool:
    """Return True if bytes are a stored vector of `dimension` numbers, of unit length or all zeros."""
    if len(data) == 2 * dimension:
        return bool(is_unit(np.frombuffer(data, "<i2").astype(np.float64)))
    return len(data) == 4 * dimension and bool(
        is_unit(_scale_and_round(np.frombuffer(data, "<f4")))
    )


def _scale_and_round(vectors: NDArray[np.floating[Any]]) -> Floats:
    """Return `SCALE` times the components, rounded, without a −0."""
    with np.errstate(all="ignore"):  # is_unit refuses an overflow
        return np.rint(vectors.astype(np.float64) * SCALE) + 0.0


# recency ------------------------------------------------------------------------------------


def compute_powers(base: float, count: int) -> Floats:
    """Return base**0, base**1, …, float64[count], for 0 < base ≤ 1: each is the one before it times
    `base`.

    The relative error of base**k is at most k·2**-53. Powers below `SMALLEST` are 0. Read-only.
    """
    return _powers(base, 1 << max(count - 1, 0).bit_length())[:count]


def compute_decay(decay: float, seconds: NDArray[np.int64]) -> Floats:
    """Return decay**(seconds/3600), float64[n], for whole seconds ≥ 0 and 0 < decay ≤ 1: a power
    for the hours times one for the remainder.

    Beyond `MOST_HOURS` it stays the same. With h whole hours the relative error is at most (h +
    7200)·2**-53: less than 2e-12 within a year.
    """
    clipped = np.minimum(seconds, MOST_HOURS * HOUR)
    hours = clipped // HOUR
    by_hour = compute_powers(decay, int(hours.max(initial=0)) + 1)
    by_second = compute_powers(compute_hourly_root(decay), HOUR)
    product: Floats = by_hour[hours] * by_second[clipped - hours * HOUR]
    return product


@lru_cache(maxsize=64)
def compute_hourly_root(decay: float) -> float:
    """Return decay**(1/3600), correctly rounded: from decimal logarithms of 50 digits, which are
    the same everywhere.
    """
    context = Context(prec=50)
    return float(context.exp(context.divide(context.ln(Decimal(decay)), Decimal(HOUR))))


@lru_cache(maxsize=64)
def _powers(base: float, size: int) -> Floats:
    """Return base**0 to base**(size-1), float64[size], read-only; those below `SMALLEST` are 0."""
    factors = np.full(size, base)
    factors[0] = 1.0
    table: Floats = np.multiply.accumulate(factors)  # defined as one product after another
    table[table < SMALLEST] = 0.0
    table.flags.writeable = False
    return table
