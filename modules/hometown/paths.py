"""Where files are, found from this file and never from the working directory.

In a checkout everything is in the checkout. Installed, the data and the page come with the package;
what a user makes (runs, worlds, `config.json`) is in the folder that the environment variable
HOMETOWN_HOME names, else in the platform's folder for the data of a user.
"""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
ROOT = PACKAGE.parents[1]
"""The checkout."""

INSTALLED = (PACKAGE / "_data").is_dir()
"""Whether this is a package that was installed from a wheel, and not a checkout."""


def user_folder() -> Path:
    """Where an installed package keeps what its user makes."""
    if named := os.environ.get("HOMETOWN_HOME"):
        return Path(named).expanduser().absolute()
    from platformdirs import user_data_path  # a checkout does without it

    return user_data_path("hometown", appauthor=False)


HOME = user_folder() if INSTALLED else ROOT
DATA = PACKAGE / "_data" if INSTALLED else ROOT / "data"
FRONTEND = PACKAGE / "_frontend" if INSTALLED else ROOT / "frontend"
CONFIG = (HOME if INSTALLED else DATA) / "config.json"
RESULTS = HOME / "results"
MODELS = HOME / "models"
"""GGUF files that `hometown model get` fetches."""

WORLDS = DATA / "worlds"
"""The worlds that ship."""

USER_WORLDS = HOME / "worlds" if INSTALLED else WORLDS
"""Where a user's own worlds are made."""


def pip_command(extra: str) -> str:
    """Return the command that adds the packages of an extra to this installation: of a checkout, or
    of the installed package.
    """
    return f'pip install "hometown[{extra}]"' if INSTALLED else f'pip install -e ".[{extra}]"'
