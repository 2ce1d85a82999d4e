"""The provenance of runs: program, settings, model and date, and the origin: prompts, sampling and
machine as they were when the simulation began.
"""

from __future__ import annotations

import platform
import shutil
from dataclasses import asdict
from pathlib import Path

import orjson

from hometown.files import atomic_write
from hometown.frozen import frozen
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.render import PROMPT_FOLDER
from hometown.storage.manifest import Manifest
from hometown.study.experiment.provenance import hash_prompts
from hometown.study.experiment.weights import UNKNOWN, ModelWeights

PROVENANCE = (
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

KEPT_PROMPTS = "prompts"
"""The folder of an experiment with the prompts of its runs, those of a version below their hash."""


@frozen
class RunOrigin:
    """The hash of a run's prompts; the parameters of its model calls as JSON: context in tokens,
    and temperature and maximum of tokens by the kind of prompt; its operating system and processor.
    "unknown" in runs of earlier versions.
    """

    prompts: str = UNKNOWN
    sampling: str = UNKNOWN
    machine: str = UNKNOWN


def read_origin(folder: Path, name: str) -> RunOrigin:
    """Return the origin of a run of an experiment, an unknown one if none was written."""
    file = _file_of(folder, name)
    return RunOrigin(**orjson.loads(file.read_bytes())) if file.exists() else RunOrigin()


def write_origin(folder: Path, has: Manifest) -> None:
    """Write the origin of a run of this version, on this machine, which begins now."""
    sampling = {
        "num_ctx": has.settings.llm.num_ctx,
        "temperature": {kind: prompt.temperature for kind, prompt in PROMPTS.items()},
        "max_tokens": {kind: prompt.max_tokens for kind, prompt in PROMPTS.items()},
    }
    origin = RunOrigin(
        hash_prompts(),
        orjson.dumps(sampling, option=orjson.OPT_SORT_KEYS).decode(),
        f"{platform.system()} {platform.machine()}",
    )
    with atomic_write(_file_of(folder, has.name)) as file:
        file.write(orjson.dumps(asdict(origin)))


def provenance_of(
    has: Manifest, model: str, weights: ModelWeights, origin: RunOrigin
) -> tuple[str, ...]:
    """Return the provenance of a run, in the order of `PROVENANCE`; `model` is its public name."""
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


def keep_prompts(folder: Path) -> None:
    """Copy the prompts of this version into the folder of an experiment that is simulated now."""
    copy = folder / KEPT_PROMPTS / hash_prompts()
    shutil.copytree(PROMPT_FOLDER, copy, dirs_exist_ok=True)


def _file_of(folder: Path, name: str) -> Path:
    return folder / "origins" / f"{name}.json"
