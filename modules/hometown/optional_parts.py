"""The optional parts of Hometown: rooms that plug into the kernel and can be left out.

The kernel never imports them. It asks for the `PLUGIN` of a part by name where a town needs one, and
commands import a part when they are called.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from hometown.errors import BadInput, MissingPart
from hometown.paths import pip_command

PARTS = ("authoring", "processes", "shards", "society", "study")
"""The packages below `hometown` that can be left out."""


@cache
def load_plugin(part: str) -> Any:
    """Return the `PLUGIN` of an optional part. Raises MissingPart where it is left out."""
    with explain_missing_parts():
        return import_module(f"hometown.{part}.{part}_handlers").PLUGIN


def has_part(part: str) -> bool:
    """Return True if this installation has an optional part."""
    try:
        return find_spec(f"hometown.{part}") is not None
    except ModuleNotFoundError:
        return False


@contextmanager
def explain_missing_parts() -> Iterator[None]:
    """Raise MissingPart in place of ModuleNotFoundError where an import finds no optional part."""
    try:
        yield
    except ModuleNotFoundError as error:
        room, _, below = (error.name or "").partition(".")
        part = below.partition(".")[0]
        if room != "hometown" or part not in PARTS:
            raise
        raise MissingPart(
            "this needs {part}, a part of Hometown that is not installed here: install the whole package hometown",
            part=f"hometown.{part}",
        ) from None


@contextmanager
def explain_missing_packages(extra: str) -> Iterator[None]:
    """Raise BadInput with the command that installs an extra, in place of ModuleNotFoundError where
    an import finds no package.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("hometown"):
            raise
        raise BadInput(
            "this needs packages that are not installed ({package}): {command}",
            package=error.name,
            command=pip_command(extra),
        ) from None
