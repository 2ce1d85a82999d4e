"""GGUF files without weights: headers that say what a test wants to be said."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any


def write_gguf(file: Path, *, version: int = 3, **entries: Any) -> Path:
    """A file with these entries, where a double underscore stands for a dot; by default a small
    model for texts.
    """
    usual = {
        "general__architecture": "llama",
        "general__size_label": "1M",
        "llama__context_length": 2048,
        "llama__block_count": 2,
        "llama__embedding_length": 64,
        "llama__attention__head_count": 4,
        "llama__attention__head_count_kv": 2,
    }
    chosen = {
        key.replace("__", "."): value
        for key, value in (usual | entries).items()
        if value is not None
    }
    data = b"GGUF" + struct.pack("<IQQ", version, 0, len(chosen))
    file.write_bytes(data + b"".join(_text(key) + _value(value) for key, value in chosen.items()))
    return file


def _value(value: Any) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    if isinstance(value, list):
        return struct.pack("<IIQ", 9, 4, len(value)) + b"".join(
            struct.pack("<I", item) for item in value
        )
    return (
        struct.pack("<If", 6, value) if isinstance(value, float) else struct.pack("<II", 4, value)
    )


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()
