"""The hashes that identify an experiment's definition and the prompts of this version."""

from __future__ import annotations

from hashlib import blake2b

import orjson

from hometown.paths import DATA
from hometown.study.experiment.spec import Experiment

DIGEST_BYTES = 8


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


def _hash(data: bytes) -> str:
    return blake2b(data, digest_size=DIGEST_BYTES).hexdigest()
