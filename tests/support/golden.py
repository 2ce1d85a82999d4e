"""The golden runs, each laid out in a results folder of a test's own."""

from __future__ import annotations

import shutil
from pathlib import Path

from hometown.storage.manifest import ENGINE
from hometown.storage.run_names import file_of
from hometown.storage.table_schema import SCHEMA_VERSION
from tools.make_golden import GOLDEN, NAME

VERSIONS = sorted(folder.name for folder in GOLDEN.iterdir())
"""Of all golden runs."""

PRESENT = f"{SCHEMA_VERSION}-{ENGINE}"
"""The version of today's runs."""


def put_golden(results: Path, version: str = PRESENT, name: str = NAME) -> Path:
    """Copy the golden run of a version into a results folder, under this name, and return its file
    there.
    """
    return put_run(results, GOLDEN / version / "run.sqlite", name)


def put_run(results: Path, source: Path, name: str = NAME) -> Path:
    """Copy the file of a run into a results folder, under this name, and return its file there."""
    file = file_of(results, name)
    file.parent.mkdir(parents=True)
    return Path(shutil.copyfile(source, file))
