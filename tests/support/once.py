"""What is costly to make and only read: made by the first test that wants it, for all workers of
pytest-xdist.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder that `make` has filled, in this process or in another one of the same test
    session. Nobody may change it, and two files of tests may not give theirs the same name.
    """
    maker = unwrap_partial(make).__code__.co_filename
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = shared / name, shared / f"{name}.done"
    with FileLock(shared / f"{name}.lock"):
        if not done.exists():
            folder.mkdir()
            make(folder)
            done.write_text(maker)
        elif done.read_text() != maker:
            raise ValueError(f"{maker} and {done.read_text()} both make {name!r}: rename one")
    return folder


def unwrap_partial(make: Callable[[Path], object]) -> Any:
    """The function itself, for a partial one."""
    return make.func if isinstance(make, partial) else make
