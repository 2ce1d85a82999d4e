"""No text is embedded a second time: a run goes on, and is verified, on a machine whose embedding
gives other vectors, or has none.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hometown.cli.start import main
from hometown.errors import ModelUnavailable
from hometown.model.embedding import HashEmbedder
from hometown.model.hashing import hash_vector
from hometown.scripted.model import ScriptedModel
from hometown.storage.row_conversion import text_hash
from hometown.storage.run_names import file_of
from tests.support.fake_models import Failing
from tests.support.town import live

DIMENSION = 64

SETTINGS = {"embedding": {"dimension": DIMENSION}}


class OtherMachine:
    """The hash embedding of a machine that computes other bits, which are far enough from these to
    change scores.
    """

    name, dimension = "hash", DIMENSION

    def __init__(self, seed: int, known: frozenset[bytes] = frozenset()) -> None:
        self.chance, self.known = np.random.default_rng(seed), known
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        assert not self.known & {text_hash(text) for text in texts}, (
            "a text whose vector is in the run"
        )
        self.texts += texts
        vectors = np.stack([hash_vector(text, DIMENSION) for text in texts]) + self.chance.normal(
            0, 0.01, (len(texts), DIMENSION)
        )
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def known_to(results: Path) -> frozenset[bytes]:
    """Return the hashes of all texts whose vectors are in the run."""
    with sqlite3.connect(file_of(results, "town")) as database:
        return frozenset(text for (text,) in database.execute("SELECT hash FROM embeddings"))


@pytest.fixture
def no_embedding(monkeypatch: pytest.MonkeyPatch) -> None:
    async def embed(self: HashEmbedder, texts: Sequence[str]) -> Any:
        raise AssertionError(f"{texts[0]!r} was embedded again")

    monkeypatch.setattr(HashEmbedder, "embed", embed)


@pytest.mark.usefixtures("no_embedding")
def test_a_run_verifies_where_its_vectors_cannot_be_computed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    embedder = OtherMachine(1)
    live(tmp_path, 12, embedder=embedder, settings=SETTINGS)
    assert len(embedder.texts) == len(set(embedder.texts)) > 50
    assert main(["--verify", "town", "--results", str(tmp_path), "--lang", "en"]) == 0
    assert "12 steps are thought as recorded" in capsys.readouterr().out


def test_an_interrupted_step_goes_on_with_the_vectors_that_it_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ModelUnavailable):
        live(
            tmp_path,
            12,
            embedder=OtherMachine(1),
            settings=SETTINGS,
            model=Failing(ScriptedModel(), 25),
        )
    for seed in (2, 3):
        live(tmp_path, 4, embedder=OtherMachine(seed, known_to(tmp_path)), settings=SETTINGS)
    assert main(["--verify", "town", "--results", str(tmp_path), "--lang", "en"]) == 0
    assert "steps are thought as recorded" in capsys.readouterr().out
