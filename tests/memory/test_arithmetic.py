"""Retrieval gives the same bits in any order of addition, on any processor, with any number of
threads.
"""

from __future__ import annotations

import math
import sys
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hometown.agent.inner_life import sleep
from hometown.cli.start import main
from hometown.memory import arithmetic, partition
from hometown.memory.arithmetic import (
    HOUR,
    MOST_HOURS,
    Vector,
    compute_decay,
    compute_powers,
    dot,
    is_intact,
    is_outlier,
    normalise,
    pack,
    quantise,
    to_unit_vector,
    unpack,
)
from tests.memory.retrievals import digest_of_retrievals
from tests.support.golden import put_golden
from tests.support.other_process import elsewhere
from tools.make_golden import NAME
from tools.processors import BASELINE, Processor

DIMENSIONS = (16, 384, 768, 1024, 4096)

EXACT = 2**24
"""Below it, float32 holds each whole number."""

SEEDS = st.integers(0, 2**32 - 1)


def random_units(chance: np.random.Generator, count: int, dimension: int) -> Any:
    vectors = chance.normal(size=(count, dimension)) * chance.choice(
        [1, 30], size=dimension
    )  # some components outweigh the others
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


# dot products --------------------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, dimension=st.sampled_from(DIMENSIONS))
def test_dot_products_equal_those_of_whole_numbers(seed: int, dimension: int) -> None:
    chance = np.random.default_rng(seed)
    vectors = quantise(random_units(chance, 40, dimension))
    vectors[0] = -vectors[1]
    exact = vectors.astype(np.int64) @ vectors[1].astype(np.int64)
    assert dot(vectors, vectors[1]).astype(np.int64).tolist() == exact.tolist()


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, dimension=st.sampled_from(DIMENSIONS))
def test_no_order_of_addition_changes_a_dot_product(seed: int, dimension: int) -> None:
    """Added one by one in float32, in three orders; the largest sums are reached where all products
    have one sign.
    """
    chance = np.random.default_rng(seed)
    one, other = quantise(random_units(chance, 2, dimension))
    for first, second in ((one, other), (one, one), (np.abs(one), np.abs(other))):
        products = first * second
        orders = (products, np.sort(products), chance.permutation(products))
        sums = [np.add.accumulate(order, dtype=np.float32) for order in orders]
        assert {float(each[-1]) for each in sums} == {float(dot(first[None], second)[0])}
        assert max(np.abs(each).max() for each in sums) < EXACT


@pytest.mark.parametrize("dimension", [16, 384, 4096, 1 << 15])
def test_the_longest_vectors_stay_below_the_limit(dimension: int) -> None:
    """All components are halves that are rounded up, of a vector that is as long as the tolerance
    lets it be.
    """
    component = (1 + arithmetic.UNIT_TOLERANCE) / math.sqrt(dimension)
    half = (math.floor(component * arithmetic.SCALE - 0.5) + 0.5) / arithmetic.SCALE
    for value in (half, np.nextafter(half, 1), component):
        vector = np.full(dimension, value)
        vector[: dimension // 3] *= -1
        if abs(np.linalg.norm(vector) - 1) <= arithmetic.UNIT_TOLERANCE:
            assert (quantise(vector).astype(np.int64) ** 2).sum() < EXACT


@pytest.mark.parametrize(
    "wrong",
    [np.ones(16), np.full(16, np.nan), np.full(16, np.inf), np.full(16, 1e300), np.full(16, 0.2)],
)
def test_vectors_of_another_length_are_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="normalise"):
        quantise(wrong)


def test_a_sum_of_zeros_has_one_sign() -> None:
    """Kernels that begin with the first product instead of 0 give −0, which JSON writes in another
    way.
    """
    zeros = quantise(np.eye(16)[:2] * [[1], [-1]])
    assert not np.signbit(dot(zeros, quantise(np.eye(16)[3]))).any()
    assert not np.signbit(quantise(np.append(-1e-9, np.eye(16)[0, :15]))).any()


@pytest.mark.parametrize("dimension", [384, 768, 1024])
def test_the_first_ten_are_those_of_full_precision(dimension: int) -> None:
    """At least 99 % of them, in groups of memories that are alike; the others are within 0.001 of
    the tenth.
    """
    chance = np.random.default_rng(5)
    groups = chance.normal(size=(40, dimension))
    vectors = groups[chance.integers(0, 40, 1100)] + 0.7 * chance.normal(size=(1100, dimension))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    whole = quantise(vectors)
    agreed = 0
    for cosines, products in zip(
        vectors[1000:] @ vectors[:1000].T, whole[1000:] @ whole[:1000].T, strict=True
    ):
        exact, quantised = np.argsort(-cosines)[:10], np.argsort(-products)[:10]
        agreed += len({*exact} & {*quantised})
        assert cosines[quantised].min() >= cosines[exact].min() - 0.001
    assert agreed >= 0.99 * 10 * 100


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, count=st.integers(2, 400))
def test_what_stands_out_is_told_exactly(seed: int, count: int) -> None:
    products = np.random.default_rng(seed).integers(-EXACT + 1, EXACT, count).astype(np.float32)
    products[0] = EXACT - 1
    whole = [int(value) for value in products]
    mean = Fraction(sum(whole), count)
    variance = sum((value - mean) ** 2 for value in whole) / count
    for deviations in (1, 2, 3):
        assert is_outlier(products, deviations) == (
            (max(whole) - mean) ** 2 > deviations**2 * variance
        )


