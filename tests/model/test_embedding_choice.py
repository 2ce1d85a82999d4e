"""The embedding that `auto` takes: the first that is on this machine and knows the run's language."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hometown.cli import start
from hometown.errors import BadInput
from hometown.language import LANGS, Lang
from hometown.model import embedding_choice, embedding_huggingface
from hometown.model.embedding_choice import (
    choose_embedder,
    expected_embedding,
    fetch_command,
    is_semantic,
)
from hometown.model.embedding_huggingface import cached_models
from hometown.model.embedding_languages import known_languages, rank_by_language
from hometown.paths import ROOT, pip_command
from hometown.settings import Settings
from hometown.storage.run import RunFile
from tests.support.fake_ollama import FakeOllama

NOWHERE = "http://127.0.0.1:9"


class Made:
    """An embedding of which only the name matters."""

    dimension = 2

    def __init__(self, name: str) -> None:
        self.name = name

    async def embed(self, texts: Any) -> Any:
        return np.tile(np.array([1, 0], np.float32), (len(texts), 1))


def settings(host: str = NOWHERE, default: str = "auto") -> Settings:
    return Settings.model_validate(
        {"machine": {"ollama_hosts": [host]}, "embedding": {"default": default}}
    )


def have(monkeypatch: pytest.MonkeyPatch, *, cached: list[str], e5: bool, broken: str = "") -> None:
    """Pretend that this machine has some embeddings, one of which may fail to load."""

    def make(name: str, settings: Settings, lang: Lang) -> Made:
        if name == broken:
            raise BadInput("it does not load")
        return Made(name)

    monkeypatch.setattr(embedding_choice, "cached_models", lambda: cached)
    monkeypatch.setattr(embedding_choice, "e5_available", lambda: e5)
    monkeypatch.setattr(embedding_choice, "make_embedder", make)


@pytest.mark.parametrize(
    ("lang", "taken"),
    [("en", "huggingface:BAAI/bge-small-en-v1.5"), ("zh", "huggingface:BAAI/bge-small-zh-v1.5")],
)
async def test_a_cached_model_of_the_language_comes_first(
    monkeypatch: pytest.MonkeyPatch, lang: Lang, taken: str
) -> None:
    have(
        monkeypatch,
        cached=["BAAI/bge-small-en-v1.5", "BAAI/bge-small-zh-v1.5", "someone/unknown"],
        e5=True,
    )
    with FakeOllama("bge-m3:latest") as server:
        embedder, reason = await choose_embedder(
            "auto", settings(server.host), lang, llm="ollama:any"
        )
    assert embedder.name == taken
    assert taken in reason


@pytest.mark.parametrize(
    ("lang", "taken"), [("en", "ollama:nomic-embed-text:latest"), ("zh", "e5")]
)
async def test_a_model_of_ollama_is_taken_only_where_it_knows_the_language(
    monkeypatch: pytest.MonkeyPatch, lang: Lang, taken: str
) -> None:
    have(
        monkeypatch,
        cached=["sentence-transformers/all-MiniLM-L6-v2"] if lang == "zh" else [],
        e5=True,
    )
    with FakeOllama("qwen3:8b", "nomic-embed-text:latest") as server:
        embedder, reason = await choose_embedder(
            "auto", settings(server.host), lang, llm="ollama:any"
        )
    assert embedder.name == taken
    assert reason.startswith(taken)


async def test_a_chat_model_with_the_name_of_an_embedding_is_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    have(monkeypatch, cached=[], e5=False)
    monkeypatch.setattr(
        embedding_choice, "rank_by_language", lambda names, lang: sorted(names, reverse=True)
    )
    with FakeOllama("qwen3:8b", "bge-m3:latest") as server:
        embedder, _ = await choose_embedder("auto", settings(server.host), llm="ollama:any")
    assert embedder.name == "ollama:bge-m3:latest"


async def test_one_that_fails_to_load_gives_way_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    have(monkeypatch, cached=["BAAI/bge-m3"], e5=True, broken="huggingface:BAAI/bge-m3")
    embedder, _ = await choose_embedder("auto", settings(), llm="ollama:any")
    assert embedder.name == "e5"


async def test_the_sentence_transformer_of_the_settings_comes_before_those_of_the_cache(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    have(monkeypatch, cached=["BAAI/bge-m3"], e5=True)
    embedder, _ = await choose_embedder(
        "auto", settings(default="huggingface:my/own"), llm="ollama:any"
    )
    assert embedder.name == "huggingface:my/own"


@pytest.mark.parametrize("lang", LANGS)
async def test_hashed_n_grams_are_the_last_and_come_with_a_warning(
    monkeypatch: pytest.MonkeyPatch, lang: Lang
) -> None:
    have(monkeypatch, cached=[], e5=False)
    embedder, reason = await choose_embedder("auto", settings("http://["), lang, llm="ollama:any")
    assert embedder.name == "hash"
    assert reason.startswith("⚠ hash")
    assert fetch_command() in reason


@pytest.mark.parametrize("lang", LANGS)
async def test_a_scripted_run_and_a_named_embedding_ask_nothing(
    monkeypatch: pytest.MonkeyPatch, lang: Lang
) -> None:
    have(monkeypatch, cached=["BAAI/bge-m3"], e5=True)
    scripted, reason = await choose_embedder("auto", settings(), lang, llm="scripted")
    assert (scripted.name, reason[:1]) == ("hash", "h")
    named, nothing = await choose_embedder("hash", settings(), lang, llm="ollama:any")
    assert (named.name, nothing) == ("hash", "")


@pytest.mark.parametrize(
    ("fits", "command"), [(True, pip_command("e5")), (False, "ollama pull bge-m3")]
)
def test_the_command_fits_the_platform(
    monkeypatch: pytest.MonkeyPatch, fits: bool, command: str
) -> None:
    monkeypatch.setattr(embedding_choice, "e5_installable", lambda: fits)
    assert fetch_command() == command


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("ollama:granite-embedding:30m", ["en"]),
        ("ollama:granite-embedding:278m", ["en", "zh"]),
        ("ollama:snowflake-arctic-embed:335m", ["en"]),
        ("ollama:snowflake-arctic-embed2", ["en", "zh"]),
        ("thenlper/gte-large-zh", ["zh"]),
        ("ollama:qwen3-embedding:0.6b", ["en", "zh"]),
    ],
)
def test_languages_are_known_by_name(name: str, known: list[str]) -> None:
    assert sorted(known_languages(name) or ()) == known
    assert [is_semantic(name, lang) for lang in LANGS] == [lang in known for lang in LANGS]
    assert known_languages("ollama:qwen3:8b") is None
    assert is_semantic("openai:of-its-own", "zh")
    assert not is_semantic("hash", "en")


def test_the_model_that_knows_more_is_preferred() -> None:
    assert rank_by_language(["all-minilm:latest", "unknown", "bge-m3:latest"], "en") == [
        "bge-m3:latest",
        "all-minilm:latest",
    ]
    assert rank_by_language(["all-minilm:latest", "unknown"], "zh") == []


def cache(
    folder: Path,
    name: str,
    *,
    weights: str = "model.safetensors",
    config: str = "{}",
    modules: bool = True,
) -> None:
    """Put a model into a cache as HuggingFace lays it out."""
    at = folder / f"models--{name.replace('/', '--')}"
    snapshot = at / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (at / "refs").mkdir()
    (at / "refs" / "main").write_text("abc", "utf-8")
    (snapshot / "config.json").write_text(config, "utf-8")
    if modules:
        (snapshot / "modules.json").write_text("[]", "utf-8")
    if weights:
        (snapshot / weights).write_bytes(b"weights")


def test_the_cache_is_searched_for_complete_sentence_transformers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding_huggingface, "_cache_folder", lambda: tmp_path)
    monkeypatch.setattr(embedding_huggingface, "PACKAGES", ("os",))
    cache(tmp_path, "BAAI/bge-m3", weights="pytorch_model.bin")
    cache(tmp_path, "all/whole")
    cache(tmp_path, "no/weights", weights="")
    cache(tmp_path, "no/sentences", modules=False)
    cache(tmp_path, "own/code", config='{"auto_map": {}}')
    (tmp_path / "models--half--deleted").mkdir()
    assert cached_models() == ["BAAI/bge-m3", "all/whole"]
    monkeypatch.setattr(embedding_huggingface, "LARGEST_BYTES", 3)
    assert cached_models() == []
    monkeypatch.setattr(embedding_huggingface, "PACKAGES", ("os", "no_such.package"))
    monkeypatch.setattr(embedding_huggingface, "LARGEST_BYTES", 100)
    assert cached_models() == []


@pytest.mark.parametrize(
    ("models", "line"),
    [
        (
            ("qwen3:8b", "bge-m3:latest"),
            "embedding: ollama:bge-m3:latest, which Ollama has and which knows English",
        ),
        (("qwen3:8b",), "embedding: ⚠ hash, which compares words, not meanings"),
    ],
)
def test_a_run_begins_with_its_servers_and_its_embedding(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    models: tuple[str, ...],
    line: str,
) -> None:
    monkeypatch.setattr(embedding_choice, "cached_models", list)
    monkeypatch.setattr(embedding_choice, "e5_available", lambda: False)
    run = ["--results", str(tmp_path), "--name", "town", "--step", "1"]
    with FakeOllama(*models) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.host)
        assert (
            start.main(
                [
                    *run,
                    "--world",
                    "minitown",
                    "--residents",
                    "1",
                    "--lang",
                    "en",
                    "--llm",
                    "ollama:qwen3:8b",
                    "--embedding",
                    "auto",
                ]
            )
            == 0
        )
        out = capsys.readouterr().out
        assert start.main([*run, "--resume"]) == 0
    servers, embedding = out.splitlines()[
        :2
    ]  # which embedding there is, is known only once Ollama has been asked
    assert servers.startswith(f"servers: {server.host}")
    assert embedding.startswith(line)
    with RunFile.open(tmp_path, "town") as lived:
        assert lived.manifest.embedding == line.split()[1].rstrip(",").replace("⚠", "hash")


def test_the_embedding_is_known_before_a_server_is_asked_as_far_as_that_is_possible(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings, llm = Settings(), "ollama:qwen3:8b"
    monkeypatch.setattr(embedding_choice, "cached_models", list)
    monkeypatch.setattr(embedding_choice, "e5_available", lambda: True)
    assert expected_embedding("openai:bge", settings, "en", llm=llm) == "openai:bge"
    assert expected_embedding("auto", settings, "en", llm="scripted") == "hash"
    assert expected_embedding("auto", settings, "en", llm="auto") == ""
    assert (
        expected_embedding("auto", settings, "en", llm=llm)
        == "e5, unless Ollama has an embedding model"
    )
    monkeypatch.setattr(embedding_choice, "cached_models", lambda: ["BAAI/bge-m3"])
    assert expected_embedding("auto", settings, "zh", llm=llm) == "huggingface:BAAI/bge-m3"


def test_looking_for_models_imports_no_torch() -> None:
    code = "import sys; from hometown.model.embedding_choice import cached_models; cached_models(); sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT / "modules")
