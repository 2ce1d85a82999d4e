"""The project's own description of itself, `pyproject.toml`."""

from __future__ import annotations

import tomllib
from typing import Any

from packaging.requirements import Requirement

from hometown.paths import ROOT


def read_project() -> dict[str, Any]:
    """Return the table `project`: name, dependencies, extras."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return project


def requirements_of(*extras: str) -> list[Requirement]:
    """Return what the package depends on with these extras; an extra may name others of the
    package.
    """
    project = read_project()
    found = [*map(Requirement, project["dependencies"])]
    for extra in extras:
        for one in map(Requirement, project["optional-dependencies"][extra]):
            found += requirements_of(*one.extras) if one.name == project["name"] else [one]
    return list(dict.fromkeys(found))
