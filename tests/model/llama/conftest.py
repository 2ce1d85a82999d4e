"""A GGUF file, and a child that stands for llama.cpp."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from hometown.model.llama import gguf_files as files
from hometown.model.llama import llama_server as server
from hometown.model.llama import process
from tests.support import fake_llama
from tests.support.gguf_files import write_gguf

FAKE = (sys.executable, "-S", "-P", fake_llama.__file__)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the stand-in serves, for which llama.cpp need not be installed. No server, log
    or folder of another test is in the way.
    """
    monkeypatch.setattr(files, "find_spec", lambda _name: find_spec("sys"))
    monkeypatch.setattr(process, "COMMAND", FAKE)
    monkeypatch.setattr(server, "_folder", None)
    monkeypatch.setattr(files, "MODELS", tmp_path / "models")
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")  # where nobody answers
    return write_gguf(tmp_path / "small.gguf")
