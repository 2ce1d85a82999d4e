"""The header of a GGUF file: facts about its model, read from the beginning of the file without
loading the model.

The format is described in https://github.com/ggml-org/ggml/blob/master/docs/gguf.md: magic,
version, number of tensors, number of entries, then the entries: a key, the type of its value, the
value. Only little-endian files of versions 2 and 3 are read, as by llama.cpp on usual machines.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from hometown.frozen import frozen
from hometown.text import Phrase

MAGIC = b"GGUF"
VERSIONS = (2, 3)

_NUMBERS = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    7: "<?",
    10: "<Q",
    11: "<q",
    12: "<d",
}
"""Formats of `struct` by the type of a number."""

_TEXT, _LIST = 8, 9

LONGEST = 1 << 20
"""Bytes of a text, or items of a list, at most. The tokenizer's lists are longer and come last;
they are not read.
"""

CACHE_BYTES = 2
"""Bytes of a number in the key-value cache: llama.cpp keeps it in 16 bits."""


@frozen
class Header:
    """The entries of a file up to those of the tokenizer, and the file's size in bytes."""

    entries: Mapping[str, Any]
    size: int

    @property
    def architecture(self) -> str:
        return str(self.entries.get("general.architecture", ""))

    @property
    def parameters(self) -> str:
        """The number of parameters in words, such as "135M"; "" where the file does not say."""
        return str(self.entries.get("general.size_label", ""))

    @property
    def context(self) -> int:
        """The context that the model was trained for, in tokens; 0 if the file does not say."""
        return self._number("context_length")

    @property
    def is_embedding(self) -> bool:
        """Return True if the model is an embedding model, not a language model."""
        return f"{self.architecture}.pooling_type" in self.entries

    def cache_bytes(self, tokens: int) -> int:
        """Return the bytes of the key-value cache for some tokens over all layers, or 0 if the file
        does not say enough.
        """
        layers, heads = self._number("block_count"), self._number("attention.head_count")
        if not layers or not heads:
            return 0
        of_keys = self._numbers("attention.head_count_kv") or [heads]
        kept = sum(of_keys) if len(of_keys) > 1 else layers * of_keys[0]
        width = self._number("embedding_length") // heads
        both = (self._number("attention.key_length") or width) + (
            self._number("attention.value_length") or width
        )
        return int(kept * both * CACHE_BYTES * tokens)

    def _number(self, name: str) -> int:
        """Return the number of an entry, of several the largest; 0 if it has none."""
        return max(self._numbers(name), default=0)

    def _numbers(self, name: str) -> list[int]:
        """Return the whole numbers of an entry: one, or one for each layer."""
        value = self.entries.get(f"{self.architecture}.{name}")
        values = value if isinstance(value, list) else [value]
        return [each for each in values if isinstance(each, int) and each >= 0]


def read_header(file: Path) -> Header:
    """Read the header of a GGUF file. Raises ValueError with a phrase if the file is of another
    kind or truncated, OSError if it cannot be read.
    """
    with file.open("rb") as stream:
        if stream.read(4) != MAGIC:
            raise ValueError(Phrase("it does not start with the bytes GGUF"))
        version = _number(stream, "<I")
        if version not in VERSIONS:
            raise ValueError(
                Phrase(
                    "version {version} of its format is not supported",
                    version=version,
                )
            )
        _number(stream, "<Q")  # tensors
        entries: dict[str, Any] = {}
        for _ in range(_number(stream, "<Q")):
            key = _text(stream)
            if key.startswith("tokenizer."):
                break
            entries[key] = _value(stream, _number(stream, "<I"))
    if "general.architecture" not in entries:
        raise ValueError(Phrase("it does not say which architecture its model has"))
    return Header(entries, file.stat().st_size)


def _value(stream: BinaryIO, kind: int) -> Any:
    if kind == _TEXT:
        return _text(stream)
    if kind == _LIST:
        item, count = _number(stream, "<I"), _count(stream)
        if item == _LIST:
            raise ValueError(Phrase("it has a list of lists"))
        return [_value(stream, item) for _ in range(count)]
    if kind not in _NUMBERS:
        raise ValueError(Phrase("it has a value of the unknown type {kind}", kind=kind))
    return _number(stream, _NUMBERS[kind])


def _text(stream: BinaryIO) -> str:
    return _exactly(stream, _count(stream)).decode("utf-8", errors="replace")


def _count(stream: BinaryIO) -> int:
    count: int = _number(stream, "<Q")
    if count > LONGEST:
        raise ValueError(Phrase("it has a text or a list of impossible length"))
    return count


def _number(stream: BinaryIO, form: str) -> Any:
    (value,) = struct.unpack(form, _exactly(stream, struct.calcsize(form)))
    return value


def _exactly(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise ValueError(Phrase("it is truncated"))
    return data
