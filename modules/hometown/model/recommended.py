"""Models that Hometown recommends, from `data/models.json`: facts that were checked against their
makers' pages, and where their files are here.
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
    """A model: its GGUF file, with size in bytes and SHA-256, and what it is called elsewhere.

    The file is at `address`, or a Python package carries it; `ollama` is the same model's name
    there. `cache_bytes_per_token` is what llama.cpp keeps for a token of context, in 16 bits.
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
        """Return bytes of memory for so many concurrent requests of so many tokens."""
        return self.bytes + self.cache_bytes_per_token * slots * context

    @property
    def place(self) -> Path:
        """Where the file belongs: in its package, or in the folder of models."""
        found = find_spec(self.package.replace("-", "_")) if self.package else None
        return (Path(found.origin).parent if found and found.origin else MODELS) / self.file


@cache
def recommended() -> dict[str, Recommended]:
    """Return all of them by name, the smallest first."""
    rows = orjson.loads(TABLE.read_bytes())
    return {
        row["name"]: Recommended(**row | {"languages": tuple(row["languages"])}) for row in rows
    }
