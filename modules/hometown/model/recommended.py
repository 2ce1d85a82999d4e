"""Models that Hometown recommends, from `data/models.json`: facts checked against their makers'
pages, and the places of their files on this machine.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import orjson

from hometown.frozen import frozen
from hometown.paths import DATA, MODELS

TABLE = DATA / "models.json"


@frozen
class Recommended:
    """A model: its GGUF file, with size in bytes and SHA-256, and its names elsewhere.

    The file is at `address`, or in a Python package; `ollama` is the name of the same model there.
    `cache_bytes_per_token` is the size of llama.cpp's cache for a token of context, in 16 bits.
    """

    name: str
    file: str
    bytes: int
    sha256: str
    licence: str
    languages: tuple[str, ...]
    cache_bytes_per_token: int
    address: str = ""
    package: str = ""
    ollama: str = ""

    def needed(self, slots: int, context: int) -> int:
        """Return the bytes of memory for `slots` concurrent requests of `context` tokens each."""
        return self.bytes + self.cache_bytes_per_token * slots * context

    @property
    def place(self) -> Path:
        """The path of the file: in its package, or in the folder of models."""
        found = find_spec(self.package.replace("-", "_")) if self.package else None
        return (Path(found.origin).parent if found and found.origin else MODELS) / self.file


@cache
def recommended() -> dict[str, Recommended]:
    """Return the recommended models by name, smallest first."""
    rows = orjson.loads(TABLE.read_bytes())
    return {
        row["name"]: Recommended(**row | {"languages": tuple(row["languages"])}) for row in rows
    }
