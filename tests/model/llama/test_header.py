"""What GGUF files say, and files that are none."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from hometown.model.llama.header import read_header
from tests.support.gguf_files import write_gguf


def test_the_header_tells_size_context_and_memory(tmp_path: Path) -> None:
    header = read_header(write_gguf(tmp_path / "m.gguf"))
    assert (header.architecture, header.parameters, header.context, header.is_embedding) == (
        "llama",
        "1M",
        2048,
        False,
    )
    assert (
        header.cache_bytes(1) == 2 * 2 * (16 + 16) * 2
    )  # layers, heads of keys, their widths and those of values, 16 bits
    assert header.size == (tmp_path / "m.gguf").stat().st_size


def test_heads_may_differ_by_layer_and_keys_from_values(tmp_path: Path) -> None:
    header = read_header(
        write_gguf(
            tmp_path / "m.gguf",
            llama__attention__head_count_kv=[1, 3],
            llama__attention__key_length=32,
        )
    )
    assert header.cache_bytes(10) == (1 + 3) * (32 + 16) * 2 * 10


def test_a_model_for_vectors_is_known(tmp_path: Path) -> None:
    assert read_header(write_gguf(tmp_path / "m.gguf", llama__pooling_type=1)).is_embedding


def test_the_vocabulary_is_not_read(tmp_path: Path) -> None:
    file = write_gguf(tmp_path / "m.gguf", tokenizer__ggml__model="gpt2", llama__pooling_type=1)
    assert "llama.pooling_type" not in read_header(file).entries


def test_a_model_that_says_little_needs_no_memory_for_its_cache(tmp_path: Path) -> None:
    assert (
        read_header(write_gguf(tmp_path / "m.gguf", llama__block_count=None)).cache_bytes(100) == 0
    )


def test_entries_of_another_type_count_as_none(tmp_path: Path) -> None:
    file = tmp_path / "m.gguf"
    assert read_header(write_gguf(file, llama__attention__head_count="x")).cache_bytes(100) == 0
    assert read_header(write_gguf(file, llama__attention__head_count=[])).cache_bytes(100) == 0
    assert read_header(write_gguf(file, llama__attention__head_count_kv="x")).cache_bytes(1) == (
        2 * 4 * (16 + 16) * 2
    )
    assert read_header(write_gguf(file, llama__context_length=2048.5)).context == 0


ENTRY = struct.pack("<Q", 1) + b"k"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "does not start with the bytes GGUF"),
        (b"PK\x03\x04 a zip", "does not start with the bytes GGUF"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "version 1 "),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 0), "which architecture"),
        (b"GGUF" + struct.pack("<I", 3), "truncated"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 2**60), "truncated"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2**62), "impossible length"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + ENTRY + struct.pack("<I", 99), "unknown type 99"),
        (
            b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + ENTRY + struct.pack("<IIQ", 9, 9, 1),
            "list of lists",
        ),
        (
            b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + ENTRY + struct.pack("<IIQ", 9, 4, 2**50),
            "impossible length",
        ),
        (
            b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + ENTRY + struct.pack("<IIQ", 9, 4, 2),
            "truncated",
        ),
    ],
)
def test_what_is_no_gguf_file_is_said_to_be_none(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(data)
    with pytest.raises(ValueError, match=message):
        read_header(tmp_path / "m.gguf")
