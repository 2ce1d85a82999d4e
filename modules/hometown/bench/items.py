"""Items of the bench: situations in which a prompt is asked, kept as the variables of the prompt, so
that a changed template is measured on the same situations.

`data/bench/<lang>.jsonl.xz` holds one item a line. An item is *sealed* by a hash of its id: sealed
items serve for final figures only, never for tuning.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson
from pydantic import TypeAdapter

from hometown.frozen import frozen
from hometown.language import Lang
from hometown.paths import DATA
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.prompt import Prompt, Variables

BENCH = DATA / "bench"

DIGEST_BYTES = 6
"""Length of an id before it is written in hexadecimal digits."""

ADVERSARIAL = "adversarial"
"""The trait of an item with a text that tries to lead the model astray."""


@frozen
class BenchItem:
    """A situation of the bench.

    Attributes:
        id: hash of kind, language and variables.
        world: id of the world whose residents and places it names.
        trait: "short" or "long" by the length of its prompt, or `ADVERSARIAL`.
        variables: JSON of the variables of the prompt, without defaults.
    """

    id: str
    kind: str
    lang: Lang
    trait: str
    world: str
    variables: bytes

    @property
    def prompt(self) -> Prompt[Any, Any]:
        return PROMPTS[self.kind]

    @property
    def is_sealed(self) -> bool:
        """Return True for half of all items, by their id."""
        return blake2b(self.id.encode(), digest_size=1).digest()[0] < 128

    def parse(self) -> Variables:
        """Return the variables. Raises ValueError if they do not fit the prompt any longer."""
        variables: Variables = _adapter(self.kind).validate_json(self.variables)
        return variables


def make_item(kind: str, lang: Lang, trait: str, world: str, variables: Variables) -> BenchItem:
    """Return an item whose id is a hash of its kind, language and variables."""
    dumped = orjson.dumps(
        _adapter(kind).dump_python(variables, mode="json", exclude_defaults=True),
        option=orjson.OPT_SORT_KEYS,
    )
    return BenchItem(_digest(kind, lang, dumped), kind, lang, trait, world, dumped)


def _digest(kind: str, lang: Lang, variables: bytes) -> str:
    return blake2b(
        b"\0".join((kind.encode(), lang.encode(), variables)), digest_size=DIGEST_BYTES
    ).hexdigest()


@lru_cache(maxsize=4)
def load_items(lang: Lang, folder: Path = BENCH) -> tuple[BenchItem, ...]:
    """Return all items of a language, in a fixed order."""
    rows = lzma.decompress((folder / f"{lang}.jsonl.xz").read_bytes()).splitlines()
    return tuple(
        BenchItem(
            row["id"],
            row["kind"],
            lang,
            row["trait"],
            row["world"],
            orjson.dumps(row["variables"]),
        )
        for row in map(orjson.loads, rows)
    )


def save_items(lang: Lang, items: Iterable[BenchItem], folder: Path = BENCH) -> None:
    """Write all items of a language; the same items give the same bytes."""
    rows = (
        orjson.dumps(
            {
                "id": item.id,
                "kind": item.kind,
                "trait": item.trait,
                "world": item.world,
                "variables": orjson.Fragment(item.variables),
            }
        )
        for item in items
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{lang}.jsonl.xz").write_bytes(lzma.compress(b"\n".join(rows), preset=9))


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    return TypeAdapter(PROMPTS[kind].variables)