def test_many_large_dot_products_do_not_overflow() -> None:
    """Their squares add up to more than 2**63."""
    products = np.full(100_000, EXACT - 1, np.float32)
    assert not is_outlier(products, 3)
    products[1:] *= -1
    assert is_outlier(products, 3)


# bytes ---------------------------------------------------------------------------------------


def test_vectors_are_stored_in_two_bytes_a_component_and_read_as_they_were() -> None:
    for vector in quantise(random_units(np.random.default_rng(1), 20, 384)):
        data = pack(vector)
        assert len(data) == 768
        assert is_intact(data, 384)
        assert np.array_equal(unpack(data, 384), vector)
        assert np.array_equal(quantise(normalise(to_unit_vector(vector))), vector), (
            "what LlamaIndex is given can be added again"
        )
    with pytest.raises(ValueError, match="quantised"):
        pack(to_unit_vector(vector))


def test_older_vectors_are_quantised_as_they_are_read() -> None:
    vector = random_units(np.random.default_rng(1), 1, 384)[0]
    data = vector.astype("<f4").tobytes()
    assert is_intact(data, 384)
    assert np.array_equal(unpack(data, 384), quantise(vector))
    assert np.array_equal(unpack((vector * 3).astype("<f4").tobytes(), 384), quantise(vector)), (
        "LlamaIndex users could add any length"
    )
    assert not unpack(bytes(4 * 384), 384).any()
    assert not is_intact(data[4:], 384)
    with pytest.raises(ValueError, match="takes 768 bytes, not 1532"):
        unpack(data[4:], 384)


# recency -------------------------------------------------------------------------------------


@pytest.mark.parametrize("decay", [0.5, 0.99, 0.995, 0.9999, 1.0])
def test_recency_is_the_power_that_it_should_be(decay: float) -> None:
    """Within the bounds that the functions state, against 40 digits."""
    context, ulp = Context(prec=40), Decimal(2) ** -53
    for power in (0, 1, 2, 77, 500):
        exact = context.power(Decimal(decay), power)
        assert abs(Decimal(float(compute_powers(decay, 501)[power])) - exact) <= exact * power * ulp
    for seconds in (0, 1, 10, HOUR - 1, HOUR, HOUR + 1, 86_399, 360 * HOUR + 1234):
        exact = context.power(Decimal(decay), context.divide(Decimal(seconds), Decimal(HOUR)))
        found = Decimal(float(compute_decay(decay, np.array([seconds]))[0]))
        assert abs(found - exact) <= exact * (seconds // HOUR + 2 * HOUR) * ulp


def test_recency_ends_at_0_without_numbers_too_small_for_some_processors() -> None:
    assert compute_powers(0.5, 5000)[-1] == 0
    smallest = min(value for value in compute_powers(0.5, 5000).tolist() if value)
    assert smallest * sys.float_info.epsilon > sys.float_info.min
    years = np.array([MOST_HOURS * HOUR, 10 * MOST_HOURS * HOUR])
    assert len(set(compute_decay(0.9999999, years).tolist())) == 1


# recorded scores -----------------------------------------------------------------------------


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A results folder with the golden run of the present format."""
    put_golden(tmp_path)
    return tmp_path


def test_each_recorded_score_is_computed_again_on_shuffled_sums(
    recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, lengths = np.random.default_rng(1), list[int]()

    def shuffled_dot(matrix: Vector, vector: Vector) -> Vector:
        products = chance.permuted(matrix * vector, axis=1)
        lengths.append(len(products))
        return np.add.accumulate(products, axis=1, dtype=np.float32)[:, -1] + np.float32(0)

    for module in (partition, sleep):
        monkeypatch.setattr(module, "dot", shuffled_dot)
    assert main(["--verify", NAME, "--results", str(recorded)]) == 0
    assert sum(lengths) > 50


@pytest.fixture(scope="module")
def digest() -> str:
    return digest_of_retrievals()


@pytest.mark.parametrize(
    ("kernels", "threads", "plain"),
    [("Prescott", 1, True), ("Nehalem", 2, False), ("Sandybridge", 1, False), ("Haswell", 2, True)],
)
def test_other_processors_compute_the_same_bits(
    kernels: str, threads: int, plain: bool, digest: str
) -> None:
    """Older ones, as OpenBLAS and NumPy can be told to take this one for. Unquantised products
    differ among these kernels.
    """
    older = Processor(
        kernels, {"OPENBLAS_CORETYPE": kernels} | (BASELINE if plain else {}), threads
    )
    found = elsewhere(
        "from tests.memory.retrievals import digest_of_retrievals; print(digest_of_retrievals())",
        environment=older.environment,
    )
    assert found.stdout.strip() == digest, found.stderr


def test_another_processor_verifies_a_run(recorded: Path) -> None:
    older = Processor("Prescott", {"OPENBLAS_CORETYPE": "Prescott"} | BASELINE)
    verify = "import sys; from hometown.cli.start import main; sys.exit(main(['--verify', *sys.argv[1:], '--lang', 'en']))"
    found = elsewhere(verify, NAME, "--results", recorded, environment=older.environment)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "6 steps are thought as recorded" in found.stdout
