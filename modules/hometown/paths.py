"""Paths of files, derived from this file and never from the working directory.

In a checkout everything is in the checkout. Installed, the data and the page come with the package;
a user's runs, worlds and `config.json` are in the folder of the environment variable HOMETOWN_HOME,
or else in the platform's folder for user data.
"""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
ROOT = PACKAGE.parents[1]
"""The folder of the checkout."""

INSTALLED = (PACKAGE / "_data").is_dir()
"""True for a package that was installed from a wheel, False for a checkout."""


def user_folder() -> Path:
    """Return the folder for the user's files of an installed package."""
    if named := os.environ.get("HOMETOWN_HOME"):
        return Path(named).expanduser().absolute()
    from platformdirs import user_data_path  # a checkout does without it

    return user_data_path("hometown", appauthor=False)


HOME = user_folder() if INSTALLED else ROOT
DATA = PACKAGE / "_data" if INSTALLED else ROOT / "data"
FRONTEND = PACKAGE / "_frontend" if INSTALLED else ROOT / "frontend"
CONFIG = (HOME if INSTALLED else DATA) / "config.json"
RESULTS = HOME / "results"
RECORDINGS = DATA / "recordings"
TRIALS = "minds"
"""The folder, in that of the results, of the replies of models on trial."""

MODELS = HOME / "models"
"""GGUF files that `hometown model get` downloads."""

WORLDS = DATA / "worlds"
"""The worlds that come with Hometown."""

USER_WORLDS = HOME / "worlds" if INSTALLED else WORLDS
"""The user's own worlds."""


def pip_command(extra: str) -> str:
    """Return the command that adds the packages of an extra to this installation, a checkout or an
    installed package.
    """
    return f'pip install "hometown[{extra}]"' if INSTALLED else f'pip install -e ".[{extra}]"'
