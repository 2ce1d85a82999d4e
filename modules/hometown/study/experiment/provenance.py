"""The provenance of an experiment: its definition, and the program, prompts, settings and machine of
its runs.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import orjson

from hometown.paths import DATA
from hometown.study.experiment.spec import Experiment

if TYPE_CHECKING:  # a plan needs only the hash of its definition
    from hometown.storage.manifest import Manifest
    from hometown.study.experiment.origins import RunOrigin
    from hometown.study.experiment.weights import ModelWeights

DIGEST_BYTES = 8

COLUMNS = (
    "run",
    "hometown",
    "engine",
    "python",
    "world",
    "prompts",
    "model",
    "model_digest",
    "quantisation",
    "embedding",
    "sampling",
    "settings",
    "machine",
    "created",
)
"""The columns of the table, after those of every table."""


def format_definition(experiment: Experiment) -> str:
    """Return the definition as indented JSON that ends with a line break, as it is hashed; without
    fields that have their default values, so that the hash is the same in later versions.
    """
    content = experiment.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    form = orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    return orjson.dumps(content, option=form).decode()


def hash_definition(experiment: Experiment) -> str:
    """Return the BLAKE2b hash of a definition, 8 bytes in hexadecimal."""
    return _hash(format_definition(experiment).encode())


def hash_prompts() -> str:
    """Return a hash of the texts of all prompts of this version, in hexadecimal."""
    files = sorted(each for each in (DATA / "prompts").rglob("*") if each.is_file())
    return _hash(b"".join(file.name.encode() + b"\0" + file.read_bytes() for file in files))


def provenance_of(
    has: Manifest, model: str, weights: ModelWeights, origin: RunOrigin
) -> tuple[str, ...]:
    """Return the provenance of a run, in the order of `COLUMNS`; `model` is its public name."""
    settings = has.settings.model_dump(mode="json")
    return (
        has.name,
        has.versions.get("hometown", ""),
        str(has.engine),
        has.versions.get("python", ""),
        has.versions.get("world", ""),
        origin.prompts,
        model,
        weights.digest,
        weights.quantisation,
        has.embedding,
        origin.sampling,
        orjson.dumps(settings, option=orjson.OPT_SORT_KEYS).decode(),
        origin.machine,
        has.created.isoformat(),
    )


def _hash(data: bytes) -> str:
    return blake2b(data, digest_size=DIGEST_BYTES).hexdigest()
