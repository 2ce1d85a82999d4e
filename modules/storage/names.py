"""Where runs lie, and what they may be called."""

from __future__ import annotations

import difflib
import unicodedata
from pathlib import Path

from modules.errors import BadRun
from modules.text import Phrase

LONGEST = 64
"""Characters of a run's name at most; file systems take no more than 255 bytes."""

_RESERVED = {"CON", "PRN", "AUX", "NUL", *(f"{port}{number}" for port in ("COM", "LPT") for number in range(10))}
_RULE = Phrase("a name has letters, digits, '-', '_' or '.' and begins with a letter or a digit")


def check_name(name: str) -> str:
    """The name itself, if every system can use it for a folder; raises BadRun otherwise.

    >>> check_name("故里-1.a")
    '故里-1.a'
    """
    if not name or len(name) > LONGEST:
        raise BadRun("{name!r} can't name a run: a name has 1 to {most} characters, this has {count}", name=name, most=LONGEST, count=len(name))
    bad = next((one for one in name if unicodedata.category(one)[0] not in "LMN" and one not in "-_."), None)
    if bad is not None:
        raise BadRun("{name!r} can't name a run because of {bad!r}: {rule}", name=name, bad=bad, rule=_RULE)
    if unicodedata.category(name[0])[0] not in "LN" or name.endswith("."):
        raise BadRun("{name!r} can't name a run: {rule}, and doesn't end with a dot", name=name, rule=_RULE)
    if name.split(".")[0].upper() in _RESERVED:
        raise BadRun("{name!r} can't name a run: Windows keeps this name for itself; add something to it", name=name)
    return name


def folder_of(root: Path, name: str) -> Path:
    """The folder of a run; `root` is the results folder."""
    return root / "checkpoints" / check_name(name)


def file_of(root: Path, name: str) -> Path:
    """The database of a run."""
    return folder_of(root, name) / "run.sqlite"


def run_names(root: Path) -> list[str]:
    """The runs there are, by name."""
    found = (file.parent.name for file in (root / "checkpoints").glob("*/run.sqlite"))
    return sorted(name for name in found if not name.startswith("."))


def existing_file(root: Path, name: str) -> Path:
    """The database of a run that exists; raises BadRun naming those with similar names."""
    file = file_of(root, name)
    if file.is_file():
        return file
    names = run_names(root)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5) or names[:5]
    hint = Phrase("there is {near}", near=near) if near else Phrase("there are none yet; start.py makes one")
    raise BadRun("there is no run {name!r} in {folder}: {hint}", name=name, folder=root / "checkpoints", hint=hint)
